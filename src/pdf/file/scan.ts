// Owns one pass over an object's bytes: where it ends, and which places of it change when it moves. Builds no values.
import { Damage } from './damage.ts';
import { MARK, MARKED, markOf } from './marks.ts';
import { decodeName, MAX_DEPTH } from './parse.ts';
import {
  at,
  BACKSLASH,
  BRACKET_CLOSE,
  BRACKET_OPEN,
  CLASS,
  CR,
  DIGIT,
  ends,
  GREATER,
  HASH,
  LESS,
  LF,
  latin1,
  PAREN_CLOSE,
  PAREN_OPEN,
  PERCENT,
  REFERENCE,
  REGULAR,
  SLASH,
  SPACE,
  skipSpace,
} from './syntax.ts';

/** What an edit puts in place of its bytes, where it is not a reference (which is its object number, 0 or more). */
export const COMMENT = -1;
export const STRING = -2;
export const LENGTH = -3;

/** What a pass notes besides references and comments. */
export const STRINGS = 1;
export const KEYS = 2;
export const MARKS = 4;

/** What a place is that there is none of, or more than one. */
const NOWHERE = -1;
const MORE = -2;

/** The result of a pass; one is used again and again. Positions are places in the scanned buffer. */
export class Scan {
  /** Triples of start, end and object number (or one of the constants above), in order. */
  edits = new Int32Array(3 * 256);
  count = 0;
  /** With KEYS, for a dictionary: triples of where a key begins (its slash), where it ends, and where its value ends. */
  keys = new Int32Array(3 * 64);
  keyCount = 0;
  /** With KEYS, after the pass: the last key of the dictionary has no value. */
  open = false;
  /** Just behind the value. */
  end = 0;
  /** A stream follows the dictionary; its first byte is at `data`. */
  stream = false;
  data = 0;
  /** The stream's /Length: a number, or the object that holds it, or neither. */
  length = -1;
  lengthRef = -1;
  /** With MARKS: the bits of MARK (marks.ts) whose names stand anywhere in the value, as keys or as values. */
  seen = 0;
  /** With MARKS: where /GoTo stands, NOWHERE, or MORE of them or one that is written with #xx. */
  goTo = NOWHERE;

  begin(): void {
    this.seen = 0;
    this.goTo = NOWHERE;
    this.count = 0;
    this.keyCount = 0;
    this.open = false;
    this.stream = false;
    this.length = -1;
    this.lengthRef = -1;
  }

