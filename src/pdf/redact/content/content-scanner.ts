import { CLASS, CR, DELIMITER, LF, latin1, SPACE } from '../../syntax/characters.ts';
import { decodeName, Parser } from '../../syntax/parser.ts';
import { Dict, Name, type Value } from '../../syntax/values.ts';

/** One operator of a content stream with its operands, and the bytes of the stream that it is. */
export interface Operation {
  readonly name: string;
  readonly operands: readonly Value[];
  readonly start: number;
  readonly end: number;
  /** There is a comment between its operands, which is nobody's to see. */
  readonly commented: boolean;
  /** Of `EI`: the dictionary of the inline image, and its data. */
  readonly image?: { readonly dict: Dict; readonly data: Uint8Array };
}

/** More operands than any operator takes. */
const MOST_OPERANDS = 4096;
const MOST_DEPTH = 64;
/** A content stream that cannot be read with certainty. */
export class Unreadable extends Error {}

/**
 * Reads a content stream operator by operator (ISO 32000-1, 7.8.2). Lenient with numbers, as other readers are; strict with
 * everything that could hide text: what is not understood throws Unreadable, or Damage.
 */
export class ContentScanner {
  private readonly bytes: Uint8Array;
  private readonly parser: Parser;
  private pos = 0;
  private commented = false;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.parser = new Parser(bytes);
  }

  /** The next operator; undefined at the end, or where only operands are left, which draw nothing. */
  next(): Operation | undefined {
    this.commented = false;
    this.skip();
    // A comment before the first operand belongs to nobody.
    this.commented = false;
    const start = this.pos;
    const operands: Value[] = [];
    for (;;) {
      this.skip();
      if (this.pos >= this.bytes.length) return undefined;
      const word = this.token(operands);
      if (word === undefined) {
        if (operands.length > MOST_OPERANDS) throw new Unreadable('an operator with too many operands');
        continue;
      }
      if (word === 'BI') return this.inlineImage(start);
      return { name: word, operands, start, end: this.pos, commented: this.commented };
    }
  }

  private skip(): void {
    const { bytes } = this;
    for (; this.pos < bytes.length; this.pos++) {
      const byte = bytes[this.pos]!;
      if (byte === 0x25) {
        this.commented = true;
        while (this.pos < bytes.length && bytes[this.pos] !== LF && bytes[this.pos] !== CR) this.pos++;
      } else if (CLASS[byte] !== SPACE) return;
    }
  }

  /** Reads an operand into the list, or returns the operator. */
  private token(into: Value[]): string | undefined {
    const { bytes } = this;
    const byte = bytes[this.pos]!;
    if (byte === 0x28 || byte === 0x3c || byte === 0x5b || byte === 0x2f) {
      into.push(this.value(0));
      return undefined;
    }
    if ((byte >= 0x30 && byte <= 0x39) || byte === 0x2b || byte === 0x2d || byte === 0x2e) {
      into.push(this.number());
      return undefined;
    }
    if (CLASS[byte] === DELIMITER) {
      // A bracket too many: other readers pass over it.
      this.pos++;
      return undefined;
    }
    const word = this.word();
    if (word === 'true' || word === 'false') {
      into.push(word === 'true');
      return undefined;
    }
    if (word === 'null') {
      into.push(null);
      return undefined;
    }
    return word;
  }

  private word(): string {
    const start = this.pos;
    while (this.pos < this.bytes.length && CLASS[this.bytes[this.pos]!]! < SPACE) this.pos++;
    return latin1(this.bytes, start, this.pos);
  }

  private value(depth: number): Value {
    const { bytes } = this;
    const byte = bytes[this.pos]!;
    if (depth > MOST_DEPTH) throw new Unreadable('operands nested too deep');
    if (byte === 0x28 || byte === 0x3c) return this.parsed();
    if (byte === 0x2f) return this.readName();
    if (byte === 0x5b) return this.array(depth);
    if ((byte >= 0x30 && byte <= 0x39) || byte === 0x2b || byte === 0x2d || byte === 0x2e) return this.number();
    if (CLASS[byte] === DELIMITER) throw new Unreadable('a bracket out of place');
    const word = this.word();
    if (word === 'true' || word === 'false') return word === 'true';
    if (word === 'null') return null;
    throw new Unreadable('an operator among operands');
  }

  private array(depth: number): Value[] {
    const list: Value[] = [];
    this.pos++;
    for (;;) {
      this.skip();
      if (this.pos >= this.bytes.length) throw new Unreadable('an array without an end');
      if (this.bytes[this.pos] === 0x5d) {
        this.pos++;
        return list;
      }
      list.push(this.value(depth + 1));
      if (list.length > 1_000_000) throw new Unreadable('an array too long');
    }
  }

  /** Strings and dictionaries are those of files; one without an end is Damage. */
  private parsed(): Value {
    const { parser } = this;
    parser.pos = this.pos;
    const value = parser.value();
    this.pos = parser.pos;
    return value;
  }

  private readName(): Name {
    const start = ++this.pos;
    while (this.pos < this.bytes.length && CLASS[this.bytes[this.pos]!]! < SPACE) this.pos++;
    return new Name(decodeName(latin1(this.bytes, start, this.pos)));
  }

  /** Signs may be doubled, a second point or a sign inside ends the number; the rest of the word is passed over. */
  private number(): number {
    const { bytes } = this;
    let negative = false;
    for (; bytes[this.pos] === 0x2d || bytes[this.pos] === 0x2b; this.pos++)
      if (bytes[this.pos] === 0x2d) negative = true;
    let value = 0;
    let scale = 0;
    for (; this.pos < bytes.length; this.pos++) {
      const byte = bytes[this.pos]!;
      if (byte >= 0x30 && byte <= 0x39) {
        value = value * 10 + byte - 0x30;
        scale *= 10;
      } else if (byte === 0x2e && scale === 0) scale = 1;
      else break;
    }
    while (this.pos < bytes.length && /[0-9.+-]/.test(String.fromCharCode(bytes[this.pos]!))) this.pos++;
    const whole = scale > 1 ? value / scale : value;
    return negative ? -whole : whole;
  }

  private inlineImage(start: number): Operation {
    const dict = new Dict();
    for (;;) {
      this.skip();
      if (this.pos >= this.bytes.length) throw new Unreadable('an inline image without data');
      if (this.bytes[this.pos] !== 0x2f) {
        if (this.word() === 'ID') break;
        throw new Unreadable('an inline image that cannot be read');
      }
      const { value: key } = this.readName();
      this.skip();
      dict.set(LONG_KEYS[key] ?? key, this.value(0));
    }
    // One white-space character stands between ID and the data.
    if (CLASS[this.bytes[this.pos] ?? 0] === SPACE) this.pos++;
    const from = this.pos;
    const end = this.imageEnd(from, dict);
    this.pos = end.behind;
    const data = this.bytes.subarray(from, end.data);
    return { name: 'EI', operands: [], start, end: this.pos, commented: this.commented, image: { dict, data } };
  }

  /** Where the data ends: where its length follows from the dictionary there, else at an EI that text follows. */
  private imageEnd(from: number, dict: Dict): { data: number; behind: number } {
    const { bytes } = this;
    const known = dict.has('Filter') ? undefined : plainLength(dict);
    for (let at = known === undefined ? from : from + known; at + 1 < bytes.length; at++) {
      if (bytes[at] !== 0x45 || bytes[at + 1] !== 0x49) continue;
      const before = at === from || CLASS[bytes[at - 1]!] === SPACE || known !== undefined;
      if (!before || (at + 2 < bytes.length && CLASS[bytes[at + 2]!]! < SPACE) || !isText(bytes, at + 2)) continue;
      const blank = at > from && CLASS[bytes[at - 1]!] === SPACE ? 1 : 0;
      return { data: Math.max(from, at - blank), behind: at + 2 };
    }
    throw new Unreadable('an inline image without an end');
  }
}

