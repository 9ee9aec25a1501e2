import type { PdfFile } from '../file/read/pdf-file.ts';
import { unlessThrown } from '../syntax/damage.ts';
import { Dict, Name, Ref, type Value } from '../syntax/values.ts';
import { differencesOf } from './encoding-differences.ts';
import { type Encoding, type EncodingName, encodingNamed } from './encodings.ts';
import { characterNamed, PI_NAME } from './glyph-names.ts';
import { openCff } from './programs/cff-program.ts';
import { STANDARD_ENCODING } from './programs/standard-strings.ts';
import { dingbatNamed, signEncoding, signFontNamed } from './sign-encodings.ts';
import { Unknown } from './unknown.ts';

const SYMBOLIC = 4;
const NONSYMBOLIC = 32;
const SIGN_FONT = /symbol|dingbats/i;

export interface SimpleFont {
  readonly type: string;
  readonly name: string;
  readonly descriptor: Dict | undefined;
  readonly map: ReadonlyMap<number, string> | undefined;
}

/** The key of a font's program in its descriptor; undefined where it is not embedded. */
function programOf({ descriptor }: SimpleFont): string | undefined {
  return ['FontFile', 'FontFile2', 'FontFile3'].find((key) => descriptor?.get(key) instanceof Ref);
}

export interface Encoded {
  /** The character of a code; undefined where there is none. */
  character(code: number): string | undefined;
  /** Names of codes for which /Differences gives none. */
  readonly usual: Encoding;
  /** The base encoding, and the names that differ, as the file gives them. */
  readonly base: EncodingName | undefined;
  readonly differences: ReadonlyMap<number, string>;
}

/** The encoding from the file, and the fallback where it gives none. */
export function encodedBy(file: PdfFile, dict: Dict, font: SimpleFont): Encoded {
  const { type, name } = font;
  const { base, differences } = encodingOf(file, dict);
  const usual = usualEncoding(file, font, base, differences.size);
  const companion = type === 'Type3' && ![...differences.keys()].some((code) => LETTER.test(String.fromCharCode(code)));
  const character = (code: number) => {
    const glyph = differences.get(code);
    if (companion && glyph === COMPANION_BULLET) return '•';
    if (glyph === undefined || glyph === '.notdef') return usual[code];
    const character = characterOf(glyph, name);
    return type === 'Type3' && isDrawing(character, code) ? undefined : character;
  };
  return { character, usual, base, differences };
}

const LETTER = /[A-Za-z]/;

/** TeX's bitmaps of its text companion encoding (TS1), which has no letters, are named after their codes. */
const COMPANION_BULLET = 'a136';

/** Type 3 fonts may draw shapes for typed letters: the code tells more than the shape's name. */
function isDrawing(character: string | undefined, code: number): boolean {
  return /^\p{S}/u.test(character ?? '') && LETTER.test(String.fromCharCode(code));
}

export function charactersOf(
  file: PdfFile,
  font: SimpleFont,
  { character: encoded, base, differences }: Encoded,
): (code: number) => string {
  const { type, map, descriptor } = font;
  const itself = numbersGlyphs(font, differences) ? () => '\ufffd' : (code: number) => String.fromCharCode(code);
  const program = programOf(font);
  const plain = base === undefined && type !== 'TrueType' && type !== 'Type3';
  if (map !== undefined) {
    const fallback = (base !== undefined || differences.size > 0) && type !== 'Type3';
    // TeX's maps leave out large operators and brackets, which the font's program names.
    const builtInNames = plain && !fallback ? builtIn(file, descriptor, program) : undefined;
    const named = (code: number) => (fallback ? encoded(code) : nameIn(builtInNames, code, font.name));
    return (code) => map.get(code) || (map.has(code) ? undefined : named(code)) || itself(code);
  }
  if (type === 'TrueType' && base === undefined && differences.size === 0 && program !== undefined) {
    return (code) => {
      // The font's name table gives the code page; all code pages agree on ASCII.
      if (code > 126) throw new Unknown('an encoding inside a TrueType font');
      return encoded(code) ?? itself(code);
    };
  }
  if (!plain || program === undefined) return (code) => encoded(code) ?? itself(code);
  const builtInNames = builtIn(file, descriptor, program);
  return (code) => {
    if (differences.has(code)) return encoded(code) ?? itself(code);
    if (builtInNames === undefined) throw new Unknown('an encoding inside a font');
    return nameIn(builtInNames, code, font.name) ?? encoded(code) ?? itself(code);
  };
}

/**
 * Whether the codes only number the glyphs, which have names such as g18: then they are no characters. The first of them
 * stand among the control characters. In bitmap fonts of TeX (Type 3) letters keep their codes.
 */
function numbersGlyphs({ type }: SimpleFont, differences: ReadonlyMap<number, string>): boolean {
  return (
    type !== 'Type3' &&
    [...differences].some(([code, name]) => code < 32 && NUMBERED.test(name) && characterNamed(name) === undefined)
  );
}

const NUMBERED = /^[A-Za-z]{1,5}\d+$/;

/** The glyph names in a font's program; undefined where it cannot be read. */
function builtIn(
  file: PdfFile,
  descriptor: Dict | undefined,
  program: string | undefined,
): ReadonlyMap<number, string> | undefined {
  if (program === 'FontFile') return type1Encoding(file, descriptor?.get(program));
  return program === 'FontFile3' ? cffEncoding(file, descriptor?.get(program)) : undefined;
}

