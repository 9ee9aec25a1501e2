/**
 * Files for callers that are not trusted with the whole disk, such as agents: nothing outside the given folders is read or
 * written, whatever a name says and whatever happens to a path while it is used.
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
import { Failure } from '../../contract/failure.ts';
import { EXTENSIONS } from '../../contract/media.ts';
import type { RandomAccess } from '../../contract/ports.ts';
import type { Opened } from '../files/descriptors.ts';
import { errnoOf, folderGiven, readFailure, writeFailure } from '../files/file-failure.ts';
import { fileSource } from '../files/file-source.ts';
import { makeFolder } from '../files/folder.ts';
import type { Target } from '../files/target.ts';
import { Workspace } from '../folders/workspace.ts';

/** Where Linux shows what a descriptor stands for; also a way to a folder that no rename can lead elsewhere. */
const DESCRIPTORS = '/proc/self/fd';
const canAnchor = existsSync(DESCRIPTORS);

/** A pipe must not be waited for, a terminal must not become ours, and a link put in place meanwhile is not followed. */
const FILE = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);
const FOLDER = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);

/** Names that mean a device on Windows, in every folder and with every extension. */
const DEVICE = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)\s*(\.|$)/i;

interface Root {
  /** As it was given, made absolute. */
  readonly path: string;
  /** Without links. */
  readonly real: string;
  /** The file system it is on. Another one that is mounted inside is another place. */
  readonly device: number;
}

/** A folder that is held open: names in it mean what is in this folder, wherever its path leads by now. */
export interface HeldFolder {
  /** For this process's own calls. */
  readonly path: string;
  /** For people. */
  readonly shown: string;
  close(): void;
}

/** An output before it is written: the folder is held, the name in it is free or may be taken over. */
export interface OutputPlace {
  readonly folder: HeldFolder;
  readonly name: string;
  /** The place for a name in the folder; `replaces` where the file is there. */
  target(name: string): Target & { kind: 'file' };
  /** Whether something of that name is there. */
  isTaken(name: string): boolean;
}

export class Sandbox {
  readonly #roots: readonly Root[];
  readonly #outputs: string;

  /** `outputs`: where outputs go whose place is not said; made when it is missing, and a root by itself. */
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

  /** What one call holds on this machine; a file that is opened again is looked at again. */
  workspace(): Workspace {
    return new Workspace((path) => this.#openFile(path, path));
  }

  /** A file to read. Names that are no absolute path are taken from the first folder. */
  source(given: string, types: readonly string[], workspace: Workspace): { source: RandomAccess; path: string } {
    const path = this.#absolute(given, this.#roots[0]?.path ?? this.#outputs);
    const real = this.#real(path, given);
    const opened: Opened = workspace.descriptors.adopt(this.#openFile(real, given), real, given);
    if (opened.identity.size === 0) {
      throw new Failure('refused', `${given} is empty: 0 bytes`, {
        kind: 'empty',
        hint: 'Check how it was made; a download may have failed.',
      });
    }
    return { source: fileSource(opened, workspace.descriptors, typeNamed(path, types)), path };
  }

  /** The place of an output. Without a name that was asked for, `fallback` is put into the folder for outputs. */
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
        const found = look(at(name));
        const free = { kind: 'file', path: at(name), name: shown } as const;
        if (found === undefined || !overwrite) return free;
        // A link, a folder or a device is no output of ours: it is left alone.
        return found.isFile() ? { ...free, replaces: { mode: found.mode & 0o777 } } : free;
      },
    };
  }

  /** Whether a path, as it is written, lies in one of the folders. Nothing is looked at on the disk. */
  #inside(path: string): boolean {
    return this.#roots.some((root) => contains(root.path, path) || contains(root.real, path));
  }

  #absolute(given: string, base: string): string {
    if (given.includes('\0')) throw new Failure('usage', 'a file name cannot hold a NUL character');
    if (given.trim() === '') throw new Failure('usage', 'expected the name of a file, found nothing');
    const named = /^file:/i.test(given) ? fromUrl(given) : given.replace(/^~(?=$|[/\\])/, homedir());
    // \\?\C:\x, \\server\share and C:x mean other places than they seem to.
    if (/^\\\\/.test(named) || /^[a-z]:(?![/\\])/i.test(named)) throw this.#outside(given);
    const path = resolve(base, named);
    if (!this.#inside(path)) throw this.#outside(given);
    for (const part of path.slice(parse(path).root.length).split(sep)) refuseDevice(part, given);
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

  /** A descriptor of a plain file that is known to lie inside. Throws a Failure. */
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
      const found = fstatSync(descriptor);
      if (!found.isFile()) throw notPlain(given);
      if (this.#rootOf(whereIs(descriptor, path)) === undefined) throw this.#outside(given);
      const now = statSync(whereIs(descriptor, path));
      if (now.dev !== found.dev || now.ino !== found.ino) throw this.#outside(given);
      return descriptor;
    } catch (error) {
      closeSync(descriptor);
      throw error instanceof Failure ? error : readFailure(error, given);
    }
  }

  /** Holds a folder that is there and lies inside. */
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
      hint: `It may use ${this.roots.join(', ')}. A person can add a folder with pdftool mcp --root.`,
    });
  }
}

function rootAt(path: string): Root {
  try {
    const real = realpathSync.native(path);
    const found = statSync(real);
    if (!found.isDirectory()) throw new Failure('usage', `--root: ${path} is no folder`);
    return { path, real, device: found.dev };
  } catch (error) {
    throw error instanceof Failure ? error : readFailure(error, path);
  }
}

function contains(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Of the folder that holds it: files of an overlay may claim another device than their folder. */
function deviceOf(real: string): number | undefined {
  return statSync(dirname(real), { throwIfNoEntry: false })?.dev;
}

/** The path of what a descriptor stands for by now. */
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

function refuseDevice(name: string, given: string): void {
  if (!DEVICE.test(name)) return;
  throw new Failure('usage', `${given} is the name of a device on Windows`, { hint: 'Choose another name.' });
}

function notPlain(given: string): Failure {
  return new Failure('refused', `${given} is no plain file but a pipe, a socket or a device`, {
    hint: 'Save what it holds to a file first.',
  });
}

function notNamed(given: string): Failure {
  return new Failure('usage', `${given} is a folder, expected the name of a file`);
}

function typeNamed(path: string, types: readonly string[]): string | undefined {
  const extension = parse(path).ext.slice(1).toLowerCase();
  return types.find((type) => EXTENSIONS[type]?.includes(extension)) ?? types[0];
}
