// Writes a CFF font program with one font (Adobe TN 5176): header, indexes, dictionaries, charset, encoding.
import { lastOf, listAt, runsOf } from '../../syntax/arrays.ts';
import { STANDARD_STRINGS } from './standard-strings.ts';
import { putOperand } from './type2-charstring.ts';

export interface CffGlyph {
  readonly name: string;
  readonly width: number;
  /** Type 2, without the width. */
  readonly charstring: readonly number[];
}

interface CffFont {
  readonly name: string;
  readonly notice: string | undefined;
  readonly matrix: readonly number[];
  readonly bbox: readonly number[];
  /** Glyph name of each code; undefined stands for Adobe's standard encoding. */
  readonly encoding: ReadonlyMap<number, string> | undefined;
  /** Values of the Private dictionary under their Type 1 names. */
  readonly privates: ReadonlyMap<string, readonly number[]>;
  /** `.notdef` first. */
  readonly glyphs: readonly CffGlyph[];
}

const DEFAULT_MATRIX = '0.001,0,0,0.001,0,0';
/** Operators of TN 5176, table 23. `delta`: a list, each value relative to the one before. Defaults are left out. */
const PRIVATE_OPERATORS: readonly {
  key: string;
  op: readonly number[];
  delta?: true;
  default?: number;
  most?: number;
}[] = [
  { key: 'BlueValues', op: [6], delta: true, most: 14 },
  { key: 'OtherBlues', op: [7], delta: true, most: 10 },
  { key: 'FamilyBlues', op: [8], delta: true, most: 14 },
  { key: 'FamilyOtherBlues', op: [9], delta: true, most: 10 },
  { key: 'BlueScale', op: [12, 9], default: 0.039625 },
  { key: 'BlueShift', op: [12, 10], default: 7 },
  { key: 'BlueFuzz', op: [12, 11], default: 1 },
  { key: 'StdHW', op: [10] },
  { key: 'StdVW', op: [11] },
  { key: 'StemSnapH', op: [12, 12], delta: true, most: 12 },
  { key: 'StemSnapV', op: [12, 13], delta: true, most: 12 },
  { key: 'ForceBold', op: [12, 14], default: 0 },
  { key: 'LanguageGroup', op: [12, 17], default: 0 },
  { key: 'ExpansionFactor', op: [12, 18], default: 0.06 },
];
const TOP = {
  notice: [1],
  bbox: [5],
  charset: [15],
  encoding: [16],
  charStrings: [17],
  privates: [18],
  matrix: [12, 7],
};
/** The nibbles of the signs in a real number (CFF, table 5), in hexadecimal; digits are their own. */
const SIGNS: Readonly<Record<string, string>> = { '.': 'a', e: 'b', 'e-': 'c', '-': 'e' };
const DEFAULT_WIDTH = [20];
const NOMINAL_WIDTH = [21];

export function writeCff(font: CffFont): Uint8Array {
  const strings = new Strings();
  const charset = writeCharset(font.glyphs.slice(1).map(({ name }) => strings.id(name)));
  const encoding = font.encoding === undefined ? undefined : writeEncoding(font.encoding, font.glyphs, strings);
  const { usual, nominal } = chooseWidths(font.glyphs.map(({ width }) => width));
  const charStrings = index(
    font.glyphs.map(({ width, charstring }) => {
      const code: number[] = [];
      if (width !== usual) putOperand(code, width - nominal);
      return Uint8Array.from([...code, ...charstring]);
    }),
  );
  const privates = writePrivate(font.privates, usual, nominal);
  const fixed: number[] = [];
  if (font.notice !== undefined && font.notice !== '') entry(fixed, [strings.id(font.notice)], TOP.notice);
  if (font.matrix.join() !== DEFAULT_MATRIX) entry(fixed, font.matrix, TOP.matrix);
  if (font.bbox.some((value) => value !== 0)) entry(fixed, font.bbox, TOP.bbox);

  const head = Buffer.concat([Uint8Array.of(1, 0, 4, 2), index([latin1(font.name)])]);
  const tail = Buffer.concat([strings.index(), index([])]);
  // Offsets are part of the dictionary on whose size they depend: repeated until they no longer change.
  for (let top = index([Uint8Array.from(fixed)]); ; ) {
    const start = head.length + top.length + tail.length;
    const encodingAt = start + charset.length;
    const charStringsAt = encodingAt + (encoding?.length ?? 0);
    const dictionary = [...fixed];
    entry(dictionary, [start], TOP.charset);
    if (encoding !== undefined) entry(dictionary, [encodingAt], TOP.encoding);
    entry(dictionary, [charStringsAt], TOP.charStrings);
    entry(dictionary, [privates.length, charStringsAt + charStrings.length], TOP.privates);
    const next = index([Uint8Array.from(dictionary)]);
    if (next.length === top.length)
      return Buffer.concat([head, next, tail, charset, encoding ?? new Uint8Array(), charStrings, privates]);
    top = next;
  }
}

/** The strings of a font; standard strings are not written. */
class Strings {
  private readonly ids = new Map<string, number>();
  private readonly strings: string[] = [];

  constructor() {
    for (const [id, name] of STANDARD_STRINGS.entries()) this.ids.set(name, id);
  }

  id(text: string): number {
    const known = this.ids.get(text);
    if (known !== undefined) return known;
    const id = STANDARD_STRINGS.length + this.strings.length;
    this.ids.set(text, id);
    this.strings.push(text);
    return id;
  }

