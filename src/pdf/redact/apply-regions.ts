import { Failure } from '../../contract/base/failure.ts';
import { field, say } from '../../contract/base/wording.ts';
import type { Source } from '../file/read/source.ts';
import { type Box, type BoxesByPage, type PageSpace, toDisplayed, toUserSpace } from '../page/space.ts';
import { listAt } from '../syntax/arrays.ts';
import type { Removal } from './content/page-edit.ts';
import type { DecodePicture } from './content/picture-editor.ts';
import { termHits } from './find/page-search.ts';
import { openReaders, type Readers } from './find/readers.ts';
import { textsInside } from './find/text-inside.ts';
import {
  type BuildOptions,
  type BuiltPages,
  buildDocument,
  type Overlay,
  type PicturePage,
} from './output/build-document.ts';
import type { KeptPart } from './output/kept-structure.ts';
import { overlayOf, type Style } from './output/overlay.ts';
import { blacken, picturePage } from './output/picture-page.ts';
import { decodedBy, openBytes, plainCopy, type Tools } from './output/plain-copy.ts';
import { type Marked, markInside, textRuns } from './probe/marked-characters.ts';
import { closing, drawn, type PageProbe, type RgbDrawing } from './probe/page-probe.ts';
import { filledPart, isPlain, sizeAt } from './probe/pixels.ts';
import { findCopies } from './prove/hidden-copies.ts';
import { type Claim, judge } from './prove/proof.ts';
import { BY_HAND, type Region } from './regions.ts';
import { toLineEnds } from './strict.ts';
import { Secrets } from './words/secrets.ts';
import { stringAsSeen, termsOf } from './words/seen-text.ts';

export interface ApplyOptions {
  readonly regions: readonly Region[];
  readonly style: Style;
  /** Extend each region to the end of its line, so that its width does not reveal the word. */
  readonly strict: boolean;
  readonly raster: boolean;
  /** Keep only the pages: no title, bookmarks, tags or fields. */
  readonly clean: boolean;
}

export interface Applied {
  readonly bytes: Uint8Array;
  readonly pages: number;
  /** Rasterized pages, from 1, with the reason. */
  readonly pictures: readonly { readonly page: number; readonly why: string }[];
  /** Invisible copies of removed text that were erased elsewhere in the document. */
  readonly copies: number;
  /** Visible occurrences of removed words outside the regions. */
  readonly elsewhere: number;
  /** Unmarked uses of pictures that lost pixels in a region: these are still drawn whole. */
  readonly wholePictures: number;
  readonly regions: number;
  /** Embedded fonts that could not be subset: leftover glyphs reveal which letters were removed. */
  readonly wholeFonts: number;
  /** Field values drawn with bullets for characters outside WinAnsiEncoding. */
  readonly bulleted: number;
  readonly parts: readonly KeptPart[];
  /** Why title, language, bookmarks, tags and fields were dropped although `clean` was not set. */
  readonly cleaned: string | undefined;
}

/** Top and bottom edges of boxes are rounded to this many points. */
const GRID = 3;
const PICTURE_DPI = 200;
const PICTURE_PIXELS = 40_000_000;
/** A failing page is rasterized, then loses the words of its text layer near regions, then all of them. */
const MOST_ROUNDS = 9;

