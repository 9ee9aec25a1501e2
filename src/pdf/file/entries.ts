// Owns reading a few entries of a dictionary: links and bookmarks have much that nobody asks for. Knows no keys.
import { decodeName, Parser } from './parse.ts';
import type { PdfFile } from './reader.ts';
import { isKey, KEYS, Scan } from './scan.ts';
import { BRACKET_OPEN, CLASS, DIGIT, LESS, latin1, skipSpace } from './syntax.ts';
import { Dict, Ref, type Value } from './values.ts';
import { PACKED, PLAIN } from './xref.ts';

const scan = new Scan();

/** Whether the object's bytes can be read as they stand: strings of an encrypted file are decrypted with all of it. */
function readable({ xref, decryption }: PdfFile, num: number): boolean {
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
  for (let i = 0; i < scan.keyCount; i += 3) {
    const start = scan.keys[i]!;
    const end = scan.keys[i + 1]!;
    if (!keys.some((key) => isKey(buf, start, end, key))) continue;
    // A byte more, so that the end of a name or number is seen.
    dict.set(decodeName(latin1(buf, start + 1, end)), new Parser(buf, end, scan.keys[i + 2]! + 1).value());
  }
  return dict;
}

/** The value, references followed; of an array that begins with a reference or a number, only these. */
export function beginningOf(file: PdfFile, value: Value | undefined): Value {
  if (!(value instanceof Ref) || !readable(file, value.num) || !file.fetch(value.num)) return file.resolve(value);
  const { buf, limit } = file;
  const start = skipSpace(buf, file.pos, limit);
  const first = skipSpace(buf, start + 1, limit);
  const short = buf[start] === BRACKET_OPEN && CLASS[buf[first]!] === DIGIT && first + LONGEST < limit;
  return short ? [new Parser(buf, first, limit).value()] : file.resolve(value);
}

/** A reference or a number is shorter. */
const LONGEST = 64;
