import { Failure } from '../contract/base/failure.ts';
import type { ByteSource, Context, Draft, DrawnPage, PageDrawer } from '../contract/base/ports.ts';
import { pagesOf } from '../contract/base/wording.ts';
import { HTML } from '../contract/media.ts';
import type { CompleteInputOf } from '../contract/operation.ts';
import type { compare } from '../contract/operations/pages/compare.ts';
import { pixelDifferences } from '../pdf/compare/pixel-differences.ts';
import { REPORT_END, type ReportPage, reportHead, reportPage } from '../pdf/compare/report.ts';
import { type WordDifferences, wordDifferences } from '../pdf/compare/word-differences.ts';
import { type Source, withSources } from '../pdf/file/open.ts';
import { openDrawer } from '../pdf/render/drawer.ts';
import { PngWriter } from '../pdf/render/png-file.ts';
import { layOut } from '../pdf/text/layout/page-layout.ts';
import { plainText } from '../pdf/text/output/plain-text.ts';
import { readDocument } from '../pdf/text/read-document.ts';
import type { Handler } from './frame/handler.ts';
import { baseName } from './frame/names.ts';

const POINTS = 72;
/** Pixels of one page; larger pages are compared at a lower resolution. */
const MOST_PIXELS = 40_000_000;
/** Characters of both documents together: their text is held in memory. */
const MOST_TEXT = 256 * 1024 * 1024;
/** Pages with pictures in a report, and words listed for a page: browsers cannot show more. */
const MOST_SHOWN = 200;
const MOST_WORDS = 500;
/** Points by which sizes may differ through rounding. */
const SAME_SIZE = 0.5;

interface Difference extends WordDifferences {
  readonly page: number;
  /** What differs, such as `pixels 1.2 %`. */
  readonly what: string;
  readonly pixels?: number;
  readonly share?: number;
}

export const run: Handler<typeof compare> = (input, ctx) => {
  const { file: given, text, html } = input;
  const [one, other] = given;
  if (one === undefined || other === undefined || given.length > 2) {
    throw new Failure('usage', `compare takes two files, found ${given.length}`);
  }
  return withSources(given, ctx, async (sources, temp) => {
    const counts = sources.map(({ tree }) => tree.pages.length) as [number, number];
    const texts = await textsOf([one, other], { ...ctx, temp });
    const report = html === undefined ? undefined : temp.create('comparison.html');
    const { differences, comparePage } = comparing(input, texts, report);
    const drawers: PageDrawer[] = [];
    try {
      if (!text)
        for (const [i, input] of [one, other].entries()) {
          const source = sources[i];
          if (source !== undefined) drawers.push(await openDrawer(source, input, { ...ctx, temp }));
        }
      const total = Math.max(...counts);
      for (let page = 1; page <= total; page++) {
        ctx.signal.throwIfAborted();
        ctx.progress({ phase: 'compare', done: page - 1, total, unit: 'pages' });
        await comparePage(page, counts, drawers);
      }
    } finally {
      for (const drawer of drawers) drawer.close();
    }
    const summary = summaryOf(sources, counts, differences);
    const record = { ok: true, same: differences.length === 0, pages: counts, differences, summary };
    if (report === undefined) return { kind: 'record', record };
    // The line at the top of the report is known only at the end.
    const body = temp.create('report.html');
    body.write(Buffer.from(reportHead(baseName(one.name), baseName(other.name), summary.split('\n')[0] ?? '')));
    const pages = report.finish();
    for await (const piece of pages.open(ctx.signal)) body.write(piece);
    body.write(Buffer.from(REPORT_END));
    return { kind: 'record', record, also: [{ field: 'html', body: body.finish(), mediaType: HTML }] };
  });
};

async function textsOf(
  files: readonly [ByteSource, ByteSource],
  ctx: Context,
): Promise<readonly (readonly string[])[]> {
  let left = MOST_TEXT;
  const all: string[][] = [];
  for (const file of files) {
    const pages: string[] = [];
    await readDocument(file, ctx, (content) => {
      const page = plainText(layOut(content));
      left -= page.length;
      if (left < 0) throw new Failure('unprocessable', `${file.name} has too much text to compare`, { kind: 'limit' });
      pages.push(page);
    });
    all.push(pages);
  }
  return all;
}

