/**
 * Files for callers that are not trusted with the whole disk, such as agents: nothing outside the given folders (roots) is read
 * or written.
 *
 * In: a name as an agent wrote it. Out: an open source, or the place of an output, or a Failure. The invariant: every file that
 * is read or written lies in a root without links, on the file system of that root, at the time of its use. A name is checked
 * three times. As text: absolute paths, `~` and file: URLs are resolved, and device names and UNC paths refused. By its real
 * path, without links. After opening: the descriptor must be of the same plain file, and lie inside. So a link or a rename put
 * in place between the checks leads nowhere. A folder for outputs is held by a descriptor, and names in it are used through
 * /proc/self/fd, where the system has that. The cost is some five system calls for each file.
 */

import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, parse, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Failure } from '../../contract/base/failure.ts';
import type { RandomAccess } from '../../contract/base/ports.ts';
import { command, say, setting } from '../../contract/base/wording.ts';
import { isDeviceName, typeAmong } from '../../contract/media.ts';
import { notEmpty } from './inputs/inputs.ts';
import type { Target } from './outputs/target.ts';
import { Workspace, withWorkspace } from './outputs/workspace.ts';
import { errnoOf, folderGiven, readFailure, writeFailure } from './system/file-failure.ts';
import { fileSource } from './system/file-source.ts';
import { makeFolder } from './system/folder.ts';

/** Where Linux shows the file of a descriptor. A path through it stays in the same folder, even if that is renamed. */
const DESCRIPTORS = '/proc/self/fd';
const canAnchor = existsSync(DESCRIPTORS);

/** Opening does not wait for a pipe, does not take over a terminal, and does not follow a link. */
const FILE = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);
const FOLDER = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);

interface Root {
  /** As it was given, made absolute. */
  readonly path: string;
  /** Without links. */
  readonly real: string;
  /** The file system it is on. One that is mounted inside it is not part of the root. */
  readonly device: number;
}

/** A folder that is held open: names in it stay names in this folder, even if its path leads elsewhere by now. */
export interface HeldFolder {
  /** For calls of this process. */
  readonly path: string;
  /** For messages. */
  readonly shown: string;
  close(): void;
}

/** The place of an output: its folder is held open, and its name is free or may be replaced. */
export interface OutputPlace {
  readonly folder: HeldFolder;
  readonly name: string;
  /** The target for a name in the folder; with `replaces` where there is such a file. */
  target(name: string): Target & { kind: 'file' };
  isTaken(name: string): boolean;
}

export class Sandbox {
  readonly #roots: readonly Root[];
  readonly #outputs: string;

