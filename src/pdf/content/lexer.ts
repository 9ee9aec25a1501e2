// Splits a content stream (ISO 32000-1, 7.8.2) into numbers, names, strings and operators, without an object for each.
// Text, redaction and compression read content through this lexer alone, so that they see the same page.
//
// It is as lenient as other readers: a stray bracket is skipped, a string without an end runs to the end. A strict
// lexer does not guess: it throws Unreadable, or Damage, where readers may see different things. An inline image is one
// operator, `EI`, with its dictionary and data.

import {
  BACKSLASH,
  BRACKET_CLOSE,
  BRACKET_OPEN,
  CLASS,
  CR,
  DIGIT,
  LESS,
  LF,
  latin1,
  PAREN_OPEN,
  PERCENT,
  SLASH,
  SPACE,
} from '../syntax/characters.ts';
import { Unreadable } from '../syntax/damage.ts';
import { decodeName, Parser, readEscape } from '../syntax/parser.ts';
import { Dict, Name, PdfString, type Value } from '../syntax/values.ts';
import { type ImageEnd, imageEnd, LONG_KEYS } from './inline-image.ts';
import { OPERATORS } from './operators.ts';

/** Bound here: in the bundle, every use of another chunk's variable is a call. */
const KIND = CLASS;
const BLANK = SPACE;
const FIGURE = DIGIT;

/** `constant`: true, false or null. `stray`: a bracket out of place, reported by a strict lexer only. */
export type Token =
  | 'number'
  | 'name'
  | 'string'
  | 'constant'
  | 'open'
  | 'close'
  | 'dict'
  | 'operator'
  | 'stray'
  | 'end';

const CONSTANTS: ReadonlyMap<string, Value> = new Map<string, Value>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/** Operators by their bytes as one number, the first byte lowest: no string is made for a known operator. */
const codeOf = (name: string) => [...name].reduce((code, letter, i) => code | (letter.charCodeAt(0) << (8 * i)), 0);
const NAMES: ReadonlyMap<number, string> = new Map(Object.keys(OPERATORS).map((name) => [codeOf(name), name]));
const LONGEST = 3;

const MOST_DEPTH = 64;
/** Broken inline images after which none is searched any more, since each try takes 30 us. */
const MOST_BROKEN = 1_000;
const MOST_ITEMS = 1_000_000;

export interface InlineImage {
  readonly dict: Dict;
  readonly data: Uint8Array;
}

export class ContentLexer {
  /** The value of the last token, by its kind. */
  number = 0;
  name = '';
  value: Value = null;
  operator = '';
  /** The image of `EI`; undefined for an `EI` without its `BI`. */
  image: InlineImage | undefined;
  /** The bytes of a string: `string[0 .. length)`. The next string overwrites them. */
  string = new Uint8Array(1024);
  length = 0;
  start = 0;
  commentAt = -1;
  private readonly bytes: Uint8Array;
  private readonly strict: boolean;
  private pos = 0;
  private inImage = false;
  private broken = 0;

  constructor(bytes: Uint8Array, how?: 'strict') {
    this.bytes = bytes;
    this.strict = how === 'strict';
  }

  get position(): number {
    return this.pos;
  }

  next(): Token {
    const { bytes } = this;
    const limit = bytes.length;
    for (;;) {
      while (this.pos < limit && KIND[bytes[this.pos] ?? 0] === BLANK) this.pos++;
      this.start = this.pos;
      if (this.pos >= limit) return 'end';
      const byte = bytes[this.pos] ?? 0;
      if (KIND[byte] === FIGURE || byte === 0x2d || byte === 0x2e || byte === 0x2b) return this.readNumber();
      if (isRegular(byte)) return this.readWord();
      if (byte === PAREN_OPEN) return this.readLiteral();
      if (byte === SLASH) return this.readName();
      if (byte === LESS) return bytes[this.pos + 1] === LESS ? this.readDict() : this.readHex();
      if (byte === PERCENT) {
        this.commentAt = this.pos;
        while (this.pos < limit && bytes[this.pos] !== LF && bytes[this.pos] !== CR) this.pos++;
        continue;
      }
      this.pos++;
      if (byte === BRACKET_OPEN) return 'open';
      if (byte === BRACKET_CLOSE) return 'close';
      if (this.strict) return 'stray';
    }
  }

  /** The last token as a value. @throws Unreadable for an array with an operator in it, or without an end. */
  operand(token: Token, depth = 0): Value {
    if (token === 'number') return this.number;
    if (token === 'name') return new Name(this.name);
    if (token === 'string') return new PdfString(this.string.slice(0, this.length));
    if (token === 'dict' || token === 'constant') return this.value;
    if (token !== 'open' || depth > MOST_DEPTH) throw new Unreadable('operands that cannot be told apart');
    const list: Value[] = [];
    for (let item = this.next(); item !== 'close'; item = this.next()) {
      if (item === 'end') throw new Unreadable('an array without an end');
      list.push(this.operand(item, depth + 1));
      if (list.length > MOST_ITEMS) throw new Unreadable('an array too long');
    }
    return list;
  }

