// Removes glyphs from an embedded font program that no text of the document shows.
//
// In: the program, and every use of it with the codes that are shown. Out: a smaller program with the same numbering of
// glyphs, or undefined where it stays as it is: nothing would be gained, a use is not understood, or the program cannot
// be read. Where readers would choose different glyphs for a code, all of them are kept. The cost is one pass over the
// program.
import type { PdfFile } from '../../file/read/pdf-file.ts';
import { listAt } from '../../syntax/arrays.ts';
import { Damage, Unreadable, unlessThrown } from '../../syntax/damage.ts';
import { Dict, Name, Ref, type Value } from '../../syntax/values.ts';
import { differencesOf } from '../encoding-differences.ts';
import { encodingNamed } from '../encodings.ts';
import { characterNamed } from '../glyph-names.ts';
import { type CffProgram, openCff } from '../programs/cff-program.ts';
import { allGlyphs, cffWithGlyphs, hasSubroutines } from '../programs/cff-subset.ts';
import { bytesOf, openTrueType, sfntTables, type TrueType, withGlyphs } from '../programs/truetype.ts';
import { characterMaps, glyphNames } from '../programs/truetype-lookup.ts';
import { Unfollowed } from '../programs/type2-calls.ts';
import { encodingsOf, numberIn, numbersShown, type Use } from './font-use.ts';

/** Larger programs are left unchanged; real ones are smaller. */
export const MOST_FONT = 16 << 20;
/** A program is left whole where more than this share of its glyphs is shown: the gain is not worth the time. */
const MOST_SHOWN = 0.97;
const CFF = /^(?:Type1C|CIDFontType0C)$/;

export interface Subset {
  readonly program: Uint8Array;
  readonly subtype?: string;
}

/** The subset program of a stream; undefined where it stays unchanged. */
export function subsetStream(file: PdfFile, num: number, dict: Dict, uses: readonly Use[] = []): Subset | undefined {
  const subtype = dict.name('Subtype') ?? '';
  if (uses.length === 0 && !CFF.test(subtype)) return undefined;
  const program = file.streamBytes(num, MOST_FONT)?.bytes;
  if (program === undefined) return undefined;
  const bare = subtype === 'OpenType' ? bareCff(program) : undefined;
  if (bare !== undefined) return bareSubset(file, bare, uses);
  const subset = subsetProgram(file, program, uses);
  return subset && { program: subset };
}

/** The CFF table of an OpenType program, if it alone draws the glyphs. */
function bareCff(program: Uint8Array): Uint8Array | undefined {
  const table = sfntTables(program)?.get('CFF ');
  return table && bytesOf(table);
}

function bareSubset(file: PdfFile, cff: Uint8Array, uses: readonly Use[]): Subset | undefined {
  const simple = uses.filter(({ descendant }) => descendant === undefined).length;
  // Without an encoding in the font, readers use tables that would be gone.
  const told = uses.every(({ font, descendant }) => descendant !== undefined || font.has('Encoding'));
  if ((simple > 0 && simple < uses.length) || !told || !unlessUnread(() => isInOrder(cff))) return undefined;
  const program = subsetProgram(file, cff, uses);
  return program && { program, subtype: simple > 0 ? 'Type1C' : 'CIDFontType0C' };
}

/** Readers differ in whether codes are CIDs or glyph indexes: poppler takes them for indexes in OpenType only. */
function isInOrder(cff: Uint8Array): boolean {
  const { numbers = [] } = openCff(cff) ?? {};
  return numbers.every((number, place) => number === place);
}

/** Errors for programs that cannot be read here: they are left unchanged. All others are defects. */
const UNREAD = [RangeError, Damage, Unreadable, Unfollowed];

function unlessUnread<T>(work: () => T): T | undefined {
  return unlessThrown(UNREAD, undefined, work);
}

/** `uses`: everything that shows its glyphs; undefined keeps all glyphs. Undefined where nothing changes. */
export function subsetProgram(file: PdfFile, program: Uint8Array, uses: readonly Use[]): Uint8Array | undefined {
  return unlessUnread(() => {
    const font = uses.length === 0 ? undefined : openTrueType(program);
    if (font !== undefined) {
      const glyphs = shownBy(uses, (use, simple) =>
        simple ? simpleGlyphs(font, file, use) : compositeGlyphs(file, use),
      );
      const named = uses.some(({ descendant }) => descendant === undefined);
      return glyphs && withGlyphs(font, glyphs, named);
    }
    const cff = openCff(program);
    if (cff === undefined) return undefined;
    const glyphs = showAll(uses, allGlyphs(cff).length)
      ? undefined
      : shownBy(uses, (use, simple) => (simple ? namedGlyphs(cff, file, use) : numberedGlyphs(cff, use)));
    // Some makers remove glyphs, but not the subroutines that only these called: half of a program, and more.
    return glyphs === undefined && !hasSubroutines(cff) ? undefined : cffWithGlyphs(cff, glyphs ?? allGlyphs(cff));
  });
}

/** Whether about as many codes are shown as there are glyphs: then nothing is looked up. */
function showAll(uses: readonly Use[], glyphs: number): boolean {
  const codes = uses.map(
    ({ codes, descendant }) => (descendant === undefined ? codes?.single : codes?.double)?.size ?? 0,
  );
  return uses.length === 0 || codes.reduce((sum, size) => sum + size, 1) > glyphs * MOST_SHOWN;
}

