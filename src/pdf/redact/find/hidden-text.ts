import { contains, grown, meets, type Rect } from '../../page/geometry.ts';
import type { Box } from '../../page/space.ts';
import type { Findings, HiddenBy } from '../content/page-edit.ts';
import type { Drawing } from './page-probe.ts';

export interface HiddenPlace {
  readonly box: Rect;
  readonly why: HiddenBy;
}

/** An edge of a cover may leave so much of a glyph's box out, in points: boxes of glyphs are larger than glyphs. */
const SLACK = 1.5;
/** More covers than a page of a document has; those that are drawn last count. */
const MOST_COVERS = 3_000;

/** Where there is text on a page that nobody sees: drawn invisibly, beside the page, or under something drawn later. */
export function hiddenPlaces({ hidden, shown, covers }: Findings): HiddenPlace[] {
  const places: HiddenPlace[] = [...hidden];
  const tops = covers.slice(-MOST_COVERS);
  for (const { box, at } of shown) {
    const over = tops.find((cover) => cover.at > at && contains(cover.box, box, SLACK));
    if (over !== undefined) places.push({ box, why: over.by });
  }
  return places;
}

export function isHidden(box: Rect, places: readonly HiddenPlace[]): boolean {
  return places.some((place) => meets(grown(box, -0.2), place.box) && centreIn(box, place.box));
}

function centreIn({ x0, y0, x1, y1 }: Rect, box: Rect): boolean {
  const [x, y] = [(x0 + x1) / 2, (y0 + y1) / 2];
  return x >= box.x0 && x <= box.x1 && y >= box.y0 && y <= box.y1;
}

/** Levels between the darkest and the lightest pixel: with less nobody can read. */
const LEAST_CONTRAST = 24;

/** Whether there is something to be seen in a box of a drawn page. */
export function hasContrast({ width, height, rgb }: Drawing, { x, y, w, h }: Box): boolean {
  const [x0, x1] = [Math.max(0, Math.floor(x * width)), Math.min(width, Math.ceil((x + w) * width))];
  const [y0, y1] = [Math.max(0, Math.floor(y * height)), Math.min(height, Math.ceil((y + h) * height))];
  const low = [255, 255, 255];
  const high = [0, 0, 0];
  for (let row = y0; row < y1; row++)
    for (let at = (row * width + x0) * 3; at < (row * width + x1) * 3; at++) {
      const value = rgb[at]!;
      const channel = at % 3;
      if (value < low[channel]!) low[channel] = value;
      if (value > high[channel]!) high[channel] = value;
    }
  return high.some((value, channel) => value - low[channel]! >= LEAST_CONTRAST);
}
