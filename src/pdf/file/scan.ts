// Owns one pass over an object's bytes: where it ends, and which places of it change when it moves. Builds no values.
import { Damage } from './damage.ts';
import { MAX_DEPTH } from './parse.ts';
import {
  at,
  BACKSLASH,
  BRACKET_CLOSE,
  BRACKET_OPEN,
  CLASS,
  CR,
  DELIMITER,
  DIGIT,
  ends,
  GREATER,
  LESS,
  LF,
  PAREN_CLOSE,
  PAREN_OPEN,
  PERCENT,
  REGULAR,
  SLASH,
  SPACE,
  skipSpace,
} from './syntax.ts';

/** What an edit puts in place of its bytes, where it is not a reference (which is its object number, 0 or more). */
export const COMMENT = -1;
export const STRING = -2;
export const LENGTH = -3;

/** The result of a pass; one is used again and again. Positions are places in the scanned buffer. */
export class Scan {
  /** Triples of start, end and object number (or one of the constants above), in order. */
  edits = new Int32Array(3 * 256);
  count = 0;
  /** Just behind the value. */
  end = 0;
  /** A stream follows the dictionary; its first byte is at `data`. */
  stream = false;
  data = 0;
  /** The stream's /Length: a number, or the object that holds it, or neither. */
  length = -1;
  lengthRef = -1;

  add(start: number, end: number, what: number): void {
    if (this.count === this.edits.length) {
      const larger = new Int32Array(this.edits.length * 2);
      larger.set(this.edits);
      this.edits = larger;
    }
    this.edits[this.count] = start;
    this.edits[this.count + 1] = end;
    this.edits[this.count + 2] = what;
    this.count += 3;
  }
}

/**
 * Scans the value at `pos` into `scan`. Returns false when the bytes end before the value does: call again with more of
 * them. With `strings`, strings are listed too (they must be decrypted when they move). Throws Damage.
 */
export function scanValue(buf: Uint8Array, pos: number, limit: number, scan: Scan, strings: boolean): boolean {
  scan.count = 0;
  scan.stream = false;
  scan.length = -1;
  scan.lengthRef = -1;
  let depth = 0;
  let dict = false;
  while (pos < limit) {
    const byte = buf[pos]!;
    const kind = CLASS[byte]!;
    if (kind === SPACE) {
      pos++;
    } else if (kind === DIGIT) {
      const start = pos;
      let number = 0;
      for (; pos < limit; pos++) {
        const digit = buf[pos]! - 0x30;
        if (digit < 0 || digit > 9) break;
        number = number * 10 + digit;
      }
      if (pos >= limit) return false;
      if (CLASS[buf[pos]!] === SPACE) {
        const after = endOfReference(buf, pos, limit);
        if (after === RUNS_OUT) return false;
        if (after > 0) {
          pos = after;
          // No file has so many objects: such a reference is to nothing.
          scan.add(start, pos, Math.min(number, MAX_NUMBER));
        }
      } else {
        while (pos < limit && CLASS[buf[pos]!]! < SPACE) pos++;
      }
      if (depth === 0) {
        scan.end = pos;
        return pos < limit;
      }
    } else if (kind === REGULAR) {
      const start = pos;
      while (pos < limit && CLASS[buf[pos]!]! < SPACE) pos++;
      if (depth === 0) {
        scan.end = pos;
        return pos < limit;
      }
      if (buf[start] === 0x65 && at(buf, start, 'endobj')) throw new Damage('an object does not end');
    } else if (byte === SLASH) {
      const start = ++pos;
      while (pos < limit && CLASS[buf[pos]!]! < SPACE) pos++;
      if (depth === 0) {
        scan.end = pos;
        return pos < limit;
      }
      if (depth === 1 && dict && pos - start === 6 && buf[start] === 0x4c && at(buf, start, 'Length')) {
        pos = scanLength(buf, pos, limit, scan);
        if (pos === RUNS_OUT) return false;
      }
    } else if (byte === LESS && buf[pos + 1] === LESS) {
      if (depth === 0) dict = true;
      if (++depth > MAX_DEPTH) throw new Damage(`objects are nested more than ${MAX_DEPTH} deep`);
      pos += 2;
    } else if (byte === GREATER) {
      if (pos + 1 >= limit) return false;
      if (buf[pos + 1] !== GREATER) throw new Damage('a dictionary ends with a single >');
      pos += 2;
      if (--depth <= 0) return dict ? endOfDict(buf, pos, limit, scan) : endOfValue(pos, limit, scan);
    } else if (byte === BRACKET_OPEN) {
      if (++depth > MAX_DEPTH) throw new Damage(`objects are nested more than ${MAX_DEPTH} deep`);
      pos++;
    } else if (byte === BRACKET_CLOSE) {
      pos++;
      if (--depth <= 0) return endOfValue(pos, limit, scan);
    } else if (byte === PAREN_OPEN || byte === LESS) {
      const start = pos;
      pos = byte === LESS ? endOfHex(buf, pos, limit) : endOfString(buf, pos, limit);
      if (pos === RUNS_OUT) return false;
      if (strings) scan.add(start, pos, STRING);
      if (depth === 0) return endOfValue(pos, limit, scan);
    } else if (byte === PERCENT) {
      const start = pos;
      while (pos < limit && buf[pos] !== LF && buf[pos] !== CR) pos++;
      if (pos >= limit) return false;
      scan.add(start, pos, COMMENT);
    } else {
      // A stray brace or closing parenthesis: moved as it stands.
      if (kind === DELIMITER && depth === 0) throw new Damage('an object holds no value');
      pos++;
    }
  }
  return false;
}

