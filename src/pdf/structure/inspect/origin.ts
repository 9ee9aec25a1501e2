import type { PdfFile } from '../../file/read/pdf-file.ts';
import { find, latin1 } from '../../syntax/characters.ts';

const STEP = 64 * 1024;
/** A linearization dictionary stands within this (ISO 32000-1, F.3.3). */
const HEAD = 1024;
/** The longest `startxref`, number and end-of-file mark. */
const MARK = 64;

export function isLinearized(file: PdfFile): boolean {
  const bytes = file.windows.slice(0, HEAD);
  const head = latin1(bytes, 0, bytes.length);
  // A file that was added to afterwards still has the dictionary, with the length it had.
  const whole = Number(/\/L\s+(\d+)/.exec(head)?.[1]);
  return /\/Linearized\b/.test(head) && whole === file.size;
}

/** The number of revisions, each of which ends with `%%EOF`. */
export function revisions(file: PdfFile): number {
  let count = 0;
  for (let from = 0; from < file.size; from += STEP) {
    const { bytes, start } = file.windows.view(from, STEP + MARK);
    const { length } = bytes;
    const end = Math.min(length, start + STEP);
    for (let pos = find(bytes, 'startxref', start, length); pos >= 0 && pos < end; ) {
      const ending = /^startxref\s+(\d+)\s+%%EOF/.exec(latin1(bytes, pos, Math.min(length, pos + MARK)));
      // The first part of a linearized file points nowhere.
      if (ending !== null && Number(ending[1]) > 0) count += 1;
      pos = find(bytes, 'startxref', pos + 9, length);
    }
  }
  return Math.max(1, count);
}