  index(): Uint8Array {
    return index(this.strings.map(latin1));
  }
}

/** Runs of consecutive numbers: the first, and how many more follow. */
function rangesOf(numbers: readonly number[]): [first: number, left: number][] {
  const runs = runsOf(numbers, (number, run) => number === lastOf(run) + 1);
  return runs.map((run) => [run[0], run.length - 1]);
}

function writeCharset(ids: readonly number[]): Uint8Array {
  const runs = rangesOf(ids);
  const wide = runs.some(([, left]) => left > 255);
  const size = runs.length * (wide ? 4 : 3);
  if (size >= ids.length * 2) return Uint8Array.from([0, ...ids.flatMap(two)]);
  return Uint8Array.from([
    wide ? 2 : 1,
    ...runs.flatMap(([first, left]) => [...two(first), ...(wide ? two(left) : [left])]),
  ]);
}

/** Each glyph in order has one code in the table; further codes of a glyph, and glyphs after one without, are supplements. */
function writeEncoding(codes: ReadonlyMap<number, string>, glyphs: readonly CffGlyph[], strings: Strings): Uint8Array {
  const byName = new Map<string, number[]>();
  for (const [code, name] of codes) listAt(byName, name).push(code);
  const table: number[] = [];
  const supplements: [code: number, id: number][] = [];
  let contiguous = true;
  for (const { name } of glyphs.slice(1)) {
    const [first, ...more] = byName.get(name) ?? [];
    if (first === undefined) contiguous = false;
    else if (contiguous && table.length < 255) table.push(first);
    else more.push(first);
    for (const code of more) supplements.push([code, strings.id(name)]);
  }
  const runs = rangesOf(table);
  const ranged = runs.length * 2 < table.length;
  const format = (ranged ? 1 : 0) | (supplements.length > 0 ? 128 : 0);
  const body = ranged ? [runs.length, ...runs.flat()] : [table.length, ...table];
  const extra =
    supplements.length > 0 ? [supplements.length, ...supplements.flatMap(([code, id]) => [code, ...two(id)])] : [];
  return Uint8Array.from([format, ...body, ...extra]);
}

/** The most frequent width becomes the default and costs nothing; the nominal width keeps most others in one byte. */
function chooseWidths(widths: readonly number[]): { usual: number; nominal: number } {
  const counts = new Map<number, number>();
  for (const width of widths) counts.set(width, (counts.get(width) ?? 0) + 1);
  const [usual = 0] = [...counts].reduce((best, entry) => (entry[1] > best[1] ? entry : best), [0, 0]);
  const others = [...counts].filter(([width]) => width !== usual);
  const cost = (nominal: number) =>
    others.reduce((sum, [width, count]) => sum + count * (Math.abs(width - nominal) <= 107 ? 1 : 2), 0);
  let nominal = 0;
  for (const [width] of others) {
    const candidate = Math.round(width) + 107;
    if (cost(candidate) < cost(nominal)) nominal = candidate;
  }
  return { usual, nominal };
}

function writePrivate(values: CffFont['privates'], usual: number, nominal: number): Uint8Array {
  const out: number[] = [];
  for (const { key, op, delta, default: usualValue, most = 1 } of PRIVATE_OPERATORS) {
    const list = values.get(key);
    if (list === undefined || list.length > most || list[0] === usualValue) continue;
    const steps = list.map((value, i) => Number((value - (list[i - 1] ?? 0)).toPrecision(12)));
    entry(out, delta === true ? steps : list, op);
  }
  if (usual !== 0) entry(out, [usual], DEFAULT_WIDTH);
  if (nominal !== 0) entry(out, [nominal], NOMINAL_WIDTH);
  return Uint8Array.from(out);
}

function entry(out: number[], operands: readonly number[], op: readonly number[]): void {
  for (const operand of operands) operandBytes(out, operand);
  out.push(...op);
}

/** TN 5176, tables 3 to 5. */
function operandBytes(out: number[], value: number): void {
  if (!Number.isInteger(value) || Math.abs(value) > 0x7fffffff) realBytes(out, value);
  else if (value >= -32768 && value <= 32767) putOperand(out, value);
  else out.push(29, ...two(value >> 16), ...two(value));
}

function realBytes(out: number[], value: number): void {
  const text = String(value)
    .replace(/^(-?)0\./, '$1.')
    .replace('e+', 'e')
    .replace(/e-|[-.e]/g, (sign) => SIGNS[sign] ?? '');
  out.push(30, ...Buffer.from(`${text}${text.length % 2 === 0 ? 'ff' : 'f'}`, 'hex'));
}

function index(items: readonly Uint8Array[]): Uint8Array {
  if (items.length === 0) return Uint8Array.of(0, 0);
  const total = items.reduce((sum, item) => sum + item.length, 0);
  const size = total + 1 < 0x100 ? 1 : total + 1 < 0x10000 ? 2 : total + 1 < 0x1000000 ? 3 : 4;
  const head = [...two(items.length), size];
  let offset = 1;
  for (const length of [0, ...items.map((item) => item.length)]) {
    offset += length;
    for (let shift = size - 1; shift >= 0; shift--) head.push((offset >>> (shift * 8)) & 255);
  }
  return Buffer.concat([Uint8Array.from(head), ...items]);
}

function two(value: number): [number, number] {
  return [(value >> 8) & 255, value & 255];
}

function latin1(text: string): Uint8Array {
  return Buffer.from(text, 'latin1');
}
