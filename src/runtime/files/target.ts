import { accessSync, constants, lstatSync, readdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Failure } from '../../contract/failure.ts';
import { errnoOf, outputExists, writeFailure } from './file-failure.ts';

/** A place that was free when it was looked at, or that --force allows to be replaced. */
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
      readonly replaces?: { readonly mode: number };
    }
  /** A device or a pipe: written to as it is, since nothing can be linked there. */
  | { readonly kind: 'stream'; readonly path: string; readonly name: string };

/** A file that is being read, so that replacing it can be told from replacing another. */
export interface InputIdentity {
  readonly dev: number;
  readonly ino: number;
}

/** Where one file may go. Throws where something is there, or nothing can be written. */
export function fileTarget(name: string, force: boolean, inputs: readonly InputIdentity[]): Target {
  if (name.endsWith('/')) throw folderNamed(name);
  const path = resolve(name);
  const found = look(path, name);
  if (found === undefined) {
    checkParent(path, name);
    return { kind: 'file', path, name };
  }
  // Through a link: what it points to is looked at and replaced, and the link stays.
  const target = found.isSymbolicLink() ? follow(path, name) : found;
  if (target?.isDirectory() === true) throw folderNamed(name);
  if (target !== undefined && !target.isFile()) return { kind: 'stream', path, name };
  if (!force) throw target !== undefined && isInput(target, inputs) ? outputIsInput(name) : outputExists(name);
  const real = target === undefined ? path : realpathSync(path);
  checkParent(real, name);
  // A link that leads nowhere is replaced itself: its own mode lets everyone write.
  return { kind: 'file', path: real, name, replaces: target === undefined ? {} : { mode: target.mode & 0o777 } };
}

/** Where a folder may appear as a whole. */
export function folderTarget(given: string, force: boolean): Target {
  const name = given.replace(/(.)\/+$/, '$1');
  const path = resolve(name);
  const found = look(path, name);
  if (found !== undefined) {
    if (!force) throw outputExists(name);
    if (!found.isDirectory()) {
      const what = found.isSymbolicLink() ? 'link' : 'file';
      throw new Failure('usage', `${name} is a ${what}, expected a folder to write`, {
        hint: 'Choose another name with -o; a name that ends in .zip gives one ZIP.',
      });
    }
    checkReplaceable(path, name);
  }
  checkParent(path, name);
  const free = { kind: 'folder', path, name } as const;
  return found === undefined ? free : { ...free, replaces: { mode: found.mode & 0o777 } };
}

// --force replaces a folder as a whole: only one that holds nothing but numbered outputs like ours, never a home folder.
const NUMBERED_OUTPUT = /^[a-z]+-\d+(?:-\d+)*\.pdf$/;

function checkReplaceable(path: string, name: string): void {
  const stranger = readdirSync(path, { withFileTypes: true }).find(
    (entry) => !entry.isFile() || !NUMBERED_OUTPUT.test(entry.name),
  );
  if (stranger === undefined) return;
  throw new Failure('output_exists', `${name} holds ${stranger.name}, which is no output of a split`, {
    hint: '--force replaces a whole folder, so it spares one with other files. Choose another name with -o.',
  });
}

function folderNamed(name: string): Failure {
  return new Failure('usage', `${name} is a folder, expected a file name`, {
    hint: `Name the file, such as -o ${join(name, 'output.pdf')}.`,
  });
}

function outputIsInput(name: string): Failure {
  return new Failure('output_exists', `${name} is an input and the output`, {
    hint: 'Choose another name with -o, or replace it with --force: that happens when the new file is complete.',
  });
}

function isInput(found: Stats, inputs: readonly InputIdentity[]): boolean {
  return inputs.some(({ dev, ino }) => dev === found.dev && ino === found.ino);
}

function look(path: string, name: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw writeFailure(error, name);
  }
}

function follow(path: string, name: string): Stats | undefined {
  try {
    return statSync(path);
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
