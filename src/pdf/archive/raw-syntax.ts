import { latin1 } from '../syntax/characters.ts';
import type { Conversion } from './job.ts';

/** Hexadecimal strings that are not the start of a dictionary. */
const HEX_STRINGS = /(?<!<)<(?!<)([^<>]*)>/g;

/** Whether an object is written as ISO 19005-2, 6.1.6, requires: hexadecimal strings of whole bytes. */
export function isTidy({ changes }: Conversion, num: number): boolean {
  const { file } = changes;
  if (!file.has(num)) return true;
  const scan = file.scanObject(num);
  if (scan === undefined) return true;
  let text = latin1(scan.bytes, scan.start, scan.end);
  if (!text.includes('<')) return true;
  // Removes literal strings, inner brackets first.
  for (let before = ''; before !== text; ) {
    before = text;
    text = text.replace(/\((?:\\[\s\S]|[^\\()])*\)/g, ' ');
  }
  return [...text.matchAll(HEX_STRINGS)].every(([, digits = '']) => isWholeHex(digits));
}

export function isWholeHex(digits: string): boolean {
  const plain = digits.replace(/[\0\s]/g, '');
  return plain.length % 2 === 0 && !/[^0-9a-f]/i.test(plain);
}