/** Removes the content of regions and verifies the output, in memory. Throws a Failure where verification fails. */
export async function applyRegions(source: Source, options: ApplyOptions, tools: Tools): Promise<Applied> {
  const { file, tree } = source;
  const { openProbe } = tools;
  const pages = tree.pages.length;
  const decode = decodedBy(openProbe);
  const progressOf = (phase: string) => async (page: number) => {
    tools.progress(phase, page, pages);
    await tools.yieldNow();
  };
  const readers = await openReaders(source, tools);
  const { plain, probe } = readers;
  try {
    const given = boxesByPage(options.regions);
    const boxes = options.strict ? await toLineEnds(given, readers) : given;
    const removed = await removedTexts(boxes, readers, tools);
    const inspected = boxesByPage(options.regions.filter(({ kind }) => kind !== BY_HAND));
    const terms = inspected.size === 0 ? [] : await removedTexts(inspected, readers, tools);
    const copies = await findCopies(readers, boxes, new Secrets(removed), tools);
    const secrets = new Secrets(removed, (word) => copies.visible.has(word));
    const job: Job = { source, options, tools, plain, probe, boxes, secrets, terms, decode, erase: copies.erase };
    const done = await redact(job, progressOf);
    const bytes = await finish(job, done, progressOf('write'));
    return {
      bytes,
      pages,
      pictures: [...done.pictures].sort(([a], [b]) => a - b).map(([page, why]) => ({ page: page + 1, why })),
      copies: [...copies.erase.values()].reduce((sum, list) => sum + list.length, 0),
      elsewhere: copies.count,
      wholePictures: done.built.wholePictures,
      regions: options.regions.length,
      wholeFonts: done.built.wholeFonts,
      bulleted: done.built.annotations.flatMap(({ values }) => values.filter(({ isLossy }) => isLossy)).length,
      parts: done.built.parts,
      cleaned: done.cleaned,
    };
  } catch (error) {
    if (error instanceof Failure || (error instanceof Error && error.name === 'AbortError')) throw error;
    throw unproved(file.name, 'its verification did not finish', error);
  } finally {
    readers.close();
  }
}

interface Job {
  readonly source: Source;
  readonly options: ApplyOptions;
  readonly tools: Tools;
  readonly plain: BuiltPages;
  readonly probe: PageProbe;
  readonly boxes: BoxesByPage;
  readonly erase: ReadonlyMap<number, Removal['erase']>;
  readonly secrets: Secrets;
  /** Whole texts of regions that an inspection found. */
  readonly terms: readonly string[];
  readonly decode: DecodePicture;
}

interface Redacted {
  readonly options: BuildOptions;
  readonly built: BuiltPages;
  /** The output before boxes are drawn over its regions. */
  readonly bytes: Uint8Array;
  readonly pictures: ReadonlyMap<number, string>;
  readonly cleaned: string | undefined;
}

/** Builds and verifies the output, rasterizing the pages that fail, until all pass. */
async function redact(job: Job, progressOf: (phase: string) => (page: number) => Promise<void>): Promise<Redacted> {
  const { source, options, plain, boxes, secrets, terms, decode, tools } = job;
  const { name } = source.file;
  const pages = source.tree.pages.length;
  const pictures = new Map<number, string>();
  for (const [page, why] of plain.failed) pictures.set(page, why);
  if (options.raster) for (let page = 0; page < pages; page++) pictures.set(page, 'asked for');
  const drawn = new Map<number, PicturePage>();
  /** How much text a rasterized page keeps; all of it where there is no entry. */
  const layers = new Map<number, TextLayer>();
  let cleaned: string | undefined;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    for (const page of pictures.keys())
      if (!drawn.has(page)) drawn.set(page, await drawPicture(job, page, layers.get(page) ?? 'whole'));
    const build: BuildOptions = {
      pages: removals(job),
      pictures: drawn,
      overlays: new Map(),
      // Outside the pages a search term is secret even where some of its words are visible on them.
      isSecret: (text) => secrets.isIn(decoded(text)) || termHits(terms, stringAsSeen(decoded(text))).length > 0,
      raw: false,
      clean: options.clean || cleaned !== undefined,
    };
    const { bytes, ...built } = await buildDocument(source, build, decode, progressOf('remove'));
    for (const [page, why] of built.failed) {
      if (pictures.has(page)) throw unproved(name, `page ${page + 1} cannot be made a picture`);
      pictures.set(page, why);
    }
    if (built.failed.size > 0) continue;
    tools.progress('prove', 0, pages);
    const hasFields = built.parts.some(({ part, kept }) => part === 'fields' && kept > 0);
    const copy = await plainCopy(await openBytes(bytes, 'the output'), tools);
    const claim: Claim = {
      bytes,
      pages,
      spaces: built.spaces,
      regions: boxes,
      findings: built.findings,
      pictures: new Set(pictures.keys()),
      read: copy.findings,
      flat: hasFields ? copy.bytes : undefined,
    };
    const verdict = await judge(claim, secrets, tools);
    if (verdict.whole !== undefined) {
      if (build.clean) throw unproved(name, verdict.whole);
      cleaned = verdict.whole;
      continue;
    }
    for (const [page, by] of verdict.pages) {
      const [why, layer] = [pictures.get(page), layers.get(page)];
      if (layer === 'none')
        throw unproved(name, `page ${page + 1} fails verification even as a picture (found by ${by})`);
      pictures.set(page, why ?? `found by ${by}`);
      if (why === undefined) continue;
      // PDFium lays out the text layer with its own font metrics, so letters may land in a region.
      drawn.delete(page);
      layers.set(page, layer === undefined ? 'apart' : 'none');
    }
    if (verdict.pages.size > 0) continue;
    const noteOf = (page: number) => LAYER_NOTES[layers.get(page) ?? 'whole'];
    const reasons = [...pictures].map(([page, why]) => [page, `${why}${noteOf(page)}`] as const);
    return { options: build, built, bytes, pictures: new Map(reasons), cleaned };
  }
  throw unproved(name, 'its pages fail verification');
}

