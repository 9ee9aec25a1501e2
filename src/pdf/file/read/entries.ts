import { Damage } from '../../syntax/damage.ts';
import { Dict, Name, Ref, type Value } from '../../syntax/values.ts';
import type { PdfFile } from './pdf-file.ts';
import { COMPRESSED, PLAIN } from './xref-table.ts';

/** The catalog; an empty dictionary where there is none. */
export function catalogOf(file: PdfFile): Dict {
  return file.dict(file.xref.trailer.get('Root')) ?? new Dict();
}

export function catalogRef({ xref }: PdfFile): Ref {
  const root = xref.trailer.get('Root');
  if (root instanceof Ref) return root;
  throw new Damage('the trailer names no catalog');
}

/** The entry as a name; undefined for other values. Any value may be a reference (ISO 32000-1, 7.3.10). */
export function nameAt(file: PdfFile, dict: Dict | undefined, key: string): string | undefined {
  return nameIn(file, dict?.get(key));
}

/** The name that a value is or refers to; undefined for other values. */
export function nameIn(file: PdfFile, value: Value | undefined): string | undefined {
  const target = file.resolve(value);
  return target instanceof Name ? target.value : undefined;
}

export function numberAt(file: PdfFile, dict: Dict | undefined, key: string): number | undefined {
  const target = file.resolve(dict?.get(key));
  return typeof target === 'number' ? target : undefined;
}

/** The elements of an array, references to the array followed; empty where it is none. */
export function listOf(file: PdfFile, value: Value | undefined): readonly Value[] {
  const list = file.resolve(value);
  return Array.isArray(list) ? list : [];
}

/** Whether the object's bytes can be used as they stand, without decrypting the object. */
export function readable({ xref, decryption }: PdfFile, num: number): boolean {
  const kind = xref.kind[num];
  return kind === COMPRESSED || (kind === PLAIN && decryption === undefined);
}
