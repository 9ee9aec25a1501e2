// Reads form data files, FDF (ISO 32000-1, 12.7.7).
import { latin1 } from '../../syntax/characters.ts';
import { Damage } from '../../syntax/damage.ts';
import { Parser } from '../../syntax/parser.ts';
import { textOf } from '../../syntax/text-strings.ts';
import { Dict, Name, Ref, type Value } from '../../syntax/values.ts';
import type { FieldValue } from './fields.ts';

const MOST_DEPTH = 64;

/** Values by full name. Throws Damage where it is no FDF. */
export function readFdf(bytes: Uint8Array): Map<string, FieldValue> {
  const objects = objectsOf(bytes);
  const resolve = (value: Value | undefined): Value =>
    value instanceof Ref ? (objects.get(value.num) ?? null) : (value ?? null);
  const catalog = [...objects.values()].find((object) => object instanceof Dict && object.has('FDF'));
  const fdf = catalog instanceof Dict ? resolve(catalog.get('FDF')) : null;
  if (!(fdf instanceof Dict)) throw new Damage('it has no /FDF');
  const values = new Map<string, FieldValue>();
  const visit = (item: Value, names: readonly string[]): void => {
    const field = resolve(item);
    if (!(field instanceof Dict) || names.length > MOST_DEPTH) return;
    const title = textOf(resolve(field.get('T')));
    const path = title === null ? names : [...names, title];
    const kids = resolve(field.get('Kids'));
    for (const kid of Array.isArray(kids) ? kids : []) visit(kid, path);
    const value = resolve(field.get('V'));
    if (value === null || path.length === 0) return;
    const text = (item: Value): string => (item instanceof Name ? item.value : (textOf(item) ?? ''));
    values.set(path.join('.'), Array.isArray(value) ? value.map((item) => text(resolve(item))) : text(value));
  };
  const fields = resolve(fdf.get('Fields'));
  for (const item of Array.isArray(fields) ? fields : []) visit(item, []);
  return values;
}

function objectsOf(bytes: Uint8Array): Map<number, Value> {
  const objects = new Map<number, Value>();
  const text = latin1(bytes, 0, bytes.length);
  for (const match of text.matchAll(/(?<!\d)(\d{1,7})\s+\d{1,5}\s+obj\b/g)) {
    const parser = new Parser(bytes, match.index + match[0].length);
    objects.set(Number(match[1]), parser.value());
  }
  return objects;
}