function removals({ plain, boxes, erase }: Job): Map<number, Removal> {
  const pages = new Set([...boxes.keys(), ...erase.keys()]);
  const removal = (page: number): Removal => ({
    regions: (boxes.get(page) ?? []).map((box) => toUserSpace(box, plain.spaces[page]!)),
    erase: erase.get(page) ?? [],
    letters: plain.findings[page]?.letters ?? [],
  });
  return new Map([...pages].map((page) => [page, removal(page)]));
}

/** Words in the text layer of a rasterized page: all outside the regions, only those clear of them, or none. */
type TextLayer = 'whole' | 'apart' | 'none';

const LAYER_NOTES: Readonly<Record<TextLayer, string>> = {
  whole: '',
  apart: '; words close to its regions can no longer be searched',
  none: '; its words can no longer be searched',
};

/** Rasterizes a page with its regions blackened, and adds a text layer of the remaining words. */
async function drawPicture(
  { source, plain, probe, boxes, erase, secrets, tools }: Job,
  page: number,
  layer: TextLayer,
): Promise<PicturePage> {
  await tools.yieldNow();
  const space = plain.spaces[page]!;
  if (plain.failed.has(page) && plain.layers.hiddenCount > 0)
    throw unproved(source.file.name, `page ${page + 1} cannot be read with certainty, and has hidden layers`);
  const drawing = await drawn(probe, page, sizeAt(space, PICTURE_DPI, PICTURE_PIXELS));
  const over = boxes.get(page) ?? [];
  const places = [...over.map((box) => toUserSpace(box, space)), ...(erase.get(page) ?? [])];
  // Leave out characters that a region only touches: the picture shows them cut.
  const marked: Marked[] = markInside(await probe.characters(page), places);
  // Regions may be smaller than the letters that they remove.
  const cut = marked.flatMap(({ inside, box }) => (inside ? (toDisplayed(box, space) ?? []) : []));
  blacken(drawing, [...over, ...cut]);
  // Readers give right-to-left words in either order.
  const isSecret = (word: string) => secrets.isIn(word) || termsOf(word).some(({ key }) => secrets.isIn(key));
  const keep = (word: string) => layer !== 'none' && !isSecret(word);
  return picturePage(drawing, space, marked, keep, over, layer === 'apart');
}

/** Draws the boxes over the regions and verifies the result once more. */
async function finish(job: Job, done: Redacted, onPage: (page: number) => Promise<void>): Promise<Uint8Array> {
  const { source, boxes, secrets, decode, tools } = job;
  const { style } = job.options;
  const { name } = source.file;
  const { options } = done;
  const overlays = new Map<number, Overlay>();
  for (const [page, list] of await paddedBoxes(job, done)) overlays.set(page, overlayOf(list, style));
  const { bytes, spaces, failed } = await buildDocument(source, { ...options, overlays }, decode, onPage);
  if (failed.size > 0) throw unproved(name, 'a second build differs from the first');
  await closing(await tools.openProbe(bytes), async (probe) => {
    if (probe.pages !== source.tree.pages.length) throw unproved(name, 'PDFium finds another number of pages in it');
    for (const [page, list] of boxes) {
      await tools.yieldNow();
      const space = spaces[page]!;
      const drawing = await drawn(probe, page, sizeAt(space, 150));
      const least = style.label === undefined ? 0.98 : 0.3;
      if (list.some((box) => filledPart(drawing, box, style.fill) < least))
        throw unproved(name, `a box on page ${page + 1} does not cover its region`);
      const places = list.map((box) => toUserSpace(box, space));
      const remaining = textRuns(markInside(await probe.characters(page), places)).join('');
      if (style.label === undefined ? secrets.isIn(remaining) : secrets.isIn(remaining.split(style.label).join(' ')))
        throw unproved(name, `page ${page + 1} still has text in a region`);
    }
  });
  return bytes;
}

