import { Parser } from '../syntax/parser.ts';
import { KEYS } from '../syntax/scan.ts';
import { Dict, Name, Ref, type Value } from '../syntax/values.ts';
import type { PdfFile } from './pdf-file.ts';
import { COMPRESSED, PLAIN } from './xref-table.ts';

/** The entry as a name; undefined where it is none. Any value may be a reference (ISO 32000-1, 7.3.10). */
export function nameAt(file: PdfFile, dict: Dict | undefined, key: string): string | undefined {
  return nameIn(file, dict?.get(key));
}

/** What the name that a value is or refers to says; undefined where it is none. */
export function nameIn(file: PdfFile, value: Value | undefined): string | undefined {
  const found = file.resolve(value);
  return found instanceof Name ? found.value : undefined;
}

/** The entry as a number; undefined where it is none. */
export function numberAt(file: PdfFile, dict: Dict | undefined, key: string): number | undefined {
  const found = file.resolve(dict?.get(key));
  return typeof found === 'number' ? found : undefined;
}

/** Whether the object's bytes can be read as they stand: strings of an encrypted file are decrypted with all of it. */
export function readable({ xref, decryption }: PdfFile, num: number): boolean {
  const kind = xref.kind[num];
  return kind === COMPRESSED || (kind === PLAIN && decryption === undefined);
}

/**
 * The dictionary that a value is or refers to, with those of its entries at least that have the given keys: links and
 * bookmarks have much that nobody asks for.
 */
export function entriesOf(file: PdfFile, value: Value | undefined, keys: readonly string[]): Dict | undefined {
  const values = valuesOf(file, value, keys);
  return values && new Dict(keys.flatMap((key, i) => (values[i] === undefined ? [] : [[key, values[i]]])));
}

/** The values of the keys in the dictionary that a value is or refers to. No dictionary is made: links are many. */
export function valuesOf(
  file: PdfFile,
  value: Value | undefined,
  keys: readonly string[],
): (Value | undefined)[] | undefined {
  const scan = value instanceof Ref && readable(file, value.num) ? file.scanObject(value.num, KEYS) : undefined;
  if (scan?.isDict !== true) {
    const dict = file.dict(value);
    return dict && keys.map((key) => dict.get(key));
  }
  return keys.map((key) => {
    const place = scan.valueOf(key);
    return place && new Parser(scan.bytes, place.start).value();
  });
}
