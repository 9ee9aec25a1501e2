/**
 * Adds recognised words to pages as invisible text, for `ocr` and for operations with --ocr.
 *
 * Each page is drawn at 300 dpi and recognised as it lies. Where the confidence is low, it is recognised again in the orientation
 * that tesseract names, or in all others, and the best reading counts; where its lines slope, once more straightened. Words are
 * mapped back to points of the page and appended to a copy of the file in an incremental update. Pages are recognised side by
 * side and written in order. The cost is one run of tesseract for an upright page, up to five for others.
 */
import { closing } from '../../contract/base/closing.ts';
import { Failure } from '../../contract/base/failure.ts';
import type { ByteSource, Context, Draft, PageDrawer, Temp } from '../../contract/base/ports.ts';
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

export interface OcrOptions {
  readonly language: string;
  readonly pages: readonly number[];
  readonly deskew?: 'text' | 'page' | undefined;
  /** Whether to turn pages that lie on their side or upside down, where that is certain. */
  readonly upright?: boolean;
  /** New content for a page; undefined where its content stays. */
  readonly contents?: (page: number) => Uint8Array | undefined;
  /** Called in page order with the words of each page. `size`: of the page, in the same points as the words. */
  readonly onWords?: (
    page: number,
    lines: readonly PlacedLine[],
    size: { readonly width: number; readonly height: number },
  ) => void;
}

/** The recognition language of operations without an option for it. */
export function ocrLanguage({ programs }: Pick<Context, 'programs'>): string {
  return programs?.setting('PDFTOOL_OCR_LANGUAGE') ?? 'eng';
}

interface Layered {
  readonly draft: Draft;
  readonly by: string;
  /** Whether the draft begins with the bytes of the input. */
  readonly appended: boolean;
  readonly read: readonly number[];
  readonly turned: readonly number[];
}

/** Resolution for recognition: tesseract is made for 300 dpi. */
const DPI = 300;
const POINTS = 72;
/** Most pixels of a page, and of its longer side: larger pages are recognised at a lower resolution. */
const MOST_PIXELS = 40_000_000;
const MOST_SIDE = 32_000;
/** Below this confidence a page may be turned. */
const DOUBTFUL = 70;

/** Appends recognised words to these pages. The caller finishes the draft. */
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
  using drawer = closing(await openDrawer(source, input, { ...ctx, temp }));
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
  const atOnce = ctx.programs?.processors ?? 1;
  for await (const [number, { lines, quarters, size }] of inOrder(options.pages, atOnce, work)) {
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
    options.onWords?.(number, straight, size);
    done += 1;
    ctx.progress({ phase: 'read', done, total: options.pages.length, unit: 'pages' });
    await pace.yield();
  }
  await update.close(documentId([source], `ocr ${options.language} ${options.deskew ?? ''}`));
  return { draft, appended: ground === source, by: `${recogniser.name}, ${options.language}`, read, turned };
}

/** Rewrites files to which nothing can be appended: encrypted or damaged ones, and those whose pages share an object. */
async function soundCopy(source: Source, ctx: Context): Promise<Source> {
  const draft = ctx.temp.create('ground.pdf');
  await rewrite(source, draft, documentId([source], 'ocr'), new Pace(ctx), () => new Map());
  return openSource(draft.finish(), {});
}

interface ToRead {
  /** The name of the document. */
  readonly name: string;
  readonly page: number;
  /** In points. */
  readonly size: { readonly width: number; readonly height: number };
}

interface ReadPage {
  readonly lines: readonly PlacedLine[];
  /** Clockwise quarter turns that make the page upright. Lines are placed on the page as turned by them. */
  readonly quarters: number;
  /** The size of the page after these turns, in points. */
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
    throw error.with({ wording: `${name}: page ${page}: ${error.message}`, cause: error });
  };
  const upright = await readUpright(picture, recogniser).catch(told);
  const { lines, quarters } = upright;
  if (quarters > 0) ctx.detail(`page ${page} is read turned by ${90 * quarters} degrees`);
  const isSure = mayTurn && confidenceOf(lines) >= DOUBTFUL && lettersOf(lines) >= ENOUGH_LETTERS;
  const kept = isSure ? quarters : 0;
  const size = kept % 2 === 0 ? shown : { width: shown.height, height: shown.width };
  // Where the page itself is not turned, words are turned back onto it.
  const back = quarters - kept;
  const result = (all: readonly PlacedLine[]): ReadPage => ({ lines: all, quarters: kept, size });
  const placed = placeLines(lines, upright.seen, back, size);
  const fall = fallOf(lines);
  if (Math.abs(fall) < LEAST_FALL || Math.abs(fall) > MOST_FALL) return result(placed);
  // tesseract skips slanted lines: at 2 degrees up to half of them.
  const straight = turnedBy(turnedPicture(picture, quarters), fall);
  const again = await recogniser.recognise(straight).catch(told);
  if (worth(again) <= worth(lines)) return result(placed);
  ctx.detail(`page ${page} is read straightened by ${((fall * 180) / Math.PI).toFixed(1)} degrees`);
  return result(turnedBack(placeLines(again, straight, back, size), -fall, size));
}

/** Letters required to trust an orientation: a page number alone reads just as well upside down. */
const ENOUGH_LETTERS = 40;

/** Slants in radians: below a third of a degree they do no harm; above 15 degrees they do not come from a scanner. */
const LEAST_FALL = 0.006;
const MOST_FALL = 0.26;

/** Whether all pixels have one shade. */
function isBlank({ pixels }: GreyPicture): boolean {
  const [first] = pixels;
  return pixels.every((pixel) => pixel === first);
}

/**
 * Recognises a picture as it lies. Where that gives little, it is turned as the recogniser suggests, or in every
 * direction as a trial. Where the page is probably turned, the recogniser is asked first: that takes less time than
 * reading a page sideways.
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

/** The boxes of words, turned counter-clockwise about the middle of the page. */
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
