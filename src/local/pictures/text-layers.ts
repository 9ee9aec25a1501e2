// Words for pages that have none: drawn, recognised, and appended as invisible text. Used by `ocr`, and by operations that
// need text where --ocr says so.
import { Failure } from '../../contract/failure.ts';
import type { ByteSource, Context, Draft, PageDrawer, Temp } from '../../contract/ports.ts';
import {
  confidenceOf,
  fallOf,
  type PlacedLine,
  placeLines,
  skewOf,
  straightened,
  turned,
  turnedBy,
} from '../../ocr/place.ts';
import { findRecogniser, type Picture, type Recogniser } from '../../ocr/recogniser.ts';
import { fingerprint } from '../../pdf/copy/assemble.ts';
import { rewrite } from '../../pdf/copy/rewrite.ts';
import { Pace } from '../../pdf/pace.ts';
import type { Page } from '../../pdf/read/page-tree.ts';
import { openSource, type Source } from '../../pdf/read/source.ts';
import { openDrawer } from '../../pdf/render/drawer.ts';
import { LayerWriter } from '../../pdf/text-layer/write-layers.ts';
import { canAppend, Update } from '../../pdf/write/update.ts';
import { inOrder } from './in-order.ts';

export interface OcrWish {
  /** Such as `eng+deu`. */
  readonly language: string;
  /** Pages to be read, from 1. */
  readonly pages: readonly number[];
  readonly deskew?: 'text' | 'page' | undefined;
  /** What is to stand instead of a page's own content, where that is another. */
  readonly contents?: (page: number) => Uint8Array | undefined;
  /** Called for each page with its words, in the order of pages. `size`: of the page, in the points of the words. */
  readonly found?: (
    page: number,
    lines: readonly PlacedLine[],
    size: { readonly width: number; readonly height: number },
  ) => void;
}

/** The language of an operation that has no option for it. */
export function ocrLanguage({ programs }: Pick<Context, 'programs'>): string {
  return programs?.setting('PDFTOOL_OCR_LANGUAGE') ?? 'eng';
}

export interface Layered {
  readonly draft: Draft;
  /** Who recognised. */
  readonly by: string;
  /** Pages that were given words. */
  readonly read: readonly number[];
}

/** Dots per inch at which pages are read: tesseract is made for 300. */
const DPI = 300;
const POINTS = 72;
/** Pixels of a page, and of one side: large pages are read at fewer dots per inch. */
const MOST_PIXELS = 40_000_000;
const MOST_SIDE = 32_000;
/** Below this much confidence, a page may lie on its side. */
const DOUBTFUL = 70;

/** Appends words to these pages. The draft is not finished. */
export async function addTextLayers(
  source: Source,
  input: ByteSource,
  wish: OcrWish,
  ctx: Context,
  temp: Temp,
): Promise<Layered> {
  const recogniser = await findRecogniser(wish.language, ctx);
  const pages = wish.pages.map((number) => source.tree.pages[number - 1]!);
  const ground = canAppend(source, pages) ? source : await soundCopy(source, { ...ctx, temp });
  const drawer = await openDrawer(source, input, { ...ctx, temp });
  try {
    const pace = new Pace(ctx);
    const draft = temp.create('with-text.pdf');
    const update = await Update.begin(ground.file, draft, pace);
    const writer = new LayerWriter(ground.file, update);
    const read: number[] = [];
    const inPages = (number: number): Page => ground.tree.pages[number - 1]!;
    const work = async (number: number) => {
      const size = writer.size(inPages(number));
      return recognisePage({ name: input.name, page: number, size }, drawer, recogniser, ctx);
    };
    let done = 0;
    for await (const [number, lines] of inOrder(wish.pages, ctx.programs?.processors ?? 1, work)) {
      ctx.signal.throwIfAborted();
      const skew = wish.deskew === undefined ? 0 : skewOf(lines);
      const placed = wish.deskew === 'page' ? turnedBack(lines, skew, writer.size(inPages(number))) : lines;
      const straight = wish.deskew === undefined ? placed : straightened(placed);
      const turn = wish.deskew === 'page' && skew !== 0 ? { turn: skew } : {};
      const contents = wish.contents?.(number);
      if (straight.length > 0 || contents !== undefined) {
        const layer = { lines: straight.map(({ words }) => words), ...turn };
        writer.add(inPages(number), layer, contents === undefined ? undefined : [contents]);
      }
      if (straight.length > 0) read.push(number);
      wish.found?.(number, straight, writer.size(inPages(number)));
      done += 1;
      ctx.progress({ phase: 'read', done, total: wish.pages.length, unit: 'pages' });
      await pace.yield();
    }
    update.finish(fingerprint([source], `ocr ${wish.language} ${wish.deskew ?? ''}`));
    return { draft, by: `${recogniser.name}, ${wish.language}`, read };
  } finally {
    drawer.close();
  }
}

