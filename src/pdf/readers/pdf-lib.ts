// How many pages pdf-lib finds in a file. Runs in a process that can be ended: pdf-lib may take minutes.
import { ParseSpeeds, PDFDocument } from 'pdf-lib';
import type { RandomAccess } from '../../contract/ports.ts';

/** Throws where it cannot read the file. It counts leaves, those alone that say they are a /Page. */
export async function countPages(file: RandomAccess, password: string | undefined): Promise<number> {
  const bytes = new Uint8Array(file.size);
  const got = file.read(bytes, 0);
  const options = { parseSpeed: ParseSpeeds.Fastest, updateMetadata: false, password: password ?? '' };
  const document = await PDFDocument.load(bytes.subarray(0, got), options);
  return document.getPageCount();
}
