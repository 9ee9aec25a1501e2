import type { Box, PageSpace } from '../../page/space.ts';
import type { RgbDrawing } from './page-probe.ts';

/** Levels by which a channel of one colour may differ: drawings are antialiased. */
const SAME = 12;
/** The part of a region's pixels that neighbours may reach into. */
const MOST_STRAY = 0.1;

/** The size in pixels of a page at a resolution, with at most `most` pixels. */
export function sizeAt({ width, height }: PageSpace, dpi: number, most = 16_000_000) {
  const scale = Math.min(dpi / 72, Math.sqrt(most / (width * height)));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** Visits the whole pixels inside a box, by their places in the samples. Returns their number. */
function visit(drawing: RgbDrawing, { x, y, w, h }: Box, look: (at: number) => void): number {
  const { width, height } = drawing;
  const [x0, x1] = [Math.max(0, Math.ceil(x * width) + 1), Math.min(width, Math.floor((x + w) * width) - 1)];
  const [y0, y1] = [Math.max(0, Math.ceil(y * height) + 1), Math.min(height, Math.floor((y + h) * height) - 1)];
  for (let row = y0; row < y1; row++) for (let at = row * width + x0; at < row * width + x1; at++) look(at * 3);
  return Math.max(0, x1 - x0) * Math.max(0, y1 - y0);
}

/** Whether nearly all pixels in a box have one colour. */
export function isPlain(drawing: RgbDrawing, box: Box, mostStray = MOST_STRAY): boolean {
  const { rgb } = drawing;
  const counts = new Map<number, number>();
  const total = visit(drawing, box, (at) => {
    const key = (rgb[at]! >> 3) * 1024 + (rgb[at + 1]! >> 3) * 32 + (rgb[at + 2]! >> 3);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  });
  return total === 0 || Math.max(...counts.values()) >= total * (1 - mostStray);
}

/** The part of a box's pixels that have a colour. */
export function filledPart(drawing: RgbDrawing, box: Box, [r, g, b]: readonly [number, number, number]): number {
  let same = 0;
  const total = visit(drawing, box, (at) => {
    if ([r, g, b].every((value, channel) => Math.abs(drawing.rgb[at + channel]! - value * 255) <= SAME)) same++;
  });
  return total === 0 ? 1 : same / total;
}

/** Text with less contrast than this, in levels, is illegible. */
const LEAST_CONTRAST = 24;

/** Whether a box of a drawn page has visible content. */
export function hasContrast({ width, height, rgb }: RgbDrawing, { x, y, w, h }: Box): boolean {
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
