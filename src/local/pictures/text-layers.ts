/**
 * Adds recognised words to pages as invisible text, for `ocr` and for operations with --ocr.
 *
 * Each page is drawn at 300 dpi and recognised as it lies. Where the confidence is low, it is recognised again in the orientation
 * that tesseract names, or in all others, and the best reading counts; where its lines slope, once more straightened. Words are
 * mapped back to points of the page and appended to a copy of the file in an incremental update. Pages are recognised side by
 * side and written in order. The cost is one run of tesseract for an upright page, up to five for others.
 */
import { Failure } from '../../contract/failure.ts';
import type { ByteSource, Context, Draft, PageDrawer, Temp } from '../../contract/ports.ts';
import {
  confidenceOf,
  fallOf,
  type PlacedLine,
  placeLines,
  seemsTurned,
  skewOf,
  straightened,
  turnedBy,
  turnedPicture,
} from '../../ocr/place.ts';
import { findRecogniser, type GreyPicture, type Recogniser } from '../../ocr/recogniser.ts';
import { documentId } from '../../pdf/file/copy/assemble.ts';
import { rewrite } from '../../pdf/file/copy/rewrite.ts';
import { openSource, type Source } from '../../pdf/file/open.ts';
import { Pace } from '../../pdf/file/read/pace.ts';
import type { Page } from '../../pdf/file/read/page-tree.ts';
import { canAppend, Update } from '../../pdf/file/write/update.ts';
import { openDrawer } from '../../pdf/render/drawer.ts';
import { LayerWriter } from '../../pdf/text-layer/write-layers.ts';
import { inOrder } from './in-order.ts';

