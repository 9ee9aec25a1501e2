// Unpacks a ZIP of output files from the network: names checked, sizes bounded, checksums compared.
import { closing } from '../contract/base/closing.ts';
import type { RandomAccess, Temp } from '../contract/base/ports.ts';
import { isPlainName } from './filename.ts';
import { plain } from './plain.ts';
import { ArchiveError, assertName, openArchive, readEntry, unreadable } from './zip-entries.ts';

export { ArchiveError, countEntries } from './zip-entries.ts';

/** Most bytes that the files of one archive may inflate to: twenty times the largest archive of SERVICE.md. */
const MAX_INFLATED = 1024 ** 3;

export interface Unpacked {
  readonly files: readonly { readonly name: string; readonly body: RandomAccess }[];
  /** Printable names of skipped entries, which have other types. */
  readonly skipped: readonly string[];
}

/**
 * Unpacks the files of these media types into drafts of `temp`, in the archive's order. Throws ArchiveError for a
 * damaged archive, an unsafe or repeated name, a wrong checksum, or more than `maxFiles` files.
 */
export async function unpack(
  archive: RandomAccess,
  types: readonly string[],
  temp: Temp,
  maxFiles: number,
  signal: AbortSignal,
): Promise<Unpacked> {
  using zip = closing(await openArchive(archive));
  const files: { name: string; body: RandomAccess }[] = [];
  const skipped: string[] = [];
  const seen = new Set<string>();
  let inflated = 0;
  try {
    for await (const entry of zip.eachEntry()) {
      signal.throwIfAborted();
      const name = entry.fileName;
      assertName(entry, seen);
      if (seen.size > 2 * maxFiles) throw new ArchiveError(`expected at most ${maxFiles} files in it`);
      if (!isPlainName(name, types)) {
        if (!name.endsWith('/')) skipped.push(plain(name));
        continue;
      }
      if (files.length === maxFiles) throw new ArchiveError(`expected at most ${maxFiles} files in it`);
      if (entry.isEncrypted()) throw new ArchiveError(`'${plain(name)}' in it is encrypted`);
      inflated += entry.uncompressedSize;
      if (inflated > MAX_INFLATED) throw new ArchiveError(`it inflates to more than ${MAX_INFLATED} bytes`);
      const draft = temp.create(name);
      for await (const chunk of readEntry(zip, entry, signal)) draft.write(chunk);
      files.push({ name, body: draft.finish() });
    }
  } catch (error) {
    if (error instanceof ArchiveError || signal.aborted) throw error;
    throw unreadable(error);
  }
  return { files, skipped };
}
