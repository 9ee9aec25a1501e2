/**
 * Files of the service: uploads, results and the folders of running work. Each is private to its user. A file that must survive
 * a crash is synced before it gets its name, and its folder after that; all others are written without waiting for the disk.
 */
import { closeSync, createReadStream, createWriteStream, mkdirSync, openSync, read, type Stats } from 'node:fs';
import {
  chmod,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  stat,
  statfs,
  unlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { promisify } from 'node:util';
import { atEnd } from '../../../contract/base/closing.ts';
import { Failure } from '../../../contract/base/failure.ts';
import { say, setting } from '../../../contract/base/wording.ts';
import { errnoOf } from '../system/file-failure.ts';

/** Bytes written or read at once. */
const CHUNK = 256 * 1024;

/** Makes a private folder and those above it; one that exists is made private. Throws where it is somebody else's. */
export async function makePrivate(path: string): Promise<string> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  const { uid, mode } = await stat(path);
  const user = process.getuid?.();
  if (user !== undefined && uid !== user) {
    throw new Failure('usage', `${path} belongs to another user (id ${uid}; this is ${user})`, {
      hint: say`Run as that user, or choose another folder with ${setting('data')}.`,
    });
  }
  if (user !== undefined && (mode & OTHERS) !== 0) await chmod(path, 0o700);
  return path;
}

/** The bits of a mode that give rights to others than the owner. */
const OTHERS = 0o077;

/** Removes other users' rights to a folder and everything in it. Other programs may have created it with wider rights. */
export async function takeFromOthers(path: string): Promise<void> {
  if (process.getuid === undefined) return;
  for (const entry of await readdir(path, { withFileTypes: true })) {
    const inner = join(path, entry.name);
    // Another process may remove the file meanwhile. The target of a link is not ours to change.
    const facts = entry.isSymbolicLink() ? undefined : await lstat(inner).catch(() => undefined);
    if (facts === undefined) continue;
    if ((facts.mode & OTHERS) !== 0) await chmod(inner, entry.isDirectory() ? 0o700 : 0o600);
    if (entry.isDirectory()) await takeFromOthers(inner);
  }
}

/**
 * Makes a file that its owner alone may read, unless there is one. SQLite gives the files beside its database the same rights.
 * An existing file is not opened: closing it would release the locks that this process holds on it (POSIX), and SQLite would
 * take its own database for one that nobody uses.
 */
export async function touchPrivate(path: string): Promise<void> {
  try {
    const handle = await open(path, 'ax', 0o600);
    await handle.close();
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error;
  }
}

/** Makes all files and folders that this process creates from now on private to its user. */
export function makeAllPrivate(): void {
  process.umask(OTHERS);
}

/**
 * Makes a folder for one piece of work. Synchronous: that takes microseconds, and a hand-over to the thread pool and back takes
 * many times as long on a busy machine.
 */
export function makeScratch(path: string): string {
  mkdirSync(path, { mode: 0o700 });
  return path;
}

/** Removes such a folder. `names`: the files that should be in it, so that it need not be listed. */
export async function removeScratch(path: string, names: readonly string[]): Promise<void> {
  try {
    await Promise.all(names.map((name) => unlink(join(path, name))));
    await rmdir(path);
  } catch {
    // Other files are in it, or some are missing: it is listed and removed as a whole.
    await removeBlob(path);
  }
}

/** A new file, open for writing. Throws where the name is taken. */
export function createBlob(path: string): Writable {
  return createWriteStream(path, { fd: openSync(path, 'wx', 0o600), highWaterMark: 2 * CHUNK });
}

/** Settles when a stream has written everything and is closed. */
export const whenWritten: (target: Writable) => Promise<void> = finished;

/** Sends a stream to a file in writes of 256 KiB. A network delivers 64 KiB at a time, and each write is a hand-over to another thread. */
export function fillBlob(target: Writable, from: Readable, onChunk: (bytes: number) => void): void {
  from.on('data', (chunk: Buffer) => {
    onChunk(chunk.length);
    if (target.destroyed) return;
    if (target.writableCorked === 0) target.cork();
    target.write(chunk);
    if (target.writableLength >= CHUNK) target.uncork();
    if (!target.writableNeedDrain) return;
    from.pause();
    target.once('drain', () => from.resume());
  });
  from.once('end', () => target.end());
}

