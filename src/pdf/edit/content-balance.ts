import { Failure } from '../../contract/failure.ts';
import type { PdfFile } from '../read/pdf-file.ts';
import { Damage } from '../syntax/damage.ts';
import { Ref, type Value } from '../syntax/values.ts';
import { ContentLexer } from '../text/content/content-lexer.ts';

/** More content than any page has, decoded: nothing is counted in what is longer. */
const CAP = 64 * 1024 * 1024;
/** Deeper than any producer nests; what is left open beyond is a file that is made to be slow. */
const MOST = 10_000;
/** `q`, `Q` and `ID` as the lexer has them. */
const [SAVE, RESTORE, IMAGE_DATA] = [0x71, 0x51, 0x4449];

/**
 * How many graphics states a page's content leaves open, and how many it closes that it has not opened: what is drawn
 * behind it must not take over its coordinates.
 */
export function balanceOf(file: PdfFile, contents: readonly Value[]): { open: number; closed: number } {
  let depth = 0;
  let lowest = 0;
  for (const item of contents) {
    if (!(item instanceof Ref)) continue;
    const bytes = bytesOf(file, item.num);
    if (bytes === undefined) continue;
    const lexer = new ContentLexer(bytes);
    for (let token = lexer.next(); token !== 'end'; token = lexer.next()) {
      if (token !== 'operator') continue;
      if (lexer.operator === SAVE) depth += 1;
      else if (lexer.operator === RESTORE) lowest = Math.min(lowest, --depth);
      else if (lexer.operator === IMAGE_DATA) lexer.skipImage();
    }
  }
  return { open: Math.min(MOST, depth - lowest), closed: Math.min(MOST, -lowest) };
}

function bytesOf(file: PdfFile, num: number): Uint8Array | undefined {
  try {
    return file.streamBytes(num, CAP)?.bytes;
  } catch (error) {
    if (error instanceof Damage || error instanceof Failure) return undefined;
    throw error;
  }
}
