// Font subsetting: plans which glyphs of each embedded program a document can show, so that the others are left out.
//
// In: the survey of a document. Out: for each program the fonts that use it and the codes that each of them shows. Content
// is read in full to find these codes (shown-codes.ts). The plan fails closed: a program is left whole where anything but a
// known font refers to it, two kinds of descriptors share it, a form may fill in text of any glyph with it, or one content
// cannot be read. With a simple TrueType font a form can show 256 codes, whoever fills it in.
// Cost: all content is lexed once, which is why programs that take less than 4 % of the file are not planned for.
import type { Pace } from '../../file/read/pace.ts';
import { dictOfPage } from '../../file/read/page-dict.ts';
import type { PdfFile } from '../../file/read/pdf-file.ts';
import type { Source } from '../../file/read/source.ts';
import type { ShownCodes, Use } from '../../fonts/subset/font-use.ts';
import { Dict, Ref, type Value } from '../../syntax/values.ts';
import { COMPOSITE, DESCRIPTOR, FONT, type Survey } from '../objects/survey.ts';
import { findShownCodes } from './shown-codes.ts';

export type SubsetPlan = ReadonlyMap<number, readonly Use[]>;

/** Reading all pages pays only where the programs are at least this share of the file. */
const LEAST_PART = 0.04;
/** Largest share of content to CFF bytes that is read: one to ten pages taken out of a manual have less. */
const MOST_CONTENT = 0.25;

/** All that a simple font can show: its font dictionary tells their glyphs. */
const ANY_CODES: ShownCodes = { single: new Set(Array(256).keys()), double: new Set() };

/** Entries of a descriptor for a program, and the kinds of fonts that may use it. */
const PROGRAMS = [
  { entry: 'FontFile2', simple: 'TrueType', descendant: 'CIDFontType2' },
  { entry: 'FontFile3', simple: 'Type1', descendant: 'CIDFontType0' },
  { entry: 'FontFile', simple: 'Type1', descendant: undefined },
] as const;
type Kind = (typeof PROGRAMS)[number];

/** The uses of each program, by object number. Only programs whose every use is understood are planned for. */
export async function planSubsets(source: Source, survey: Survey, same: Int32Array, pace: Pace): Promise<SubsetPlan> {
  const { file } = source;
  const nothing: SubsetPlan = new Map();
  const one = (value: Value | undefined) => (value instanceof Ref ? (same[value.num] ?? value.num) : undefined);
  const programs = new Map<number, number>();
  const kinds = new Map<number, Kind>();
  const refused = new Set<number>();
  const fonts: [num: number, dict: Dict][] = [];
  for (const num of survey.objects) {
    if ((survey.marks(num) & DESCRIPTOR) === 0) continue;
    const dict = dictOf(file, num);
    for (const kind of PROGRAMS) {
      const program = one(dict?.get(kind.entry));
      if (program === undefined) continue;
      if (programs.has(num) || (kinds.get(program) ?? kind) !== kind) refused.add(program);
      programs.set(num, program);
      kinds.set(program, kind);
    }
  }
  if (!pays(source, survey, kinds)) return nothing;
  const shown = await findShownCodes(source, survey, same, pace);
  if (shown === undefined) return nothing;
  const byDescendant = new Map<number, [num: number, dict: Dict]>();
  for (const num of survey.objects) {
    if ((survey.marks(num) & (FONT | COMPOSITE)) === 0 || survey.lengths.has(num)) continue;
    const dict = dictOf(file, num);
    if (dict?.get('FontDescriptor') instanceof Ref) fonts.push([num, dict]);
    const list = dict?.name('Subtype') === 'Type0' ? file.resolve(dict.get('DescendantFonts')) : undefined;
    const first = Array.isArray(list) ? one(list[0]) : undefined;
    // Two composite fonts share a descendant: too rare to sort out.
    if (dict !== undefined && first !== undefined && same[num] === num) {
      if (byDescendant.has(first)) return nothing;
      byDescendant.set(first, [num, dict]);
    }
  }
  const plan = new Map<number, Use[]>();
  const edited = fontsOfForms(file, one);
  for (const [num, dict] of fonts) {
    const program = programs.get(one(dict.get('FontDescriptor')) ?? -1);
    if (program === undefined || same[num] !== num) continue;
    const subtype = dict.name('Subtype');
    const kind = kinds.get(program);
    const composite = subtype !== undefined && subtype === kind?.descendant ? byDescendant.get(num) : undefined;
    const fontNum = composite?.[0] ?? num;
    const isEdited = edited.has(fontNum);
    const isFixed = composite === undefined && kind?.entry === 'FontFile2';
    if ((composite === undefined && subtype !== kind?.simple) || (isEdited && !isFixed)) refused.add(program);
    const codes = isEdited ? ANY_CODES : shown.get(fontNum);
    const use = { font: composite?.[1] ?? dict, codes, descendant: composite && dict };
    plan.set(program, [...(plan.get(program) ?? []), use]);
  }
  // Any other reference to a program or its descriptor is not understood.
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

/**
 * Whether reading all content may pay. Makers of CFF and Type 1 fonts leave out unused glyphs: there is something to
 * gain where pages were taken out of a document, and then there is little content for its fonts.
 */
function pays(source: Source, { lengths }: Survey, kinds: ReadonlyMap<number, Kind>): boolean {
  const bytes = (entries: readonly string[]) =>
    [...kinds].reduce((sum, [num, { entry }]) => sum + (entries.includes(entry) ? (lengths.get(num) ?? 0) : 0), 0);
  const least = source.file.size * LEAST_PART;
  if (bytes(['FontFile2']) >= least) return true;
  const others = bytes(['FontFile', 'FontFile3']);
  if (others < least) return false;
  // A Type 1 program shrinks to half of its bytes as CFF.
  const compact = others - bytes(['FontFile']) / 2;
  let content = 0;
  for (const page of source.tree.pages) {
    const contents = dictOfPage(source.file, page)?.get('Contents');
    const target = contents instanceof Ref ? source.file.resolve(contents) : contents;
    for (const part of Array.isArray(target) ? target : [contents])
      content += part instanceof Ref ? (lengths.get(part.num) ?? 0) : 0;
    if (content > compact * MOST_CONTENT) return false;
  }
  return true;
}

/** Fonts for filling in fields later. */
function fontsOfForms(file: PdfFile, one: (value: Value | undefined) => number | undefined): ReadonlySet<number> {
  const form = file.dict(file.dict(file.xref.trailer.get('Root'))?.get('AcroForm'));
  const fonts = file.dict(file.dict(form?.get('DR'))?.get('Font'));
  return new Set([...(fonts?.values() ?? [])].flatMap((value) => one(value) ?? []));
}

function dictOf(file: PdfFile, num: number): Dict | undefined {
  const object = file.object(num);
  return object instanceof Dict ? object : undefined;
}