  /** Signs may be doubled; a second point or an inner sign ends the number, and the rest of it is skipped. */
  private readNumber(): Token {
    const { bytes } = this;
    let pos = this.pos;
    let negative = false;
    for (; bytes[pos] === 0x2d || bytes[pos] === 0x2b; pos++) if (bytes[pos] === 0x2d) negative = true;
    let value = 0;
    let scale = 0;
    for (; pos < bytes.length; pos++) {
      const byte = bytes[pos] ?? 0;
      if (byte >= 0x30 && byte <= 0x39) {
        value = value * 10 + byte - 0x30;
        scale *= 10;
      } else if (byte === 0x2e && scale === 0) scale = 1;
      else break;
    }
    while (pos < bytes.length && isOfNumber(bytes[pos] ?? 0)) pos++;
    this.pos = pos;
    const whole = scale > 1 ? value / scale : value;
    this.number = negative ? -whole : whole;
    return 'number';
  }

  private readWord(): Token {
    const { bytes, start } = this;
    let code = 0;
    let pos = start;
    for (; pos < bytes.length && isRegular(bytes[pos]); pos++)
      if (pos - start < LONGEST) code |= (bytes[pos] ?? 0) << (8 * (pos - start));
    this.pos = pos;
    const known = pos - start <= LONGEST ? NAMES.get(code) : undefined;
    this.operator = known ?? latin1(bytes, start, pos);
    if (known === undefined) {
      const constant = CONSTANTS.get(this.operator);
      if (constant === undefined) return 'operator';
      this.value = constant;
      return 'constant';
    }
    this.image = undefined;
    if (known === 'BI' && !this.inImage && this.broken < MOST_BROKEN) this.readImage();
    return 'operator';
  }

  private readName(): Token {
    const { bytes } = this;
    const start = ++this.pos;
    while (this.pos < bytes.length && isRegular(bytes[this.pos])) this.pos++;
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
      const byte = bytes[this.pos] ?? 0;
      if (byte === 0x3e) break;
      const digit = byte <= 0x39 ? byte - 0x30 : (byte | 0x20) - 0x57;
      if (digit < 0 || digit > 15) continue;
      if (half < 0) half = digit;
      else {
        this.push(half * 16 + digit);
        half = -1;
      }
    }
    if (this.strict && this.pos >= bytes.length) throw new Unreadable('a string without an end');
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
      const byte = bytes[this.pos++] ?? 0;
      if (byte === 0x28) depth++;
      else if (byte === 0x29 && --depth === 0) break;
      if (byte === BACKSLASH) this.pos = readEscape(bytes, this.pos, (escaped) => this.push(escaped));
      else if (byte === CR) {
        if (bytes[this.pos] === LF) this.pos++;
        this.push(LF);
      } else this.push(byte);
    }
    if (this.strict && depth > 0) throw new Unreadable('a string without an end');
    return 'string';
  }

  /** Reads from behind `BI` to behind `EI`. A `BI` without a dictionary and `ID` stays a meaningless operator. */
  private readImage(): void {
    const { start, pos } = this;
    this.inImage = true;
    try {
      this.image = this.imageBehind();
      this.operator = 'EI';
    } catch (error) {
      if (this.strict || !(error instanceof Unreadable)) throw error;
      this.pos = pos;
      this.operator = 'BI';
      this.broken++;
    } finally {
      this.inImage = false;
      this.start = start;
    }
  }

  private imageBehind(): InlineImage {
    const dict = new Dict();
    for (let token = this.next(); token !== 'operator' || this.operator !== 'ID'; token = this.next()) {
      if (token !== 'name') throw new Unreadable('an inline image that cannot be read');
      const key = LONG_KEYS[this.name] ?? this.name;
      dict.set(key, this.operand(this.next()));
    }
    const { bytes } = this;
    // One white-space character separates ID from the data.
    const from = KIND[bytes[this.pos] ?? 0] === BLANK ? this.pos + 1 : this.pos;
    const end: ImageEnd = imageEnd(bytes, from, dict, this.strict);
    this.pos = end.behind;
    return { dict, data: bytes.subarray(from, end.data) };
  }
}

/** Neither white space nor a delimiter: part of a number, a name or an operator. */
function isRegular(byte: number | undefined): boolean {
  return byte !== undefined && (KIND[byte] ?? 0) < BLANK;
}

function isOfNumber(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || byte === 0x2e || byte === 0x2d || byte === 0x2b;
}
