// Letters that a font draws, as its encoding or the map inside its program has them, for fonts whose /ToUnicode may say
// others. Outlines are not looked at: where the names of glyphs are wrong too, OCR alone sees it.
import type { PdfFile } from '../file/read/pdf-file.ts';
import { unlessDamaged } from '../syntax/damage.ts';
import { type Dict, Name, Ref } from '../syntax/values.ts';
import { encodedBy } from './font-characters.ts';
import { sfntTables } from './programs/truetype.ts';
import { mapFor } from './programs/truetype-lookup.ts';
import { Unknown } from './unknown.ts';

/** What the glyph of a code is, by all of its names; none where nobody can tell. */
export type DrawnLetters = (code: number) => readonly string[];

const PROGRAMS = ['FontFile', 'FontFile2', 'FontFile3'];
const SYMBOLIC = 4;
const CAP = 32 << 20;
/** Latin, Greek and Cyrillic: of other scripts, programs have glyphs that no character has alone. */
const SCRIPTS = [[0x30, 0x24f] as const, [0x370, 0x52f] as const];
const UNICODE = [[3, 10] as const, [3, 1] as const, [0, 4] as const, [0, 3] as const];
const NOTHING: DrawnLetters = () => [];

export function drawnLetters(file: PdfFile, dict: Dict): DrawnLetters {
  if (!dict.has('ToUnicode')) return NOTHING;
  try {
    const read = dict.name('Subtype') === 'Type0' ? inProgram : inEncoding;
    return unlessDamaged(NOTHING, () => read(file, dict));
  } catch (error) {
    if (error instanceof Unknown || error instanceof RangeError) return NOTHING;
    throw error;
  }
}

/** An encoding that the file gives says which glyphs a simple font draws, unless its program is one of signs. */
function inEncoding(file: PdfFile, dict: Dict): DrawnLetters {
  const type = dict.name('Subtype') ?? '';
  if (type === 'Type3') return NOTHING;
  const descriptor = file.dict(dict.get('FontDescriptor'));
  const name = dict.name('BaseFont') ?? '';
  const { character, base, differences } = encodedBy(file, dict, { type, name, descriptor, map: undefined });
  const isEmbedded = PROGRAMS.some((key) => descriptor?.has(key) === true);
  const isOfSigns = ((descriptor?.number('Flags') ?? 0) & SYMBOLIC) !== 0;
  const isEncoded = !isOfSigns && (base !== undefined || !isEmbedded);
  return (code) => {
    const letter = isEncoded || differences.has(code) ? character(code) : undefined;
    return letter === undefined ? [] : [letter];
  };
}

/** Codes that are glyph numbers, by the map from characters to glyphs that the program has. */
function inProgram(file: PdfFile, dict: Dict): DrawnLetters {
  const list = file.resolve(dict.get('DescendantFonts'));
  const inner = file.dict(Array.isArray(list) ? list[0] : list);
  const ref = file.dict(inner?.get('FontDescriptor'))?.get('FontFile2');
  const numbers = file.resolve(inner?.get('CIDToGIDMap'));
  const isNumbered = !inner?.has('CIDToGIDMap') || (numbers instanceof Name && numbers.value === 'Identity');
  if (dict.name('Encoding') !== 'Identity-H' || !isNumbered || !(ref instanceof Ref)) return NOTHING;
  const tables = sfntTables(file.streamBytes(ref.num, CAP)?.bytes ?? new Uint8Array(0));
  const glyphOf = tables && UNICODE.flatMap(([platform, encoding]) => mapFor(tables, platform, encoding) ?? [])[0];
  if (glyphOf === undefined) return NOTHING;
  const letters = new Map<number, string[]>();
  for (const [first, last] of SCRIPTS)
    for (let code = first; code <= last; code++) {
      const glyph = glyphOf(code);
      if (glyph > 0) letters.set(glyph, [...(letters.get(glyph) ?? []), String.fromCharCode(code)]);
    }
  return (code) => letters.get(code) ?? [];
}
