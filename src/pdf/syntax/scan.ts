// Scans the bytes of an object in one pass: where it ends, and what in it changes when it moves. It builds no values.
import {
  at,
  BACKSLASH,
  BRACKET_CLOSE,
  BRACKET_OPEN,
  CLASS,
  CR,
  DIGIT,
  endOfDigits,
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
  wholeNumber,
} from './characters.ts';
import { Damage } from './damage.ts';
import { decodeName, MAX_DEPTH } from './parser.ts';
import { watchedName } from './watched-names.ts';

/** Kinds of edits besides references, which are given as object numbers of 0 or more. */
export const COMMENT = -1;
export const STRING = -2;
export const LENGTH = -3;

/** What a scan notes besides references and comments. */
export const STRINGS = 1;
export const KEYS = 2;
export const NAMES = 4;

const MAX_NUMBER = 0x7fffffff;

/** Bytes of a file and a place in them. They do not change. */
export interface ByteView {
  readonly bytes: Uint8Array;
  readonly start: number;
  /** The position of `bytes[0]` in the file; 0 in an object stream. */
  readonly base: number;
}

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A scanned value from `start` on: its end, and the places in it that change when it moves. */
export class Scan implements ByteView {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly base: number;
  /** Its object number; -1 for a value inside another object. */
  readonly num: number;
  /** Triples of start, end and object number (or one of the constants above), in order. */
  readonly edits: number[] = [];
  /** With KEYS, for a dictionary: triples of where a key begins (its slash), where it ends, and where its value ends. */
  readonly keys: number[] = [];
  end = 0;
  isDict = false;
  /** With KEYS: where a last key without a value begins and ends; -1 where there is none. */
  openKey = -1;
  openKeyEnd = -1;
  /** A stream follows the dictionary; its first byte is at `data`. */
  isStream = false;
  data = 0;
  /** The stream's /Length: a number, or the object that holds it, or neither. */
  length = -1;
  lengthRef = -1;
  /** With NAMES: the bits of WATCHED (watched-names.ts) whose names stand anywhere in the value, as keys or as values. */
  names = 0;

  constructor({ bytes, start, base }: ByteView, num: number) {
    this.bytes = bytes;
    this.start = start;
    this.base = base;
    this.num = num;
  }

  /** With KEYS: where the value of a key stands, the last one for repeated keys; undefined where there is none. */
  valueOf(key: string): Span | undefined {
    const { bytes, keys } = this;
    for (let i = keys.length - 3; i >= 0; i -= 3) {
      const end = keys[i + 1] ?? 0;
      if (!isKey(bytes, keys[i] ?? 0, end, key)) continue;
      const behind = keys[i + 2] ?? 0;
      return { start: skipSpace(bytes, end, behind), end: behind };
    }
    return undefined;
  }

  /** With KEYS: every key, decoded, with the place of its value. */
  *entries(): Generator<readonly [key: string, value: Span]> {
    for (let i = 0; i < this.keys.length; i += 3) {
      const [start = 0, end = 0, behind = 0] = this.keys.slice(i, i + 3);
      const value = { start: skipSpace(this.bytes, end, behind), end: behind };
      yield [decodeName(latin1(this.bytes, start + 1, end)), value];
    }
  }

  /** The objects it refers to, one as often as it is named; without the one that holds a stream's /Length. */
  *references(): Generator<number> {
    for (const [, num] of this.placedReferences()) yield num;
  }

  /** As `references`, each with the place where it begins. */
  *placedReferences(): Generator<readonly [place: number, num: number]> {
    const { edits } = this;
    for (let i = 0; i + 2 < edits.length; i += 3) {
      const num = edits[i + 2] ?? COMMENT;
      if (num >= 0) yield [edits[i] ?? 0, num];
    }
  }

  /** The object that the reference at a place names; undefined where there is no reference. */
  referenceAt(place: number): number | undefined {
    for (const [start, num] of this.placedReferences()) if (start === place) return num;
    return undefined;
  }
}

/** Scans the value at `start`; undefined where `bytes` end first. `note`: of STRINGS, KEYS and NAMES. @throws Damage */
export function scanValue(bytes: Uint8Array, start: number, note = 0): Scan | undefined {
  return scanView({ bytes, start, base: 0 }, -1, note);
}