const RUNS_OUT = -1;
const MAX_NUMBER = 0x7fffffff;

/** From behind a whole number: the end of ` G R`, 0 if it is no reference. */
function endOfReference(buf: Uint8Array, pos: number, limit: number): number {
  while (pos < limit && CLASS[buf[pos]!] === SPACE) pos++;
  if (buf[pos] === PERCENT) pos = skipSpace(buf, pos, limit);
  const start = pos;
  while (pos < limit && CLASS[buf[pos]!] === DIGIT) pos++;
  if (pos >= limit) return RUNS_OUT;
  if (pos === start || CLASS[buf[pos]!] !== SPACE) return 0;
  while (pos < limit && CLASS[buf[pos]!] === SPACE) pos++;
  if (buf[pos] === PERCENT) pos = skipSpace(buf, pos, limit);
  if (pos + 1 >= limit) return RUNS_OUT;
  return buf[pos] === 0x52 && ends(buf[pos + 1]!) ? pos + 1 : 0;
}

/** From behind the name /Length: notes its value, so that a stream gets a direct one. */
function scanLength(buf: Uint8Array, pos: number, limit: number, scan: Scan): number {
  const start = skipSpace(buf, pos, limit);
  let end = start;
  let number = 0;
  while (end < limit && CLASS[buf[end]!] === DIGIT) number = number * 10 + buf[end++]! - 0x30;
  if (end >= limit) return RUNS_OUT;
  if (end === start || !ends(buf[end]!)) return start;
  const after = endOfReference(buf, end, limit);
  if (after === RUNS_OUT) return RUNS_OUT;
  scan.lengthRef = after > 0 ? number : -1;
  scan.length = after > 0 ? -1 : number;
  if (after > 0) end = after;
  scan.add(start, end, LENGTH);
  return end;
}

function endOfValue(pos: number, limit: number, scan: Scan): boolean {
  scan.end = pos;
  return pos <= limit;
}

/** From behind a dictionary: is it a stream's? */
function endOfDict(buf: Uint8Array, pos: number, limit: number, scan: Scan): boolean {
  scan.end = pos;
  const word = skipSpace(buf, pos, limit);
  // 'stream', its end of line, or 'endobj' must be in sight to tell.
  if (word + 8 > limit) return false;
  if (buf[word] !== 0x73 || !at(buf, word, 'stream')) return true;
  scan.stream = true;
  let data = word + 6;
  // Some writers put blanks before the end of line; CR alone is against the rules and in use.
  if (buf[data] === 0x20 && (buf[data + 1] === CR || buf[data + 1] === LF)) data++;
  if (buf[data] === CR) data++;
  if (buf[data] === LF) data++;
  scan.data = data;
  return true;
}

function endOfString(buf: Uint8Array, pos: number, limit: number): number {
  let depth = 0;
  for (; pos < limit; pos++) {
    const byte = buf[pos]!;
    if (byte === BACKSLASH) pos++;
    else if (byte === PAREN_OPEN) depth++;
    else if (byte === PAREN_CLOSE && --depth === 0) return pos + 1;
  }
  return RUNS_OUT;
}

function endOfHex(buf: Uint8Array, pos: number, limit: number): number {
  for (pos++; pos < limit; pos++) if (buf[pos] === GREATER) return pos + 1;
  return RUNS_OUT;
}
