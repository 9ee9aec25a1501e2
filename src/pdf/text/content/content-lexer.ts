// The words of a content stream (ISO 32000-1, 7.8.2): numbers, names, strings, operators, one after the other,
// without an object for each.

import { BACKSLASH, CLASS, CR, DIGIT, LESS, LF, latin1, PERCENT, SLASH, SPACE } from '../../syntax/characters.ts';
import { decodeName, Parser } from '../../syntax/parser.ts';
import type { Value } from '../../syntax/values.ts';

/** Bound here: in the bundle, every use of another chunk's variable is a call. */
const KIND = CLASS;
const BLANK = SPACE;
const FIGURE = DIGIT;

export type Token = 'number' | 'name' | 'string' | 'open' | 'close' | 'dict' | 'operator' | 'end';

export class ContentLexer {
  /** The value of the token that `next` returned last, by its kind. */
  number = 0;
  name = '';
  value: Value = null;
  /** Of an operator: its bytes as one number, the first one lowest. */
  operator = 0;
  /** Of a string: `string[0 .. length)`. The next string is written over it. */
  string = new Uint8Array(1024);
  length = 0;
  private readonly bytes: Uint8Array;
  private pos = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** Where the next token is looked for. */
  get position(): number {
    return this.pos;
  }

  next(): Token {
    const { bytes } = this;
    const limit = bytes.length;
    for (;;) {
      while (this.pos < limit && KIND[bytes[this.pos]!] === BLANK) this.pos++;
      if (this.pos >= limit) return 'end';
      const byte = bytes[this.pos]!;
      if (KIND[byte] === FIGURE || byte === 0x2d || byte === 0x2e || byte === 0x2b) return this.readNumber();
      if (KIND[byte]! < BLANK) return this.readOperator();
      if (byte === 0x28) return this.readLiteral();
      if (byte === SLASH) return this.readName();
      if (byte === LESS) return bytes[this.pos + 1] === LESS ? this.readDict() : this.readHex();
      if (byte === PERCENT) {
        while (this.pos < limit && bytes[this.pos] !== LF && bytes[this.pos] !== CR) this.pos++;
        continue;
      }
      this.pos++;
      if (byte === 0x5b) return 'open';
      if (byte === 0x5d) return 'close';
    }
  }

  private readNumber(): Token {
    const { bytes } = this;
    const start = this.pos;
    let pos = start;
    let negative = false;
    for (; bytes[pos] === 0x2d || bytes[pos] === 0x2b; pos++) if (bytes[pos] === 0x2d) negative = true;
    let value = 0;
    let scale = 0;
    for (; pos < bytes.length; pos++) {
      const byte = bytes[pos]!;
      if (byte >= 0x30 && byte <= 0x39) {
        value = value * 10 + byte - 0x30;
        scale *= 10;
      } else if (byte === 0x2e && scale === 0) scale = 1;
      else break;
    }
    // A minus inside, or a second point: what follows is passed over, as other readers do.
    while (pos < bytes.length && KIND[bytes[pos]!]! < BLANK && !isLetter(bytes[pos]!)) pos++;
    this.pos = pos;
    const whole = scale > 1 ? value / scale : value;
    this.number = negative ? -whole : whole;
    return 'number';
  }

  private readOperator(): Token {
    const { bytes } = this;
    let code = 0;
    let shift = 0;
    while (this.pos < bytes.length && KIND[bytes[this.pos]!]! < BLANK) {
      if (shift < 24) code |= bytes[this.pos]! << shift;
      else code = -1;
      shift += 8;
      this.pos++;
    }
    this.operator = code;
    return 'operator';
  }

  private readName(): Token {
    const { bytes } = this;
    const start = ++this.pos;
    while (this.pos < bytes.length && KIND[bytes[this.pos]!]! < BLANK) this.pos++;
    this.name = decodeName(latin1(bytes, start, this.pos));
    return 'name';
  }

  private readDict(): Token {
    const parser = new Parser(this.bytes, this.pos);
    this.value = parser.value();
    this.pos = parser.pos;
    return 'dict';
  }

  private push(byte: number): void {
    if (this.length === this.string.length) {
      const longer = new Uint8Array(2 * this.length);
      longer.set(this.string);
      this.string = longer;
    }
    this.string[this.length++] = byte;
  }

  private readHex(): Token {
    const { bytes } = this;
    this.length = 0;
    let half = -1;
    for (this.pos++; this.pos < bytes.length; this.pos++) {
      const byte = bytes[this.pos]!;
      if (byte === 0x3e) break;
      const digit = byte <= 0x39 ? byte - 0x30 : (byte | 0x20) - 0x57;
      if (digit < 0 || digit > 15) continue;
      if (half < 0) half = digit;
      else {
        this.push(half * 16 + digit);
        half = -1;
      }
    }
    this.pos++;
    if (half >= 0) this.push(half * 16);
    return 'string';
  }

  private readLiteral(): Token {
    const { bytes } = this;
    const limit = bytes.length;
    this.length = 0;
    let depth = 1;
    for (this.pos++; this.pos < limit; ) {
      const byte = bytes[this.pos++]!;
      if (byte === 0x28) depth++;
      else if (byte === 0x29 && --depth === 0) break;
      if (byte === BACKSLASH) this.readEscape();
      else if (byte === CR) {
        if (bytes[this.pos] === LF) this.pos++;
        this.push(LF);
      } else this.push(byte);
    }
    return 'string';
  }

  private readEscape(): void {
    const { bytes } = this;
    const byte = bytes[this.pos++] ?? 0;
    if (byte >= 0x30 && byte <= 0x37) {
      let code = byte - 0x30;
      for (let more = 0; more < 2; more++) {
        const digit = (bytes[this.pos] ?? 0) - 0x30;
        if (digit < 0 || digit > 7) break;
        code = code * 8 + digit;
        this.pos++;
      }
      this.push(code & 0xff);
    } else if (byte === CR) {
      if (bytes[this.pos] === LF) this.pos++;
    } else if (byte !== LF) this.push(ESCAPES[byte] ?? byte);
  }

  /** Passes over the data of an inline image: to `EI` between white space, with text behind it. */
  skipImage(): void {
    const { bytes } = this;
    for (let at = this.pos + 1; at + 1 < bytes.length; at++) {
      if (bytes[at] !== 0x45 || bytes[at + 1] !== 0x49 || KIND[bytes[at - 1]!] !== BLANK) continue;
      if (at + 2 < bytes.length && KIND[bytes[at + 2]!] !== BLANK) continue;
      if (!isText(bytes, at + 2)) continue;
      this.pos = at + 2;
      return;
    }
    this.pos = bytes.length;
  }
}

const ESCAPES: Readonly<Record<number, number>> = { 110: 10, 114: 13, 116: 9, 98: 8, 102: 12 };

function isLetter(byte: number): boolean {
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

function isText(bytes: Uint8Array, from: number): boolean {
  const end = Math.min(bytes.length, from + 12);
  for (let at = from; at < end; at++) {
    const byte = bytes[at]!;
    if (byte > 0x7e || (byte < 0x20 && KIND[byte] !== BLANK)) return false;
  }
  return true;
}