function nameIn(names: ReadonlyMap<number, string> | undefined, code: number, fontName: string): string | undefined {
  const glyph = names?.get(code);
  return glyph === undefined ? undefined : characterOf(glyph, fontName);
}

/** Names of scripts that our list leaves out, and disguised numbers. */
const RARE =
  /^(afii|SF\d|G..$|g....$|[Cc][0-9A-Fa-f]..?$)|hebrew|arabic|deva|bengali|gurmukhi|gujarati|thai|hiragana|katakana|bopomofo|korean|armenian|cyrillic|ideographic/;

/** @throws Unknown for a name that a longer list of names may know. */
function characterOf(glyph: string, fontName: string): string | undefined {
  const dingbat = /dingbats/i.test(fontName) ? dingbatNamed(glyph) : undefined;
  const character = dingbat ?? characterNamed(glyph) ?? ofVariant(glyph);
  if (character === undefined && RARE.test(glyph)) throw new Unknown(`glyph ${glyph}`);
  // A sign of Mathematical Pi that is not in our list: its code is a letter.
  return character ?? (PI_NAME.test(glyph) ? '\ufffd' : undefined);
}

/** Variants of a glyph have a suffix, and ligatures their parts in their names (Adobe Glyph List): six.lf, f_f_i. */
function ofVariant(glyph: string): string | undefined {
  const [base = ''] = glyph.split('.');
  if (base === '' || (base === glyph && !glyph.includes('_'))) return undefined;
  const parts = base.split('_').map(characterNamed);
  return parts.includes(undefined) ? undefined : parts.join('');
}

const NONE: ReadonlyMap<number, string> = new Map();

function encodingOf(
  file: PdfFile,
  dict: Dict,
): { base: EncodingName | undefined; differences: ReadonlyMap<number, string> } {
  const differences = NONE;
  const value = file.resolve(dict.get('Encoding'));
  if (value instanceof Name) return { base: known(value.value), differences };
  if (!(value instanceof Dict)) return { base: undefined, differences };
  return { base: known(value.name('BaseEncoding')), differences: differencesOf(file, dict) };
}

function known(name: string | undefined): EncodingName | undefined {
  if (name === 'MacExpertEncoding') throw new Unknown('MacExpertEncoding');
  return name === 'WinAnsiEncoding' || name === 'MacRomanEncoding' ? name : undefined;
}

/**
 * The encoding of codes for which /Differences gives no name. A standard font of signs keeps its own, whatever /Encoding
 * names: some producers name WinAnsiEncoding there.
 */
function usualEncoding(file: PdfFile, font: SimpleFont, base: EncodingName | undefined, differences: number): Encoding {
  const { type, name, descriptor } = font;
  if (type !== 'Type3' && SIGN_FONT.test(name) && programOf(font) === undefined) {
    const signs = type === 'TrueType' ? undefined : signFontNamed(name);
    if (signs === undefined) throw new Unknown('a font of signs');
    return signEncoding(signs);
  }
  if (base !== undefined) return encodingNamed(base);
  const given = file.resolve(descriptor?.get('Flags'));
  const flags = typeof given === 'number' ? given : descriptor === undefined ? NONSYMBOLIC : 0;
  const plain = (flags & NONSYMBOLIC) !== 0;
  const symbolic = (flags & SYMBOLIC) !== 0 && !(type === 'TrueType' && plain && differences > 0);
  if (symbolic) return encodingNamed('MacRomanEncoding');
  return encodingNamed(type === 'TrueType' && !plain ? 'WinAnsiEncoding' : 'StandardEncoding');
}

// The built-in encoding of a font program: glyph names by code.

const CAP = 32 << 20;

/** The encoding of a Type 1 program; empty where it has none. */
function type1Encoding(file: PdfFile, value: Value | undefined): ReadonlyMap<number, string> {
  const bytes = bytesOf(file, value) ?? new Uint8Array();
  const end = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf('eexec');
  const clear = Buffer.from(bytes.buffer, bytes.byteOffset, end < 0 ? bytes.length : end).toString('latin1');
  const start = clear.indexOf('/Encoding');
  if (start < 0) return new Map();
  const text = clear.slice(start + '/Encoding'.length);
  if (/^\s*StandardEncoding\b/.test(text)) return STANDARD_ENCODING;
  const names = new Map<number, string>();
  for (const [, code, name = ''] of text.matchAll(/\bdup\s+(\d+)\s*\/(\S+)\s+put\b/g)) names.set(Number(code), name);
  return names;
}

function cffEncoding(file: PdfFile, value: Value | undefined): ReadonlyMap<number, string> | undefined {
  const bytes = bytesOf(file, value);
  if (bytes === undefined) return undefined;
  return unlessThrown([RangeError], undefined, () => {
    const program = openCff(bytes);
    const names = program?.names;
    if (program === undefined || names === undefined) return undefined;
    if (program.encoding === undefined) return STANDARD_ENCODING;
    return new Map([...program.encoding].map(([code, glyph]) => [code, names[glyph] ?? '.notdef']));
  });
}

function bytesOf(file: PdfFile, value: Value | undefined): Uint8Array | undefined {
  return value instanceof Ref ? file.streamBytes(value.num, CAP)?.bytes : undefined;
}
