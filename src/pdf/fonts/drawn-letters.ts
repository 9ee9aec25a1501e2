// The letters that a font draws, by its encoding or the map in its program, for fonts whose /ToUnicode may lie.
// Outlines are not examined: where glyph names are wrong too, only OCR can tell.
import type { PdfFile } from '../file/read/pdf-file.ts';
import { listAt } from '../syntax/arrays.ts';
import { unlessDamaged, unlessThrown } from '../syntax/damage.ts';
import { type Dict, Name, Ref } from '../syntax/values.ts';
import { encodedBy } from './font-characters.ts';
import { descendantOf } from './font-reader.ts';
import { sfntTables } from './programs/truetype.ts';
import { mapFor } from './programs/truetype-lookup.ts';
import { Unknown } from './unknown.ts';

/** The possible characters of a code's glyph; empty where it is not known. */
export type DrawnLetters = (code: number) => readonly string[];

const PROGRAMS = ['FontFile', 'FontFile2', 'FontFile3'];
const SYMBOLIC = 4;
const CAP = 32 << 20;
/** Latin, Greek and Cyrillic: in other scripts, programs have glyphs without a character of their own. */
const SCRIPTS = [[0x30, 0x24f] as const, [0x370, 0x52f] as const];
const UNICODE = [[3, 10] as const, [3, 1] as const, [0, 4] as const, [0, 3] as const];
const NOTHING: DrawnLetters = () => [];

export function drawnLetters(file: PdfFile, dict: Dict): DrawnLetters {
  if (!dict.has('ToUnicode')) return NOTHING;
  const read = dict.name('Subtype') === 'Type0' ? inProgram : inEncoding;
  return unlessDamaged(NOTHING, () => unlessUnknown(() => read(file, dict)) ?? NOTHING);
}

/** Undefined for unknown encodings and names, and for programs that are cut off. */
function unlessUnknown<T>(read: () => T): T | undefined {
  return unlessThrown([Unknown, RangeError], undefined, read);
}

/** For a simple font with an encoding in the file, unless its program is symbolic. */
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
    const letter = isEncoded || differences.has(code) ? unlessUnknown(() => character(code)) : undefined;
    return letter === undefined ? [] : [letter];
  };
}

/** For codes that are glyph numbers, by the program's map from characters to glyphs. */
function inProgram(file: PdfFile, dict: Dict): DrawnLetters {
  const inner = descendantOf(file, dict);
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
      if (glyph > 0) listAt(letters, glyph).push(String.fromCharCode(code));
    }
  return (code) => letters.get(code) ?? [];
}
