// Whether letters are still the letters they were. Measures of likeness pass an e whose bar is gone, for the bar is a few
// pixels of a page: so each thin stroke, and each thin gap between strokes, is looked for where it was.
import { byteAt } from '../../syntax/arrays.ts';
import type { Grey } from './ink.ts';

export interface Shown {
  readonly pixels: Uint8Array;
  /** 1 where there is ink, which is darker than what is around it. */
  readonly mask: Uint8Array;
}

/** A stroke or gap is this much darker or lighter than both of its sides: grain and the waves of a JPEG are less. */
const LEAST = 28;
/** It is gone where so much of that is, in all pixels around. */
const GONE = 2 / 3;
/** A loss is visible from so many pixels on, at so many to the inch: half the bar of an e. */
const SEEN_INCH = 1 / 50;
const SEEN_LEAST = 3;

/** The distances to both sides at which strokes are looked for: hairlines, and strokes of twice their width. */
function reachesAt(dpi: number): readonly number[] {
  const reach = Math.max(2, Math.round(dpi / 150));
  return [reach, 2 * reach];
}

export function keepsStrokes({ pixels: before, width, height }: Grey, after: Shown, dpi: number): boolean {
  const lost = new Uint8Array(before.length);
  for (const reach of reachesAt(dpi)) {
    const down = reach * width;
    for (let y = reach; y < height - reach; y++)
      for (let i = y * width + reach, to = (y + 1) * width - reach; i < to; i++) {
        const value = byteAt(before, i);
        const left = byteAt(before, i - reach);
        const right = byteAt(before, i + reach);
        const over = byteAt(before, i - down);
        const under = byteAt(before, i + down);
        const depth = Math.max(Math.min(left, right), Math.min(over, under)) - value;
        const rise = value - Math.min(Math.max(left, right), Math.max(over, under));
        if (depth >= LEAST && !isDark(after, i, width, value + depth * GONE)) lost[i] = STROKE;
        else if (rise >= LEAST && !isLight(after, i, width, value - rise * GONE)) lost[i] = GAP;
      }
  }
  return !hasPatch(lost, width, Math.max(SEEN_LEAST, Math.round(dpi * SEEN_INCH)));
}

const STROKE = 1;
const GAP = 2;

/** Whether the pixel, or one around it, is ink or ground that is dark enough. */
function isDark({ pixels, mask }: Shown, at: number, width: number, limit: number): boolean {
  for (let row = at - width; row <= at + width; row += width)
    for (let i = row - 1; i <= row + 1; i++) if (mask[i] === 1 || byteAt(pixels, i) <= limit) return true;
  return false;
}

/** Whether the pixel, or one around it, is ground and light enough. */
function isLight({ pixels, mask }: Shown, at: number, width: number, limit: number): boolean {
  for (let row = at - width; row <= at + width; row += width)
    for (let i = row - 1; i <= row + 1; i++) if (mask[i] === 0 && byteAt(pixels, i) >= limit) return true;
  return false;
}

/** Whether so many pixels of one kind touch each other. */
function hasPatch(lost: Uint8Array, width: number, least: number): boolean {
  for (let at = 0; at < lost.length; at++) {
    const kind = byteAt(lost, at);
    if (kind === 0) continue;
    lost[at] = 0;
    const patch = [at];
    for (let next = 0; next < patch.length; next++)
      for (let row = -1; row <= 1; row++)
        for (let i = patch[next]! + row * width - 1, to = i + 2; i <= to; i++)
          if (lost[i] === kind) {
            lost[i] = 0;
            patch.push(i);
          }
    if (patch.length >= least) return true;
  }
  return false;
}
