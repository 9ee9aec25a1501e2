// Owns reading a leaf of a name tree as nearly all are written, without an object for each string. Knows no tree.
import { Parser } from '../file/parse.ts';
import type { PdfFile } from '../file/reader.ts';
import { isKey, KEYS, Scan } from '../file/scan.ts';
import {
  BACKSLASH,
  BRACKET_CLOSE,
  BRACKET_OPEN,
  CR,
  latin1,
  PAREN_CLOSE,
  PAREN_OPEN,
  skipSpace,
} from '../file/syntax.ts';
import type { Value } from '../file/values.ts';

const scan = new Scan();

/**
 * Adds the names of a leaf that are not among the entries. False where it is something else or holds names that need a
 * second look: then some may have been added, and it must be read as any other. A manual has 15,000 names, which took
 * twice as long.
 */
export function readLeaf(file: PdfFile, num: number, entries: Map<string, Value>): boolean {
  if (file.decryption !== undefined || !file.scanObject(num, scan, KEYS)) return false;
  const { buf } = file;
  let names = -1;
  for (let i = 0; i < scan.keyCount; i += 3) {
    const [start, end] = [scan.keys[i]!, scan.keys[i + 1]!];
    if (isKey(buf, start, end, 'Kids')) return false;
    if (isKey(buf, start, end, 'Names')) names = i;
  }
  if (names < 0) return false;
  const limit = scan.keys[names + 2]!;
  const start = skipSpace(buf, scan.keys[names + 1]!, limit);
  return buf[start] === BRACKET_OPEN && readPairs(new Parser(buf, start + 1, limit), entries);
}

function readPairs(parser: Parser, entries: Map<string, Value>): boolean {
  const { buf } = parser;
  for (;;) {
    parser.skip();
    const start = parser.pos + 1;
    if (buf[parser.pos] === BRACKET_CLOSE) return true;
    const end = buf[parser.pos] === PAREN_OPEN ? endOfPlain(buf, start, parser.limit) : -1;
    if (end < 0) return false;
    parser.pos = end + 1;
    parser.skip();
    if (buf[parser.pos] === BRACKET_CLOSE) return true;
    const name = latin1(buf, start, end);
    const value = parser.value();
    if (!entries.has(name)) entries.set(name, value);
  }
}

/** The closing parenthesis of a string in which every byte stands for itself; -1 where there is none. */
export function endOfPlain(buf: Uint8Array, start: number, limit: number): number {
  for (let pos = start; pos < limit; pos++) {
    const byte = buf[pos]!;
    if (byte === PAREN_CLOSE) return pos;
    if (byte === BACKSLASH || byte === PAREN_OPEN || byte === CR) return -1;
  }
  return -1;
}
