import { Damage } from '../../syntax/damage.ts';
import { Parser } from '../../syntax/parser.ts';
import type { View } from '../../syntax/scan.ts';
import { serialize } from '../../syntax/serialize.ts';
import { Dict, Name, PdfString, type Value } from '../../syntax/values.ts';
import type { PdfFile } from '../read/pdf-file.ts';
import type { NewEntries } from './new-entries.ts';

export function streamDict({ bytes, start }: View, num: number): Dict {
  const dict = new Parser(bytes, start).value();
  if (dict instanceof Dict) return dict;
  throw new Damage(`object ${num} is no stream`);
}

/** The changed entries of a decrypted stream: its length, and no /Crypt filter. */
export function plainEntries(file: PdfFile, dict: Dict, length: number, entries: NewEntries = new Map()): NewEntries {
  const values = new Map<string, string | (() => void) | undefined>([['Length', String(length)], ...entries]);
  const filters = file.filters(dict);
  const rest = filters.filter(({ name }) => name !== 'Crypt');
  const listed = (items: readonly Value[]): string | undefined =>
    items.length === 0 ? undefined : serialize([...items], () => 'null');
  if (rest.length < filters.length) {
    values.set('Filter', listed(rest.map(({ name }) => new Name(name))));
    values.set('DecodeParms', listed(rest.map(({ parms }) => parms ?? null)));
  }
  return values;
}

export function plainString(file: PdfFile, buf: Uint8Array, start: number, end: number, num: number): Uint8Array {
  const value = new Parser(buf, start, end).value();
  if (!(value instanceof PdfString)) throw new Damage('a string is none');
  return file.decryption?.string(value.bytes, num, file.xref.index[num] ?? 0) ?? value.bytes;
}
