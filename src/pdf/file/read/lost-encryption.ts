// Finds the encryption dictionary that a damaged trailer lost: ciphertext must never pass for content.

import { latin1 } from '../../syntax/characters.ts';
import { KeyLost, unlessDamaged } from '../../syntax/damage.ts';
import { Parser } from '../../syntax/parser.ts';
import { Dict } from '../../syntax/values.ts';
import type { PdfFile } from './pdf-file.ts';
import { PLAIN } from './xref-table.ts';

/** Flate streams among the first objects that are looked at. */
const SAMPLE = 16;
const MOST_LOOKED_AT = 400;
/** This many undecodable streams mean that the file is encrypted. */
const ENOUGH = 3;

export function isCiphertext(file: PdfFile): boolean {
  return unreadable(file) > 0;
}

/** A lost encryption dictionary; undefined where nothing is encrypted. @throws KeyLost where it is nowhere. */
export function lostEncryption(file: PdfFile): Dict | undefined {
  const { trailer } = file.xref;
  const strange = unreadable(file);
  if (strange === 0 && trailer.has('Root')) return undefined;
  for (const value of trailer.values()) if (value instanceof Dict && isHandler(value)) return value;
  for (let num = 0; num < file.xref.size; num++) {
    const dict = file.xref.kind[num] === PLAIN ? dictAt(file, num) : undefined;
    if (dict !== undefined && isHandler(dict)) return dict;
  }
  const few = trailer.has('Root') && !trailer.has('Encrypt') ? ENOUGH : 1;
  if (strange >= few) throw new KeyLost('its streams cannot be read, and what says how it is encrypted is lost');
  return undefined;
}

function isHandler(dict: Dict): boolean {
  return dict.name('Filter') === 'Standard' && dict.has('O') && dict.has('U');
}

/** Counts the first Flate streams that do not begin like it; 0 where most do, as 1 of 500 encrypted ones does by chance. */
function unreadable(file: PdfFile): number {
  let strange = 0;
  let plain = 0;
  for (let num = 0; num < Math.min(file.xref.size, MOST_LOOKED_AT) && strange < SAMPLE; num++) {
    const begins = file.xref.kind[num] === PLAIN ? beginsAsFlate(file, num) : undefined;
    if (begins === true) plain += 1;
    if (begins === false) strange += 1;
    if (plain > strange + 1) return 0;
  }
  return plain < strange ? strange : 0;
}

/** Whether a stream begins as Flate does; undefined for no stream, an empty one, or one of another filter. */
function beginsAsFlate(file: PdfFile, num: number): boolean | undefined {
  return unlessDamaged(undefined, () => {
    const scan = file.glance(num);
    if (scan?.isStream !== true) return undefined;
    const dict = new Parser(scan.bytes, scan.start).value();
    if (!(dict instanceof Dict) || ['XRef', 'Metadata'].includes(dict.name('Type') ?? '')) return undefined;
    const view = file.windows.glance(scan.base + scan.data, 16);
    const bytes = view.bytes.subarray(view.start, view.start + 16);
    if (file.filters(dict)[0]?.name !== 'FlateDecode' || /^\s*endstream/.test(latin1(bytes, 0, bytes.length)))
      return undefined;
    const [first = 0, second = 0] = bytes;
    // RFC 1950, 2.2: method 8, and a check of both bytes.
    return (first & 15) === 8 && ((first << 8) | second) % 31 === 0;
  });
}

function dictAt(file: PdfFile, num: number): Dict | undefined {
  return unlessDamaged(undefined, () => {
    const value = file.object(num);
    return value instanceof Dict ? value : undefined;
  });
}
