// How many pages pdf.js finds in a file. Runs in a process that can be ended: pdf.js rejects promises nobody holds.
import type { RandomAccess } from '../../contract/ports.ts';
import { openDocument } from '../text/pdfjs.ts';

/** Throws where it cannot read the file. It believes what the root says, unless there is no last page by that number. */
export async function countPages(
  file: RandomAccess,
  password: string | undefined,
  signal: AbortSignal,
): Promise<number> {
  const { document, close } = await openDocument(file, signal, password);
  const pages = document.numPages;
  await close();
  return pages;
}
