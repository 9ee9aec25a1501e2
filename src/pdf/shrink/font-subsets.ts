// Owns which embedded TrueType programs lose glyphs that no page shows, and which glyphs each code of their fonts may mean.
// Knows nothing of how a program is built.
import { Failure } from '../../contract/failure.ts';
import type { PdfFile } from '../file/reader.ts';
import type { Source } from '../file/source.ts';
import { Dict, Name, Ref, type Value } from '../file/values.ts';
import { openTrueType, type TrueType, withGlyphs } from '../fonts/truetype.ts';
import { characterMaps, glyphNames } from '../fonts/truetype-lookup.ts';
import type { Pace } from '../pace.ts';
import { type Encoding, encodingNamed } from '../text/encodings.ts';
import { characterNamed } from '../text/glyph-names.ts';
import { MOST_FONT } from './fonts.ts';
import { findShownCodes, type ShownCodes } from './shown-codes.ts';
import { COMPOSITE, DESCRIPTOR, FONT, type Survey } from './survey.ts';

/** A font that shows glyphs of a program. */
interface Use {
  readonly font: Dict;
  readonly codes: ShownCodes | undefined;
  /** The font of a composite one that holds the glyphs; undefined: a simple font. */
  readonly descendant: Dict | undefined;
}

export type SubsetPlan = ReadonlyMap<number, readonly Use[]>;

/** All programs together must be this part of the file, or reading its pages does not pay. */
const LEAST_PART = 0.04;
/** Blocks of the private use area where symbol fonts keep their codes. */
const SYMBOL_BLOCKS = [0xf000, 0xf100, 0xf200];

/** Programs by object number with all that show their glyphs. Only programs whose every use is understood are planned for. */
export async function planSubsets(source: Source, survey: Survey, same: Int32Array, pace: Pace): Promise<SubsetPlan> {
  const { file } = source;
  const nothing: SubsetPlan = new Map();
  const one = (value: Value | undefined) => (value instanceof Ref ? (same[value.num] ?? value.num) : undefined);
  const programs = new Map<number, number>();
  const fonts: [num: number, dict: Dict][] = [];
  for (const num of survey.objects) {
    if ((survey.marks[num]! & DESCRIPTOR) === 0) continue;
    const program = one(dictOf(file, num)?.get('FontFile2'));
    if (program !== undefined) programs.set(num, program);
  }
  const bytes = [...new Set(programs.values())].reduce((sum, num) => sum + (survey.lengths.get(num) ?? 0), 0);
  if (bytes < file.size * LEAST_PART) return nothing;
  const shown = await findShownCodes(source, survey, same, pace);
  if (shown === undefined) return nothing;
  const byDescendant = new Map<number, [num: number, dict: Dict]>();
  for (const num of survey.objects) {
    if ((survey.marks[num]! & (FONT | COMPOSITE)) === 0 || survey.lengths.has(num)) continue;
    const dict = dictOf(file, num);
    if (dict?.get('FontDescriptor') instanceof Ref) fonts.push([num, dict]);
    const list = dict?.name('Subtype') === 'Type0' ? file.resolve(dict.get('DescendantFonts')) : undefined;
    const first = Array.isArray(list) ? one(list[0]) : undefined;
    // Two composite fonts of one descendant show what both show; one is enough to be careful about.
    if (dict !== undefined && first !== undefined && same[num] === num) {
      if (byDescendant.has(first)) return nothing;
      byDescendant.set(first, [num, dict]);
    }
  }
  const plan = new Map<number, Use[]>();
  const refused = new Set<number>();
  const edited = fontsOfForms(file, one);
  for (const [num, dict] of fonts) {
    const program = programs.get(one(dict.get('FontDescriptor')) ?? -1);
    if (program === undefined || same[num] !== num) continue;
    const composite = dict.name('Subtype') === 'CIDFontType2' ? byDescendant.get(num) : undefined;
    const own = composite?.[0] ?? num;
    const whole =
      dict.name('Subtype') === 'CIDFontType2' ? composite === undefined : dict.name('Subtype') !== 'TrueType';
    if (whole || edited.has(own)) refused.add(program);
    const use = { font: composite?.[1] ?? dict, codes: shown.get(own), descendant: composite && dict };
    plan.set(program, [...(plan.get(program) ?? []), use]);
  }
  // Whoever else refers to a program or to what describes it is not understood.
  const known = new Set(fonts.map(([num]) => num));
  for (const num of survey.objects)
    for (const ref of survey.refs(num)) {
      const target = same[ref] ?? ref;
      const described = programs.get(target);
      if (described !== undefined && !known.has(num)) refused.add(described);
      if (plan.has(target) && programs.get(num) !== target) refused.add(target);
    }
  for (const program of refused) plan.delete(program);
  return plan;
}

