// Owns the ZIP of page files as it comes off the wire: names checked, sizes bounded, sums compared. Knows no disk.
import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import * as yauzl from 'yauzl';
import type { RandomAccess, Temp } from '../contract/ports.ts';
import { plainPdfName } from './filename.ts';
import { plain } from './plain.ts';

/** Most bytes that all files of one archive may inflate to: twenty times the largest archive of SERVICE.md. */
const MAX_INFLATED = 1024 ** 3;

export interface Unpacked {
  readonly files: readonly { readonly name: string; readonly body: RandomAccess }[];
  /** Names of entries that are no page files, ready to be shown. */
  readonly skipped: readonly string[];
}

/** Something about the archive is wrong; the message says what. */
export class ArchiveError extends Error {}

/**
 * Unpacks page files into drafts of `temp`, in the archive's order.
 * Throws ArchiveError on a damaged archive, an unsafe or repeated name, a wrong sum, or more than `maxFiles` files.
 */
export async function unpack(
  archive: RandomAccess,
  temp: Temp,
  maxFiles: number,
  signal: AbortSignal,
): Promise<Unpacked> {
  const zip = await yauzl
    .fromRandomAccessReaderPromise(new ArchiveReader(archive), archive.size, {
      lazyEntries: true,
      strictFileNames: true,
    })
    .catch((error: unknown) => {
      throw unreadable(error);
    });
  const files: { name: string; body: RandomAccess }[] = [];
  const skipped: string[] = [];
  const seen = new Set<string>();
  let inflated = 0;
  try {
    for await (const entry of zip.eachEntry()) {
      signal.throwIfAborted();
      const name = entry.fileName;
      if (isUnsafe(name, entry)) throw new ArchiveError(`it holds an unsafe name '${plain(name)}'`);
      if (seen.has(name.toLowerCase())) throw new ArchiveError(`it holds '${plain(name)}' twice`);
      seen.add(name.toLowerCase());
      if (seen.size > 2 * maxFiles) throw new ArchiveError(`expected at most ${maxFiles} files in it`);
      if (plainPdfName(name) === undefined) {
        if (!name.endsWith('/')) skipped.push(plain(name));
        continue;
      }
      if (files.length === maxFiles) throw new ArchiveError(`expected at most ${maxFiles} files in it`);
      if (entry.isEncrypted()) throw new ArchiveError(`'${plain(name)}' in it is encrypted`);
      inflated += entry.uncompressedSize;
      if (inflated > MAX_INFLATED) throw new ArchiveError(`it inflates to more than ${MAX_INFLATED} bytes`);
      const draft = temp.create(name);
      let sum = 0;
      // yauzl ends the stream with an error where an entry inflates to more or less than its header says.
      for await (const chunk of (await zip.openReadStreamPromise(entry)) as AsyncIterable<Uint8Array>) {
        signal.throwIfAborted();
        sum = crc32(chunk, sum);
        draft.write(chunk);
      }
      if (sum !== entry.crc32) throw new ArchiveError(`'${plain(name)}' in it is damaged`);
      files.push({ name, body: draft.finish() });
    }
  } catch (error) {
    if (error instanceof ArchiveError || signal.aborted) throw error;
    throw unreadable(error);
  } finally {
    zip.close();
  }
  return { files, skipped };
}

/** How many files an archive says it holds; folders are none. Throws ArchiveError where it cannot be read. */
export async function countEntries(archive: RandomAccess): Promise<number> {
  let count = 0;
  try {
    const zip = await yauzl.fromRandomAccessReaderPromise(new ArchiveReader(archive), archive.size, {
      lazyEntries: true,
    });
    for await (const entry of zip.eachEntry()) if (!entry.fileName.endsWith('/')) count += 1;
    zip.close();
  } catch (error) {
    throw unreadable(error);
  }
  return count;
}

/** Absolute, climbing, with a drive or a backslash, with a NUL, or a symbolic link. */
function isUnsafe(name: string, entry: { externalFileAttributes: number }): boolean {
  const unixMode = entry.externalFileAttributes >>> 16;
  return /^\/|^[a-z]:|\\|\0|(^|\/)\.\.(\/|$)/i.test(name) || (unixMode & 0o170000) === 0o120000;
}

function unreadable(error: unknown): ArchiveError {
  return new ArchiveError(`it cannot be read: ${plain(error instanceof Error ? error.message : String(error))}`);
}

/** yauzl's view of a finished draft. */
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
