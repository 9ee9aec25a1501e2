// Lists what a damaged file lacks: pages, their content, fonts and pictures.

import { Failure } from '../../../contract/base/failure.ts';
import { entryAt } from '../../../contract/base/present.ts';
import { listAt } from '../../syntax/arrays.ts';
import { CLASS, padded, SPACE } from '../../syntax/characters.ts';
import { Damage, unlessDamaged } from '../../syntax/damage.ts';
import { Parser } from '../../syntax/parser.ts';
import { Dict, Ref, type Value } from '../../syntax/values.ts';
import { numberAt } from '../read/entries.ts';
import { decodable, decodeAsFar } from '../read/filters.ts';
import { contentsOf, dictOfPage } from '../read/page-dict.ts';
import type { Page } from '../read/page-tree.ts';
import type { PdfFile } from '../read/pdf-file.ts';
import type { Source } from '../read/source.ts';

/** Numbers listed one by one before the rest is only counted. */
const NAMED = 12;

/** Why a page is blank, for one page and for several. */
const BLANK = {
  lost: ['it is lost, and an empty page stands in its place', 'they are lost, and empty pages stand in their places'],
  missing: ['its contents are missing', 'their contents are missing'],
  unreadable: ['its contents cannot be read', 'their contents cannot be read'],
  empty: ['its contents are empty', 'their contents are empty'],
} as const;
type Blank = keyof typeof BLANK;

/** A content stream of more bytes is taken to show something. */
const MOST_LOOKED_AT = 16 << 20;
/** Compressed bytes that must inflate for a Flate stream to count as readable. */
const FLATE_START = 4096;

/** A phrase for each kind of missing part. `bare`: also pages without /Contents, blank on purpose or not (7.7.3.3). */
export function missingParts({ file, tree }: Pick<Source, 'file' | 'tree'>, bare = true): string[] {
  const phrases: string[] = [];
  const stated = numberAt(file, file.dict(file.dict(file.xref.trailer.get('Root'))?.get('Pages')), 'Count');
  const reached = tree.pages.length;
  if (stated !== undefined && stated > reached) phrases.push(`it says that it has ${stated} pages; found: ${reached}`);
  const blank = new Map<Blank, number[]>();
  const sets = () => ({
    content: new Set<number>(),
    resources: new Set<number>(),
    fonts: new Set<number>(),
    pictures: new Set<number>(),
  });
  const [lost, broken] = [sets(), sets()];
  // Pages share fonts and pictures: each is looked at once.
  const isNothing = remembered((num) => unlessDamaged(false, () => !file.has(num) || file.object(num) === null));
  const stateOf = remembered((num) => contentState(file, num));
  const note = (what: keyof typeof lost, value: Value | undefined, number: number): void => {
    if (value instanceof Ref && isNothing(value.num)) lost[what].add(number);
    if (value instanceof Ref && file.mended.has(value.num)) broken[what].add(number);
  };
  for (const [i, page] of tree.pages.entries()) {
    const dict = dictOfPage(file, page);
    const contents = contentsOf(file, dict ?? new Dict());
    const streams = contents.filter((value) => value instanceof Ref && !isNothing(value.num)) as Ref[]; // only those pass
    const why = file.lostPages.has(i + 1) ? 'lost' : whyBlank(streams.map(({ num }) => stateOf(num)));
    if (why === undefined) for (const value of contents) note('content', value, i + 1);
    else if (bare || contents.length > 0) listAt(blank, why).push(i + 1);
    note('resources', dict?.get('Resources'), i + 1);
    const resources = resourcesOf(file, page, dict);
    const shared = { fonts: resources?.get('Font'), pictures: resources?.get('XObject') } as const;
    for (const what of ['fonts', 'pictures'] as const) {
      note(what, shared[what], i + 1);
      for (const value of file.dict(shared[what])?.values() ?? []) note(what, value, i + 1);
    }
  }
  for (const [why, pages] of blank) {
    const [one, many] = BLANK[why];
    phrases.push(`${listedNumbers(pages)} ${pages.length === 1 ? `is blank: ${one}` : `are blank: ${many}`}`);
  }
  const partsOf = (parts: typeof lost, how: string) => {
    for (const [what, pages] of Object.entries(parts)) {
      if (pages.size > 0)
        phrases.push(`${what} of ${listedNumbers([...pages])} ${what === 'content' ? 'is' : 'are'} ${how}`);
    }
  };
  partsOf(lost, 'missing');
  const halves = tree.pages.flatMap(({ num }, i) => (file.mended.has(num) ? [i + 1] : []));
  if (halves.length > 0) phrases.push(`${listedNumbers(halves)} ${halves.length === 1 ? 'is' : 'are'} not whole`);
  partsOf(broken, 'not whole');
  return phrases;
}

function resourcesOf(file: PdfFile, page: Page, dict: Dict | undefined): Dict | undefined {
  const resources = file.dict(dict?.get('Resources'));
  const above = page.inherited.Resources;
  return resources ?? (above === undefined ? undefined : file.dict(new Parser(padded(above)).value()));
}

/** Why a page with these streams of content shows nothing; undefined where something of it can be decoded. */
function whyBlank(states: readonly ContentState[]): Blank | undefined {
  if (states.length === 0) return 'missing';
  if (states.includes('shown')) return undefined;
  return states.includes('unreadable') ? 'unreadable' : 'empty';
}

type ContentState = 'shown' | 'unreadable' | 'empty';

function contentState(file: PdfFile, num: number): ContentState {
  try {
    const { dict, raw } = file.rawStream(num, MOST_LOOKED_AT);
    const filters = file.filters(dict);
    if (!decodable(filters)) return 'unreadable';
    const bytes = decodeAsFar(raw, filters, MOST_LOOKED_AT, FLATE_START);
    if (bytes.some((byte) => CLASS[byte] !== SPACE)) return 'shown';
    return bytes.length === 0 && raw.length > 0 ? 'unreadable' : 'empty';
  } catch (error) {
    if (error instanceof Failure && error.kind === 'limit') return 'shown';
    if (error instanceof Damage) return 'unreadable';
    throw error;
  }
}

function remembered<T extends {}>(ask: (num: number) => T): (num: number) => T {
  const answers = new Map<number, T>();
  return (num) => entryAt(answers, num, () => ask(num));
}

/** `page 2`, or `pages 2, 3 and 40 more`. */
export function listedNumbers(numbers: readonly number[], what = 'page'): string {
  if (numbers.length === 1) return `${what} ${numbers[0]}`;
  const more = numbers.length - NAMED;
  return `${what}s ${numbers.slice(0, NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
