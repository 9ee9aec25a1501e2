import { Failure } from '../../contract/base/failure.ts';
import { listOf, numberAt } from '../file/read/entries.ts';
import type { PdfFile } from '../file/read/pdf-file.ts';
import { matrixOf } from '../page/boxes.ts';
import type { Matrix } from '../page/geometry.ts';
import { Damage, Unreadable, unlessThrown } from '../syntax/damage.ts';
import type { Dict, Value } from '../syntax/values.ts';
import { codeMapOf } from './code-map.ts';
import { type DrawnLetters, drawnLetters } from './drawn-letters.ts';
import { differencesOf } from './encoding-differences.ts';
import { compositeWidths, descendantOf, type Font, givenWidths, readFont } from './font-reader.ts';
import { signWidths, standardWidths } from './standard-widths.ts';
import { toUnicodeOf } from './to-unicode.ts';
import { Unknown } from './unknown.ts';

/** One code of a shown string. */
export interface Code {
  /** Its first byte in the string. */
  readonly start: number;
  readonly end: number;
  readonly code: number;
  /** Advance, for a font size of 1. */
  readonly width: number;
  /** The single byte 32, to which word spacing applies. */
  readonly isSpace: boolean;
  /** Its characters; empty where they are unknown. */
  readonly text: string;
}

/** The metrics of a font's glyphs. */
export interface GlyphFont {
  /** Top and bottom of the em, for a font size of 1. */
  readonly ascent: number;
  readonly descent: number;
  /** Codes are single bytes. */
  readonly simple: boolean;
  codes(bytes: Uint8Array): Code[];
  readonly drawn: DrawnLetters;
}

/** @throws Unreadable where the place or width of its glyphs cannot be determined. */
export function readGlyphFont(file: PdfFile, value: Value | undefined): GlyphFont {
  const dict = file.dict(value);
  if (dict === undefined) throw new Unreadable('a font that is not there');
  const text = textOf(file, dict);
  const font = dict.name('Subtype') === 'Type0' ? compositeFont : simpleFont;
  let drawn: DrawnLetters | undefined;
  return {
    ...font(file, dict, text),
    drawn(code) {
      drawn ??= drawnLetters(file, dict);
      return drawn(code);
    },
  };
}

/** The characters of a code, as in text extraction where that supports the font. */
function textOf(file: PdfFile, dict: Dict): (code: number) => string {
  let font: Font | undefined;
  let map: ReadonlyMap<number, string> | undefined;
  try {
    font = readFont(file, dict);
  } catch (error) {
    if (error instanceof Failure) throw error;
    map = toUnicodeOf(file, dict);
  }
  return (code) => unlessThrown([Unknown, Damage], '', () => font?.glyph(code).unicode ?? map?.get(code) ?? '');
}

function simpleFont(file: PdfFile, dict: Dict, text: (code: number) => string): Omit<GlyphFont, 'drawn'> {
  const type3 = dict.name('Subtype') === 'Type3';
  const descriptor = file.dict(dict.get('FontDescriptor'));
  const matrix = type3 ? matrixOf(file, dict.get('FontMatrix')) : undefined;
  if (type3 && (matrix === undefined || !(Math.abs(matrix[0]) > 0)))
    throw new Unreadable('a Type 3 font without a matrix');
  const unit = matrix === undefined ? 0.001 : Math.abs(matrix[0]);
  const widthOf = simpleWidths(file, dict, descriptor, text);
  const [ascent, descent] = matrix === undefined ? emOf(file, descriptor) : type3Em(file, dict, matrix);
  return {
    ascent,
    descent,
    simple: true,
    codes: (bytes) =>
      Array.from(bytes, (code, i) => ({
        start: i,
        end: i + 1,
        code,
        width: widthOf(code) * unit,
        isSpace: code === 32,
        text: text(code),
      })),
  };
}

function simpleWidths(
  file: PdfFile,
  dict: Dict,
  descriptor: Dict | undefined,
  text: (code: number) => string,
): (code: number) => number {
  const given = givenWidths(file, dict, descriptor);
  if (given !== undefined) return (code) => given.widths.get(code) ?? given.missing;
  const name = dict.name('BaseFont') ?? '';
  const signs = differencesOf(file, dict).size > 0 ? undefined : signWidths(name);
  if (signs !== undefined) return (code) => signs.get(code) ?? 0;
  const standard = standardWidths(name);
  if (standard === undefined) throw new Unreadable('a font without widths');
  return (code) => standard.widths.get(text(code)) ?? standard.missing;
}

function compositeFont(file: PdfFile, dict: Dict, text: (code: number) => string): Omit<GlyphFont, 'drawn'> {
  const inner = descendantOf(file, dict);
  if (inner === undefined) throw new Unreadable('a composite font without its descendant');
  const map = codeMapOf(file, dict.get('Encoding'));
  const missing = numberAt(file, inner, 'DW') ?? 1000;
  const widths = compositeWidths(file, inner.get('W'));
  const [ascent, descent] = emOf(file, file.dict(inner.get('FontDescriptor')));
  return {
    ascent,
    descent,
    simple: false,
    codes(bytes) {
      const codes: Code[] = [];
      for (let start = 0; start < bytes.length; ) {
        const { code, cid, length } = map.read(bytes, start);
        const width = (widths.get(cid) ?? missing) / 1000;
        // Word spacing applies to single bytes only.
        const isSpace = length === 1 && code === 32;
        codes.push({ start, end: start + length, code, width, isSpace, text: text(code) });
        start += length;
      }
      return codes;
    },
  };
}

/** Heights that few letters exceed, for fonts with missing or impossible values. */
const ASCENT = 0.78;
const DESCENT = -0.22;

function emOf(file: PdfFile, descriptor: Dict | undefined): [number, number] {
  const value = (key: string) => (numberAt(file, descriptor, key) ?? 0) / 1000;
  const [ascent, descent] = [value('Ascent'), value('Descent')];
  // Producers write line heights here, and a box that is too tall would include neighbouring lines.
  return [ascent > 0.5 && ascent <= 0.95 ? ascent : ASCENT, descent < -0.1 && descent >= -0.3 ? descent : DESCENT];
}

/** The font's box gives the height of its glyphs, unless it is empty, as many are. */
function type3Em(file: PdfFile, dict: Dict, matrix: Matrix): [number, number] {
  const [, y0, , y1] = listOf(file, dict.get('FontBBox')).map((item) => file.resolve(item));
  if (typeof y0 === 'number' && typeof y1 === 'number' && y1 !== y0) {
    const [low, high] = [Math.min(y0 * matrix[3], y1 * matrix[3]), Math.max(y0 * matrix[3], y1 * matrix[3])];
    if (high - low > 0.1 && high - low < 4) return [high, low];
  }
  return [ASCENT, DESCENT];
}
