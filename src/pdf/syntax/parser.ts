// Parses objects into values (ISO 32000-1, 7.3), with a bound on nesting.
import {
  at,
  BACKSLASH,
  BRACKET_CLOSE,
  BRACKET_OPEN,
  CLASS,
  CR,
  endOfDigits,
  ends,
  GREATER,
  LESS,
  LF,
  latin1,
  PAREN_CLOSE,
  PAREN_OPEN,
  SLASH,
  SPACE,
  skipSpace,
  wholeNumber,
} from './characters.ts';
import { Damage } from './damage.ts';
import { Dict, Name, PdfString, Ref, type Value } from './values.ts';

/** Deeper nesting is an attack: other readers stop between 100 and 1,000. */
export const MAX_DEPTH = 512;

/** The bytes ended before the object did; the caller may have more of them. */
class Incomplete extends Damage {
  constructor() {
    super('the file ends inside an object');
  }
}

/** Parses values one after another. `pos` is where the next one is searched. */
export class Parser {
  readonly buf: Uint8Array;
  readonly limit: number;
  pos: number;

  constructor(buf: Uint8Array, pos = 0, limit = buf.length) {
    this.buf = buf;
    this.pos = pos;
    this.limit = limit;
  }

  /** Skips white space and comments. Returns the byte at the new `pos`. */
  skip(): number {
    this.pos = skipSpace(this.buf, this.pos, this.limit);
    const byte = this.pos < this.limit ? this.buf[this.pos] : undefined;
    if (byte === undefined) throw new Incomplete();
    return byte;
  }

  /** Consumes the keyword if it comes next. */
  keyword(word: string): boolean {
    const pos = skipSpace(this.buf, this.pos, this.limit);
    if (pos + word.length > this.limit || !at(this.buf, pos, word)) return false;
    const after = pos + word.length;
    if (after < this.limit && !ends(this.buf[after])) return false;
    this.pos = after;
    return true;
  }

  /** Consumes a whole number if one comes next. */
  integer(): number | undefined {
    const start = skipSpace(this.buf, this.pos, this.limit);
    const end = Math.min(endOfDigits(this.buf, start), this.limit);
    if (end === start || end - start > MOST_DIGITS || (end < this.limit && !ends(this.buf[end]))) return undefined;
    this.pos = end;
    return wholeNumber(this.buf, start, end);
  }

  /** The next value. References are not followed. */
  value(depth = 0): Value {
    if (depth > MAX_DEPTH) throw new Damage(`objects are nested more than ${MAX_DEPTH} deep`);
    const byte = this.skip();
    if (byte === SLASH) return new Name(this.name());
    if (byte === LESS) return this.buf[this.pos + 1] === LESS ? this.dict(depth) : this.hexString();
    if (byte === PAREN_OPEN) return this.literalString();
    if (byte === BRACKET_OPEN) return this.array(depth);
    if (byte >= 0x30 && byte <= 0x39) {
      const value = this.wholeOrReference();
      if (value !== undefined) return value;
    }
    return this.atom();
  }

  private wholeOrReference(): Ref | number | undefined {
    const num = this.integer();
    if (num === undefined) return undefined;
    const behind = this.pos;
    const gen = this.integer();
    if (gen !== undefined && this.keyword('R')) return new Ref(num, gen);
    this.pos = behind;
    return num;
  }

  private dict(depth: number): Dict {
    const dict = new Dict();
    this.pos += 2;
    for (;;) {
      const byte = this.skip();
      if (byte === GREATER) {
        if (this.buf[this.pos + 1] !== GREATER) throw new Damage('a dictionary ends with a single >');
        this.pos += 2;
        return dict;
      }
      if (byte !== SLASH) {
        // A value without a key: readers skip it, so that the keys that follow are still found.
        if (at(this.buf, this.pos, 'endobj')) throw new Damage('a dictionary does not end');
        this.value(depth + 1);
        continue;
      }
      const key = this.name();
      this.skip();
      if (this.buf[this.pos] === GREATER && this.buf[this.pos + 1] === GREATER) continue;
      const value = this.value(depth + 1);
      dict.set(key, value);
    }
  }

