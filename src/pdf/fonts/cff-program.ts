// Owns CFF programs as a PDF embeds them (Adobe TN 5176): where their parts lie, and the names or numbers of their glyphs.
// Knows no PDF, and nothing of what a charstring draws.
import { STANDARD_STRINGS } from './standard-strings.ts';

/** A list of items of any size. */
export interface CffIndex {
  /** Where its offsets begin, and the bytes of each. */
  readonly offsets: number;
  readonly width: number;
  /** Where each item begins, and where the last one ends. */
  readonly places: readonly number[];
}

export interface CffProgram {
  readonly bytes: Uint8Array;
  readonly charstrings: CffIndex;
  readonly globals: CffIndex;
  /** Subroutines that a glyph's dictionary has besides. */
  localsOf(glyph: number): CffIndex | undefined;
  /** Each glyph's name; undefined where glyphs are numbered. */
  readonly names: readonly string[] | undefined;
  /** Each glyph's number (CID); undefined where glyphs are named. */
  readonly numbers: readonly number[] | undefined;
  /** The glyph of each code by the program's own table; undefined stands for Adobe's standard encoding. */
  readonly encoding: ReadonlyMap<number, number> | undefined;
}

/** Operators of dictionaries; those of two bytes with 12 as their hundreds. */
const [CHARSET, ENCODING, CHAR_STRINGS, PRIVATE, SUBRS] = [15, 16, 17, 18, 19];
const [CHARSTRING_TYPE, ROS, FD_ARRAY, FD_SELECT] = [1206, 1230, 1236, 1237];
/** Charsets and encodings below these places are Adobe's own, of which the first one is understood. */
const [OWN_CHARSET, OWN_ENCODING] = [3, 2];
const ISO_ADOBE = 229;

/** Undefined where it is no CFF, or one of a kind that is not followed. Throws a RangeError where it ends too soon. */
export function openCff(bytes: Uint8Array): CffProgram | undefined {
  const read = new Reader(bytes);
  if (bytes.length < 4 || bytes[0] !== 1) return undefined;
  const parts = new Parts();
  const fonts = read.index(bytes[2]!);
  const tops = read.index(endOf(fonts));
  const strings = read.index(endOf(tops));
  const globals = read.index(endOf(strings));
  parts.add('front', 0, endOf(strings));
  parts.add('globals', endOf(strings), endOf(globals));
  if (tops.places.length !== 2) return undefined;
  const top = read.dictionary(tops.places[0]!, tops.places[1]!);
  const at = (op: number) => top.get(op)?.at(-1);
  const charStringsAt = at(CHAR_STRINGS);
  if (charStringsAt === undefined || (at(CHARSTRING_TYPE) ?? 2) !== 2) return undefined;
  const charstrings = read.index(charStringsAt);
  parts.add('charstrings', charStringsAt, endOf(charstrings));
  const count = charstrings.places.length - 1;
  const numbered = top.has(ROS);
  // Dictionaries may share their subroutines.
  const subroutines = new Map<number, CffIndex>();
  const privateOf = (dictionary: ReadonlyMap<number, readonly number[]>) => {
    const [size, from] = dictionary.get(PRIVATE) ?? [];
    if (size === undefined || from === undefined) return undefined;
    parts.add('private', from, from + size);
    const subrs = read.dictionary(from, from + size).get(SUBRS)?.[0];
    if (subrs === undefined) return undefined;
    const index = subroutines.get(from + subrs) ?? read.index(from + subrs);
    subroutines.set(from + subrs, index);
    parts.add('locals', from + subrs, endOf(index));
    return index;
  };
  const charsetAt = at(CHARSET) ?? 0;
  if (charsetAt < OWN_CHARSET && (charsetAt > 0 || numbered || count > ISO_ADOBE)) return undefined;
  const ids = charsetAt === 0 ? Array.from({ length: count }, (_, glyph) => glyph) : read.charset(charsetAt, count);
  if (charsetAt > 0) parts.add('charset', charsetAt, read.at);
  let localsOf: CffProgram['localsOf'];
  let encoding: CffProgram['encoding'];
  if (numbered) {
    const [arrayAt, selectAt] = [at(FD_ARRAY), at(FD_SELECT)];
    if (arrayAt === undefined || selectAt === undefined) return undefined;
    const { places } = read.index(arrayAt);
    parts.add('dictionaries', arrayAt, places.at(-1) ?? arrayAt);
    const locals = places.slice(1).map((end, i) => privateOf(read.dictionary(places[i]!, end)));
    const select = read.select(selectAt, count);
    parts.add('select', selectAt, read.at);
    localsOf = (glyph) => locals[select(glyph)];
  } else {
    const locals = privateOf(top);
    localsOf = () => locals;
    const encodingAt = at(ENCODING) ?? 0;
    if (encodingAt === OWN_ENCODING - 1) return undefined;
    if (encodingAt > 0) {
      encoding = read.encoding(encodingAt, ids);
      parts.add('encoding', encodingAt, read.at);
    }
  }
  if (!parts.apart()) return undefined;
  const named = (id: number) => STANDARD_STRINGS[id] ?? read.text(strings, id - STANDARD_STRINGS.length);
  let names: readonly string[] | undefined;
  return {
    bytes,
    charstrings,
    globals,
    localsOf,
    // Most programs are never asked.
    get names() {
      if (!numbered) names ??= ids.map(named);
      return names;
    },
    numbers: numbered ? ids : undefined,
    encoding,
  };
}

