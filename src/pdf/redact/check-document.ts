import type { Source } from '../file/read/source.ts';
import { grown } from '../page/geometry.ts';
import { type Box, type PageSpace, toDisplayed, toUserSpace } from '../page/space.ts';
import { PdfString } from '../syntax/values.ts';
import { findAttached } from './find/attached-files.ts';
import { findBesidePages, type Where } from './find/beside-pages.ts';
import { hiddenPlaces, isHidden } from './find/hidden-text.ts';
import type { Difference } from './find/page-search.ts';
import { type Recognise, readPictures, type Unread } from './find/pictures-of-words.ts';
import { openReaders, type PageHits, type Readers, searchPage } from './find/readers.ts';
import { textsInside } from './find/text-inside.ts';
import { countsOf } from './inspect-document.ts';
import { annotationCovers } from './output/annotations.ts';
import type { Tools } from './output/plain-copy.ts';
import { type Character, closing, drawn } from './probe/page-probe.ts';
import { hasContrast, isPlain, sizeAt } from './probe/pixels.ts';
import { olderTexts, sweepFile } from './prove/sweep.ts';
import type { Region } from './regions.ts';
import { Secrets } from './words/secrets.ts';

/** Something still readable, and where, but never the text itself. `page`: from 1; undefined outside of pages. */
export interface Leak {
  readonly page?: number;
  readonly what:
    | Hidden['what']
    | 'text in a region'
    | 'something to be seen in a region'
    | 'a word that was looked for'
    | 'a page that one reader cannot read'
    | 'letters that are other ones than the text says'
    | 'a page without text that nothing here can read'
    | 'attached files in which nothing can be looked for'
    | 'earlier versions of the document';
  readonly count: number;
  /** The readers that found it; undefined for drawings and file structure. */
  readonly by?: readonly string[];
  readonly where?: Where;
}

interface Hidden {
  readonly page: number;
  readonly what:
    | 'text under a box or a picture'
    | 'text in the colour of what is behind it'
    | 'text in a hidden layer'
    | 'text beside the page';
  readonly count: number;
}

/** Data outside of the pages that may reveal something. */
interface Note {
  readonly what: string;
  readonly count: number;
}

export interface Check {
  readonly pages: number;
  readonly leaks: readonly Leak[];
  /** Invisible text, listed apart from the leaks where regions or search terms were given. */
  readonly hidden: readonly Hidden[];
  readonly differences: readonly Difference[];
  readonly unread: readonly Unread[];
  readonly notes: readonly Note[];
  /** Why other readers saw only the flattened copy and not the file itself. */
  readonly notStored: string | undefined;
}

export interface CheckOptions {
  readonly regions: readonly Region[];
  readonly terms: readonly string[];
  readonly label: string | undefined;
}

export interface CheckTools extends Tools {
  readonly recognise?: Recognise | undefined;
}

const DPI = 130;