  private array(depth: number): Value[] {
    const list: Value[] = [];
    this.pos += 1;
    for (;;) {
      const byte = this.skip();
      if (byte === BRACKET_CLOSE) {
        this.pos += 1;
        return list;
      }
      if (byte === GREATER || at(this.buf, this.pos, 'endobj')) throw new Damage('an array does not end');
      list.push(this.value(depth + 1));
    }
  }

  /** The name at `pos`, which is its slash; #xx is decoded, bytes become characters one to one. */
  name(): string {
    const start = this.pos + 1;
    let pos = start;
    while (pos < this.limit && !ends(this.buf[pos])) pos++;
    this.pos = pos;
    return decodeName(latin1(this.buf, start, pos));
  }

  private atom(): Value {
    const start = this.pos;
    while (this.pos < this.limit && !ends(this.buf[this.pos])) this.pos++;
    if (this.pos === start) throw new Damage(`unexpected ${JSON.stringify(latin1(this.buf, start, start + 1))}`);
    const word = latin1(this.buf, start, this.pos);
    if (word === 'true') return true;
    if (word === 'false') return false;
    return /\d/.test(word) ? toNumber(word) : null;
  }

  private hexString(): PdfString {
    const bytes: number[] = [];
    let half = -1;
    for (this.pos += 1; ; this.pos++) {
      if (this.pos >= this.limit) throw new Incomplete();
      const byte = this.buf[this.pos] ?? 0;
      if (byte === GREATER) break;
      if (CLASS[byte] === SPACE) continue;
      const digit = Number.parseInt(String.fromCharCode(byte), 16);
      if (Number.isNaN(digit)) continue;
      if (half < 0) half = digit;
      else {
        bytes.push(half * 16 + digit);
        half = -1;
      }
    }
    this.pos += 1;
    if (half >= 0) bytes.push(half * 16);
    return new PdfString(Uint8Array.from(bytes));
  }

  private literalString(): PdfString {
    const bytes: number[] = [];
    let depth = 1;
    this.pos += 1;
    for (;;) {
      if (this.pos >= this.limit) throw new Incomplete();
      const byte = this.buf[this.pos++] ?? 0;
      if (byte === PAREN_OPEN) depth++;
      else if (byte === PAREN_CLOSE && --depth === 0) return new PdfString(Uint8Array.from(bytes));
      if (byte === CR) {
        // Any end of line in a string means a line feed.
        if (this.buf[this.pos] === LF) this.pos++;
        bytes.push(LF);
      } else if (byte === BACKSLASH) this.pos = readEscape(this.buf, this.pos, (escaped) => bytes.push(escaped));
      else bytes.push(byte);
    }
  }
}

const MOST_DIGITS = 15;

const ESCAPES: Readonly<Record<number, number>> = { 110: 10, 114: 13, 116: 9, 98: 8, 102: 12 };

/** Reads an escape behind a backslash, which gives one byte at most (7.3.4.2). Returns the place behind it. */
export function readEscape(buf: Uint8Array, at: number, push: (byte: number) => void): number {
  const byte = buf[at] ?? 0;
  let pos = at + 1;
  if (byte >= 0x30 && byte <= 0x37) {
    let code = byte - 0x30;
    for (let more = 0; more < 2; more++) {
      const digit = (buf[pos] ?? 0) - 0x30;
      if (digit < 0 || digit > 7) break;
      code = code * 8 + digit;
      pos++;
    }
    push(code & 0xff);
  } else if (byte === CR) {
    if (buf[pos] === LF) pos++;
  } else if (byte !== LF) push(ESCAPES[byte] ?? byte);
  return pos;
}

export function decodeName(raw: string): string {
  if (!raw.includes('#')) return raw;
  return raw.replace(/#([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

function toNumber(word: string): number {
  // Some writers put `--5` or `5-3`; readers take one sign and stop at the second number.
  const sign = word.startsWith('-') ? -1 : 1;
  const digits = /^[+-]*(\d*\.?\d*)/.exec(word)?.[1] ?? '';
  const value = Number.parseFloat(digits);
  return Number.isNaN(value) ? 0 : sign * value;
}
