import { Failure } from '../../contract/failure.ts';
import type { Source } from '../read/source.ts';
import { findCopies } from './content/copies.ts';
import { type Marked, markInside, runsOf } from './content/marked-characters.ts';
import type { Wish } from './content/page-edit.ts';
import type { DecodePicture } from './content/picture-editor.ts';
import { drawn, type PageProbe } from './find/page-probe.ts';
import {
  type BuildWish,
  type BuiltPages,
  buildDocument,
  type Overlay,
  type PicturePage,
} from './output/build-document.ts';
import { overlayOf, type Style } from './output/overlay.ts';
import { blacken, picturePage, pictureSize } from './output/picture-page.ts';
import { type Box, toUserSpace } from './page-space.ts';
import { decodedBy, openPlainCopy, type Tools } from './plain-copy.ts';
import { type Claim, filledPart, judge, sizeAt } from './prove/proof.ts';
import { Secrets } from './prove/secrets.ts';
import type { Region } from './regions.ts';
import { toLineEnds } from './strict.ts';

export interface ApplyWish {
  readonly regions: readonly Region[];
  readonly style: Style;
  /** Blank from each region to the end of its line, so that its width says nothing. */
  readonly strict: boolean;
  /** Every page becomes a picture. */
  readonly raster: boolean;
}

export interface Applied {
  readonly bytes: Uint8Array;
  readonly pages: number;
  /** Pages, from 1, that became pictures, and why. */
  readonly pictures: readonly { readonly page: number; readonly why: string }[];
  /** How many hidden copies of removed text went with it, elsewhere in the document. */
  readonly copies: number;
  /** Words of the regions that are still to be seen elsewhere, where nobody marked them. */
  readonly elsewhere: number;
  /** How often pictures that lost pixels are still drawn whole, where nobody marked them. */
  readonly wholePictures: number;
  readonly regions: number;
  /** Embedded fonts that keep glyphs which nothing shows any more: they say which letters there were. */
  readonly wholeFonts: number;
}

/** A page may be done anew as a picture once, and its picture must pass. */
const MOST_ROUNDS = 6;

/**
 * Removes what is in the regions, and proves it. Throws a Failure where the proof fails: nothing of the output is good then.
 * The output is in memory all the time; what was removed is never written anywhere.
 */
export async function applyRegions(source: Source, wish: ApplyWish, tools: Tools): Promise<Applied> {
  const { file, tree } = source;
  const { openProbe } = tools;
  const pages = tree.pages.length;
  const decode = decodedBy(openProbe);
  const turn = (phase: string) => async (page: number) => {
    tools.progress(phase, page, pages);
    await tools.turn();
  };
  const { plain, probe } = await openPlainCopy(source, tools);
  try {
    const given = boxesByPage(wish.regions);
    const boxes = wish.strict ? await toLineEnds(given, plain, probe) : given;
    const removed = await removedTexts(boxes, plain, probe, tools);
    const copies = await findCopies(plain, probe, boxes, new Secrets(removed), tools);
    const secrets = new Secrets(removed, (word) => copies.visible.has(word));
    const job: Job = { source, wish, tools, plain, probe, boxes, secrets, decode, erase: copies.erase };
    const done = await redact(job, turn);
    const bytes = await finish(job, done, turn('write'));
    return {
      bytes,
      pages,
      pictures: [...done.pictures].sort(([a], [b]) => a - b).map(([page, why]) => ({ page: page + 1, why })),
      copies: [...copies.erase.values()].reduce((sum, list) => sum + list.length, 0),
      elsewhere: copies.count,
      wholePictures: done.built.wholePictures,
      regions: wish.regions.length,
      wholeFonts: done.built.wholeFonts,
    };
  } catch (error) {
    if (error instanceof Failure || (error instanceof Error && error.name === 'AbortError')) throw error;
    throw unproved(file.name, 'its proof broke off', error);
  } finally {
    probe.close();
  }
}

interface Job {
  readonly source: Source;
  readonly wish: ApplyWish;
  readonly tools: Tools;
  readonly plain: BuiltPages;
  readonly probe: PageProbe;
  readonly boxes: ReadonlyMap<number, readonly Box[]>;
  readonly erase: ReadonlyMap<number, Wish['erase']>;
  readonly secrets: Secrets;
  readonly decode: DecodePicture;
}

interface Done {
  readonly wish: BuildWish;
  readonly built: BuiltPages;
  readonly pictures: ReadonlyMap<number, string>;
}