/** Compares page by page, and writes the report. */
function comparing(
  { file, dpi, tolerance }: CompleteInputOf<typeof compare>,
  texts: readonly (readonly string[])[],
  report: Draft | undefined,
) {
  const differences: Difference[] = [];
  const names = file.map(({ name }) => baseName(name));
  async function comparePage(
    page: number,
    counts: readonly [number, number],
    drawers: readonly PageDrawer[],
  ): Promise<void> {
    const there = counts.map((count) => page <= count);
    const [before = '', after = ''] = texts.map((pages) => pages[page - 1] ?? '');
    const words = wordDifferences(before, after);
    const drawn = await Promise.all(drawers.map((drawer, i) => (there[i] ? draw(drawer, page, dpi) : undefined)));
    const [first, second] = drawn;
    const reasons: string[] = [];
    const alone = there.indexOf(false);
    if (alone >= 0) reasons.push(`only in ${names[1 - alone]}`);
    let compared: ReturnType<typeof pixelDifferences> | undefined;
    let share: number | undefined;
    if (first !== undefined && second !== undefined) {
      const apart = Math.max(
        Math.abs(first.points[0] - second.points[0]),
        Math.abs(first.points[1] - second.points[1]),
      );
      if (apart > SAME_SIZE) reasons.push(`size ${sizeOf(first)}, then ${sizeOf(second)}`);
      else {
        compared = pixelDifferences(first.picture, second.picture, tolerance);
        share = compared.count / (first.picture.width * first.picture.height);
        const percent = share < 0.0001 ? 'below 0.01 %' : `${(share * 100).toFixed(2)} %`;
        if (compared.count > 0) reasons.push(`pixels ${percent}`);
      }
    }
    const { removed, added } = words;
    if (alone < 0 && removed.length + added.length > 0)
      reasons.push(`words ${removed.length} less, ${added.length} more`);
    if (reasons.length === 0) return;
    const pixels = compared === undefined ? {} : { pixels: compared.count, share: Number((share ?? 0).toFixed(6)) };
    const what = reasons.join('; ');
    const shown = { removed: removed.slice(0, MOST_WORDS), added: added.slice(0, MOST_WORDS) };
    differences.push({ page, what, ...pixels, ...shown });
    if (report === undefined) return;
    const few = differences.length <= MOST_SHOWN;
    const pictures = few ? [first?.picture, second?.picture, compared?.picture] : [];
    const entry: ReportPage = { page, what, ...shown, pictures: await Promise.all(pictures.map(pngOf)) };
    report.write(Buffer.from(reportPage(entry, names)));
  }
  return { differences, comparePage };
}

async function draw(drawer: PageDrawer, page: number, dpi: number) {
  const size = await drawer.size(page);
  const scale = Math.min(dpi / POINTS, Math.sqrt(MOST_PIXELS / (size.width * size.height)));
  // Sizes that differ only by rounding must give the same number of pixels.
  const [width, height] = [size.width, size.height].map((side) => Math.max(1, Math.round(Math.round(side) * scale)));
  const picture = await drawer.draw({ page, width: width ?? 1, height: height ?? 1, colours: 'rgb' });
  return { picture, points: [Math.round(size.width), Math.round(size.height)] as const };
}

function sizeOf({ points: [width, height] }: { readonly points: readonly [number, number] }): string {
  return `${width} by ${height} points`;
}

async function pngOf(picture: DrawnPage | undefined): Promise<Uint8Array | undefined> {
  if (picture === undefined) return undefined;
  const writer = new PngWriter(picture, POINTS);
  await writer.add(picture);
  return writer.finish();
}

function summaryOf(sources: readonly Source[], counts: readonly number[], differences: readonly Difference[]): string {
  const [one = '', other = ''] = sources.map(({ file }) => baseName(file.name));
  if (differences.length === 0) return `${one} and ${other} are the same: ${pagesOf(counts[0] ?? 0)}`;
  const most = Math.min(...counts);
  const lines = differences
    .filter(({ page }) => page <= most)
    .map(({ page, what, removed, added }) => {
      const words = [...removed.slice(0, 8).map((word) => `-${word}`), ...added.slice(0, 8).map((word) => `+${word}`)];
      return `page ${page}: ${what}${words.length === 0 ? '' : ` (${words.join(' ')})`}`;
    });
  // Extra pages of one file are one entry, however many they are.
  const last = differences.at(-1);
  if (last !== undefined && last.page > most) {
    lines.push(`${last.page === most + 1 ? 'page' : `pages ${most + 1} to`} ${last.page}: ${last.what}`);
  }
  const verb = differences.length === 1 ? 'differs' : 'differ';
  return [`${one} and ${other}: ${pagesOf(differences.length)} ${verb}`, ...lines].join('\n');
}
