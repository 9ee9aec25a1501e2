// Cuts a document at empty pages, which the operator of a scanner puts between documents. They are left out.
import { closing } from '../contract/base/closing.ts';
import { Failure } from '../contract/base/failure.ts';
import type { ByteSource, Context, PageDrawer } from '../contract/base/ports.ts';
import type { PageSpan } from '../contract/field.ts';
import type { Source } from '../pdf/file/read/source.ts';
import { openDrawer } from '../pdf/render/drawer.ts';
import { pagesWithText } from './words/pages-with-text.ts';

/** The longer side of the picture in which a page is judged, in pixels: dust vanishes, letters still show as grey. */
const SIDE = 400;
/** Darker pixels count as ink (0 is black, 255 white): scanned paper is not pure white. */
const DARK = 160;
/** Share of dark pixels on an empty page, from dust and the shadow of a staple; a line of text has ten times as much. */
const MOST_DARK = 0.0005;
/** Share of each side that is ignored: the scanner's edge casts shadows. */
const EDGE = 0.03;

export async function cutAtBlank(file: ByteSource, source: Source, ctx: Context): Promise<PageSpan[]> {
  const blank = await blankPages(file, source, ctx);
  const spans: PageSpan[] = [];
  let from = 1;
  const count = source.tree.pages.length;
  for (const page of [...blank, count + 1]) {
    if (page > from) spans.push([from, page - 1]);
    from = page + 1;
  }
  if (spans.length > 0) return spans;
  throw new Failure('unprocessable', `${source.file.name} has only empty pages`);
}

/** Pages without ink and without text, from 1, in rising order. */
async function blankPages(file: ByteSource, source: Source, ctx: Context): Promise<number[]> {
  const total = source.tree.pages.length;
  using drawer = closing(await openDrawer(source, file, ctx));
  const clear: number[] = [];
  for (let page = 1; page <= total; page++) {
    ctx.signal.throwIfAborted();
    ctx.progress({ phase: 'look', done: page - 1, total, unit: 'pages' });
    if (await isClear(drawer, page)) clear.push(page);
  }
  if (clear.length === 0) return clear;
  // A page with only its number has hardly more ink than dust has.
  const worded = await pagesWithText(file, ctx, true);
  return clear.filter((page) => !worded.has(page));
}

async function isClear(drawer: PageDrawer, page: number): Promise<boolean> {
  const size = await drawer.size(page);
  const scale = SIDE / Math.max(size.width, size.height);
  const pixelsOf = (side: number) => Math.max(1, Math.round(side * scale));
  const [width, height] = [pixelsOf(size.width), pixelsOf(size.height)];
  const drawn = await drawer.draw({ page, width, height, colours: 'gray' });
  const [left, top] = [Math.floor(drawn.width * EDGE), Math.floor(drawn.height * EDGE)];
  let dark = 0;
  for (let y = top; y < drawn.height - top; y++) {
    for (let x = left; x < drawn.width - left; x++) {
      if ((drawn.pixels[(y * drawn.width + x) * drawn.channels] ?? 0) < DARK) dark += 1;
    }
  }
  return dark <= MOST_DARK * drawn.width * drawn.height;
}
