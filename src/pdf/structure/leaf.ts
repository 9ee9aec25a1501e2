// Owns reading a node of a name tree as nearly all are written, without an object for each string. Knows no tree.
import type { PdfFile } from '../file/reader.ts';
import { endOfReference, isKey, Scan, scanValue } from '../file/scan.ts';
import { BRACKET_CLOSE, BRACKET_OPEN, CLASS, DIGIT, ends, GREATER, LESS, SLASH, skipSpace } from '../file/syntax.ts';
import { PACKED } from '../file/xref.ts';
import type { NameBytes } from './name-list.ts';
import { StringReader } from './string-reader.ts';

const scan = new Scan();
const string = new StringReader();
/** What a leaf has instead of kids. */
const NONE: readonly number[] = [];
/** Something is written in another way. */
const OTHER = -1;
/** Digits of an object's number. */
const MOST_DIGITS = 9;

/** Takes names, whose bytes may change afterwards. */
export interface Take {
  /** Takes a name and the object that it refers to. */
  refer(name: NameBytes, num: number): void;
  /** Takes a name and its value as it is written in [start, end) of `buf`. */
  hold(name: NameBytes, buf: Uint8Array, start: number, end: number): void;
}

/**
 * Hands on the names of a leaf and returns none; returns the objects that are the kids of a node above. Undefined where it is
 * something else or holds what needs a second look: then some names may have been taken, and it must be read as any
 * other. A manual has 18,000 names in 3,000 leaves.
 */
export function readNode(file: PdfFile, num: number, take: Take): readonly number[] | undefined {
  if (file.decryption !== undefined || !isWhole(file, num)) return undefined;
  const { buf, limit } = file;
  let kids: readonly number[] | undefined;
  let pos = skipSpace(buf, file.pos, limit);
  if (buf[pos] !== LESS || buf[pos + 1] !== LESS) return undefined;
  for (pos = skipSpace(buf, pos + 2, limit); buf[pos] === SLASH; pos = skipSpace(buf, pos, limit)) {
    let behind = pos + 1;
    while (behind < limit && !ends(buf[behind]!)) behind++;
    const open = skipSpace(buf, behind, limit);
    if (buf[open] !== BRACKET_OPEN) return undefined;
    if (isKey(buf, pos, behind, 'Limits')) {
      pos = behindLimits(buf, open + 1, limit);
    } else if (kids === undefined && isKey(buf, pos, behind, 'Names')) {
      kids = NONE;
      pos = takePairs(buf, open + 1, limit, take);
    } else if (kids === undefined && isKey(buf, pos, behind, 'Kids')) {
      const found: number[] = [];
      kids = found;
      pos = takeKids(buf, open + 1, limit, found);
    } else return undefined;
    if (pos === OTHER) return undefined;
  }
  return buf[pos] === GREATER && buf[pos + 1] === GREATER ? kids : undefined;
}

/** Whether all of a node is in the file's buffer: an object stream is, of other objects the end is looked for. */
function isWhole(file: PdfFile, num: number): boolean {
  if (file.xref.kind[num] === PACKED) return file.fetch(num);
  return file.scanObject(num, scan) && !scan.stream;
}

// Each of the following begins behind the bracket that opens an array, and returns the place behind the one that closes it.

function behindLimits(buf: Uint8Array, pos: number, limit: number): number {
  for (pos = skipSpace(buf, pos, limit); buf[pos] !== BRACKET_CLOSE; pos = skipSpace(buf, string.behind, limit)) {
    if (!string.read(buf, pos, limit)) return OTHER;
  }
  return pos + 1;
}

/** Hands on pairs of a string and a value. */
function takePairs(buf: Uint8Array, pos: number, limit: number, take: Take): number {
  for (pos = skipSpace(buf, pos, limit); buf[pos] !== BRACKET_CLOSE; pos = skipSpace(buf, pos, limit)) {
    if (!string.read(buf, pos, limit)) return OTHER;
    const start = skipSpace(buf, string.behind, limit);
    const byte = buf[start]!;
    if (CLASS[byte] === DIGIT) {
      pos = behindReference(buf, start, limit);
      if (pos === OTHER) return OTHER;
      take.refer(string, objectNumber);
    } else if (byte === BRACKET_OPEN || byte === LESS) {
      if (!scanValue(buf, start, limit, scan) || scan.stream) return OTHER;
      pos = scan.end;
      take.hold(string, buf, start, pos);
    } else return OTHER;
  }
  return pos + 1;
}

function takeKids(buf: Uint8Array, pos: number, limit: number, kids: number[]): number {
  for (pos = skipSpace(buf, pos, limit); buf[pos] !== BRACKET_CLOSE; pos = skipSpace(buf, pos, limit)) {
    pos = behindReference(buf, pos, limit);
    if (pos === OTHER) return OTHER;
    kids.push(objectNumber);
  }
  return pos + 1;
}

/** The object of the reference that was read last. */
let objectNumber = 0;

function behindReference(buf: Uint8Array, start: number, limit: number): number {
  let num = 0;
  let pos = start;
  for (; pos < limit && CLASS[buf[pos]!] === DIGIT; pos++) num = num * 10 + buf[pos]! - 0x30;
  if (pos === start || pos > start + MOST_DIGITS) return OTHER;
  objectNumber = num;
  const end = endOfReference(buf, pos, limit);
  return end > 0 ? end : OTHER;
}