/** As `scanValue`, for the value of object `num`. */
export function scanView(view: ByteView, num: number, note: number): Scan | undefined {
  const { bytes, start: from } = view;
  const scan = new Scan(view, num);
  const { edits } = scan;
  const limit = bytes.length;
  let pos = from;
  let depth = 0;
  while (pos < limit) {
    const byte = bytes[pos] ?? 0;
    const kind = CLASS[byte] ?? 0;
    const start = pos;
    let isName = false;
    if (kind === SPACE) {
      pos++;
      continue;
    }
    if (kind === DIGIT) {
      pos = endOfNumber(scan, pos);
      if (pos === RUNS_OUT) return undefined;
    } else if (kind === REGULAR) {
      pos = endOfWord(bytes, pos, depth);
    } else if (byte === SLASH) {
      pos = endOfRegular(bytes, pos + 1);
      isName = true;
      if ((note & NAMES) !== 0) scan.names |= watchedName(bytes, start + 1, pos);
      if (depth === 1 && scan.isDict && pos - start === 7 && at(bytes, start, '/Length')) {
        if ((note & KEYS) !== 0) noteToken(scan, start, pos, true);
        pos = scanLength(scan, pos);
        if (pos === RUNS_OUT) return undefined;
        // A /Length that is no number is seen as the next token; otherwise the value is complete.
        if (scan.length < 0 && scan.lengthRef < 0) continue;
        isName = false;
      }
    } else if (byte === LESS && bytes[pos + 1] === LESS) {
      if (depth === 0) scan.isDict = true;
      if (++depth > MAX_DEPTH) throw new Damage(`objects are nested more than ${MAX_DEPTH} deep`);
      pos += 2;
      continue;
    } else if (byte === BRACKET_OPEN) {
      if (++depth > MAX_DEPTH) throw new Damage(`objects are nested more than ${MAX_DEPTH} deep`);
      pos++;
      continue;
    } else if (byte === GREATER) {
      if (pos + 1 >= limit) return undefined;
      if (bytes[pos + 1] !== GREATER) throw new Damage('a dictionary ends with a single >');
      pos += 2;
      depth--;
    } else if (byte === BRACKET_CLOSE) {
      pos++;
      depth--;
    } else if (byte === PAREN_OPEN || byte === LESS) {
      pos = byte === LESS ? endOfHex(bytes, pos) : endOfString(bytes, pos);
      if (pos === RUNS_OUT) return undefined;
      if ((note & STRINGS) !== 0) edits.push(start, pos, STRING);
    } else if (byte === PERCENT) {
      while (pos < limit && bytes[pos] !== LF && bytes[pos] !== CR) pos++;
      if (pos >= limit) return undefined;
      edits.push(start, pos, COMMENT);
      continue;
    } else {
      // A stray brace or closing parenthesis: copied as it is.
      if (depth === 0) throw new Damage('an object holds no value');
      pos++;
      continue;
    }
    if (depth <= 0) {
      scan.end = pos;
      // A name or number at the end of the bytes may continue behind it.
      if (pos >= limit) return undefined;
      return byte !== GREATER || !scan.isDict || findStream(scan) ? scan : undefined;
    }
    if ((note & KEYS) !== 0 && depth === 1 && scan.isDict) noteToken(scan, start, pos, isName);
  }
  return undefined;
}

const RUNS_OUT = -1;
const NONE = 0;

/** The end of the number or the reference at `start`, which is noted; or RUNS_OUT. */
function endOfNumber({ bytes, edits }: Scan, start: number): number {
  const end = endOfDigits(bytes, start);
  if (end >= bytes.length) return RUNS_OUT;
  if (CLASS[bytes[end] ?? 0] !== SPACE) return endOfRegular(bytes, end);
  const after = endOfReference(bytes, end);
  if (after === RUNS_OUT) return RUNS_OUT;
  if (after === NONE) return end;
  edits.push(start, after, Math.min(wholeNumber(bytes, start, end), MAX_NUMBER));
  return after;
}

/** The end of a keyword. @throws Damage where it shows that a value has lost its end */
function endOfWord(bytes: Uint8Array, start: number, depth: number): number {
  const end = endOfRegular(bytes, start);
  const first = bytes[start] ?? 0;
  // Stops at `endobj` or the next `obj`: otherwise each of a thousand open dictionaries would be scanned to the end.
  const word = first === 0x65 ? 'endobj' : 'obj';
  if (depth > 0 && end - start === word.length && at(bytes, start, word)) throw new Damage('an object does not end');
  // Stream data, whose dictionary has lost its end.
  if (first >= 0x80) throw new Damage('an object holds bytes that are no syntax');
  return end;
}

