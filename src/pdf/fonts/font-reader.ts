// Reads a font's dictionary: the character and the width of each code. A font that needs more than is supported here
// (predefined CJK maps, metrics outside the file) is left to pdf.js.
import { listOf, numberAt } from '../file/read/entries.ts';
import type { PdfFile } from '../file/read/pdf-file.ts';
import { textOf } from '../syntax/text-strings.ts';
import { Dict, Name, Ref, type Value } from '../syntax/values.ts';
import { faceOf, type PlacedFace } from './faces.ts';
import { charactersOf, type Encoded, encodedBy, type SimpleFont } from './font-characters.ts';
import { signWidths, standardWidths } from './standard-widths.ts';
import { MOST_MAP, readToUnicode } from './to-unicode.ts';
import { Unknown } from './unknown.ts';

export interface Glyph {
  readonly unicode: string;
  readonly width: number;
  readonly isSpace: boolean;
  readonly vmetric?: readonly number[] | null;
}

export interface Font {
  readonly face: PlacedFace;
  readonly step: 1 | 2;
  glyph(code: number): Glyph;
}

/** @throws Unknown where the font must be left to pdf.js; Damage where it cannot be read. */
export function readFont(file: PdfFile, dict: Dict): Font {
  const type = dict.name('Subtype');
  const map = toUnicodeOf(file, dict);
  if (type === 'Type0') return compositeFont(file, dict, map);
  if (type !== 'Type1' && type !== 'MMType1' && type !== 'TrueType' && type !== 'Type3') throw new Unknown('font type');
  const descriptor = file.dict(dict.get('FontDescriptor'));
  const name = nameOf(dict, descriptor, type);
  const font = { type, name, map, descriptor };
  const encoded = encodedBy(file, dict, font);
  const { widths, missing, widthOf } = simpleWidths(file, dict, font, encoded);
  const face = faceOf({
    name,
    isMonospace: (descriptor !== undefined || type === 'Type3') && sameWidths(widths.values(), missing),
    isType3Font: type === 'Type3',
    widths: [...widths.values()],
    fontMatrix: type === 'Type3' ? numbers(file, dict.get('FontMatrix')) : [0.001, 0, 0, 0.001, 0, 0],
    bbox: numbers(file, descriptor?.get('FontBBox') ?? dict.get('FontBBox')),
  });
  const characters = charactersOf(file, font, encoded);
  return fontOf(face, 1, (code) => ({ unicode: characters(code), width: widthOf(code), isSpace: code === 32 }));
}

function fontOf(face: PlacedFace, step: 1 | 2, make: (code: number) => Glyph): Font {
  const glyphs: Glyph[] = [];
  const glyph = (code: number): Glyph => {
    const known = glyphs[code];
    if (known !== undefined) return known;
    const made = make(code);
    glyphs[code] = made;
    return made;
  };
  return { face, step, glyph };
}

function compositeFont(file: PdfFile, dict: Dict, map: Map<number, string> | undefined): Font {
  const encoding = file.resolve(dict.get('Encoding'));
  if (!(encoding instanceof Name) || encoding.value !== 'Identity-H') throw new Unknown('encoding');
  const inner = descendantOf(file, dict);
  if (inner === undefined) throw new Unknown('descendant font');
  const descriptor = file.dict(inner.get('FontDescriptor'));
  if (map === undefined && !hasOwnNumbers(file, inner, descriptor)) throw new Unknown('encoding');
  if (descriptor === undefined) throw new Unknown('descriptor');
  const missing = Math.ceil(numberAt(file, inner, 'DW') ?? 1000);
  const widths = compositeWidths(file, inner.get('W'));
  const isMonospace = sameWidths(widths.values(), missing);
  const face = faceOf({ name: nameOf(inner, descriptor, 'Type0'), isMonospace, fontMatrix: [0.001] });
  return fontOf(face, 2, (code) => {
    const unicode = map === undefined ? String.fromCharCode(code) : (map.get(code) ?? unknownCode(code));
    return { unicode, width: widths.get(code) ?? missing, isSpace: false };
  });
}

/**
 * Whether the codes are numbers of glyphs in a program in the file, and no collection of characters. Without a map, pdf.js
 * takes them for characters, and so do we: pages of such text are found to be unreadable later.
 */
function hasOwnNumbers(file: PdfFile, inner: Dict, descriptor: Dict | undefined): boolean {
  if (inner.has('ToUnicode') || !['FontFile2', 'FontFile3'].some((key) => descriptor?.has(key) === true)) return false;
  return textOf(file.dict(inner.get('CIDSystemInfo'))?.get('Ordering') ?? null) === 'Identity';
}

