import { signatureFields } from '../file/read/form-fields.ts';
import type { PdfFile } from '../file/read/pdf-file.ts';
import type { Source } from '../file/read/source.ts';
import type { Rect } from '../page/geometry.ts';
import { type Box, toDisplayed } from '../page/space.ts';
import { bookmarksOf } from '../structure/bookmarks.ts';
import { inputOf } from '../structure/input.ts';
import { revisions } from '../structure/inspect/facts.ts';
import { leaves } from '../structure/name-trees.ts';
import { textOf } from '../syntax/text-strings.ts';
import type { Dict, Value } from '../syntax/values.ts';
import { findAttached } from './find/attached-files.ts';
import { findBesidePages, type Where } from './find/beside-pages.ts';
import { hiddenPlaces } from './find/hidden-text.ts';
import type { Difference } from './find/page-search.ts';
import { type Recognise, readPictures, type Unread } from './find/pictures-of-words.ts';
import { openReaders, searchPage } from './find/readers.ts';
import type { BuiltPages } from './output/build-document.ts';
import type { Tools } from './output/plain-copy.ts';
import { closing } from './probe/page-probe.ts';
import type { Region } from './regions.ts';
import type { Match, SearchQuery } from './words/detectors.ts';
import { Secrets } from './words/secrets.ts';

/** Parts of a document that every redaction removes or that cannot be seen. Counts alone, never their text. */
export interface Counts {
  readonly attachments: number;
  readonly scripts: number;
  readonly layers: number;
  readonly hidden_layers: number;
  readonly signatures: number;
  readonly form_fields: number;
  readonly annotations: number;
  readonly revisions: number;
  readonly bookmarks: number;
  readonly hidden_text: number;
}

export interface TermCount {
  /** Places on pages that got regions. */
  readonly regions: number;
  /** Places without a region, because nobody sees them: `apply` drops them. */
  readonly elsewhere: readonly { readonly where: Where; readonly count: number }[];
}

export interface Inspection {
  readonly pages: number;
  readonly regions: readonly Region[];
  readonly counts: Counts;
  /** In the order of the terms that were given. */
  readonly terms: readonly TermCount[];
  /** A match is in metadata, bookmarks, fields or tags that cannot be kept in part: keep only the pages. */
  readonly clean: boolean;
  readonly differences: readonly Difference[];
  /** What may hold words and was not read. */
  readonly unread: readonly Unread[];
  /** Attached files that could not be searched. */
  readonly unreadFiles: number;
  /** Pages, from 1, without text: boxes must be drawn by hand. */
  readonly pagesWithoutText: readonly number[];
  /** Pages, from 1, whose words were recognised in pictures. */
  readonly recognised: readonly number[];
  /** Pages, from 1, to be rasterized because their content cannot be edited safely. */
  readonly pagesToPicture: readonly number[];
}

const BESIDE = 'text beside the page';

export interface InspectTools extends Tools {
  readonly match: Match;
  /** Recognises the words of pages, from 1; undefined where nothing here can. */
  readonly recognise?: Recognise | undefined;
}

/** Searches every page with all readers, and the rest of the file. */
export async function inspectDocument(source: Source, wanted: SearchQuery, tools: InspectTools): Promise<Inspection> {
  const { file } = source;
  const pages = source.tree.pages.length;
  return closing(await openReaders(source, tools), async (readers) => {
    const { plain } = readers;
    const regions: Region[] = [];
    const pagesWithoutText: number[] = [];
    const differences: Difference[] = [];
    const terms = wanted.terms.map((): Tally => new Map());
    const pictures = await readPictures(readers, tools.recognise);
    for (let page = 0; page < pages; page++) {
      tools.progress('search', page, pages);
      await tools.yieldNow();
      const hits = await searchPage(readers, page, wanted, tools.match, pictures.readings.get(page + 1));
      if (!hits.hasText) pagesWithoutText.push(page + 1);
      differences.push(...hits.differences);
      for (const { boxes, kind, term } of hits.shown) {
        const drawn = displayedBoxes(boxes, plain, page, regions);
        for (const box of drawn.fresh) regions.push({ page: page + 1, ...box, kind, id: `r${regions.length + 1}` });
        if (term !== undefined) add(terms[term], drawn.count > 0 ? 'regions' : BESIDE);
      }
      for (const { boxes, term } of hits.stored) {
        const isBeside = boxes.length > 0 && displayedBoxes(boxes, plain, page, regions).count === 0;
        if (term !== undefined) add(terms[term], isBeside ? BESIDE : 'hidden text');
      }
      for (const [term, count] of hits.inPatterns.entries()) add(terms[term], 'patterns', count);
    }
    const info = file.dict(file.xref.trailer.get('Info'));
    const title = textOf(file.resolve(info?.get('Title')));
    let clean = false;
    const beside = findBesidePages(source, wanted, tools.match, (where, text, term) => {
      // The removed words are searched in what is kept; this match may contain others.
      if (where === 'attachments' || where === 'annotations' || (where === 'metadata' && text !== title)) return;
      if (term === undefined) clean ||= where !== 'other strings';
      else clean ||= terms[term]?.has('regions') !== true || !new Secrets([wanted.terms[term] ?? '']).isIn(text);
    });
    for (const { term, where, count } of beside) add(terms[term], where, count);
    const attached = await findAttached(source, wanted, tools.match, tools);
    for (const [term, count] of attached.counts.entries()) add(terms[term], 'attachments', count);
    return {
      pages,
      regions,
      counts: countsOf(source, plain),
      terms: terms.map(counted),
      clean: clean || terms.some((tally) => tally.has('hidden text') && !tally.has('regions')),
      differences,
      unread: pictures.unread,
      unreadFiles: attached.unread,
      pagesWithoutText,
      recognised: [...pictures.readings.keys()],
      pagesToPicture: [...plain.failed.keys()].map((page) => page + 1),
    };
  });
}