/** The glyphs that all uses show; undefined where those of one use are unknown. */
function shownBy(
  uses: readonly Use[],
  glyphsOf: (use: Use, simple: boolean) => ReadonlySet<number> | undefined,
): ReadonlySet<number> | undefined {
  const glyphs = new Set<number>();
  for (const use of uses) {
    if (use.codes === undefined) continue;
    const shown = glyphsOf(use, use.descendant === undefined);
    if (shown === undefined) return undefined;
    for (const glyph of shown) glyphs.add(glyph);
  }
  return glyphs;
}

/** Glyphs by CID; in a program without CIDs by index (9.7.4.2). */
function numberedGlyphs({ numbers }: CffProgram, use: Use): ReadonlySet<number> | undefined {
  const shown = numbersShown(use);
  if (numbers === undefined || shown === undefined) return shown;
  return new Set(numbers.flatMap((number, glyph) => (shown.has(number) ? [glyph] : [])));
}

/** Glyphs by name (9.6.6.2). Readers differ for missing names: every glyph that any reader may show is kept. */
function namedGlyphs(
  { names, encoding }: CffProgram,
  file: PdfFile,
  { font, codes }: Use,
): ReadonlySet<number> | undefined {
  if (names === undefined || codes === undefined || !isUsual(file, font.get('Encoding'))) return undefined;
  const byName = new Map<string, number[]>();
  const byCharacter = new Map<string, number[]>();
  for (const [glyph, name] of names.entries()) {
    listAt(byName, name).push(glyph);
    const character = characterNamed(name);
    if (character !== undefined) listAt(byCharacter, character).push(glyph);
  }
  const differences = differencesOf(file, font);
  const ownAlone = !font.has('Encoding') && encoding !== undefined;
  const encodings = ownAlone ? [] : [...encodingsOf(font), encodingNamed('StandardEncoding')];
  const glyphs = new Set<number>();
  for (const code of codes.single) {
    const name = differences.get(code);
    const exact = name === undefined ? undefined : byName.get(name);
    const named = exact === undefined ? [] : [...exact];
    if (exact === undefined) {
      const characters = [
        name === undefined ? undefined : characterNamed(name),
        ...encodings.map((names) => names[code]),
      ];
      for (const character of characters) named.push(...(byCharacter.get(character ?? '') ?? []));
      named.push(...[encoding?.get(code), numberIn(name)].filter((glyph) => glyph !== undefined));
    }
    for (const glyph of named.length > 0 ? named : [code]) glyphs.add(glyph);
  }
  return glyphs;
}

/** Whether codes have a meaning by a supported encoding, or by the program itself. */
function isUsual(file: PdfFile, value: Value | undefined): boolean {
  const target = file.resolve(value);
  const base = target instanceof Dict ? file.resolve(target.get('BaseEncoding')) : target;
  return !(base instanceof Name) || /^(?:WinAnsi|MacRoman|Standard)Encoding$/.test(base.value);
}

/** Private use blocks in which symbol fonts map their codes. */
const SYMBOL_BLOCKS = [0xf000, 0xf100, 0xf200];

/** Two-byte codes that are glyph indexes, or are mapped to them. */
function compositeGlyphs(file: PdfFile, use: Use): ReadonlySet<number> | undefined {
  const shown = numbersShown(use);
  const map = use.descendant?.get('CIDToGIDMap');
  const resolved = file.resolve(map);
  if (map === undefined || (resolved instanceof Name && resolved.value === 'Identity')) return shown;
  if (!(map instanceof Ref) || shown === undefined) return undefined;
  const bytes = file.streamBytes(map.num, 1 << 18)?.bytes;
  if (bytes === undefined) return undefined;
  return new Set([...shown].map((cid) => ((bytes[2 * cid] ?? 0) << 8) | (bytes[2 * cid + 1] ?? 0)));
}

/** The glyphs of a simple font's codes. Readers differ (9.6.6.4): every glyph that any reader may show is kept. */
function simpleGlyphs(font: TrueType, file: PdfFile, { font: dict, codes }: Use): ReadonlySet<number> | undefined {
  const maps = characterMaps(font);
  if (maps === undefined || codes === undefined) return undefined;
  const names = glyphNames(font);
  const differences = differencesOf(file, dict);
  const encodings = encodingsOf(dict);
  const mac = encodingNamed('MacRomanEncoding');
  const glyphs = new Set<number>();
  for (const code of codes.single) {
    const name = differences.get(code);
    const number = numberIn(name);
    const characters = [
      name === undefined ? undefined : characterNamed(name),
      ...encodings.map((encoding) => encoding[code]),
    ];
    const points = characters.flatMap((name) =>
      name === undefined ? [] : [name.codePointAt(0) ?? 0, mac.indexOf(name)],
    );
    const ask = (asked: readonly number[]) =>
      maps.flatMap((map) => asked.map((code) => (code < 0 ? 0 : map(code)))).filter((glyph) => glyph > 0);
    const candidates = ask(points);
    // Names are looked up where characters lead nowhere, and always where the font gives the name itself.
    if (candidates.length === 0 || name !== undefined)
      for (const [glyph, other] of names.entries())
        if (other !== undefined && (other === name || isOneOf(characters, other))) candidates.push(glyph);
    candidates.push(...ask([code, ...SYMBOL_BLOCKS.map((block) => block + code)]));
    if (number !== undefined) candidates.push(number);
    for (const glyph of candidates.length > 0 ? candidates : [code]) glyphs.add(glyph);
  }
  return glyphs;
}

function isOneOf(characters: readonly (string | undefined)[], name: string): boolean {
  const character = characterNamed(name);
  return name !== '.notdef' && character !== undefined && characters.includes(character);
}
