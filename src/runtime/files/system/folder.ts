import { mkdirSync, readdirSync, rmdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readFailure, writeFailure } from './file-failure.ts';
import { ifPossible } from './if-possible.ts';

/** Makes a folder and those above it; one that exists is fine. Returns whether it was made. */
export function makeFolder(name: string): boolean {
  try {
    return mkdirSync(name, { recursive: true }) !== undefined;
  } catch (error) {
    throw writeFailure(error, name);
  }
}

/** Leaves a folder that is in use. */
export function removeEmptyFolder(name: string): void {
  ifPossible(() => rmdirSync(name));
}

/** Whether there is a folder of this name; a link to a folder counts, and none that may not be looked into. */
export function isFolder(name: string): boolean {
  return ifPossible(() => statSync(name))?.isDirectory() === true;
}

/**
 * The files below a folder, without hidden ones, by name; undefined where it is no folder. Links are not followed:
 * `recursive` of readdir follows links to folders since Node 22.
 */
export function listFiles(name: string): string[] | undefined {
  try {
    if (statSync(name, { throwIfNoEntry: false })?.isDirectory() !== true) return undefined;
    return filesBelow(name, '').sort();
  } catch (error) {
    throw readFailure(error, name);
  }
}

function filesBelow(folder: string, prefix: string): string[] {
  return readdirSync(join(folder, prefix), { withFileTypes: true }).flatMap((entry) => {
    if (entry.name.startsWith('.')) return [];
    const path = `${prefix}${entry.name}`;
    if (entry.isDirectory()) return filesBelow(folder, `${path}/`);
    return entry.isFile() ? [path] : [];
  });
}
