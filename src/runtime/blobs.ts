// Owns the files of a server: made, counted, synced, renamed and swept without holding the thread. Knows nothing of what is in them.
import { createReadStream, createWriteStream, type Stats } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { errnoOf } from './file-failure.ts';

/** Makes a private folder and those above it; one that exists is fine. */
export async function makePrivate(path: string): Promise<string> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  return path;
}

/** A file that must not be there yet, open for writing. */
export function createBlob(path: string): Writable {
  return createWriteStream(path, { flags: 'wx', mode: 0o600 });
}

/** Appends to a file, which is made where there is none. */
export function appendBlob(path: string): Writable {
  return createWriteStream(path, { flags: 'a', mode: 0o600 });
}

/** Its bytes from `start` to `end`, both included. Fails when it is first read, where there is no such file. */
export function readBlob(path: string, range: { start?: number; end?: number } = {}): Readable {
  return createReadStream(path, { ...range, highWaterMark: 256 * 1024 });
}

/** Text of a small file; undefined where there is none. */
export async function readTextFile(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** In bytes; undefined where there is no such file. */
export async function sizeOf(path: string): Promise<number | undefined> {
  return (await look(path))?.size;
}

/** When it was last written, in milliseconds since the epoch; undefined where there is no such file. */
export async function writtenAt(path: string): Promise<number | undefined> {
  return (await look(path))?.mtimeMs;
}

/** Returns when the bytes, and the name, are on the disk. */
export async function syncBlob(path: string): Promise<void> {
  await syncAt(path, 'r+');
  await syncAt(dirname(path), 'r');
}

/** Gives a synced file its final name, which is on the disk when this returns. */
export async function placeBlob(from: string, to: string): Promise<void> {
  await syncAt(from, 'r+');
  await rename(from, to);
  await syncAt(dirname(to), 'r');
}

/** Renames within a folder without waiting for the disk: for what need not outlive the process. */
export const moveBlob: (from: string, to: string) => Promise<void> = rename;

/** Removes a file or a folder with all that is in it; one that is not there is fine. */
export async function removeBlob(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 3 });
}

/** Names in a folder, hidden ones too; none where there is no such folder. */
export async function listBlobs(path: string): Promise<string[]> {
  try {
    return await readdir(path);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return [];
    throw error;
  }
}

/** Bytes that may still be written where `path` is. */
export async function freeBytes(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(path);
  return bavail * bsize;
}

export const joinPath: (...parts: string[]) => string = join;

async function look(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

async function syncAt(path: string, flags: string): Promise<void> {
  const handle = await open(path, flags);
  try {
    await handle.sync();
  } catch (error) {
    // Some network file systems cannot sync a folder.
    if (flags !== 'r' || (errnoOf(error) !== 'EINVAL' && errnoOf(error) !== 'ENOTSUP')) throw error;
  } finally {
    await handle.close();
  }
}
