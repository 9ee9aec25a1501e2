// Fields of a form by name, with what they inherit (ISO 32000-1, 12.7.3).

import { textOf } from '../../syntax/text-strings.ts';
import { type Dict, Name, Ref, type Value } from '../../syntax/values.ts';
import type { PdfFile } from './pdf-file.ts';

/** Deeper chains of parents are taken for circles. */
const MAX_DEPTH = 100;
const MOST_FIELDS = 100_000;

/** A field, and the fields above it. */
function* chainOf(file: PdfFile, field: Dict | undefined): Generator<Dict> {
  for (let dict = field, depth = 0; dict !== undefined && depth < MAX_DEPTH; depth++) {
    yield dict;
    dict = file.dict(dict.get('Parent'));
  }
}

/** An inheritable entry: that of the field, or of the nearest ancestor that has it; null where none has. */
export function inherited(file: PdfFile, field: Dict | undefined, key: string): Value {
  for (const dict of chainOf(file, field)) if (dict.has(key)) return file.resolve(dict.get(key));
  return null;
}

/** Tx, Btn, Ch or Sig. */
export function fieldType(file: PdfFile, field: Dict | undefined): string | undefined {
  const type = inherited(file, field, 'FT');
  return type instanceof Name ? type.value : undefined;
}

/** The full name of a field below `parent`; that of the parent where it has none of its own, as widgets do. */
export function fieldName(file: PdfFile, field: Dict | undefined, parent: string): string {
  const name = textOf(file.resolve(field?.get('T')));
  return name === null ? parent : parent === '' ? name : `${parent}.${name}`;
}

export function fullName(file: PdfFile, field: Dict | undefined): string {
  const names = [...chainOf(file, field)].map((dict) => textOf(file.resolve(dict.get('T'))));
  return names
    .filter((name) => name !== null)
    .reverse()
    .join('.');
}

export interface SignatureField {
  readonly name: string;
  /** The object that holds the field; undefined where it is a direct object. */
  readonly num: number | undefined;
  readonly dict: Dict;
}

/** The signature fields of a form, signed or not, in its order. */
export function signatureFields(file: PdfFile): readonly SignatureField[] {
  const form = file.dict(file.dict(file.xref.trailer.get('Root'))?.get('AcroForm'));
  const fields: SignatureField[] = [];
  const seen = new Set<number>();
  const visit = (items: Value, parent: string, depth: number): void => {
    if (!Array.isArray(items) || depth > MAX_DEPTH) return;
    for (const item of items) {
      if (seen.size > MOST_FIELDS) return;
      if (item instanceof Ref && seen.has(item.num)) continue;
      if (item instanceof Ref) seen.add(item.num);
      const dict = file.dict(item);
      if (dict === undefined) continue;
      const name = fieldName(file, dict, parent);
      // A value stands in the field, not in the widgets below it.
      const isField = dict.has('T') || !dict.has('Parent');
      if (isField && fieldType(file, dict) === 'Sig') {
        fields.push({ name, num: item instanceof Ref ? item.num : undefined, dict });
      } else visit(file.resolve(dict.get('Kids')), name, depth + 1);
    }
  };
  visit(file.resolve(form?.get('Fields')), '', 0);
  return fields;
}