/** The text of a code that a composite font does not map: U+FFFD, since the code numbers a glyph. Control codes stay. */
export function unknownCode(code: number): string {
  return code < 32 ? String.fromCharCode(code) : '\ufffd';
}

export function descendantOf(file: PdfFile, dict: Dict): Dict | undefined {
  const list = file.resolve(dict.get('DescendantFonts'));
  return file.dict(Array.isArray(list) ? list[0] : list);
}

/** The widths in /W of a composite font, by CID (ISO 32000-1, 9.7.4.3). */
export function compositeWidths(file: PdfFile, value: Value | undefined): Map<number, number> {
  const widths = new Map<number, number>();
  const list = listOf(file, value);
  for (let i = 0; i + 1 < list.length; ) {
    const [start, next] = [file.resolve(list[i]), file.resolve(list[i + 1])];
    if (typeof start !== 'number') break;
    if (Array.isArray(next)) {
      for (const [at, item] of next.entries()) {
        const width = file.resolve(item);
        if (typeof width === 'number') widths.set(start + at, width);
      }
      i += 2;
    } else {
      const width = file.resolve(list[i + 2]);
      if (typeof next !== 'number' || next - start > 0xffff) break;
      if (typeof width === 'number') for (let code = start; code <= next; code++) widths.set(code, width);
      i += 3;
    }
  }
  return widths;
}

interface Widths {
  readonly widths: ReadonlyMap<unknown, number>;
  readonly missing: number;
  widthOf(code: number): number;
}

function simpleWidths(
  file: PdfFile,
  dict: Dict,
  { name, descriptor }: SimpleFont,
  { character, usual, differences }: Encoded,
): Widths {
  const given = givenWidths(file, dict, descriptor);
  if (given === undefined) {
    const font = dict.name('BaseFont') ?? name;
    const signs = differences.size > 0 ? undefined : signWidths(font);
    if (signs !== undefined) return { widths: signs, missing: 0, widthOf: (code) => signs.get(code) ?? 0 };
    const standard = standardWidths(font);
    if (standard === undefined) throw new Unknown('widths that are not in the file');
    const { widths, missing } = standard;
    const named = (name: string | undefined) => (name === undefined ? undefined : widths.get(name));
    return { widths, missing, widthOf: (code) => named(character(code)) ?? named(usual[code]) ?? missing };
  }
  const { widths, missing } = given;
  return { widths, missing, widthOf: (code) => widths.get(code) ?? missing };
}

/** The widths of a simple font's codes, and the default width; undefined where it gives none. */
export function givenWidths(file: PdfFile, dict: Dict, descriptor: Dict | undefined) {
  const list = file.resolve(dict.get('Widths'));
  if (!Array.isArray(list)) return undefined;
  const first = numberAt(file, dict, 'FirstChar') ?? 0;
  const widths = new Map<number, number>();
  for (const [i, item] of list.entries()) {
    const width = file.resolve(item);
    if (typeof width === 'number') widths.set(first + i, width);
  }
  return { widths, missing: numberAt(file, descriptor, 'MissingWidth') ?? 0 };
}

function sameWidths(widths: Iterable<number>, missing: number): boolean {
  let first = missing;
  for (const width of widths) {
    if (width === 0) continue;
    if (first === 0) first = width;
    else if (width !== first) return false;
  }
  return true;
}

function nameOf(dict: Dict, descriptor: Dict | undefined, type: string): string {
  const [inner, base] = [descriptor?.name('FontName'), dict.name('BaseFont')];
  if (type === 'Type3') return inner ?? type;
  if (inner === undefined) return (base ?? '').replace(/[,_]/g, '-').replace(/\s/g, '');
  return base?.startsWith(inner) === true ? base : inner;
}

function toUnicodeOf(file: PdfFile, dict: Dict): Map<number, string> | undefined {
  const ref = dict.get('ToUnicode');
  if (ref === undefined || ref === null) return undefined;
  if (!(ref instanceof Ref)) throw new Unknown('a map by its name');
  if (!(file.object(ref.num) instanceof Dict)) throw new Unknown('a map by its name');
  const stream = file.streamBytes(ref.num, MOST_MAP);
  const map = stream === undefined ? undefined : readToUnicode(stream.bytes);
  if (map === undefined) throw new Unknown('a map built on another one');
  return map.size === 0 ? undefined : map;
}

function numbers(file: PdfFile, value: Value | undefined): number[] {
  return listOf(file, value).map((item) => {
    const number = file.resolve(item);
    return typeof number === 'number' ? number : 0;
  });
}
