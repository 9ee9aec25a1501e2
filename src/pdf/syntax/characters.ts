// Character classes of PDF syntax (ISO 32000-1, 7.2), white space, comments, whole numbers.
import { bytesBetween } from './bounds.ts';

/** Classes of a byte. DIGIT and REGULAR make up names, numbers and keywords. */
export const REGULAR = 0;
export const DIGIT = 1;
export const SPACE = 2;
const DELIMITER = 3;

export const CLASS = new Uint8Array(256);
for (const byte of [0, 9, 10, 12, 13, 32]) CLASS[byte] = SPACE;
for (const byte of Buffer.from('()<>[]{}/%')) CLASS[byte] = DELIMITER;
for (let byte = 0x30; byte <= 0x39; byte++) CLASS[byte] = DIGIT;

export const LF = 10;
export const CR = 13;
export const HASH = 0x23;
/** The R at the end of a reference (7.3.10). */
export const REFERENCE = 0x52;
export const PERCENT = 0x25;
export const PAREN_OPEN = 0x28;
export const PAREN_CLOSE = 0x29;
export const SLASH = 0x2f;
export const LESS = 0x3c;
export const GREATER = 0x3e;
export const BRACKET_OPEN = 0x5b;
export const BACKSLASH = 0x5c;
export const BRACKET_CLOSE = 0x5d;

/** Whether a byte ends a name, number or keyword; the end of the data does. */
export function ends(byte: number | undefined): boolean {
  return (CLASS[byte ?? 0] ?? SPACE) >= SPACE;
}

/** The first place at or after `pos` that is neither white space nor in a comment; `limit` if there is none. */
export function skipSpace(buf: Uint8Array, pos: number, limit: number): number {
  while (pos < limit) {
    const byte = buf[pos] ?? 0;
    if (byte === PERCENT) {
      while (pos < limit && buf[pos] !== LF && buf[pos] !== CR) pos++;
    } else if (CLASS[byte] !== SPACE) {
      return pos;
    } else {
      pos++;
    }
  }
  return limit;
}

export function at(buf: Uint8Array, pos: number, word: string): boolean {
  if (pos < 0 || pos + word.length > buf.length) return false;
  for (let i = 0; i < word.length; i++) if (buf[pos + i] !== word.charCodeAt(i)) return false;
  return true;
}

/** The first position of the ASCII `word` in [pos, limit); -1 if there is none. */
export function findWord(buf: Uint8Array, word: string, pos: number, limit: number): number {
  return bytesBetween(buf, 0, limit).indexOf(word, pos, 'latin1');
}

/** The last position of the ASCII `word` in [0, limit); -1 if there is none. */
export function findLast(buf: Uint8Array, word: string, limit: number): number {
  return bytesBetween(buf, 0, limit).lastIndexOf(word, undefined, 'latin1');
}

/** The bytes as text, one character a byte. */
export function latin1(buf: Uint8Array, start: number, end: number): string {
  return bytesBetween(buf, start, end).toString('latin1');
}

/** The whole number a value begins with (in a reference: its object); -1 where it begins with none. */
export function wholeNumber(buf: Uint8Array, start: number, end: number): number {
  let value = 0;
  let pos = start;
  for (; pos < end; pos++) {
    const digit = (buf[pos] ?? 0) - 0x30;
    if (digit < 0 || digit > 9) break;
    value = value * 10 + digit;
  }
  return pos === start ? -1 : value;
}

/** The place behind the digits that begin at `pos`. */
export function endOfDigits(buf: Uint8Array, pos: number): number {
  while (CLASS[buf[pos] ?? 0] === DIGIT) pos++;
  return pos;
}

/** Writes a whole number of 0 or more at `at`, where there is room for it. Returns the place behind it. */
export function putNumber(out: Uint8Array, at: number, value: number): number {
  let end = at + 1;
  for (let power = 10; power <= value; power *= 10) end++;
  for (let pos = end - 1; pos >= at; pos--, value = Math.floor(value / 10)) out[pos] = 0x30 + (value % 10);
  return end;
}

/** A copy with `endobj` behind it, so that the end of the object is recognised. */
export function padded(bytes: Uint8Array): Uint8Array {
  const longer = new Uint8Array(bytes.length + BEHIND.length);
  longer.set(bytes);
  longer.set(BEHIND, bytes.length);
  return longer;
}

const BEHIND = Buffer.from(' endobj \n');
