// Reads the values of a form from JSON, CSV or FDF.
import { Failure } from '../../contract/base/failure.ts';
import type { ByteSource } from '../../contract/base/ports.ts';
import { isRecord } from '../../contract/base/present.ts';
import { decodeText } from '../../contract/base/text.ts';
import { headText } from '../../contract/media.ts';
import { readFdf } from '../../pdf/edit/form/fdf.ts';
import type { FieldValue } from '../../pdf/edit/form/fields.ts';
import { fill, onDisk } from '../../pdf/file/read/random-access.ts';
import { Damage } from '../../pdf/syntax/damage.ts';

export type FormValues = ReadonlyMap<string, FieldValue>;

/** Largest file of values, in bytes. */
const MOST = 64 * 1024 * 1024;

/** Sets of values: one for each line of a CSV or each object of a JSON list, otherwise a single one. */
export function readData(source: ByteSource): FormValues[] {
  const { name, size } = onDisk(source);
  if (size > MOST)
    throw new Failure('unprocessable', `${name} has ${size} bytes; the limit is ${MOST}`, { kind: 'limit' });
  const bytes = new Uint8Array(size);
  fill(onDisk(source), bytes, 0);
  // An FDF is a PDF in its syntax: bytes.
  if (headText(bytes).startsWith('%FDF') || /\.fdf$/i.test(name)) return [fdfIn(name, bytes)];
  const text = decodeText(bytes, name);
  if (/^\s*[[{]/.test(text)) return jsonIn(name, text);
  return csvIn(name, text);
}

function fdfIn(name: string, bytes: Uint8Array): FormValues {
  try {
    return readFdf(bytes);
  } catch (error) {
    if (error instanceof Damage) throw new Failure('usage', `${name} is no FDF that can be read: ${error.message}`);
    throw error;
  }
}

function jsonIn(name: string, text: string): FormValues[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    throw new Failure('usage', `${name} is no valid JSON: ${error instanceof Error ? error.message : ''}`);
  }
  return (Array.isArray(parsed) ? parsed : [parsed]).map((set) => valuesOf(set, name));
}

/** The values from an object, or from a record of `form show`, which contains them. */
export function valuesOf(given: unknown, name: string): FormValues {
  const shown = isRecord(given) && Array.isArray(given.fields) && isRecord(given.values) ? given.values : given;
  if (!isRecord(shown)) throw new Failure('usage', `${name}: expected an object of values by name`);
  return new Map(Object.entries(shown).flatMap(([key, value]) => (value === null ? [] : [[key, plain(key, value)]])));
}

function plain(key: string, value: unknown): FieldValue {
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
  throw new Failure('usage', `${key}: expected text, a number, true, false or a list of texts`);
}

function csvIn(name: string, text: string): FormValues[] {
  const head = text.slice(0, Math.max(0, text.search(/\r|\n|$/)));
  const separator = [',', ';', '\t'].toSorted((a, b) => head.split(b).length - head.split(a).length)[0] ?? ',';
  const [names = [], ...rows] = rowsOf(text, separator);
  if (names.length === 0 || rows.length === 0) {
    throw new Failure('usage', `${name}: expected a line of names and at least one of values`, {
      hint: 'The names of the fields: pdftool form show FILE.',
    });
  }
  return rows.map((row, i) => {
    if (row.length > names.length) {
      throw new Failure('usage', `${name}: line ${i + 2} has ${row.length} values for ${names.length} names`);
    }
    return new Map(row.map((value, column) => [names[column] ?? '', value]));
  });
}

/** The rows of a CSV (RFC 4180), without empty lines. */
function rowsOf(text: string, separator: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let value = '';
  let quoted = false;
  const endRow = () => {
    row.push(value);
    if (row.length > 1 || value !== '') rows.push(row);
    row = [];
    value = '';
  };
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (quoted && character === '"' && text[i + 1] === '"') value += text[++i];
    else if (character === '"' && (quoted || value === '')) quoted = !quoted;
    else if (quoted) value += character;
    else if (character === separator) {
      row.push(value);
      value = '';
    } else if (character === '\n') endRow();
    else if (character !== '\r') value += character;
  }
  if (value !== '' || row.length > 0) endRow();
  return rows;
}