/** Looks for bad redactions: invisible text, content in regions, and search terms that any reader finds. */
export async function checkDocument(source: Source, options: CheckOptions, tools: CheckTools): Promise<Check> {
  const { tree, file } = source;
  const { regions, terms } = options;
  const wanted = { terms, kinds: [], expressions: [] };
  const pages = tree.pages.length;
  const leaks: Leak[] = [];
  const hidden: Hidden[] = [];
  const differences: Difference[] = [];
  return closing(await openReaders(source, tools), async (readers) => {
    const { plain } = readers;
    const hasTargets = regions.length > 0 || terms.length > 0;
    const pictures = terms.length > 0 ? await readPictures(readers, tools.recognise) : NO_PICTURES;
    const objectHits = terms.length > 0 ? sweepFile(file, tree, new Secrets(terms)) : undefined;
    for (let page = 0; page < pages; page++) {
      tools.progress('look', page, pages);
      await tools.yieldNow();
      const boxes = regions.filter((region) => region.page === page + 1);
      (hasTargets ? hidden : leaks).push(...(await hiddenOn(source, readers, page)));
      leaks.push(...(await leaksInRegions(readers, page, boxes, options.label)));
      if (terms.length === 0) continue;
      const search = await searchPage(readers, page, wanted, none, pictures.readings.get(page + 1));
      differences.push(...search.differences);
      const isRead = !pictures.unread.some((item) => item.page === page + 1);
      leaks.push(...leaksOfSearch(search, page, objectHits?.pages.has(page) === true, isRead));
    }
    const counts = countsOf(source, plain);
    if (objectHits !== undefined) {
      const beside = findBesidePages(source, wanted, none);
      const attached = await findAttached(source, wanted, none, tools);
      const inFiles = attached.counts.reduce((sum, count) => sum + count, 0);
      if (inFiles > 0) beside.push({ term: 0, where: 'attachments', count: inFiles });
      for (const { where, count } of beside) leaks.push({ what: 'a word that was looked for', count, where });
      if (attached.unread > 0)
        leaks.push({ what: 'attached files in which nothing can be looked for', count: attached.unread });
      const rest = (objectHits.elsewhere && beside.length === 0 ? 1 : 0) + (await olderTexts(file, new Secrets(terms)));
      if (rest > 0) leaks.push({ what: 'a word that was looked for', count: rest, by: ['objects of the file'] });
    }
    if (counts.revisions > 1) leaks.push({ what: 'earlier versions of the document', count: counts.revisions - 1 });
    const { unread } = pictures;
    // An unread scan is not clean; a blank page is.
    const withDrawings = new Set(unread.flatMap(({ page, what }) => (what === 'no text' ? [] : [page])));
    for (const { page, what } of unread)
      if (what === 'no text' && withDrawings.has(page))
        leaks.push({ page, what: 'a page without text that nothing here can read', count: 1 });
    return { pages, leaks, hidden, differences, unread, notes: notesOf(source, counts), notStored: readers.notStored };
  });
}

const NO_PICTURES: Awaited<ReturnType<typeof readPictures>> = { readings: new Map(), unread: [] };
const none = () => [];

/** `isRead`: whether OCR covered the page. */
function leaksOfSearch(search: PageHits, page: number, isInObjects: boolean, isRead: boolean): Leak[] {
  const places = [...search.shown, ...search.stored];
  const count = places.length + search.inPatterns.reduce((sum, hits) => sum + hits, 0);
  const by: string[] = [...new Set(places.flatMap(({ readers }) => [...readers]))];
  if (isInObjects) by.push('objects of the file');
  const leaks: Leak[] = [];
  if (count > 0 || isInObjects)
    leaks.push({ page: page + 1, what: 'a word that was looked for', count: Math.max(1, count), by });
  if (search.isBlind) {
    const blind = search.differences.filter(({ what }) => what === 'reads no text where others do');
    const readers = blind.map(({ reader }) => reader);
    leaks.push({ page: page + 1, what: 'a page that one reader cannot read', count: readers.length, by: readers });
  }
  const what = 'letters that are other ones than the text says';
  const disguised = search.differences.filter(({ what }) => what === 'sees other letters than the text says');
  // Where OCR read the page, its own hits count instead.
  for (const { count } of isRead ? [] : disguised) leaks.push({ page: page + 1, what, count, by: ['pdftool'] });
  return leaks;
}

