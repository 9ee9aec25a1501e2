/**
 * Append-only files of JSON lines that many processes use at once and a crash cannot spoil.
 *
 * Each entry is one file. It appears with its first line, by a hard link from a synced draft; later lines are appended by one
 * write each, and synced. Nothing is ever rewritten, so no lock is held and none is left behind by kill -9. A line that a crash
 * cut off is ended by the next append and left out by readers. An entry is forgotten by unlinking its file. The cost: one
 * fdatasync for each line, and one fsync of the folder for each new entry.
 */

import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  fdatasyncSync,
  fstatSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { hostname, uptime } from 'node:os';
import { join } from 'node:path';
import { Failure } from '../../../contract/base/failure.ts';
import type { Values } from '../../../contract/base/ports.ts';
import { isRecord, parsedJson } from '../../../contract/base/present.ts';
import { systemEntropy } from '../../entropy.ts';
import { isAlive } from '../system/alive.ts';
import { errnoOf, writeFailure } from '../system/file-failure.ts';
import { ifPossible } from '../system/if-possible.ts';
import { syncFolder, withFile } from '../system/sync.ts';

/** Identifies a process, so that others can find out whether it still runs. */
export interface Holder {
  readonly pid: number;
  readonly host: string;
  /** Milliseconds since the epoch when this was written. */
  readonly since: number;
}

const NAME = /^[a-z]+-[0-9a-f]+-\d+$/;
const EXTENSION = '.jsonl';
/** Milliseconds by which clock and uptime may disagree. A process of the previous boot is older by more. */
const BOOT_SLACK = 5_000;
/** Milliseconds for which a process of another machine (a shared home folder) is taken to run. */
const FOREIGN = 3_600_000;

export class LineFiles {
  readonly folder: string;
  readonly #ours: boolean;

  constructor(parent: { readonly path: string; readonly ours: boolean }) {
    this.folder = join(parent.path, 'journal');
    this.#ours = parent.ours;
  }

  /** Makes a file with its first line, on disk when this returns; false where the name is taken. */
  create(name: string, line: Values): boolean {
    this.#makeFolder();
    // Written under another name and linked: nobody ever sees the file without its first line.
    const draft = join(this.folder, `.${name}.${systemEntropy.token()}`);
    try {
      closeSync(openSync(draft, 'wx', 0o600));
      withFile(draft, 'r+', (descriptor) => writeLine(descriptor, `${JSON.stringify(line)}\n`));
      try {
        linkNew(draft, this.#path(name));
      } catch (error) {
        if (errnoOf(error) === 'EEXIST') return false;
        throw error;
      } finally {
        unlinkSync(draft);
      }
      syncFolder(this.folder);
      return true;
    } catch (error) {
      throw unusable(error, this.folder);
    }
  }

  /** Adds a line, on disk when this returns unless it is `brief`; false where the file was removed. */
  append(name: string, line: Values, brief = false): boolean {
    return this.#unlessMissing(false, () =>
      withFile(this.#path(name), constants.O_RDWR | constants.O_APPEND, (descriptor) => {
        // Ends a line that a crash cut off, so that the new one stands on a line of its own.
        writeLine(descriptor, `${endsTorn(descriptor) ? '\n' : ''}${JSON.stringify(line)}\n`, brief);
        return true;
      }),
    );
  }

  /** The lines of an entry in order, without those that a crash cut off; undefined where there is no such entry. */
  read(name: string): readonly Values[] | undefined {
    const text = this.#unlessMissing(undefined, () => readFileSync(this.#path(name), 'utf8'));
    return text?.split('\n').map(parsedJson).filter(isRecord);
  }

  /** Names of all files, in no order. */
  names(): readonly string[] {
    return this.#unlessMissing([], () => readdirSync(this.folder))
      .filter((file) => file.endsWith(EXTENSION))
      .map((file) => file.slice(0, -EXTENSION.length))
      .filter((name) => NAME.test(name));
  }

  /** Returns whether there was such an entry. */
  remove(name: string): boolean {
    return this.#unlessMissing(false, () => {
      unlinkSync(this.#path(name));
      return true;
    });
  }

  me(): Holder {
    return { pid: process.pid, host: hostname(), since: Date.now() };
  }

  /** Whether a process still runs, as far as it can be told from here. */
  isAlive({ pid, host, since }: Holder): boolean {
    if (host !== hostname()) return Date.now() - since < FOREIGN;
    if (since < Date.now() - uptime() * 1000 - BOOT_SLACK) return false;
    // The pid was given to another process since.
    const started = startOf(pid);
    if (started !== undefined && started > since + BOOT_SLACK) return false;
    return isAlive(pid);
  }

  /** The result of `work`, or `instead` where there is no such file. @throws Failure */
  #unlessMissing<T, D>(instead: D, work: () => T): T | D {
    try {
      return work();
    } catch (error) {
      if (errnoOf(error) === 'ENOENT') return instead;
      throw unusable(error, this.folder);
    }
  }

  #path(name: string): string {
    if (!NAME.test(name)) throw new TypeError(`no name of a journal file: ${name}`);
    return join(this.folder, `${name}${EXTENSION}`);
  }

  #makeFolder(): void {
    try {
      mkdirSync(this.folder, { recursive: true, mode: 0o700 });
      if (this.#ours && (statSync(this.folder).mode & 0o077) !== 0) chmodSync(this.folder, 0o700);
    } catch (error) {
      throw unusable(error, this.folder);
    }
  }
}

/** When a process began, where the system tells (Linux counts hundredths of a second from its boot). */
function startOf(pid: number): number | undefined {
  const text = ifPossible(() => readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? '';
  // The program's name stands in brackets and may hold anything, brackets too.
  const ticks = Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[19]);
  return Number.isFinite(ticks) ? Date.now() - uptime() * 1000 + ticks * 10 : undefined;
}

/** Fails where the name is taken; a file system without hard links takes a copy that is made there and then. */
function linkNew(draft: string, path: string): void {
  try {
    linkSync(draft, path);
  } catch (error) {
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(errnoOf(error) ?? '')) throw error;
    copyFileSync(draft, path, constants.COPYFILE_EXCL);
    withFile(path, 'r+', fdatasyncSync);
  }
}

/** Uses one write, so that appends of several processes do not mix. */
function writeLine(descriptor: number, text: string, brief = false): void {
  const bytes = Buffer.from(text);
  if (writeSync(descriptor, bytes) !== bytes.length) {
    throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
  }
  if (!brief) fdatasyncSync(descriptor);
}

function endsTorn(descriptor: number): boolean {
  const { size } = fstatSync(descriptor);
  if (size === 0) return false;
  const last = Buffer.alloc(1);
  readSync(descriptor, last, 0, 1, size - 1);
  return last[0] !== 0x0a;
}

function unusable(error: unknown, folder: string): Failure {
  if (error instanceof Failure) return error;
  const { message } = writeFailure(error, folder);
  return new Failure('usage', `the journal of jobs and paid calls cannot be used: ${message}`, {
    hint: 'Make that folder usable, or set PDFTOOL_STATE_DIR to another one.',
    cause: error,
  });
}