/** Encrypted and damaged files, and pages that share an object, are written anew before anything is appended. */
async function soundCopy(source: Source, ctx: Context): Promise<Source> {
  const draft = ctx.temp.create('ground.pdf');
  await rewrite(source, draft, fingerprint([source], 'ocr'), new Pace(ctx), () => new Map());
  return openSource(draft.finish(), {});
}

interface ToRead {
  /** The document's. */
  readonly name: string;
  readonly page: number;
  /** In points. */
  readonly size: { readonly width: number; readonly height: number };
}

async function recognisePage(
  { name, page, size }: ToRead,
  drawer: PageDrawer,
  recogniser: Recogniser,
  ctx: Context,
): Promise<PlacedLine[]> {
  const most = Math.min(
    DPI / POINTS,
    MOST_SIDE / Math.max(size.width, size.height),
    Math.sqrt(MOST_PIXELS / (size.width * size.height)),
  );
  const pixels = (side: number) => Math.max(1, Math.round(side * most));
  const drawn = await drawer.draw({ page, width: pixels(size.width), height: pixels(size.height), colours: 'gray' });
  const picture = { ...drawn, dpi: most * POINTS };
  if (isBlank(picture)) return [];
  const told = (error: unknown): never => {
    if (!(error instanceof Failure)) throw error;
    throw new Failure(error.code, `${name}: page ${page}: ${error.message}`, {
      hint: error.hint,
      kind: error.kind,
      cause: error,
    });
  };
  const upright = await readUpright(picture, recogniser).catch(told);
  if (upright.quarters > 0) ctx.detail(`page ${page} is read turned by ${90 * upright.quarters} degrees`);
  const { lines, quarters } = upright;
  const placed = placeLines(lines, upright.seen, quarters, size);
  const fall = fallOf(lines);
  if (Math.abs(fall) < LEAST_FALL || Math.abs(fall) > MOST_FALL) return placed;
  // tesseract leaves out lines that run askew, up to half of them at 2 degrees.
  const straight = turnedBy(turned(picture, quarters), fall);
  const again = await recogniser.recognise(straight).catch(told);
  if (worth(again) <= worth(lines)) return placed;
  ctx.detail(`page ${page} is read straightened by ${((fall * 180) / Math.PI).toFixed(1)} degrees`);
  return turnedBack(placeLines(again, straight, quarters, size), -fall, size);
}

/** Radians: a third of a degree is read as well as none; 15 degrees are no slip of a scanner. */
const LEAST_FALL = 0.006;
const MOST_FALL = 0.26;

/** Nothing but one shade: there is nothing to be read. */
function isBlank({ pixels }: Picture): boolean {
  const [first] = pixels;
  return pixels.every((pixel) => pixel === first);
}

/** Reads a picture as it is; where little is made of that, turned the way that somebody or a try says. */
async function readUpright(picture: Picture, recogniser: Recogniser) {
  const read = async (quarters: number) => {
    const seen = turned(picture, quarters);
    const lines = await recogniser.recognise(seen);
    return { lines, quarters, seen: { width: seen.width, height: seen.height } };
  };
  const first = await read(0);
  if (confidenceOf(first.lines) >= DOUBTFUL) return first;
  const asked = recogniser.quartersToUpright === undefined ? [2, 1, 3] : [await recogniser.quartersToUpright(picture)];
  let best = first;
  for (const quarters of asked) {
    if (quarters === undefined || quarters === 0) continue;
    const other = await read(quarters);
    if (worth(other.lines) > worth(best.lines)) best = other;
    if (confidenceOf(best.lines) >= DOUBTFUL) break;
  }
  return best;
}

/** How much was read, and how surely. */
function worth(lines: Parameters<typeof confidenceOf>[0]): number {
  const letters = lines.reduce((sum, { words }) => sum + words.reduce((all, { text }) => all + text.length, 0), 0);
  return letters * confidenceOf(lines) ** 2;
}

/** Where words are after the page was turned about its middle, counter-clockwise. */
function turnedBack(
  lines: readonly PlacedLine[],
  skew: number,
  { width, height }: { readonly width: number; readonly height: number },
): PlacedLine[] {
  if (skew === 0) return [...lines];
  const [cos, sin] = [Math.cos(skew), Math.sin(skew)];
  const point = (x: number, y: number): [number, number] => {
    const [dx, dy] = [x - width / 2, y - height / 2];
    return [width / 2 + dx * cos + dy * sin, height / 2 - dx * sin + dy * cos];
  };
  return lines.map(({ words }) => ({
    words: words.map((word) => {
      const [x, y] = point(word.x, word.y);
      const [left, top, right, bottom] = word.box;
      const [middleX, middleY] = point((left + right) / 2, (top + bottom) / 2);
      const [halfWidth, halfHeight] = [(right - left) / 2, (bottom - top) / 2];
      const box = [middleX - halfWidth, middleY - halfHeight, middleX + halfWidth, middleY + halfHeight] as const;
      return { ...word, x, y, angle: word.angle - skew, box };
    }),
  }));
}
