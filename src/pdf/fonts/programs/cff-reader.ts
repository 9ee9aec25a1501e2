// Reads the pieces of a CFF program (Adobe TN 5176): indexes, dictionaries, charsets, encodings. Throws a RangeError
// where an offset leads out of the program.

/** The characters of a real number, by half bytes; the last one ends it. */
const NIBBLES = [...'0123456789.', 'E', 'E-', '', '-', ''];

/** A list of items of any size. */
export interface CffIndex {
  /** The place of its offsets, and the bytes of each. */
  readonly offsets: number;
  readonly width: number;
  /** The start of each item, and the end of the last one. */
  readonly places: readonly number[];
}

export function endOf({ offsets, places }: CffIndex): number {
  return places.at(-1) ?? offsets;
}

/** Reads forwards from `at`. */
export class CffReader {
  at = 0;
  /** A malformed real number was read, which some readers reject. */
  hasBadNumber = false;
  private readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  number(size: number): number {
    if (!(Number.isInteger(this.at) && this.at >= 0 && this.at + size <= this.bytes.length))
      throw new RangeError('the program ends too soon');
    let value = 0;
    for (let i = 0; i < size; i++) value = value * 256 + (this.bytes[this.at++] ?? 0);
    return value;
  }

  index(at: number): CffIndex {
    this.at = at;
    const count = this.number(2);
    if (count === 0) return { offsets: this.at, width: 0, places: [] };
    const width = this.number(1);
    const offsets = this.at;
    // Offsets count from the byte before the first item.
    const base = offsets + (count + 1) * width - 1;
    if (width < 1 || width > 4 || base >= this.bytes.length) throw new RangeError('an index ends too soon');
    const places = Array.from({ length: count + 1 }, () => base + this.number(width));
    const sound = places.every((place, i) => place <= this.bytes.length && place >= (places[i - 1] ?? base + 1));
    if (!sound) throw new RangeError('an index leads out of the program');
    return { offsets, width, places };
  }

  text({ places }: CffIndex, item: number): string {
    const [from, to] = [places[item], places[item + 1]];
    return from === undefined || to === undefined ? '' : Buffer.from(this.bytes.subarray(from, to)).toString('latin1');
  }

  dictionary(from: number, to: number): ReadonlyMap<number, readonly number[]> {
    const entries = new Map<number, readonly number[]>();
    let operands: number[] = [];
    for (this.at = from; this.at < to; ) {
      const byte = this.number(1);
      if (byte <= 21) {
        entries.set(byte === 12 ? 1200 + this.number(1) : byte, operands);
        operands = [];
      } else if (byte === 28) operands.push((this.number(2) << 16) >> 16);
      else if (byte === 29) operands.push(this.number(4) | 0);
      else if (byte === 30) {
        let text = '';
        for (let pair = 0; (pair & 15) !== 15; ) {
          pair = this.number(1);
          text += (NIBBLES[pair >> 4] ?? '') + (NIBBLES[pair & 15] ?? '');
        }
        if (!/^-?(?:\d+\.?\d*|\.\d+)(?:E-?\d+)?$/.test(text)) this.hasBadNumber = true;
        operands.push(Number(text));
      } else if (byte >= 32 && byte <= 246) operands.push(byte - 139);
      else if (byte >= 247 && byte <= 250) operands.push((byte - 247) * 256 + this.number(1) + 108);
      else if (byte >= 251 && byte <= 254) operands.push(-(byte - 251) * 256 - this.number(1) - 108);
      else throw new RangeError(`a dictionary has a byte ${byte}`);
    }
    return entries;
  }

  charset(at: number, count: number): number[] {
    this.at = at;
    const ids = [0];
    const format = this.number(1);
    if (format > 2) throw new RangeError(`a charset has the format ${format}`);
    while (ids.length < count) {
      const first = this.number(2);
      const left = format === 0 ? 0 : this.number(format);
      for (let i = 0; i <= left && ids.length < count; i++) ids.push(first + i);
    }
    return ids;
  }

  /** The glyph of each code. `ids`: names of the glyphs, for supplementary codes. */
  encoding(at: number, ids: readonly number[]): ReadonlyMap<number, number> {
    this.at = at;
    const codes = new Map<number, number>();
    const format = this.number(1);
    if ((format & 0x7f) > 1) throw new RangeError(`an encoding has the format ${format}`);
    const count = this.number(1);
    for (let i = 0, glyph = 1; i < count; i++) {
      const first = this.number(1);
      const left = (format & 0x7f) === 0 ? 0 : this.number(1);
      for (let code = first; code <= first + left; code++) codes.set(code, glyph++);
    }
    const more = format >= 128 ? this.number(1) : 0;
    for (let i = 0; i < more; i++) {
      const [code, glyph] = [this.number(1), ids.indexOf(this.number(2))];
      if (glyph >= 0) codes.set(code, glyph);
    }
    return codes;
  }

  select(at: number, count: number): (glyph: number) => number {
    this.at = at;
    const format = this.number(1);
    if (format === 0) {
      const fonts = Array.from({ length: count }, () => this.number(1));
      return (glyph) => fonts[glyph] ?? 0;
    }
    if (format !== 3) throw new RangeError(`dictionaries are chosen in the format ${format}`);
    const ranges = this.number(2);
    const firsts = Array.from({ length: ranges }, () => [this.number(2), this.number(1)] as const);
    this.number(2);
    return (glyph) => firsts.findLast(([first]) => first <= glyph)?.[1] ?? 0;
  }
}
