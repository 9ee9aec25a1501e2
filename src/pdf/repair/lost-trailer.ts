// A file whose trailer is lost may have been encrypted, and nothing else says so. Ciphertext must never pass for content.
import type { PdfFile } from '../read/pdf-file.ts';
import { PLAIN } from '../read/xref-table.ts';
import { Damage } from '../syntax/damage.ts';
import { Dict } from '../syntax/values.ts';

/** Streams that are looked at. */
const SAMPLE = 16;

/** Whether of the first streams that should be Flate none begins like it. */
export function isCiphertext(file: PdfFile): boolean {
  let looked = 0;
  for (let num = 0; num < file.xref.size && looked < SAMPLE; num++) {
    const begins = file.xref.kind[num] === PLAIN ? beginsAsFlate(file, num) : undefined;
    if (begins === true) return false;
    if (begins === false) looked += 1;
  }
  return looked > 0;
}

/** Undefined where it is no stream, or should be something else. */
function beginsAsFlate(file: PdfFile, num: number): boolean | undefined {
  try {
    const scan = file.scanObject(num);
    if (scan?.isStream !== true) return undefined;
    const { start, length } = file.streamPlace(num, scan);
    const dict = file.object(num);
    if (!(dict instanceof Dict) || file.filters(dict)[0]?.name !== 'FlateDecode' || length < 2) return undefined;
    const [first = 0, second = 0] = file.windows.slice(start, 2);
    // RFC 1950, 2.2: method 8, and a check of both bytes.
    return (first & 15) === 8 && ((first << 8) | second) % 31 === 0;
  } catch (error) {
    if (error instanceof Damage) return undefined;
    throw error;
  }
}
