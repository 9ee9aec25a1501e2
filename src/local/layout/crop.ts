import { closing } from '../../contract/base/closing.ts';
import { Failure } from '../../contract/base/failure.ts';
import type { Context, PageDrawer } from '../../contract/base/ports.ts';
import type { CompleteInputOf } from '../../contract/operation.ts';
import type { crop } from '../../contract/operations/pages/layout.ts';
import { cropped } from '../../pdf/edit/layout/crop.ts';
import { rewrite } from '../../pdf/file/copy/rewrite.ts';
import type { Source } from '../../pdf/file/open.ts';
import type { Rect } from '../../pdf/page/geometry.ts';
import { askedPages } from '../../pdf/page/page-names.ts';
import { openDrawer } from '../../pdf/render/drawer.ts';
import type { Handler } from '../frame/handler.ts';
import { writePdf } from '../frame/write-pdf.ts';

/** Pixels per point of the picture in which white margins are searched, and its longest side. */
const SCALE = 2;
const MOST_SIDE = 4000;
/** Lighter shades of grey count as white. */
const WHITE = 250;

export const run: Handler<typeof crop> = (input, ctx) => {
  const { file, margin, auto } = input;
  const { left = margin, right = margin, top = margin, bottom = margin } = input;
  return writePdf([file], 'cropped.pdf', ctx, async ({ source, total, draft, temp, pace, id }) => {
    const chosen = new Set(askedPages(file.name, total, input.pages));
    const ink = auto ? await inkOf(source, file, [...chosen], { ...ctx, temp }) : undefined;
    const description = JSON.stringify([left, right, top, bottom, auto, [...chosen]]);
    let number = 0;
    await rewrite(source, draft, id(`crop ${description}`), pace, (page) => {
      number += 1;
      if (!chosen.has(number)) return new Map();
      return cropped(source.file, page, ({ width, height }): Rect => {
        if (ink !== undefined) return around(ink.get(number), margin, width, height);
        const part = { x0: left, y0: bottom, x1: width - right, y1: height - top };
        if (part.x1 - part.x0 >= 1 && part.y1 - part.y0 >= 1) return part;
        const size = `${Math.round(width)} by ${Math.round(height)} points`;
        throw new Failure('usage', `${file.name}: nothing would be left of page ${number}, which has ${size}`);
      });
    });
    return { warnings: [`${file.name}: what was cut off is hidden and still in the file; redact removes it`] };
  });
};

/** A page that is all white stays as it is. */
function around(ink: Rect | undefined, margin: number, width: number, height: number): Rect {
  if (ink === undefined) return { x0: 0, y0: 0, x1: width, y1: height };
  return {
    x0: Math.max(0, ink.x0 * width - margin),
    y0: Math.max(0, ink.y0 * height - margin),
    x1: Math.min(width, ink.x1 * width + margin),
    y1: Math.min(height, ink.y1 * height + margin),
  };
}

/** The area with ink on each page, in fractions of its width and height from the bottom left. */
async function inkOf(
  source: Source,
  file: CompleteInputOf<typeof crop>['file'],
  pages: readonly number[],
  ctx: Context,
): Promise<ReadonlyMap<number, Rect>> {
  using drawer = closing(await openDrawer(source, file, ctx));
  const boxes = new Map<number, Rect>();
  for (const [done, page] of pages.entries()) {
    ctx.signal.throwIfAborted();
    ctx.progress({ phase: 'look', done, total: pages.length, unit: 'pages' });
    const ink = await inkOn(drawer, page);
    if (ink !== undefined) boxes.set(page, ink);
  }
  return boxes;
}

async function inkOn(drawer: PageDrawer, page: number): Promise<Rect | undefined> {
  const size = await drawer.size(page);
  const scale = Math.min(SCALE, MOST_SIDE / Math.max(size.width, size.height));
  const pixelsOf = (side: number) => Math.max(1, Math.round(side * scale));
  const [width, height] = [pixelsOf(size.width), pixelsOf(size.height)];
  const { pixels } = await drawer.draw({ page, width, height, colours: 'gray' });
  let [x0, y0, x1, y1] = [width, height, -1, -1];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (pixels[y * width + x]! >= WHITE) continue;
      if (x < x0) x0 = x;
      if (x > x1) x1 = x;
      if (y < y0) y0 = y;
      y1 = y;
    }
  }
  if (x1 < 0) return undefined;
  return { x0: x0 / width, y0: 1 - (y1 + 1) / height, x1: (x1 + 1) / width, y1: 1 - y0 / height };
}