/** Builds, proves, and makes pictures of the pages that do not pass, until all do. */
async function redact(job: Job, turn: (phase: string) => (page: number) => Promise<void>): Promise<Done> {
  const { source, wish, plain, boxes, secrets, decode, tools } = job;
  const { name } = source.file;
  const pages = source.tree.pages.length;
  const pictures = new Map<number, string>();
  for (const [page, why] of plain.failed) pictures.set(page, why);
  if (wish.raster) for (let page = 0; page < pages; page++) pictures.set(page, 'asked for');
  const drawn = new Map<number, PicturePage>();
  for (let round = 0; round < MOST_ROUNDS; round++) {
    for (const page of pictures.keys()) if (!drawn.has(page)) drawn.set(page, await drawPicture(job, page));
    const build: BuildWish = {
      pages: wishes(job),
      pictures: drawn,
      overlays: new Map(),
      isSecret: (text) => secrets.isIn(decoded(text)),
      raw: false,
    };
    const { bytes, ...built } = await buildDocument(source, build, decode, turn('remove'));
    for (const [page, why] of built.failed) {
      if (pictures.has(page)) throw unproved(name, `page ${page + 1} cannot be made a picture`);
      pictures.set(page, why);
    }
    if (built.failed.size > 0) continue;
    tools.progress('prove', 0, pages);
    const claim: Claim = {
      bytes,
      pages,
      spaces: built.spaces,
      regions: boxes,
      findings: built.findings,
      pictures: new Set(pictures.keys()),
    };
    const verdict = await judge(claim, secrets, tools);
    if (verdict.whole !== undefined) throw unproved(name, verdict.whole);
    for (const [page, by] of verdict.pages) {
      if (pictures.has(page)) throw unproved(name, `page ${page + 1} does not pass even as a picture`);
      pictures.set(page, `found by ${by}`);
    }
    if (verdict.pages.size === 0) return { wish: build, built, pictures };
  }
  throw unproved(name, 'its pages do not pass');
}

function wishes({ plain, boxes, erase }: Job): Map<number, Wish> {
  const pages = new Set([...boxes.keys(), ...erase.keys()]);
  return new Map(
    [...pages].map((page) => [
      page,
      {
        regions: (boxes.get(page) ?? []).map((box) => toUserSpace(box, plain.spaces[page]!)),
        erase: erase.get(page) ?? [],
      },
    ]),
  );
}

/** The page as a picture, its regions black, with the words that stay. */
async function drawPicture(
  { source, plain, probe, boxes, erase, secrets, tools }: Job,
  page: number,
): Promise<PicturePage> {
  await tools.turn();
  const space = plain.spaces[page]!;
  if (plain.failed.has(page) && plain.layers.hiddenCount > 0)
    throw unproved(source.file.name, `page ${page + 1} cannot be read with certainty, and has hidden layers`);
  const drawing = await drawn(probe, page, pictureSize(space));
  const over = boxes.get(page) ?? [];
  blacken(drawing, over);
  const places = [...over.map((box) => toUserSpace(box, space)), ...(erase.get(page) ?? [])];
  // Even a character of which a region takes little stays away here: in the picture it is cut.
  const marked: Marked[] = markInside(await probe.characters(page), places);
  return picturePage(drawing, space, marked, (word) => !secrets.isIn(word));
}

/** The document with its boxes, looked at once more. */
async function finish(job: Job, { wish, pictures }: Done, turn: (page: number) => Promise<void>): Promise<Uint8Array> {
  const { source, boxes, secrets, decode, tools } = job;
  const { style } = job.wish;
  const { name } = source.file;
  const overlays = new Map<number, Overlay>([...boxes].map(([page, list]) => [page, overlayOf(list, style)]));
  const { bytes, spaces, failed } = await buildDocument(source, { ...wish, overlays }, decode, turn);
  if (failed.size > 0) throw unproved(name, 'it comes out otherwise the second time');
  const probe = await tools.openProbe(bytes);
  try {
    if (probe.pages !== source.tree.pages.length) throw unproved(name, 'PDFium finds another number of pages in it');
    for (const [page, list] of boxes) {
      await tools.turn();
      const space = spaces[page]!;
      const drawing = await drawn(probe, page, sizeAt(space, 150));
      const least = style.label === undefined ? 0.98 : 0.3;
      if (list.some((box) => filledPart(drawing, box, style.fill) < least))
        throw unproved(name, `a box on page ${page + 1} does not cover its region`);
      const places = list.map((box) => toUserSpace(box, space));
      const said = runsOf(markInside(await probe.characters(page), places), ({ inside }) => inside).join('');
      if (style.label === undefined ? secrets.isIn(said) : secrets.isIn(said.split(style.label).join(' ')))
        throw unproved(name, `page ${page + 1} still has text in a region`);
    }
  } finally {
    probe.close();
  }
  if (pictures.size > source.tree.pages.length) throw unproved(name, 'it has too many pictures');
  return bytes;
}

/** Texts in the regions, as PDFium reads them. */
async function removedTexts(
  boxes: ReadonlyMap<number, readonly Box[]>,
  plain: BuiltPages,
  probe: PageProbe,
  tools: Tools,
): Promise<string[]> {
  const texts: string[] = [];
  for (const [page, list] of boxes) {
    await tools.turn();
    const characters = await probe.characters(page);
    for (const box of list) {
      const marked = markInside(characters, [toUserSpace(box, plain.spaces[page]!)]);
      texts.push(...runsOf(marked, ({ inside }) => inside));
    }
  }
  return texts;
}

function boxesByPage(regions: readonly Region[]): Map<number, Box[]> {
  const pages = new Map<number, Box[]>();
  for (const { page, x, y, w, h } of regions) {
    const list = pages.get(page - 1) ?? [];
    list.push({ x, y, w, h });
    pages.set(page - 1, list);
  }
  return pages;
}

/** An address as it reads. */
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
    hint: 'Try --raster, which makes every page a picture.',
    cause,
  });
}
