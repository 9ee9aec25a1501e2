// Owns reading a few entries of a dictionary: links and bookmarks have much that nobody asks for. Knows no keys.
import { Damage } from './damage.ts';
import { Parser } from './parse.ts';
import type { PdfFile } from './reader.ts';
import { endOfReference, isKey, KEYS, keyAmong, Scan } from './scan.ts';
import { BRACKET_CLOSE, BRACKET_OPEN, CLASS, DIGIT, LESS, SLASH, skipSpace } from './syntax.ts';
import { Dict, Name, Ref, type Value } from './values.ts';
import { PACKED, PLAIN } from './xref.ts';

const scan = new Scan();

const NOWHERE = -1;
const SEVERAL = -2;
const NONE: readonly number[] = [];

/** The entry as a name; undefined where it is none. Any value may be a reference (ISO 32000-1, 7.3.10). */
export function nameAt(file: PdfFile, dict: Dict | undefined, key: string): string | undefined {
  const found = file.resolve(dict?.get(key));
  return found instanceof Name ? found.value : undefined;
}

/** The entry as a number; undefined where it is none. */
export function numberAt(file: PdfFile, dict: Dict | undefined, key: string): number | undefined {
  const found = file.resolve(dict?.get(key));
  return typeof found === 'number' ? found : undefined;
}

/** The length of a stream where no key was seen to be /Length: one may be written with #xx. -1 where none is. */
export function hiddenLength(file: PdfFile, num: number): number {
  try {
    const length = numberAt(file, file.dict(new Ref(num, 0)), 'Length');
    return length !== undefined && length >= 0 && Number.isInteger(length) ? length : -1;
  } catch (error) {
    if (error instanceof Damage) return -1;
    throw error;
  }
}

/** Whether the object's bytes can be read as they stand: strings of an encrypted file are decrypted with all of it. */
export function readable({ xref, decryption }: PdfFile, num: number): boolean {
  const kind = xref.kind[num];
  return kind === PACKED || (kind === PLAIN && decryption === undefined);
}

/** The dictionary that a value is or refers to, with those of its entries at least that have the given keys. */
export function entriesOf(file: PdfFile, value: Value | undefined, keys: readonly string[]): Dict | undefined {
  if (!(value instanceof Ref) || !readable(file, value.num)) return file.dict(value);
  if (!file.scanObject(value.num, scan, KEYS)) return undefined;
  const { buf, limit } = file;
  // A number, an array, a reference to yet another object.
  if (buf[skipSpace(buf, file.pos, limit)] !== LESS || scan.keyCount === 0) return file.dict(value);
  const dict = new Dict();
  const parser = new Parser(buf, file.pos, limit);
  for (let i = 0; i < scan.keyCount; i += 3) {
    const key = keyAmong(keys, buf, scan.keys[i]!, scan.keys[i + 1]!);
    if (key === undefined) continue;
    parser.pos = scan.keys[i + 1]!;
    dict.set(key, parser.value());
  }
  return dict;
}

/**
 * The value, references followed; of an array that begins with a reference or a number, only these, and of a dictionary
 * that has such an array for `key`, the array.
 */
export function beginningOf(file: PdfFile, value: Value | undefined, key: string): Value {
  if (!(value instanceof Ref) || !readable(file, value.num) || !file.fetch(value.num)) return file.resolve(value);
  let start = skipSpace(file.buf, file.pos, file.limit);
  if (file.buf[start] === LESS && file.scanObject(value.num, scan, KEYS)) start = placeOf(key, file);
  const { buf, limit } = file;
  if (buf[start] !== BRACKET_OPEN) return file.resolve(value);
  const first = skipSpace(buf, start + 1, limit);
  const short = CLASS[buf[first]!] === DIGIT && first + LONGEST < limit;
  return short ? [new Parser(buf, first, limit).value()] : file.resolve(value);
}

/**
 * The object that an array refers to first, which is object `num` or the first entry of it, under a key of one letter; -1
 * where it is something else or must be looked at.
 */
export function firstReference(file: PdfFile, num: number, key: string): number {
  return readable(file, num) && file.fetch(num) ? firstReferenceIn(file.buf, file.pos, file.limit, key) : -1;
}

/** As `firstReference`, of what stands in [from, limit). */
export function firstReferenceIn(buf: Uint8Array, from: number, limit: number, key: string): number {
  let pos = skipSpace(buf, from, limit);
  if (buf[pos] === LESS && buf[pos + 1] === LESS) {
    pos = skipSpace(buf, pos + 2, limit);
    pos = buf[pos] === SLASH && buf[pos + 1] === key.charCodeAt(0) ? skipSpace(buf, pos + 2, limit) : limit;
  }
  pos = buf[pos] === BRACKET_OPEN ? skipSpace(buf, pos + 1, limit) : limit;
  let found = 0;
  for (; CLASS[buf[pos]!] === DIGIT; pos++) found = found * 10 + buf[pos]! - 0x30;
  return endOfReference(buf, pos, limit) > 0 ? found : -1;
}

/**
 * The objects that the array under a key of object `num` refers to, none where the dictionary has no such key; undefined
 * where there is something else than references, or it must be looked at.
 */
export function referencesAt(file: PdfFile, num: number, key: string): readonly number[] | undefined {
  if (!readable(file, num) || !file.scanObject(num, scan, KEYS)) return undefined;
  const place = placeOf(key, file);
  if (place === NOWHERE && scan.keyCount > 0) return NONE;
  if (place < 0) return undefined;
  if (file.buf[place] === BRACKET_OPEN) return referencesIn(scan, file.buf, place, file.limit);
  const other = referenceAt(scan, place);
  if (!readable(file, other) || !file.scanObject(other, scan)) return undefined;
  const start = skipSpace(file.buf, file.pos, file.limit);
  return file.buf[start] === BRACKET_OPEN ? referencesIn(scan, file.buf, start, file.limit) : undefined;
}

/** The objects that the array which opens at a place of a scanned value refers to; undefined where it holds something else. */
export function referencesIn(
  { count, edits }: Scan,
  buf: Uint8Array,
  open: number,
  limit: number,
): readonly number[] | undefined {
  const nums: number[] = [];
  let pos = skipSpace(buf, open + 1, limit);
  let i = 0;
  while (i < count && edits[i]! < pos) i += 3;
  for (; i < count && edits[i] === pos && edits[i + 2]! >= 0; i += 3) {
    nums.push(edits[i + 2]!);
    pos = skipSpace(buf, edits[i + 1]!, limit);
  }
  return buf[pos] === BRACKET_CLOSE ? nums : undefined;
}

/** The object that is referred to at a place of a scanned value; below 0 where there is no reference. */
export function referenceAt({ count, edits }: Scan, place: number): number {
  for (let i = 0; i < count; i += 3) if (edits[i] === place) return edits[i + 2]!;
  return NOWHERE;
}

/** A reference or a number is shorter. */
const LONGEST = 64;

/** Where the value of a key stands in the dictionary scanned last; NOWHERE where it has none, SEVERAL where it is given twice. */
function placeOf(key: string, { buf, limit }: PdfFile): number {
  let place = NOWHERE;
  for (let i = 0; i < scan.keyCount; i += 3) {
    const end = scan.keys[i + 1]!;
    if (!isKey(buf, scan.keys[i]!, end, key)) continue;
    if (place !== NOWHERE) return SEVERAL;
    place = skipSpace(buf, end, limit);
  }
  return place;
}
