// Owns reading a node of a name tree as nearly all are written, without an object for each string. Knows no tree.
import type { PdfFile } from '../file/reader.ts';
import { isKey, KEYS, Scan, STRING, STRINGS } from '../file/scan.ts';
import { BRACKET_CLOSE, BRACKET_OPEN, CLASS, SPACE } from '../file/syntax.ts';
import { StringReader } from './string-reader.ts';

const scan = new Scan();
const string = new StringReader();
/** What a leaf has instead of kids. */
const NONE: readonly number[] = [];

export interface Take {
  /** Takes a name, whose bytes are [start, end) of `buf`, and the object that it refers to. */
  refer(buf: Uint8Array, start: number, end: number, num: number): void;
}

/**
 * Hands on the names of a leaf and returns none; returns the objects that are the kids of a node above. Undefined where it is
 * something else or holds what needs a second look: then some names may have been taken, and it must be read as any
 * other. A manual has 18,000 names in 3,000 leaves.
 */
export function readNode(file: PdfFile, num: number, take: Take): readonly number[] | undefined {
  if (file.decryption !== undefined || !file.scanObject(num, scan, KEYS | STRINGS)) return undefined;
  const { buf } = file;
  let names = -1;
  let kids = -1;
  for (let i = 0; i < scan.keyCount; i += 3) {
    const [start, end] = [scan.keys[i]!, scan.keys[i + 1]!];
    if (isKey(buf, start, end, 'Names')) names = i;
    if (isKey(buf, start, end, 'Kids')) kids = i;
  }
  if (names < 0 === kids < 0) return undefined;
  if (names < 0) return readKids(buf, scan.keys[kids + 1]!, scan.keys[kids + 2]!);
  return readPairs(buf, scan.keys[names + 1]!, scan.keys[names + 2]!, take) ? NONE : undefined;
}

/** The references in [start, end), which is the value of /Kids; undefined where there is anything else. */
function readKids(buf: Uint8Array, start: number, end: number): readonly number[] | undefined {
  const kids: number[] = [];
  let pos = opened(buf, start);
  for (let i = editAt(start); pos > 0 && i < scan.count && scan.edits[i]! < end; i += 3) {
    if (scan.edits[i] !== pos || scan.edits[i + 2]! < 0) return undefined;
    kids.push(scan.edits[i + 2]!);
    pos = skip(buf, scan.edits[i + 1]!);
  }
  return closes(buf, pos, end) ? kids : undefined;
}

/** Hands on the pairs of a string and a reference in [start, end), which is the value of /Names; false at anything else. */
function readPairs(buf: Uint8Array, start: number, end: number, take: Take): boolean {
  const { edits } = scan;
  let pos = opened(buf, start);
  for (let i = editAt(start); pos > 0 && i < scan.count && edits[i]! < end; i += 6) {
    const behind = edits[i + 1]!;
    if (edits[i] !== pos || edits[i + 2] !== STRING || !string.read(buf, pos, behind)) return false;
    const value = skip(buf, behind);
    // A name without a value, at the end.
    if (closes(buf, value, end)) return true;
    if (i + 3 >= scan.count || edits[i + 3] !== value || edits[i + 5]! < 0) return false;
    take.refer(string.buf, string.start, string.end, edits[i + 5]!);
    pos = skip(buf, edits[i + 4]!);
  }
  return closes(buf, pos, end);
}

/** The first edit of the scan at or behind a place. */
function editAt(pos: number): number {
  let i = 0;
  while (i < scan.count && scan.edits[i]! < pos) i += 3;
  return i;
}

/** Behind the bracket that the value begins with and white space; 0 where it is no array. */
function opened(buf: Uint8Array, start: number): number {
  const pos = skip(buf, start);
  return buf[pos] === BRACKET_OPEN ? skip(buf, pos + 1) : 0;
}

/** Whether the last byte before `end` stands at `pos` and closes the array. */
function closes(buf: Uint8Array, pos: number, end: number): boolean {
  return pos === end - 1 && buf[pos] === BRACKET_CLOSE;
}

function skip(buf: Uint8Array, pos: number): number {
  while (CLASS[buf[pos]!] === SPACE) pos++;
  return pos;
}