/** Keys that inline images may abbreviate (Table 93). */
const LONG_KEYS: Readonly<Record<string, string>> = {
  BPC: 'BitsPerComponent',
  CS: 'ColorSpace',
  D: 'Decode',
  DP: 'DecodeParms',
  F: 'Filter',
  H: 'Height',
  IM: 'ImageMask',
  I: 'Interpolate',
  W: 'Width',
};

const COMPONENTS: Readonly<Record<string, number>> = {
  G: 1,
  DeviceGray: 1,
  CalGray: 1,
  RGB: 3,
  DeviceRGB: 3,
  CalRGB: 3,
  CMYK: 4,
  DeviceCMYK: 4,
};

function plainLength(dict: Dict): number | undefined {
  const [width, height] = [dict.number('Width'), dict.number('Height')];
  if (width === undefined || height === undefined || !(width > 0 && height > 0 && width * height < 1e9))
    return undefined;
  const mask = dict.get('ImageMask') === true;
  const space = dict.get('ColorSpace');
  const indexed = Array.isArray(space) && space[0] instanceof Name && /^(I|Indexed)$/.test(space[0].value);
  const components = mask || indexed ? 1 : COMPONENTS[space instanceof Name ? space.value : ''];
  const bits = mask ? 1 : dict.number('BitsPerComponent');
  if (components === undefined || bits === undefined) return undefined;
  return Math.ceil((width * components * bits) / 8) * height;
}

function isText(bytes: Uint8Array, from: number): boolean {
  const end = Math.min(bytes.length, from + 16);
  for (let at = from; at < end; at++) {
    const byte = bytes[at]!;
    if (byte > 0x7e || (byte < 0x20 && CLASS[byte] !== SPACE)) return false;
  }
  return true;
}
