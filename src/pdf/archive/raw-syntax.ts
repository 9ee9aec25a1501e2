import { latin1 } from '../syntax/characters.ts';
import type { Conversion } from './job.ts';

/** Hexadecimal strings, behind something that does not make a dictionary of them. */
const HEX_STRINGS = /(?<!<)<(?!<)([^<>]*)>/g;

/** Whether an object is written as ISO 19005-2, 6.1.6, wants it: hexadecimal strings of whole bytes. */
export function isTidy({ changes }: Conversion, num: number): boolean {
  const { file } = changes;
  if (!file.has(num)) return true;
  const scan = file.scanObject(num);
  if (scan === undefined) return true;
  let text = latin1(scan.bytes, scan.start, scan.end);
  if (!text.includes('<')) return true;
  // Without literal strings, the inner brackets of which go first.
  for (let before = ''; before !== text; ) {
    before = text;
    text = text.replace(/\((?:\\[\s\S]|[^\\()])*\)/g, ' ');
  }
  return [...text.matchAll(HEX_STRINGS)].every(([, digits = '']) => isWholeHex(digits));
}

/** Whether there is an even number of hexadecimal digits and nothing else. */
export function isWholeHex(digits: string): boolean {
  const plain = digits.replace(/[\0\s]/g, '');
  return plain.length % 2 === 0 && !/[^0-9a-f]/i.test(plain);
}