  /** Notes a whole token of a dictionary's own level: a key, or the end of a value. A value without a key is passed over. */
  token(start: number, end: number, name: boolean): void {
    if (this.open) {
      this.keys[this.keyCount + 2] = end;
      this.keyCount += 3;
      this.open = false;
    } else if (name) {
      if (this.keyCount + 3 > this.keys.length) {
        const larger = new Int32Array(this.keys.length * 2);
        larger.set(this.keys);
        this.keys = larger;
      }
      this.keys[this.keyCount] = start;
      this.keys[this.keyCount + 1] = end;
      this.open = true;
    }
  }

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
 * them. `note`: STRINGS (they must be decrypted when they move), KEYS, or both. Throws Damage.
 */
export function scanValue(buf: Uint8Array, pos: number, limit: number, scan: Scan, note = 0): boolean {
  scan.begin();
  const keys = (note & KEYS) !== 0;
  const marks = (note & MARKS) !== 0;
  let depth = 0;
  let dict = false;
  while (pos < limit) {
    const byte = buf[pos]!;
    const kind = CLASS[byte]!;
    const start = pos;
    let name = false;
    if (kind === SPACE) {
      pos++;
      continue;
    }
    if (kind === DIGIT) {
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
    } else if (kind === REGULAR) {
      while (pos < limit && CLASS[buf[pos]!]! < SPACE) pos++;
      // `endobj`, or the `obj` of the next one: a thousand open dictionaries would else be looked through from each of them.
      if (depth > 0 && pos - start === (byte === 0x65 ? 6 : 3) && at(buf, start, byte === 0x65 ? 'endobj' : 'obj')) {
        throw new Damage('an object does not end');
      }
    } else if (byte === SLASH) {
      pos++;
      while (pos < limit && CLASS[buf[pos]!]! < SPACE) pos++;
      name = true;
      if (marks && ((MARKED[buf[start + 1]!]! >> (pos - start)) & 1) !== 0) {
        const mark = markOf(buf, start, pos - start);
        scan.seen |= mark;
        if (mark === MARK.GoTo) scan.goTo = scan.goTo === NOWHERE && pos - start === 5 ? start : MORE;
      }
      if (depth === 1 && dict && pos - start === 7 && at(buf, start, '/Length')) {
        if (keys) scan.token(start, pos, true);
        pos = scanLength(buf, pos, limit, scan);
        if (pos === RUNS_OUT) return false;
        // A length that is no number is seen as the next token; else the value is complete.
        if (scan.length < 0 && scan.lengthRef < 0) continue;
        name = false;
      }
    } else if (byte === LESS && buf[pos + 1] === LESS) {
      if (depth === 0) dict = true;
      if (++depth > MAX_DEPTH) throw new Damage(`objects are nested more than ${MAX_DEPTH} deep`);
      pos += 2;
      continue;
    } else if (byte === BRACKET_OPEN) {
      if (++depth > MAX_DEPTH) throw new Damage(`objects are nested more than ${MAX_DEPTH} deep`);
      pos++;
      continue;
    } else if (byte === GREATER) {
      if (pos + 1 >= limit) return false;
      if (buf[pos + 1] !== GREATER) throw new Damage('a dictionary ends with a single >');
      pos += 2;
      depth--;
    } else if (byte === BRACKET_CLOSE) {
      pos++;
      depth--;
    } else if (byte === PAREN_OPEN || byte === LESS) {
      pos = byte === LESS ? endOfHex(buf, pos, limit) : endOfString(buf, pos, limit);
      if (pos === RUNS_OUT) return false;
      if ((note & STRINGS) !== 0) scan.add(start, pos, STRING);
    } else if (byte === PERCENT) {
      while (pos < limit && buf[pos] !== LF && buf[pos] !== CR) pos++;
      if (pos >= limit) return false;
      scan.add(start, pos, COMMENT);
      continue;
    } else {
      // A stray brace or closing parenthesis: moved as it stands.
      if (depth === 0) throw new Damage('an object holds no value');
      pos++;
      continue;
    }
    if (depth <= 0) {
      scan.end = pos;
      // A name or number that reaches the end of the bytes may go on behind it. One way out for all that is whole: the
      // first string after a thousand dictionaries would else undo what V8 made of this.
      if (pos >= limit) return false;
      return byte !== GREATER || !dict || isDictWhole(buf, pos, limit, scan);
    }
    if (keys && depth === 1 && dict) scan.token(start, pos, name);
  }
  return false;
}

const RUNS_OUT = -1;
/** No file has so many objects. */
export const MAX_NUMBER = 0x7fffffff;

/** From behind a whole number: the end of ` G R`, 0 if it is no reference, below 0 where the bytes end before that is seen. */
export function endOfReference(buf: Uint8Array, pos: number, limit: number): number {
  while (pos < limit && CLASS[buf[pos]!] === SPACE) pos++;
  if (buf[pos] === PERCENT) pos = skipSpace(buf, pos, limit);
  const start = pos;
  while (pos < limit && CLASS[buf[pos]!] === DIGIT) pos++;
  if (pos >= limit) return RUNS_OUT;
  if (pos === start || CLASS[buf[pos]!] !== SPACE) return 0;
  while (pos < limit && CLASS[buf[pos]!] === SPACE) pos++;
  if (buf[pos] === PERCENT) pos = skipSpace(buf, pos, limit);
  if (pos + 1 >= limit) return RUNS_OUT;
  return buf[pos] === REFERENCE && ends(buf[pos + 1]!) ? pos + 1 : 0;
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

/** From behind a dictionary: is it a stream's? */
function isDictWhole(buf: Uint8Array, pos: number, limit: number, scan: Scan): boolean {
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

/** Whether the name that stands in [start, end), slash included, is `name`. */
export function isKey(buf: Uint8Array, start: number, end: number, name: string): boolean {
  const length = end - start - 1;
  const first = buf[start + 1];
  // Nearly all others are told apart here.
  if (first !== name.charCodeAt(0) && first !== HASH) return false;
  if (length === name.length) return at(buf, start + 1, name);
  // #xx makes a name longer by two and no other; nobody writes keys so, but it is allowed.
  if (length < name.length + 2) return false;
  for (let pos = start + 1; pos < end; pos++) {
    if (buf[pos] === HASH) return decodeName(latin1(buf, start + 1, end)) === name;
  }
  return false;
}

/** The one of these keys that stands in [start, end). */
export function keyAmong(keys: readonly string[], buf: Uint8Array, start: number, end: number): string | undefined {
  for (let i = 0; i < keys.length; i++) if (isKey(buf, start, end, keys[i]!)) return keys[i];
  return undefined;
}