  /** `outputs`: the folder for outputs without a name of the caller's. It is made when it is missing, and is a root too. */
  constructor(roots: readonly string[], outputs: string) {
    const given = [...new Set(roots.map((root) => resolve(root)))].map(rootAt);
    this.#outputs = resolve(outputs);
    if (!existsSync(this.#outputs)) makeFolder(this.#outputs);
    const isRoot = given.some(({ path }) => path === this.#outputs);
    this.#roots = isRoot ? given : [...given, rootAt(this.#outputs)];
  }

  /** The folders that may be used. */
  get roots(): readonly string[] {
    return this.#roots.map(({ path }) => path);
  }

  get outputs(): string {
    return this.#outputs;
  }

  /** The files and drafts of one call. A file that is opened again is checked again. */
  workspace(): Workspace {
    return new Workspace((path) => this.#openFile(path, path));
  }

  withWorkspace<T>(work: (workspace: Workspace) => Promise<T>): Promise<T> {
    return withWorkspace(work, this.workspace());
  }

  /** A file to read. Relative names start at the first root. */
  source(given: string, types: readonly string[], workspace: Workspace): { source: RandomAccess; path: string } {
    const path = this.#absolute(given, this.#roots[0]?.path ?? this.#outputs);
    const real = this.#real(path, given);
    const opened = notEmpty(workspace.descriptors.adopt(this.#openFile(real, given), real, given));
    return { source: fileSource(opened, workspace.descriptors, typeAmong(path, types)), path };
  }

  /** The place of an output. Without `asked`, it is `fallback` in the folder for outputs. */
  place(asked: string | undefined, fallback: string, overwrite: boolean): OutputPlace {
    const path = asked === undefined ? join(this.#outputs, fallback) : this.#absolute(asked, this.#outputs);
    if (asked !== undefined && /[/\\]$/.test(asked)) throw notNamed(asked);
    const { dir, base } = parse(path);
    if (base === '' || base === '.' || base === '..') throw notNamed(asked ?? fallback);
    if (base.startsWith('.')) {
      throw new Failure('usage', `${asked ?? fallback} is a hidden file, which is no place for an output`, {
        hint: 'Choose a name that does not begin with a dot.',
      });
    }
    const folder = this.#hold(dir, asked ?? fallback);
    const at = (name: string) => join(folder.path, name);
    return {
      folder,
      name: base,
      isTaken: (name) => look(at(name)) !== undefined,
      target(name) {
        const shown = join(folder.shown, name);
        const facts = look(at(name));
        const free = { kind: 'file', path: at(name), name: shown } as const;
        if (facts === undefined || !overwrite) return free;
        // Links, folders and devices are never replaced.
        return facts.isFile() ? { ...free, replaces: { mode: facts.mode & 0o777 } } : free;
      },
    };
  }

  /** Whether a path as it is written lies in a root. The disk is not read. */
  #inside(path: string): boolean {
    return this.#roots.some((root) => contains(root.path, path) || contains(root.real, path));
  }

  #absolute(given: string, base: string): string {
    if (given.includes('\0')) throw new Failure('usage', 'a file name cannot hold a NUL character');
    if (given.trim() === '') throw new Failure('usage', 'expected the name of a file, found nothing');
    const named = /^file:/i.test(given) ? fromUrl(given) : given.replace(/^~(?=$|[/\\])/, homedir());
    // \\?\C:\x, \\server\share and C:x are not what they look like.
    if (/^\\\\/.test(named) || /^[a-z]:(?![/\\])/i.test(named)) throw this.#outside(given);
    const path = resolve(base, named);
    if (!this.#inside(path)) throw this.#outside(given);
    if (path.slice(parse(path).root.length).split(sep).some(isDeviceName)) {
      throw new Failure('usage', `${given} is the name of a device on Windows`, { hint: 'Choose another name.' });
    }
    return path;
  }

  #real(path: string, given: string): string {
    let real: string;
    try {
      real = realpathSync.native(path);
    } catch (error) {
      throw readFailure(error, given);
    }
    if (this.#rootOf(real) === undefined) throw this.#outside(given);
    return real;
  }

  #rootOf(real: string): Root | undefined {
    return this.#roots.find((root) => contains(root.real, real) && deviceOf(real) === root.device);
  }

  /** Opens a plain file in a root. Throws a Failure. */
  #openFile(path: string, given: string): number {
    let descriptor: number;
    try {
      const before = lstatSync(path);
      if (before.isDirectory()) throw folderGiven(given);
      if (!before.isFile()) throw notPlain(given);
      descriptor = openSync(path, FILE);
    } catch (error) {
      if (error instanceof Failure) throw error;
      throw errnoOf(error) === 'ELOOP' ? this.#outside(given) : readFailure(error, given);
    }
    try {
      const stats = fstatSync(descriptor);
      if (!stats.isFile()) throw notPlain(given);
      if (this.#rootOf(whereIs(descriptor, path)) === undefined) throw this.#outside(given);
      const now = statSync(whereIs(descriptor, path));
      if (now.dev !== stats.dev || now.ino !== stats.ino) throw this.#outside(given);
      return descriptor;
    } catch (error) {
      closeSync(descriptor);
      throw error instanceof Failure ? error : readFailure(error, given);
    }
  }

  /** Opens an existing folder in a root. */
  #hold(path: string, given: string): HeldFolder {
    let descriptor: number;
    let real: string;
    try {
      real = realpathSync.native(path);
      if (this.#rootOf(join(real, 'x')) === undefined) throw this.#outside(given);
      if (!canAnchor) {
        accessSync(real, constants.W_OK | constants.X_OK);
        return { path: real, shown: path, close() {} };
      }
      descriptor = openSync(real, FOLDER);
    } catch (error) {
      throw error instanceof Failure ? error : writeFailure(error, given);
    }
    const held = `${DESCRIPTORS}/${descriptor}`;
    try {
      if (this.#rootOf(join(readlinkSync(held), 'x')) === undefined) throw this.#outside(given);
      accessSync(held, constants.W_OK | constants.X_OK);
    } catch (error) {
      closeSync(descriptor);
      throw error instanceof Failure ? error : writeFailure(error, given);
    }
    return { path: held, shown: path, close: () => closeSync(descriptor) };
  }

  #outside(given: string): Failure {
    return new Failure('forbidden', `${given} is outside the folders that this server may use`, {
      hint: say`It may use ${this.roots.join(', ')}. A person can add a folder with ${command('mcp')} ${setting('root')}.`,
    });
  }
}

function rootAt(path: string): Root {
  try {
    const real = realpathSync.native(path);
    const stats = statSync(real);
    if (!stats.isDirectory()) throw new Failure('usage', say`${setting('root')}: ${path} is no folder`);
    return { path, real, device: stats.dev };
  } catch (error) {
    throw error instanceof Failure ? error : readFailure(error, path);
  }
}

function contains(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** The device of the folder that holds a file. On an overlay file system the file itself may claim another one. */
function deviceOf(real: string): number | undefined {
  return statSync(dirname(real), { throwIfNoEntry: false })?.dev;
}

/** The current path of an open file. */
function whereIs(descriptor: number, path: string): string {
  return canAnchor ? readlinkSync(`${DESCRIPTORS}/${descriptor}`) : realpathSync.native(path);
}

function look(path: string) {
  return lstatSync(path, { throwIfNoEntry: false });
}

function fromUrl(given: string): string {
  try {
    return fileURLToPath(given);
  } catch (cause) {
    throw new Failure('usage', `${given} is no address of a file on this machine`, { cause });
  }
}

function notPlain(given: string): Failure {
  return new Failure('refused', `${given} is no plain file but a pipe, a socket or a device`, {
    hint: 'Save what it holds to a file first.',
  });
}

function notNamed(given: string): Failure {
  return new Failure('usage', `${given} is a folder, expected the name of a file`);
}