/** Widens each box to a multiple of its height where the paper is blank: the exact width would identify the word. */
async function paddedBoxes({ boxes, tools }: Job, { bytes, built }: Redacted): Promise<BoxesByPage> {
  const padded = new Map<number, readonly Box[]>();
  await closing(await tools.openProbe(bytes), async (probe) => {
    for (const [page, list] of boxes) {
      await tools.yieldNow();
      const space = built.spaces[page]!;
      const drawing = await drawn(probe, page, sizeAt(space, 110));
      const texts = (await probe.characters(page)).flatMap(({ box, text, generated }) => {
        const place = generated || text.trim() === '' ? undefined : toDisplayed(box, space);
        return place === undefined ? [] : [place];
      });
      const boxesOfPage = list.map((box) => paddedBox(box, [...texts, ...list], drawing, space));
      padded.set(page, boxesOfPage);
    }
  });
  return padded;
}

function paddedBox(box: Box, others: readonly Box[], drawing: RgbDrawing, space: PageSpace): Box {
  const { x, w } = box;
  const isBlank = (area: Box) => isPlain(drawing, area, 0);
  const grid = GRID / space.height;
  const [top, bottom] = [Math.floor(box.y / grid) * grid, Math.min(1, Math.ceil((box.y + box.h) / grid) * grid)];
  const isFree =
    isBlank({ ...box, y: top, h: box.y - top }) && isBlank({ ...box, y: box.y + box.h, h: bottom - box.y - box.h });
  const [y, h] = isFree ? [top, bottom - top] : [box.y, box.h];
  const step = (h * space.height) / space.width;
  const beside = others.filter((other) => other.y < y + h && other.y + other.h > y);
  const before = beside.map((other) => other.x + other.w).filter((end) => end <= x);
  const behind = beside.map((other) => other.x).filter((start) => start >= x + w);
  const left = Math.max(0, x - step / 2, ...before.map((end) => Math.min(x, end + 0.05 * step)));
  const limit = Math.min(1, ...behind.map((start) => start - 0.05 * step));
  const right = Math.max(x + w, Math.min(left + Math.ceil((x + w - left) / step) * step, limit));
  const isClear = isBlank({ x: left, y, w: x - left, h }) && isBlank({ x: x + w, y, w: right - x - w, h });
  return isClear ? { x: left, y, w: right - left, h } : { x, y, w, h };
}

/** Texts inside the regions according to every reader. */
async function removedTexts(boxes: BoxesByPage, { plain, displayed }: Readers, tools: Tools): Promise<string[]> {
  const texts = new Set<string>();
  for (const [page, list] of boxes) {
    await tools.yieldNow();
    const space = plain.spaces[page];
    if (space === undefined) continue;
    for (const { reader, characters } of await displayed(page))
      for (const box of list)
        for (const text of textsInside(reader, characters, [toUserSpace(box, space)])) texts.add(text);
  }
  return [...texts];
}

function boxesByPage(regions: readonly Region[]): BoxesByPage {
  const pages = new Map<number, Box[]>();
  for (const { page, x, y, w, h } of regions) listAt(pages, page - 1).push({ x, y, w, h });
  return pages;
}

/** An address followed by its percent-decoded form, so that words in it are found. */
function decoded(address: string): string {
  try {
    return `${address} ${decodeURIComponent(address)}`;
  } catch {
    return address;
  }
}

function unproved(name: string, why: string, cause?: unknown): Failure {
  return new Failure('unprocessable', `${name} cannot be redacted with certainty: ${why}; nothing was written`, {
    kind: 'unsupported',
    hint: say`Try ${field('raster', true)}, which makes every page a picture.`,
    cause,
  });
}
