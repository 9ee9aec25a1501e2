// Reads ZIP archives from outside without trusting them: safe names, bounded sizes, no links.

import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import * as yauzl from 'yauzl';
import { closing } from '../contract/base/closing.ts';
import type { RandomAccess } from '../contract/base/ports.ts';
import { plain } from './plain.ts';

/** The message says what is wrong with the archive. */
export class ArchiveError extends Error {}

/** Bounds on an archive, packed and unpacked. Sizes in bytes. */
export interface ArchiveBounds {
  readonly files: number;
  /** Of one file, and of all together, unpacked. */
  readonly fileBytes: number;
  readonly totalBytes: number;
  /** Largest ratio of a file's unpacked to its packed size; deflate can reach 1,032. */
  readonly ratio: number;
}

export interface ArchiveEntry {
  readonly name: string;
  /** Unpacked size as the archive states it; reading enforces it. */
  readonly size: number;
  /** The entry's bytes; throws an ArchiveError where they differ from what the archive states. */
  read(signal: AbortSignal): AsyncGenerator<Uint8Array>;
}

/** Opens an archive. Throws ArchiveError where it is not one. */
export async function openArchive(archive: RandomAccess): Promise<yauzl.ZipFile> {
  try {
    // Entries are read after all of them were listed, so the reader must not close by itself after the last.
    const options = { lazyEntries: true, strictFileNames: true, autoClose: false } as const;
    return await yauzl.fromRandomAccessReaderPromise(new ArchiveReader(archive), archive.size, options);
  } catch (error) {
    throw unreadable(error);
  }
}

/** The files of an archive, in its order. All names and sizes are checked before the first is returned. */
export async function listEntries(zip: yauzl.ZipFile, bounds: ArchiveBounds): Promise<ArchiveEntry[]> {
  const entries: ArchiveEntry[] = [];
  const seen = new Set<string>();
  let total = 0;
  try {
    for await (const entry of zip.eachEntry()) {
      const name = entry.fileName;
      assertName(entry, seen);
      if (name.endsWith('/')) {
        if (seen.size > 10 * bounds.files) throw new ArchiveError('it holds too many folders');
        continue;
      }
      if (entries.length === bounds.files) throw new ArchiveError(`expected at most ${bounds.files} files in it`);
      if (entry.isEncrypted()) throw new ArchiveError(`'${plain(name)}' in it is encrypted`);
      const { uncompressedSize: size, compressedSize: packed } = entry;
      if (size > bounds.fileBytes) {
        throw new ArchiveError(`'${plain(name)}' in it unpacks to ${size} bytes, expected at most ${bounds.fileBytes}`);
      }
      if (size > bounds.ratio * Math.max(packed, 1)) {
        throw new ArchiveError(`'${plain(name)}' in it unpacks to more than ${bounds.ratio} times its packed size`);
      }
      total += size;
      if (total > bounds.totalBytes) throw new ArchiveError(`it unpacks to more than ${bounds.totalBytes} bytes`);
      entries.push({ name, size, read: (signal) => readEntry(zip, entry, signal) });
    }
  } catch (error) {
    throw error instanceof ArchiveError ? error : unreadable(error);
  }
  return entries;
}

/** The unpacked size of all files of an archive. Throws ArchiveError where it cannot be read. */
export function inflatedSize(archive: RandomAccess): Promise<number> {
  return sumOf(archive, ({ uncompressedSize }) => uncompressedSize);
}

/** The number of files in an archive, without folders. Throws ArchiveError where it cannot be read. */
export function countEntries(archive: RandomAccess): Promise<number> {
  return sumOf(archive, ({ fileName }) => (fileName.endsWith('/') ? 0 : 1));
}

async function sumOf(archive: RandomAccess, amount: (entry: yauzl.Entry) => number): Promise<number> {
  using zip = closing(await openArchive(archive));
  try {
    let sum = 0;
    for await (const entry of zip.eachEntry()) sum += amount(entry);
    return sum;
  } catch (error) {
    throw unreadable(error);
  }
}

/** The bytes of an entry; its checksum is verified. */
export async function* readEntry(
  zip: yauzl.ZipFile,
  entry: yauzl.Entry,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let sum = 0;
  try {
    // yauzl throws where an entry inflates to more or less than its header says.
    for await (const chunk of (await zip.openReadStreamPromise(entry)) as AsyncIterable<Uint8Array>) {
      signal.throwIfAborted();
      sum = crc32(chunk, sum);
      yield chunk;
    }
  } catch (error) {
    if (signal.aborted || error instanceof ArchiveError) throw error;
    throw unreadable(error);
  }
  if (sum !== entry.crc32) throw new ArchiveError(`'${plain(entry.fileName)}' in it is damaged`);
}

/** Throws for an unsafe name, and for one that is among those `seen`, to which it is added. */
export function assertName(entry: yauzl.Entry, seen: Set<string>): void {
  const name = entry.fileName;
  if (isUnsafe(name, entry)) throw new ArchiveError(`it holds an unsafe name '${plain(name)}'`);
  // Names that differ in case or in the form of their letters are one file on some systems.
  const key = name.normalize('NFC').toLowerCase();
  if (seen.has(key)) throw new ArchiveError(`it holds '${plain(name)}' twice`);
  seen.add(key);
}

/**
 * Whether a name is absolute, leads upwards, has a drive, backslash or control character, or its entry is neither a
 * plain file nor a folder.
 */
function isUnsafe(name: string, entry: { externalFileAttributes: number }): boolean {
  const kind = (entry.externalFileAttributes >>> 16) & 0o170000;
  const special = kind !== 0 && kind !== 0o100000 && kind !== 0o040000;
  return special || /^\/|^[a-z]:|\\|[\u0000-\u001f\u007f]|(^|\/)\.\.?(\/|$)|\/\//i.test(name) || name === '';
}

export function unreadable(error: unknown): ArchiveError {
  return new ArchiveError(`it cannot be read: ${plain(error instanceof Error ? error.message : String(error))}`);
}

/** Lets yauzl read a file at any position. */
class ArchiveReader extends yauzl.RandomAccessReader {
  readonly #archive: RandomAccess;

  constructor(archive: RandomAccess) {
    super();
    this.#archive = archive;
  }

  override _readStreamForRange(start: number, end: number): Readable {
    const archive = this.#archive;
    return Readable.from(
      (function* () {
        for (let at = start; at < end; ) {
          const chunk = Buffer.allocUnsafe(Math.min(64 * 1024, end - at));
          const got = archive.read(chunk, at);
          if (got === 0) throw new ArchiveError('it ends too early');
          yield chunk.subarray(0, got);
          at += got;
        }
      })(),
      { objectMode: false },
    );
  }

  override close(done: (error: Error | null) => void): void {
    done(null);
  }
}