/** Fonts that fields are filled in with later, which may need any glyph. */
function fontsOfForms(file: PdfFile, one: (value: Value | undefined) => number | undefined): ReadonlySet<number> {
  const form = file.dict(file.dict(file.xref.trailer.get('Root'))?.get('AcroForm'));
  const fonts = file.dict(file.dict(form?.get('DR'))?.get('Font'));
  return new Set([...(fonts?.values() ?? [])].flatMap((value) => one(value) ?? []));
}

function dictOf(file: PdfFile, num: number): Dict | undefined {
  const found = file.object(num);
  return found instanceof Dict ? found : undefined;
}

/** The program with the glyphs that are shown; undefined where it stays as it is. */
export function subsetProgram(file: PdfFile, num: number, uses: readonly Use[]): Uint8Array | undefined {
  try {
    const found = file.streamBytes(num, MOST_FONT);
    const font = found === undefined ? undefined : openTrueType(found.bytes);
    if (font === undefined) return undefined;
    const glyphs = new Set<number>();
    for (const use of uses) {
      if (use.codes === undefined) continue;
      const shown = use.descendant === undefined ? simple(font, file, use) : composite(file, use);
      if (shown === undefined) return undefined;
      for (const glyph of shown) glyphs.add(glyph);
    }
    return withGlyphs(
      font,
      glyphs,
      uses.some(({ descendant }) => descendant === undefined),
    );
  } catch (error) {
    // A program that cannot be read is left to those that can.
    if (error instanceof Failure || !(error instanceof Error)) throw error;
    return undefined;
  }
}

/** Codes of two bytes that are numbers of glyphs, or lead to them by a table. */
function composite(file: PdfFile, { font, descendant, codes }: Use): ReadonlySet<number> | undefined {
  if (!/^Identity-[HV]$/.test(font.name('Encoding') ?? '') || descendant === undefined || codes === undefined)
    return undefined;
  const map = descendant.get('CIDToGIDMap');
  const resolved = file.resolve(map);
  if (map === undefined || (resolved instanceof Name && resolved.value === 'Identity')) return codes.double;
  if (!(map instanceof Ref)) return undefined;
  const bytes = file.streamBytes(map.num, 1 << 18)?.bytes;
  if (bytes === undefined) return undefined;
  return new Set([...codes.double].map((cid) => ((bytes[2 * cid] ?? 0) << 8) | (bytes[2 * cid + 1] ?? 0)));
}

/**
 * Readers differ in how they find the glyph of a simple font's code (9.6.6.4): every glyph that any of the ways leads to
 * stays.
 */
function simple(font: TrueType, file: PdfFile, { font: dict, codes }: Use): ReadonlySet<number> | undefined {
  const maps = characterMaps(font);
  if (maps === undefined || codes === undefined) return undefined;
  const names = glyphNames(font);
  const differences = differencesOf(file, dict);
  const encodings = encodingsOf(dict);
  const mac = encodingNamed('MacRomanEncoding');
  const glyphs = new Set<number>();
  for (const code of codes.single) {
    const name = differences.get(code);
    const number = /^(?:g|gid|glyph|cid|index)(\d+)$/i.exec(name ?? '')?.[1];
    const characters = [name === undefined ? undefined : characterNamed(name), ...encodings.map((each) => each[code])];
    const points = characters.flatMap((each) =>
      each === undefined ? [] : [each.codePointAt(0) ?? 0, mac.indexOf(each)],
    );
    const ask = (asked: readonly number[]) =>
      maps.flatMap((map) => asked.map((each) => (each < 0 ? 0 : map(each)))).filter((glyph) => glyph > 0);
    const found = ask(points);
    // Names are asked where characters lead nowhere, and always for one that the font gives itself.
    if (found.length === 0 || name !== undefined)
      for (const [glyph, other] of names.entries())
        if (other !== undefined && (other === name || isOneOf(characters, other))) found.push(glyph);
    found.push(...ask([code, ...SYMBOL_BLOCKS.map((block) => block + code)]));
    if (number !== undefined) found.push(Number(number));
    for (const glyph of found.length > 0 ? found : [code]) glyphs.add(glyph);
  }
  return glyphs;
}

/** Those that may hold for the codes: the one that is named, else all. */
function encodingsOf(font: Dict): readonly Encoding[] {
  const named = font.name('Encoding');
  if (named === 'WinAnsiEncoding' || named === 'MacRomanEncoding') return [encodingNamed(named)];
  return (['WinAnsiEncoding', 'MacRomanEncoding', 'StandardEncoding'] as const).map(encodingNamed);
}

function isOneOf(characters: readonly (string | undefined)[], name: string): boolean {
  const character = characterNamed(name);
  return name !== '.notdef' && character !== undefined && characters.includes(character);
}

function differencesOf(file: PdfFile, font: Dict): ReadonlyMap<number, string> {
  const list = file.resolve(file.dict(font.get('Encoding'))?.get('Differences'));
  const names = new Map<number, string>();
  let code = 0;
  for (const item of Array.isArray(list) ? list : []) {
    const value = file.resolve(item);
    if (typeof value === 'number') code = value;
    else if (value instanceof Name) names.set(code++, value.value);
  }
  return names;
}
