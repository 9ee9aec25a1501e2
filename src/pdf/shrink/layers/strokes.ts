// Checks that letters stay legible. Similarity ignores an e whose bar is gone, because the bar is a few pixels of a
// page: so each thin stroke, and each thin gap between strokes, is looked for where it was.
import { type Bits, dilated, hasBit } from './bits.ts';
import type { Grey, Ink } from './ink.ts';

/** Thin strokes and gaps of a page that its ink layer alone does not keep. */
export interface Strokes {
  readonly mask: Bits;
  readonly dpi: number;
  /** Packed numbers: a pixel times 512, its kind times 256, and how dark or light the ground must be there. */
  readonly wanted: readonly number[];
}

/** A stroke or gap is this much darker or lighter than both of its sides: grain and the waves of a JPEG are less. */
const LEAST = 28;
/** It is lost where this part of the difference is gone, in all pixels around. */
const GONE = 2 / 3;
/** A loss of so many inches is visible: half the bar of an e. */
const SEEN_INCH = 1 / 50;
const SEEN_LEAST = 3;

/** The distances to both sides at which strokes are looked for: hairlines, and strokes of twice their width. */
function reachesAt(dpi: number): readonly number[] {
  const reach = Math.max(2, Math.round(dpi / 150));
  return [reach, 2 * reach];
}

/** `mask`: the ink of the page, which is darker than its surroundings. */
export function findStrokes(
  { pixels, width, height }: Grey,
  { mask, cells }: Pick<Ink, 'mask' | 'cells'>,
  dpi: number,
): Strokes {
  const wanted: number[] = [];
  const around = dilated(mask, 1);
  const { cell, columns, contrasts } = cells;
  for (const reach of reachesAt(dpi)) {
    const down = reach * width;
    for (let y = reach; y < height - reach; y++)
      for (let column = 0; column < columns; column++) {
        // Both sides are in the cell and those around it, whose contrast this is.
        if ((contrasts[Math.floor(y / cell) * columns + column] ?? 0) < LEAST) continue;
        const to = Math.min(width - reach, (column + 1) * cell);
        for (let x = Math.max(reach, column * cell), i = y * width + x; x < to; x++, i++) {
          const value = pixels[i]!;
          const left = pixels[i - reach]!;
          const over = pixels[i - down]!;
          if ((left >= value + LEAST || over >= value + LEAST) && !hasBit(around, x, y)) {
            const depth = Math.max(Math.min(left, pixels[i + reach]!), Math.min(over, pixels[i + down]!)) - value;
            if (depth >= LEAST) wanted.push(i * 512 + Math.floor(value + depth * GONE));
          }
          if (left <= value - LEAST || over <= value - LEAST) {
            const rise = value - Math.min(Math.max(left, pixels[i + reach]!), Math.max(over, pixels[i + down]!));
            if (rise >= LEAST) wanted.push(i * 512 + GAP * 256 + Math.ceil(value - rise * GONE));
          }
        }
      }
  }
  return { mask, dpi, wanted };
}

/** Whether the strokes can be seen above a ground. */
export function keepsStrokes({ mask, dpi, wanted }: Strokes, ground: Ground): boolean {
  const { width } = mask;
  const lost = new Map<number, number>();
  for (const want of wanted) {
    const place = Math.floor(want / 512);
    const [x, y] = [place % width, Math.floor(place / width)];
    const [kind, limit] = [(want >> 8) & 1, want & 255];
    if (!(kind === GAP ? isLight(mask, ground, x, y, limit) : isDark(ground, x, y, limit))) lost.set(place, kind);
  }
  return !hasPatch(lost, width, Math.max(SEEN_LEAST, Math.round(dpi * SEEN_INCH)));
}

interface Ground {
  at(x: number, y: number): number;
}

/** The kind of a gap; that of a stroke is 0. */
const GAP = 1;

/** Whether the pixel or a neighbour is dark enough, where none of them is ink. */
function isDark(ground: Ground, x: number, y: number, limit: number): boolean {
  for (let row = y - 1; row <= y + 1; row++)
    for (let column = x - 1; column <= x + 1; column++) if (ground.at(column, row) <= limit) return true;
  return false;
}

/** Whether the pixel or a neighbour is ground and light enough. */
function isLight(mask: Bits, ground: Ground, x: number, y: number, limit: number): boolean {
  for (let row = y - 1; row <= y + 1; row++)
    for (let column = x - 1; column <= x + 1; column++)
      if (!hasBit(mask, column, row) && ground.at(column, row) >= limit) return true;
  return false;
}

/** Whether at least so many lost pixels of one kind touch. */
function hasPatch(lost: Map<number, number>, width: number, least: number): boolean {
  for (const [at, kind] of lost) {
    lost.delete(at);
    const patch = [at];
    for (let next = 0; next < patch.length; next++)
      for (let row = -1; row <= 1; row++)
        for (let i = patch[next]! + row * width - 1, to = i + 2; i <= to; i++)
          if (lost.get(i) === kind) {
            lost.delete(i);
            patch.push(i);
          }
    if (patch.length >= least) return true;
  }
  return false;
}