type Tally = Map<Where | 'regions', number>;

function add(tally: Tally | undefined, where: Where | 'regions', count = 1): void {
  if (count > 0) tally?.set(where, (tally.get(where) ?? 0) + count);
}

function counted(tally: Tally): TermCount {
  const elsewhere = [...tally].flatMap(([where, count]) => (where === 'regions' ? [] : [{ where, count }]));
  return { regions: tally.get('regions') ?? 0, elsewhere };
}

/** Boxes on the displayed page: how many there are, and those that no region of the page has yet. */
function displayedBoxes(boxes: readonly Rect[], plain: BuiltPages, page: number, regions: readonly Region[]) {
  const space = plain.spaces[page];
  const drawn = space === undefined ? [] : boxes.flatMap((box) => toDisplayed(box, space) ?? []).map(rounded);
  const sides = ({ x, y, w, h }: Box) => [x, y, w, h];
  const isNew = (box: Box) =>
    !regions.some(
      (other) =>
        other.page === page + 1 && sides(other).every((side, i) => Math.abs(side - (sides(box)[i] ?? 0)) < 5e-5),
    );
  return { count: drawn.length, fresh: drawn.filter(isNew) };
}

/** Rounded to six digits, a thousandth of a point: more would reveal which reader found the box. */
function rounded({ x, y, w, h }: Box): Box {
  const six = (value: number) => Math.round(value * 1e6) / 1e6;
  const [left, top] = [six(x), six(y)];
  return { x: left, y: top, w: Math.min(six(w), six(1 - left)), h: Math.min(six(h), six(1 - top)) };
}

export function countsOf(source: Source, plain: BuiltPages): Counts {
  const { file } = source;
  const catalog = file.dict(file.xref.trailer.get('Root'));
  const names = file.dict(catalog?.get('Names'));
  const marks = new Map<string, number>();
  for (const { counts } of plain.annotations)
    for (const [kind, count] of counts) marks.set(kind, (marks.get(kind) ?? 0) + count);
  const of = (kind: string) => marks.get(kind) ?? 0;
  const all = [...marks.values()].reduce((sum, count) => sum + count, 0);
  const hiddenText = plain.findings.reduce((sum, findings) => sum + hiddenPlaces(findings).length, 0);
  return {
    attachments: entriesOf(file, names?.get('EmbeddedFiles')) + of('FileAttachment'),
    scripts: entriesOf(file, names?.get('JavaScript')) + actions(file, catalog),
    layers: plain.layers.count,
    hidden_layers: plain.layers.hiddenCount,
    signatures: signatureFields(file).filter(({ dict }) => dict.has('V')).length,
    form_fields: plain.fields,
    annotations: all - of('Link') - of('Widget'),
    revisions: revisions(file),
    bookmarks: [...bookmarksOf(inputOf(source))].length,
    hidden_text: hiddenText,
  };
}

function entriesOf(file: PdfFile, root: Value | undefined): number {
  return [...leaves(file, root, 'Names', 'names')].reduce((sum, { list }) => sum + (list.length >> 1), 0);
}

function actions(file: PdfFile, catalog: Dict | undefined): number {
  const open = file.dict(catalog?.get('OpenAction'));
  const isScript = (dict: Dict | undefined) => dict?.name('S') === 'JavaScript';
  const more = [...(file.dict(catalog?.get('AA'))?.values() ?? [])].filter((value) =>
    isScript(file.dict(value)),
  ).length;
  return (isScript(open) ? 1 : 0) + more;
}