/** Notes a token on a dictionary's own level: a key, or the end of a value. A value without a key is skipped. */
function noteToken(scan: Scan, start: number, end: number, isName: boolean): void {
  if (scan.openKey >= 0) {
    scan.keys.push(scan.openKey, scan.openKeyEnd, end);
    scan.openKey = -1;
  } else if (isName) {
    scan.openKey = start;
    scan.openKeyEnd = end;
  }
}

function endOfRegular(bytes: Uint8Array, pos: number): number {
  while (pos < bytes.length && !ends(bytes[pos])) pos++;
  return pos;
}

/** From behind a whole number: the end of ` G R`, NONE for no reference, RUNS_OUT where the bytes end too soon. */
function endOfReference(bytes: Uint8Array, behind: number): number {
  const limit = bytes.length;
  const start = skipSpace(bytes, behind, limit);
  const end = endOfDigits(bytes, start);
  if (end >= limit) return RUNS_OUT;
  if (end === start || CLASS[bytes[end] ?? 0] !== SPACE) return NONE;
  const pos = skipSpace(bytes, end, limit);
  if (pos + 1 >= limit) return RUNS_OUT;
  return bytes[pos] === REFERENCE && ends(bytes[pos + 1]) ? pos + 1 : NONE;
}

/** From behind the name /Length: notes its value, so that a stream gets a direct one. */
function scanLength(scan: Scan, pos: number): number {
  const { bytes } = scan;
  const start = skipSpace(bytes, pos, bytes.length);
  const end = endOfDigits(bytes, start);
  if (end >= bytes.length) return RUNS_OUT;
  if (end === start || !ends(bytes[end])) return start;
  const after = endOfReference(bytes, end);
  if (after === RUNS_OUT) return RUNS_OUT;
  const number = wholeNumber(bytes, start, end);
  scan.lengthRef = after === NONE ? -1 : number;
  scan.length = after === NONE ? number : -1;
  scan.edits.push(start, after === NONE ? end : after, LENGTH);
  return after === NONE ? end : after;
}

/** From behind a dictionary: notes the stream that follows. Returns false where there are too few bytes to tell. */
function findStream(scan: Scan): boolean {
  const { bytes } = scan;
  const word = skipSpace(bytes, scan.end, bytes.length);
  // Needs 'stream' with its end of line, or 'endobj', to decide.
  if (word + 8 > bytes.length) return false;
  if (!at(bytes, word, 'stream')) return true;
  scan.isStream = true;
  let data = word + 6;
  // Some writers put blanks before the end of line; CR alone breaks the rules but is in use.
  if (bytes[data] === 0x20 && (bytes[data + 1] === CR || bytes[data + 1] === LF)) data++;
  if (bytes[data] === CR) data++;
  if (bytes[data] === LF) data++;
  scan.data = data;
  return true;
}

function endOfString(bytes: Uint8Array, pos: number): number {
  let depth = 0;
  for (; pos < bytes.length; pos++) {
    const byte = bytes[pos] ?? 0;
    if (byte === BACKSLASH) pos++;
    else if (byte === PAREN_OPEN) depth++;
    else if (byte === PAREN_CLOSE && --depth === 0) return pos + 1;
  }
  return RUNS_OUT;
}

function endOfHex(bytes: Uint8Array, pos: number): number {
  const end = bytes.indexOf(GREATER, pos);
  return end < 0 ? RUNS_OUT : end + 1;
}

/** Whether the name in [start, end), slash included, is `name`. */
export function isKey(buf: Uint8Array, start: number, end: number, name: string): boolean {
  const length = end - start - 1;
  const first = buf[start + 1];
  // The first letter tells nearly all other names apart.
  if (first !== name.charCodeAt(0) && first !== HASH) return false;
  if (length === name.length) return at(buf, start + 1, name);
  // Each #xx makes a name two bytes longer; nobody writes keys so, but it is allowed.
  if (length < name.length + 2) return false;
  return decodeName(latin1(buf, start + 1, end)) === name;
}