/** Invisible text on a page: without contrast in the drawing, covered, off the page or in a hidden layer. */
async function hiddenOn(source: Source, { plain, probe }: Readers, page: number): Promise<Hidden[]> {
  const [findings, space] = [plain.findings[page], plain.spaces[page]];
  if (findings === undefined || space === undefined) return [];
  const characters = (await probe.characters(page)).filter(({ generated, text }) => !generated && text.trim() !== '');
  const all: Hidden[] = [];
  const note = (what: Hidden['what'], count: number) => {
    if (count > 0) all.push({ page: page + 1, what, count });
  };
  note('text in a hidden layer', findings.hidden.filter(({ why }) => why === 'layer').length);
  note('text beside the page', findings.hidden.filter(({ why }) => why === 'outside').length);
  if (characters.length === 0) return all;
  const covers = hiddenPlaces(findings).filter(({ why }) => why === 'picture' || why === 'area');
  const marks = annotationCovers(source, page, plain.layers).map((box) => ({ box, why: 'area' as const }));
  const isUnder = ({ box }: Character) => isHidden(box, covers) || isHidden(box, marks);
  const under = new Set(characters.filter(isUnder));
  note('text under a box or a picture', under.size);
  const drawing = await drawn(probe, page, sizeAt(space, DPI));
  const unseen = characters.filter(
    (character) => !under.has(character) && isUnseen(character, space, (box) => hasContrast(drawing, box)),
  );
  note('text in the colour of what is behind it', unseen.length);
  return all;
}

async function leaksInRegions(
  readers: Readers,
  page: number,
  boxes: readonly Region[],
  label: string | undefined,
): Promise<Leak[]> {
  const space = readers.plain.spaces[page];
  if (boxes.length === 0 || space === undefined) return [];
  const leaks: Leak[] = [];
  const rects = boxes.map((box) => toUserSpace(inner(box), space));
  const by = new Set<string>();
  let most = 0;
  for (const { reader, characters } of [...(await readers.displayed(page)), ...(await readers.stored(page))]) {
    const count = countBesides(textsInside(reader, characters, rects).join('').replace(/\s/g, ''), label);
    if (count > 0) by.add(reader);
    most = Math.max(most, count);
  }
  if (most > 0) leaks.push({ page: page + 1, what: 'text in a region', count: most, by: [...by] });
  const drawing = await drawn(readers.probe, page, sizeAt(space, DPI));
  const stray = label === undefined ? undefined : LABELLED;
  const count = boxes.filter((box) => !isPlain(drawing, box, stray)).length;
  if (count > 0) leaks.push({ page: page + 1, what: 'something to be seen in a region', count });
  return leaks;
}

/** Whether a character has no contrast in the drawing. Tiny ones are ignored: nobody could read them. */
function isUnseen({ box }: Character, space: PageSpace, sees: (box: Box) => boolean): boolean {
  const shown = toDisplayed(grown(box, 0.3), space);
  return shown !== undefined && box.x1 - box.x0 > 0.2 && box.y1 - box.y0 > 0.2 && !sees(shown);
}

/** The largest part of a box's pixels that a label may take. */
const LABELLED = 0.7;

/** Counts the characters that are not part of a label. */
function countBesides(text: string, label: string | undefined): number {
  const plain = label?.replace(/\s/g, '') ?? '';
  return plain === '' ? text.length : text.replaceAll(plain, '').length;
}

/** The middle of a region: neighbours may reach over its edge. */
function inner({ x, y, w, h }: Box): Box {
  return { x: x + w * 0.1, y: y + h * 0.15, w: w * 0.8, h: h * 0.7 };
}

function notesOf({ file }: Source, counts: ReturnType<typeof countsOf>): Note[] {
  const info = file.dict(file.xref.trailer.get('Info'));
  const texts = [...(info?.values() ?? [])].map((value) => file.resolve(value));
  const infoEntries = texts.filter((text) => text instanceof PdfString && text.bytes.length > 0).length;
  const catalog = file.dict(file.xref.trailer.get('Root'));
  const all: Note[] = [
    { what: 'metadata: entries about the document', count: infoEntries },
    { what: 'metadata: XMP', count: catalog?.has('Metadata') === true ? 1 : 0 },
    { what: 'attached files', count: counts.attachments },
    { what: 'scripts', count: counts.scripts },
    { what: 'layers', count: counts.layers },
    { what: 'form fields', count: counts.form_fields },
    { what: 'annotations', count: counts.annotations },
    { what: 'bookmarks', count: counts.bookmarks },
  ];
  return all.filter(({ count }) => count > 0);
}
