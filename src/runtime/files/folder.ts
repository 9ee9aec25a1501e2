import { mkdirSync, readdirSync, rmdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { readFailure, writeFailure } from './file-failure.ts';

/** Makes a folder and those above it; one that exists is fine. Returns whether it was made. */
export function makeFolder(name: string): boolean {
  try {
    return mkdirSync(name, { recursive: true }) !== undefined;
  } catch (error) {
    throw writeFailure(error, name);
  }
}

/** Removes a folder that nothing was put into; any other stays. */
export function removeEmptyFolder(name: string): void {
  try {
    rmdirSync(name);
  } catch {
    // It is in use, or somebody else removed it.
  }
}

/** Whether a folder has this name; a link to one counts. */
export function isFolder(name: string): boolean {
  try {
    return statSync(name, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false;
  }
}

/** The files below a folder, without hidden ones, by name; undefined where it is no folder. Links are not followed. */
export function listFiles(name: string): string[] | undefined {
  try {
    if (statSync(name, { throwIfNoEntry: false })?.isDirectory() !== true) return undefined;
    return readdirSync(name, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(name, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
      .filter((path) => !/(^|\/)\./.test(path))
      .sort();
  } catch (error) {
    throw readFailure(error, name);
  }
}
