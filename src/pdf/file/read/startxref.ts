// Finds `startxref`, which gives the offset of the newest cross-reference table (ISO 32000-1, 7.5.5).
import { findLast, latin1 } from '../../syntax/characters.ts';
import { Damage } from '../../syntax/damage.ts';
import { Parser } from '../../syntax/parser.ts';
import type { Windows } from './windows.ts';

/** A `startxref`, its number and the mark of the end are shorter. */
const ENDING = 64;
/** The beginning of an object: a revision whose end, with its table, is cut off. What it changed must not go without a word. */
const OBJECT = /[\r\n]\d{1,10} \d{1,5} obj\b/;

/** The number behind the last `startxref`, looked for ever further from the end: anything may follow a PDF. */
export function startOfXref(windows: Windows): number {
  for (let reach = 1024; ; reach *= 16) {
    const from = Math.max(0, windows.size - reach);
    const { bytes, base } = windows.view(from, windows.size - from);
    const end = windows.size - base;
    const found = findLast(bytes, 'startxref', end);
    if (found >= 0) {
      const offset = new Parser(bytes, found + 9, end).integer();
      if (offset === undefined) throw new Damage('startxref is followed by no number');
      if (end - found > ENDING && OBJECT.test(latin1(bytes, found, end))) {
        throw new Damage('objects were added to it behind its last table');
      }
      return offset;
    }
    if (from === 0 || reach > 1 << 20) throw new Damage('there is no startxref');
  }
}