/** Whose bytes are whose: a part that lies in another could not be written without it. */
class Parts {
  private readonly all: { readonly role: string; readonly from: number; readonly to: number }[] = [];

  /** Dictionaries may share parts of one role. */
  add(role: string, from: number, to: number): void {
    if (to > from && !this.all.some((each) => each.role === role && each.from === from && each.to === to))
      this.all.push({ role, from, to });
  }

  apart(): boolean {
    const sorted = this.all.toSorted((a, b) => a.from - b.from);
    return sorted.every(({ from }, i) => i === 0 || sorted[i - 1]!.to <= from);
  }
}

function endOf({ offsets, places }: CffIndex): number {
  return places.at(-1) ?? offsets;
}

/** Reads forwards from `at`. */
class Reader {
  at = 0;
  private readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  number(size: number): number {
    if (!(this.at >= 0 && this.at + size <= this.bytes.length)) throw new RangeError('the program ends too soon');
    let value = 0;
    for (let i = 0; i < size; i++) value = value * 256 + this.bytes[this.at++]!;
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

  /** Operands by operator. Fractions are read as NaN: none of them is a place. */
  dictionary(from: number, to: number): ReadonlyMap<number, readonly number[]> {
    const found = new Map<number, readonly number[]>();
    let operands: number[] = [];
    for (this.at = from; this.at < to; ) {
      const byte = this.number(1);
      if (byte <= 21) {
        found.set(byte === 12 ? 1200 + this.number(1) : byte, operands);
        operands = [];
      } else if (byte === 28) operands.push((this.number(2) << 16) >> 16);
      else if (byte === 29) operands.push(this.number(4) | 0);
      else if (byte === 30) {
        for (let pair = 0; (pair & 15) !== 15; ) pair = this.number(1);
        operands.push(Number.NaN);
      } else if (byte >= 32 && byte <= 246) operands.push(byte - 139);
      else if (byte >= 247 && byte <= 250) operands.push((byte - 247) * 256 + this.number(1) + 108);
      else if (byte >= 251 && byte <= 254) operands.push(-(byte - 251) * 256 - this.number(1) - 108);
      else throw new RangeError(`a dictionary has a byte ${byte}`);
    }
    return found;
  }

  /** The name or the number of each glyph. */
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

  /** The glyph of each code. `ids`: names of the glyphs, by which further codes are told. */
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

  /** The dictionary of each glyph. */
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
