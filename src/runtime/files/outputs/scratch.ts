import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { writeFailure } from '../system/file-failure.ts';
import { ifPossible } from '../system/if-possible.ts';
import { removeLeftovers, scratchPrefix } from './leftovers.ts';

/** The name of a folder in a scratch folder that becomes an output. */
const WHOLE = 'whole-folder';

const live = new Set<string>();

/** The folder from `wholeFolder` that contains these files and nothing else; undefined where there is none. */
export function wholeFolderOf(paths: readonly string[]): string | undefined {
  // Windows cannot rename a folder in which a file is open.
  if (process.platform === 'win32') return undefined;
  const folder = dirname(paths[0] ?? '');
  if (basename(folder) !== WHOLE || paths.some((path) => dirname(path) !== folder)) return undefined;
  return readdirSync(folder).length === paths.length ? folder : undefined;
}

/** Removes all scratch folders of this process, for an exit that cannot wait for `Scratch.remove`. */
export function removeScratches(): void {
  for (const folder of live) remove(folder);
}

/** A private folder (0700) in `parent`, made when it is first needed. After kill -9 the next run removes it. */
export class Scratch {
  readonly #parent: string;
  readonly #temporary: boolean;
  #folder: string | undefined;

  /** `parent`: by default the system's folder for temporary files. */
  constructor(parent?: string) {
    this.#parent = parent ?? tmpdir();
    this.#temporary = parent === undefined;
  }

  /** Where a file named `name` belongs. Throws a Failure when the folder cannot be made. */
  path(name: string): string {
    return join(this.folder(), name);
  }

  folder(): string {
    this.#folder ??= make(this.#parent, this.#temporary);
    return this.#folder;
  }

  /** A folder in it that becomes an output, with the usual rights of new folders. */
  wholeFolder(): string {
    const whole = this.path(WHOLE);
    try {
      mkdirSync(whole);
    } catch (error) {
      throw writeFailure(error, this.#parent);
    }
    return whole;
  }

  remove(): void {
    if (this.#folder === undefined) return;
    remove(this.#folder);
    this.#folder = undefined;
  }
}

function make(parent: string, temporary: boolean): string {
  try {
    removeLeftovers(parent);
    const folder = mkdtempSync(join(parent, scratchPrefix()));
    if (live.size === 0) process.once('exit', removeScratches);
    live.add(folder);
    return folder;
  } catch (error) {
    const hint = 'Temporary files go there: name another folder in TMPDIR.';
    throw temporary ? writeFailure(error, parent).with({ hint }) : writeFailure(error, parent);
  }
}

function remove(folder: string): void {
  // Where it stays, that is no reason to fail a finished job: the folder is hidden and private.
  ifPossible(() => rmSync(folder, { recursive: true, force: true }));
  live.delete(folder);
  if (live.size === 0) process.removeListener('exit', removeScratches);
}