/** Appends to a file, which is made where there is none. */
export function appendBlob(path: string): Writable {
  return createWriteStream(path, { flags: 'a', mode: 0o600 });
}

export function readBlob(path: string): Readable {
  return createReadStream(path, { highWaterMark: CHUNK });
}

/** Buffers for reuse: allocating new ones kept a server's garbage collector busy. */
const spare: Buffer[] = [];
const MOST_SPARE = 16;
/** Bytes read before they are sent. Reading and sending take turns, so a large block wastes less time waiting. */
const POUR = 1024 * 1024;

/** Writes the bytes from `start` up to `end` to a stream, which stays open. Throws where the file is shorter. */
export async function pourBlob(path: string, into: Writable, start: number, end: number): Promise<void> {
  const descriptor = openSync(path, 'r');
  const buffer = spare.pop() ?? Buffer.allocUnsafeSlow(POUR);
  using _ = atEnd(() => closeSync(descriptor));
  for (let position = start; position < end; ) {
    const { bytesRead } = await readFrom(descriptor, buffer, 0, Math.min(POUR, end - position), position);
    if (bytesRead === 0) throw new Error(`${end - position} bytes are missing at the end of a file`);
    await writeAll(into, buffer.subarray(0, bytesRead));
    position += bytesRead;
  }
  if (spare.length < MOST_SPARE) spare.push(buffer);
}

/** Settles when the bytes are written, and their buffer can be used again. Rejects where the stream is closed. */
export function writeAll(into: Writable, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const cut = () => reject(new Error('the stream was closed'));
    if (into.destroyed) return cut();
    into.once('close', cut);
    into.write(bytes, (error) => {
      into.removeListener('close', cut);
      if (error) reject(error);
      else resolve();
    });
  });
}

const readFrom = promisify(read);

/** Text of a small file; undefined where there is none. */
export async function readTextFile(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(onlyMissing);
}

/** Writes a small private file unless there is one. Returns the text in it, whoever wrote it. */
export async function textOnce(path: string, text: string): Promise<string> {
  try {
    await writeFile(path, text, { flag: 'wx', mode: 0o600 });
    return text;
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error;
    return readFile(path, 'utf8');
  }
}

/** Records when a folder was last used, in milliseconds since the epoch. */
export async function markUsed(path: string, at: number): Promise<void> {
  await utimes(path, at / 1000, at / 1000);
}

/** When `markUsed` was last called for a folder; undefined where there is no such folder. */
export async function lastUsed(path: string): Promise<number | undefined> {
  return (await look(path))?.mtimeMs;
}

/** The size of a file in bytes; undefined where there is no such file. */
export async function sizeOf(path: string): Promise<number | undefined> {
  return (await look(path))?.size;
}

/** Returns when the bytes, and the name, are on the disk. */
export async function syncBlob(path: string): Promise<void> {
  await syncAt(path, 'r+');
  await syncAt(dirname(path), 'r');
}

/** Syncs a file and gives it its final name, which is on the disk when this returns. */
export async function placeBlob(from: string, to: string): Promise<void> {
  await syncAt(from, 'r+');
  await rename(from, to);
  await syncAt(dirname(to), 'r');
}

/** Removes a file or a folder with everything in it, if there is one. */
export async function removeBlob(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 3 });
}

/** Names in a folder, hidden ones too; none where there is no such folder. */
export async function listBlobs(path: string): Promise<string[]> {
  return (await readdir(path).catch(onlyMissing)) ?? [];
}

/** Free bytes on the disk of `path`. */
export async function freeBytes(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(path);
  return bavail * bsize;
}

export const joinPath: (...parts: string[]) => string = join;

async function look(path: string): Promise<Stats | undefined> {
  return stat(path).catch(onlyMissing);
}

/** Takes the error of a missing file for an answer. */
function onlyMissing(error: unknown): undefined {
  if (errnoOf(error) !== 'ENOENT') throw error;
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