interface OcrOptions {
  readonly language: string;
  readonly pages: readonly number[];
  readonly deskew?: 'text' | 'page' | undefined;
  /** Turns pages upright that lie on their side or upside down, where that is certain. */
  readonly upright?: boolean;
  /** Content to replace a page's own; undefined where it stays. */
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

interface Layered {
  readonly draft: Draft;
  readonly by: string;
  /** The draft begins with the bytes of the input. */
  readonly appended: boolean;
  readonly read: readonly number[];
  readonly turned: readonly number[];
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
  options: OcrOptions,
  ctx: Context,
  temp: Temp,
): Promise<Layered> {
  const recogniser = await findRecogniser(options.language, ctx);
  const pages = options.pages.map((number) => source.tree.pages[number - 1]!);
  const ground = canAppend(source, pages) ? source : await soundCopy(source, { ...ctx, temp });
  const drawer = await openDrawer(source, input, { ...ctx, temp });
  try {
    const pace = new Pace(ctx);
    const draft = temp.create('with-text.pdf');
    const update = await Update.begin(ground.file, draft, pace);
    const writer = new LayerWriter(ground.file, update);
    const read: number[] = [];
    const turned: number[] = [];
    const inPages = (number: number): Page => ground.tree.pages[number - 1]!;
    const work = async (number: number) => {
      const size = writer.size(inPages(number));
      return recognisePage({ name: input.name, page: number, size }, options.upright === true, drawer, recogniser, ctx);
    };
    let done = 0;
    for await (const [number, { lines, quarters, size }] of inOrder(
      options.pages,
      ctx.programs?.processors ?? 1,
      work,
    )) {
      ctx.signal.throwIfAborted();
      const skew = options.deskew === undefined ? 0 : skewOf(lines);
      const placed = options.deskew === 'page' ? turnedBack(lines, skew, size) : lines;
      const straight = options.deskew === undefined ? placed : straightened(placed);
      const turn = options.deskew === 'page' && skew !== 0 ? { turn: skew } : {};
      const contents = options.contents?.(number);
      if (straight.length > 0 || contents !== undefined) {
        const layer = { lines: straight.map(({ words }) => words), quarters, ...turn };
        writer.add(inPages(number), layer, contents === undefined ? undefined : [contents]);
      }
      if (straight.length > 0) read.push(number);
      if (quarters > 0) turned.push(number);
      options.found?.(number, straight, size);
      done += 1;
      ctx.progress({ phase: 'read', done, total: options.pages.length, unit: 'pages' });
      await pace.yield();
    }
    await update.close(documentId([source], `ocr ${options.language} ${options.deskew ?? ''}`));
    return { draft, appended: ground === source, by: `${recogniser.name}, ${options.language}`, read, turned };
  } finally {
    drawer.close();
  }
}

/** A rewritten copy, for files to which nothing can be appended: encrypted or damaged ones, or with pages that share an object. */
async function soundCopy(source: Source, ctx: Context): Promise<Source> {
  const draft = ctx.temp.create('ground.pdf');
  await rewrite(source, draft, documentId([source], 'ocr'), new Pace(ctx), () => new Map());
  return openSource(draft.finish(), {});
}

interface ToRead {
  /** The document's. */
  readonly name: string;
  readonly page: number;
  /** In points. */
  readonly size: { readonly width: number; readonly height: number };
}

interface ReadPage {
  readonly lines: readonly PlacedLine[];
  /** Clockwise turns that make the page upright, where it is to be turned; the lines are where they are then. */
  readonly quarters: number;
  /** Of the page as it is shown after them, in points. */
  readonly size: ToRead['size'];
}

async function recognisePage(
  { name, page, size: shown }: ToRead,
  mayTurn: boolean,
  drawer: PageDrawer,
  recogniser: Recogniser,
  ctx: Context,
): Promise<ReadPage> {
  const most = Math.min(
    DPI / POINTS,
    MOST_SIDE / Math.max(shown.width, shown.height),
    Math.sqrt(MOST_PIXELS / (shown.width * shown.height)),
  );
  const pixels = (side: number) => Math.max(1, Math.round(side * most));
  const drawn = await drawer.draw({ page, width: pixels(shown.width), height: pixels(shown.height), colours: 'gray' });
  const picture = { ...drawn, dpi: most * POINTS };
  if (isBlank(picture)) return { lines: [], quarters: 0, size: shown };
  const told = (error: unknown): never => {
    if (!(error instanceof Failure)) throw error;
    throw new Failure(error.code, `${name}: page ${page}: ${error.message}`, {
      hint: error.hint,
      kind: error.kind,
      cause: error,
    });
  };
  const upright = await readUpright(picture, recogniser).catch(told);
  const { lines, quarters } = upright;
  if (quarters > 0) ctx.detail(`page ${page} is read turned by ${90 * quarters} degrees`);
  const isSure = mayTurn && confidenceOf(lines) >= DOUBTFUL && lettersOf(lines) >= ENOUGH_LETTERS;
  const kept = isSure ? quarters : 0;
  const size = kept % 2 === 0 ? shown : { width: shown.height, height: shown.width };
  // Of a page that stays as it lies, words are turned back to where they are on it.
  const back = quarters - kept;
  const result = (all: readonly PlacedLine[]): ReadPage => ({ lines: all, quarters: kept, size });
  const placed = placeLines(lines, upright.seen, back, size);
  const fall = fallOf(lines);
  if (Math.abs(fall) < LEAST_FALL || Math.abs(fall) > MOST_FALL) return result(placed);
  // tesseract leaves out lines that run askew, up to half of them at 2 degrees.
  const straight = turnedBy(turnedPicture(picture, quarters), fall);
  const again = await recogniser.recognise(straight).catch(told);
  if (worth(again) <= worth(lines)) return result(placed);
  ctx.detail(`page ${page} is read straightened by ${((fall * 180) / Math.PI).toFixed(1)} degrees`);
  return result(turnedBack(placeLines(again, straight, back, size), -fall, size));
}

/** Letters needed to be certain of an orientation: a page number alone reads as well upside down. */
const ENOUGH_LETTERS = 40;

/** Radians. A third of a degree does no harm; 15 degrees are not from a scanner. */
const LEAST_FALL = 0.006;
const MOST_FALL = 0.26;

/** Whether all pixels have one shade. */
function isBlank({ pixels }: GreyPicture): boolean {
  const [first] = pixels;
  return pixels.every((pixel) => pixel === first);
}

/**
 * Reads a picture as it is, and turned as the recogniser or a try says where little is made of that. Where a page seems
 * turned, the recogniser is asked first: reading a page as it should not lie takes longer than the question.
 */
async function readUpright(picture: GreyPicture, recogniser: Recogniser) {
  const read = async (quarters: number) => {
    const seen = turnedPicture(picture, quarters);
    const lines = await recogniser.recognise(seen);
    return { lines, quarters, seen: { width: seen.width, height: seen.height } };
  };
  const ask = async () =>
    recogniser.quartersToUpright === undefined ? [2, 1, 3] : [(await recogniser.quartersToUpright(picture)) ?? 0];
  const early = recogniser.quartersToUpright !== undefined && seemsTurned(picture) ? await ask() : undefined;
  let best = await read(early?.[0] ?? 0);
  if (confidenceOf(best.lines) >= DOUBTFUL) return best;
  const tries = early === undefined ? await ask() : [0];
  for (const quarters of tries) {
    if (quarters === best.quarters) continue;
    const other = await read(quarters);
    if (worth(other.lines) > worth(best.lines)) best = other;
    if (confidenceOf(best.lines) >= DOUBTFUL) break;
  }
  return best;
}

type Lines = Parameters<typeof confidenceOf>[0];

function worth(lines: Lines): number {
  return lettersOf(lines) * confidenceOf(lines) ** 2;
}

function lettersOf(lines: Lines): number {
  return lines.reduce((sum, { words }) => sum + words.reduce((all, { text }) => all + text.length, 0), 0);
}

/** The places of words after the page was turned counter-clockwise about its middle. */
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
