// Opens CFF programs as embedded in PDF (Adobe TN 5176): places of their parts, and names or numbers of their glyphs.
import { type CffIndex, CffReader, endOf } from './cff-reader.ts';
import { STANDARD_STRINGS } from './standard-strings.ts';

interface Widths {
  readonly usual: number;
  readonly nominal: number;
}

export interface CffProgram {
  readonly bytes: Uint8Array;
  readonly charstrings: CffIndex;
  readonly globals: CffIndex;
  /** Local subroutines of a glyph's dictionary. */
  localsOf(glyph: number): CffIndex | undefined;
  /** The default and nominal width in a glyph's dictionary, in units of the font. */
  widthsOf(glyph: number): Widths;
  /** Units of the font in thousandths of an em. */
  readonly unit: number;
  /** Whether all fractions in its dictionaries are valid. */
  readonly isSound: boolean;
  /** Each glyph's name; undefined in CID-keyed programs. */
  readonly names: readonly string[] | undefined;
  /** Each glyph's CID; undefined where glyphs are named. */
  readonly numbers: readonly number[] | undefined;
  /** The glyph of each code in the built-in encoding; undefined stands for Adobe's standard encoding. */
  readonly encoding: ReadonlyMap<number, number> | undefined;
}

/** Operators of dictionaries; those of two bytes with 12 as their hundreds. */
const [CHARSET, ENCODING, CHAR_STRINGS, PRIVATE, SUBRS] = [15, 16, 17, 18, 19];
const [USUAL_WIDTH, NOMINAL_WIDTH] = [20, 21];
const [CHARSTRING_TYPE, MATRIX, ROS, FD_ARRAY, FD_SELECT] = [1206, 1207, 1230, 1236, 1237];
/** Offsets below these stand for predefined charsets and encodings, of which the first is supported. */
const [OWN_CHARSET, OWN_ENCODING] = [3, 2];
const ISO_ADOBE = 229;

/** Undefined where it is no CFF, or an unsupported kind. Throws a RangeError where it ends too soon. */
export function openCff(bytes: Uint8Array): CffProgram | undefined {
  const read = new CffReader(bytes);
  const [version, , headSize = 0] = bytes;
  if (bytes.length < 4 || version !== 1) return undefined;
  const parts = new Parts();
  const fonts = read.index(headSize);
  const tops = read.index(endOf(fonts));
  const strings = read.index(endOf(tops));
  const globals = read.index(endOf(strings));
  parts.add('front', 0, endOf(strings));
  parts.add('globals', endOf(strings), endOf(globals));
  const [topStart = 0, topEnd] = tops.places;
  if (topEnd === undefined || tops.places.length !== 2) return undefined;
  const top = read.dictionary(topStart, topEnd);
  const at = (op: number) => top.get(op)?.at(-1);
  const charStringsAt = at(CHAR_STRINGS);
  if (charStringsAt === undefined || (at(CHARSTRING_TYPE) ?? 2) !== 2) return undefined;
  const charstrings = read.index(charStringsAt);
  parts.add('charstrings', charStringsAt, endOf(charstrings));
  const count = charstrings.places.length - 1;
  const numbered = top.has(ROS);
  const privates = new Privates(read, parts);
  const charsetAt = at(CHARSET) ?? 0;
  if (charsetAt < OWN_CHARSET && (charsetAt > 0 || numbered || count > ISO_ADOBE)) return undefined;
  const ids = charsetAt === 0 ? Array.from({ length: count }, (_, glyph) => glyph) : read.charset(charsetAt, count);
  if (charsetAt > 0) parts.add('charset', charsetAt, read.at);
  let localsOf: CffProgram['localsOf'];
  let dictionaryOf: (glyph: number) => Dictionary | undefined = () => top;
  let encoding: CffProgram['encoding'];
  if (numbered) {
    const [arrayAt, selectAt] = [at(FD_ARRAY), at(FD_SELECT)];
    if (arrayAt === undefined || selectAt === undefined) return undefined;
    const { places } = read.index(arrayAt);
    parts.add('dictionaries', arrayAt, places.at(-1) ?? arrayAt);
    const dictionaries = places.slice(1).map((end, i) => read.dictionary(places[i] ?? end, end));
    const locals = dictionaries.map((dictionary) => privates.read(dictionary));
    const select = read.select(selectAt, count);
    parts.add('select', selectAt, read.at);
    localsOf = (glyph) => locals[select(glyph)];
    dictionaryOf = (glyph) => dictionaries[select(glyph)];
  } else {
    const locals = privates.read(top);
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
    widthsOf: (glyph) => privates.widthsOf(dictionaryOf(glyph)),
    unit: (top.get(MATRIX) ?? dictionaryOf(0)?.get(MATRIX))?.[0] ?? 0.001,
    isSound: !read.hasBadNumber,
    // Computed on demand: most programs are never asked.
    get names() {
      if (!numbered) names ??= ids.map(named);
      return names;
    },
    numbers: numbered ? ids : undefined,
    encoding,
  };
}

type Dictionary = ReadonlyMap<number, readonly number[]>;

/** The private dictionaries of a program: widths and subroutines, which several dictionaries may share. */
class Privates {
  private readonly program: CffReader;
  private readonly parts: Parts;
  private readonly subroutines = new Map<number, CffIndex>();
  private readonly widths = new Map<Dictionary | undefined, Widths>();

  constructor(program: CffReader, parts: Parts) {
    this.program = program;
    this.parts = parts;
  }

  /** Reads a font's private dictionary, and returns its subroutines. */
  read(dictionary: Dictionary): CffIndex | undefined {
    const { program, parts, subroutines } = this;
    const [size, from] = dictionary.get(PRIVATE) ?? [];
    if (size === undefined || from === undefined) return undefined;
    parts.add('private', from, from + size);
    const values = program.dictionary(from, from + size);
    const usual = values.get(USUAL_WIDTH)?.[0] ?? 0;
    this.widths.set(dictionary, { usual, nominal: values.get(NOMINAL_WIDTH)?.[0] ?? 0 });
    const subrs = values.get(SUBRS)?.[0];
    if (subrs === undefined) return undefined;
    const index = subroutines.get(from + subrs) ?? program.index(from + subrs);
    subroutines.set(from + subrs, index);
    parts.add('locals', from + subrs, endOf(index));
    return index;
  }

  widthsOf(dictionary: Dictionary | undefined): Widths {
    return this.widths.get(dictionary) ?? { usual: 0, nominal: 0 };
  }
}

/** The byte ranges of parts: a part that lies inside another could not be emptied on its own. */
class Parts {
  private readonly all: { readonly role: string; readonly from: number; readonly to: number }[] = [];

  /** Dictionaries may share parts of one role. */
  add(role: string, from: number, to: number): void {
    if (to > from && !this.all.some((span) => span.role === role && span.from === from && span.to === to))
      this.all.push({ role, from, to });
  }

  apart(): boolean {
    const sorted = this.all.toSorted((a, b) => a.from - b.from);
    return sorted.every(({ from }, i) => (sorted[i - 1]?.to ?? 0) <= from);
  }
}
