import {
  accessSync,
  constants,
  type Dirent,
  lstatSync,
  readdirSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import { dirname, join, resolve, sep, win32 } from 'node:path';
import { Failure } from '../../../contract/base/failure.ts';
import { say, setting } from '../../../contract/base/wording.ts';
import { isDeviceName } from '../../../contract/media.ts';
import { errnoOf, outputExists, writeFailure } from '../system/file-failure.ts';

/** Where an output goes: a free name, or one that --force allows to replace. */
export type Target =
  | {
      readonly kind: 'file';
      readonly path: string;
      readonly name: string;
      readonly replaces?: { readonly mode?: number };
    }
  | {
      readonly kind: 'folder';
      readonly path: string;
      readonly name: string;
      readonly replaces?: { readonly mode: number; readonly isEmpty: boolean };
    }
  /** A device or a pipe, which is written to directly. */
  | { readonly kind: 'stream'; readonly path: string; readonly name: string };

/** Identifies an input, so that an output that would replace it is recognised. */
export interface InputIdentity {
  readonly dev: number;
  readonly ino: number;
}

/** The target of one file. Throws where the name is taken, or the folder cannot be written. */
export function fileTarget(name: string, force: boolean, inputs: readonly InputIdentity[]): Target {
  if (isFolderName(name, sep)) throw folderNamed(name);
  refuseDeviceName(name, process.platform);
  const path = resolve(name);
  const entry = look(path, name);
  if (entry === undefined) {
    checkParent(path, name);
    return { kind: 'file', path, name };
  }
  // Of a link, the file it points to is replaced, and the link stays.
  const target = entry.isSymbolicLink() ? look(path, name, statSync) : entry;
  if (target?.isDirectory() === true) throw folderNamed(name);
  if (target !== undefined && !target.isFile()) return { kind: 'stream', path, name };
  if (!force)
    throw target !== undefined && inputs.some(({ dev, ino }) => dev === target.dev && ino === target.ino)
      ? outputIsInput(name)
      : outputExists(name);
  const real = target === undefined ? path : realpathSync(path);
  checkParent(real, name);
  // A broken link is replaced itself. Its mode is not kept: it lets everyone write.
  return { kind: 'file', path: real, name, replaces: target === undefined ? {} : { mode: target.mode & 0o777 } };
}

/** The target of a folder, which appears as a whole. An empty folder is replaced without `force`. */
export function folderTarget(given: string, force: boolean): Target {
  const name = withoutSlash(given, sep);
  refuseDeviceName(name, process.platform);
  const path = resolve(name);
  const entry = look(path, name);
  const isEmpty = entry?.isDirectory() === true && entriesOf(path, name).length === 0;
  if (entry !== undefined && !isEmpty) {
    if (!force) throw outputExists(name);
    if (!entry.isDirectory()) {
      const what = entry.isSymbolicLink() ? 'link' : 'file';
      throw new Failure('usage', `${name} is a ${what}, expected a folder to write`, {
        hint: 'Choose another name with -o; a name that ends in .zip gives one ZIP.',
      });
    }
    checkReplaceable(path, name);
  }
  checkParent(path, name);
  const free = { kind: 'folder', path, name } as const;
  return entry === undefined ? free : { ...free, replaces: { mode: entry.mode & 0o777, isEmpty } };
}

/** Whether a name can only be a folder: `out/`, on Windows also `out\\`. `separator`: of the system. */
export function isFolderName(name: string, separator: string): boolean {
  return name.endsWith('/') || name.endsWith(separator);
}

export function withoutSlash(name: string, separator: string): string {
  return name.replace(separator === '\\' ? /(?<=[^:\\/])[\\/]+$/ : /(?<=.)\/+$/, '');
}

/** On Windows `nul.pdf` is a device, and what is written to it is lost. */
export function refuseDeviceName(name: string, platform: string): void {
  const base = win32.basename(name);
  if (platform !== 'win32' || !isDeviceName(base)) return;
  throw new Failure('usage', `${name}: ${base} is the name of a device on Windows`, { hint: 'Choose another name.' });
}

// --force replaces a folder as a whole: only one that holds nothing but numbered outputs like ours, never a home folder.
const NUMBERED_OUTPUT = /^(?:[a-z]+-\d+(?:-\d+)*\.pdf|page-\d{3,}(?:-\d+)?\.(?:png|jpe?g|webp))$/;

function checkReplaceable(path: string, name: string): void {
  const stranger = entriesOf(path, name).find((entry) => !entry.isFile() || !NUMBERED_OUTPUT.test(entry.name));
  if (stranger === undefined) return;
  throw new Failure('output_exists', `${name} holds ${stranger.name}, which this program does not write`, {
    hint: say`${setting('force')} replaces a whole folder, so it spares one with other files. Choose another name with ${setting('output')}.`,
  });
}

function folderNamed(name: string): Failure {
  return new Failure('usage', `${name} is a folder, expected a file name`, {
    hint: `Name the file, such as -o ${join(name, 'output.pdf')}.`,
  });
}

function outputIsInput(name: string): Failure {
  return new Failure('output_exists', `${name} is an input and the output`, {
    hint: say`Choose another name with ${setting('output')}, or replace it with ${setting('force')}: that happens when the new file is complete.`,
  });
}

function entriesOf(path: string, name: string): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch (error) {
    throw writeFailure(error, name);
  }
}

/** Facts of a file; undefined where there is none. `read`: lstat, or stat to follow links. */
function look(path: string, name: string, read: (path: string) => Stats = lstatSync): Stats | undefined {
  try {
    return read(path);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw writeFailure(error, name);
  }
}

function checkParent(path: string, name: string): void {
  const parent = dirname(path);
  try {
    accessSync(parent, constants.W_OK | constants.X_OK);
    if (!statSync(parent).isDirectory()) throw new Failure('usage', `${name}: ${parent} is no folder`);
  } catch (error) {
    throw writeFailure(error, name);
  }
}
