// The second reader pdf-lib. It may take minutes for a file, so it runs in a process that can be ended.
import type { RandomAccess } from '../../../contract/base/ports.ts';
import { fill } from '../read/random-access.ts';

/** A file as a reader that shares no code with ours sees it (cli/children/other-reader.ts starts these readers). */
export interface SecondReading {
  readonly pages: number;
  /** What the reader could read, written as a sound file. */
  write(): Promise<Uint8Array>;
}

/** Reads a file with pdf-lib. It counts only leaves that say they are a /Page. Throws where it cannot read the file. */
export async function readByPdfLib(file: RandomAccess, password: string | undefined): Promise<SecondReading> {
  const { ParseSpeeds, PDFDocument } = await import('pdf-lib');
  const bytes = new Uint8Array(file.size);
  const options = { parseSpeed: ParseSpeeds.Fastest, updateMetadata: false, password: password ?? '' };
  const document = await PDFDocument.load(bytes.subarray(0, fill(file, bytes, 0)), options);
  return {
    pages: document.getPageCount(),
    write: () => document.save({ addDefaultPage: false, updateFieldAppearances: false }),
  };
}
