// Finds the ink of a scanned page: text and line art, which are darker than the ground with few shades between the two.
// Photographs have all tones and are none of it.
import { byteAt } from '../../syntax/arrays.ts';
import { grown } from './layer.ts';

/** Samples of 8 bits, one a pixel. */
export interface Grey {
  readonly pixels: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** A byte a pixel, 1 where there is ink, and how many pixels that are. */
export interface Ink {
  readonly mask: Uint8Array;
  /** The same for what is darkest of it, which tells its colour. */
  readonly core: Uint8Array;
  readonly count: number;
}

/** Cells to the inch; light and dark are looked for in a cell and those around it, an eighth of an inch. */
const CELLS_PER_INCH = 25;
/** Less than this from dark to light is paper, its grain and its shadows. */
const CONTRAST = 44;
/** Ink is what is darker than this part of the way from dark to light: of thin strokes a lens leaves no more. */
const MIDDLE = 0.62;
const CORE = 0.42;
/**
 * Hairlines, such as the bar of an e, are fainter: they are ink up to this part of the way where both sides of them are
 * lighter by so much of the contrast.
 */
const FAINT = 0.84;
const VALLEY = 0.08;
const BLOCK = 4;
/** Pixels this near to where ink begins are neither ink nor ground, and tell nothing of either. */
export const EDGE = 2;
/** In ink and in ground, away from edges, samples differ by less than this part of the contrast, or than grain does. */
const EVEN = 0.11;
const GRAIN = 11;
/** Fewer pixels of a block are no evidence. */
const LEAST_SEEN = 24;
/**
 * A photograph has a block with more such pixels in the nine around it; crossing lines of two inks have not. A block
 * beside it with so many counts as photograph too.
 */
const INNER = 6;
const MANY = 5;
/**
 * Pages with a larger share of their blocks in photographs stay as they are. Bands of so many blocks tell, in a quarter
 * of the 1.3 s that separating a page of 4 million pixels takes.
 */
const MOST_PHOTOGRAPH = 0.75;
const BAND = 4;
const BANDS = [1 / 4, 1 / 2, 3 / 4] as const;

/** Whether the page is a photograph, with hardly more than a caption beside it. */
export function isPhotograph({ pixels, width, height }: Grey, dpi: number): boolean {
  const high = Math.min(height, BAND * BLOCK * cellAt(dpi));
  return BANDS.every((part) => {
    const from = Math.floor((height - high) * part) * width;
    const band = { pixels: pixels.subarray(from, from + high * width), width, height: high };
    return candidates(band, dpi).photographs > MOST_PHOTOGRAPH;
  });
}

export function findInk(grey: Grey, dpi: number): Ink {
  const { mask, core } = candidates(grey, dpi);
  const count = withoutSpecks(mask, grey.width, grey.height);
  for (let i = 0; i < core.length; i++) core[i]! &= byteAt(mask, i);
  return { mask, core, count };
}

function cellAt(dpi: number): number {
  return Math.max(4, Math.round(dpi / CELLS_PER_INCH));
}

/** The pixels that are dark enough and not in a photograph; and the share of the page that photographs take. */
function candidates(grey: Grey, dpi: number): Omit<Ink, 'count'> & { readonly photographs: number } {
  const { pixels, width, height } = grey;
  const cell = cellAt(dpi);
  const columns = Math.ceil(width / cell);
  const rows = Math.ceil(height / cell);
  const { limits, contrasts } = limitsOf(grey, cell, columns, rows);
  const mask = new Uint8Array(width * height);
  const core = new Uint8Array(width * height);
  const reach = Math.max(2, Math.round(dpi / 150));
  for (let y = 0; y < height; y++) {
    const row = Math.floor(y / cell) * columns;
    for (let column = 0; column < columns; column++) {
      const limit = byteAt(limits, row + column);
      if (limit === 0) continue;
      const to = y * width + Math.min(width, (column + 1) * cell);
      const deep = limit - byteAt(contrasts, row + column) * (MIDDLE - CORE);
      const faint = limit + byteAt(contrasts, row + column) * (FAINT - MIDDLE);
      const step = byteAt(contrasts, row + column) * VALLEY;
      for (let i = y * width + column * cell; i < to; i++) {
        const value = byteAt(pixels, i);
        if (value < limit) mask[i] = 1;
        else if (value < faint && isValley(pixels, i, value + step, reach, width)) mask[i] = 1;
        if (value <= deep) core[i] = 1;
      }
    }
  }
  return { mask, core, photographs: withoutPhotographs(mask, grey, { cell, columns, rows, contrasts }) };
}

/** Whether what lies `reach` pixels to both sides, or over and under, is lighter than `limit`. */
function isValley(pixels: Uint8Array, at: number, limit: number, reach: number, width: number): boolean {
  const down = reach * width;
  // Outside of the page nothing is lighter than anything.
  return (
    ((pixels[at - down] ?? 0) > limit && (pixels[at + down] ?? 0) > limit) ||
    ((pixels[at - reach] ?? 0) > limit && (pixels[at + reach] ?? 0) > limit)
  );
}

interface Cells {
  /** Pixels along the side of one. */
  readonly cell: number;
  readonly columns: number;
  readonly rows: number;
  /** From dark to light, in each and around it. */
  readonly contrasts: Uint8Array;
}

/**
 * Takes photographs out of the mask: there samples differ also away from dark edges. Returns their share of all blocks.
 */
function withoutPhotographs(mask: Uint8Array, { pixels, width, height }: Grey, cells: Cells): number {
  const { cell, columns, rows, contrasts } = cells;
  const across = Math.ceil(columns / BLOCK);
  const down = Math.ceil(rows / BLOCK);
  const side = cell * BLOCK;
  const outside = grown(mask, width, height, EDGE);
  const ground = new Uint8Array(mask.length);
  for (let i = 0; i < ground.length; i++) ground[i] = 1 - byteAt(mask, i);
  const inside = grown(ground, width, height, 1);
  const seen = new Uint8Array(across * down);
  for (let at = 0; at < seen.length; at++) {
    const [column, row] = [at % across, Math.floor(at / across)];
    let [n, sum, squares, inkN, inkSum, inkSquares] = [0, 0, 0, 0, 0, 0];
    for (let y = row * side; y < Math.min(height, (row + 1) * side); y++)
      for (let i = y * width + column * side, to = y * width + Math.min(width, (column + 1) * side); i < to; i++) {
        const value = byteAt(pixels, i);
        if (outside[i] === 0) {
          n += 1;
          sum += value;
          squares += value * value;
        } else if (inside[i] === 0) {
          inkN += 1;
          inkSum += value;
          inkSquares += value * value;
        }
      }
    let contrast = 0;
    for (let y = row * BLOCK; y < Math.min(rows, (row + 1) * BLOCK); y++)
      for (let x = column * BLOCK; x < Math.min(columns, (column + 1) * BLOCK); x++)
        contrast = Math.max(contrast, byteAt(contrasts, y * columns + x));
    if (contrast < CONTRAST) continue;
    const even = Math.max(GRAIN, contrast * EVEN) ** 2;
    seen[at] = Number(spread(n, sum, squares) > even || spread(inkN, inkSum, inkSquares) > even);
  }
  const count = (of: Uint8Array, places: readonly number[]) => places.reduce((sum, at) => sum + byteAt(of, at), 0);
  const inner = around(across, down, (places, own) => Number(seen[own] === 1 && count(seen, places) > INNER));
  const photo = around(across, down, (places, own) =>
    Number(count(inner, places) > 0 && (seen[own] === 1 || count(seen, places) >= MANY)),
  );
  for (let at = 0; at < photo.length; at++) {
    if (photo[at] === 0) continue;
    const left = (at % across) * side;
    const top = Math.floor(at / across) * side;
    for (let y = top; y < Math.min(height, top + side); y++)
      mask.fill(0, y * width + left, y * width + Math.min(width, left + side));
  }
  return photo.reduce((sum, each) => sum + each, 0) / photo.length;
}

/** The variance of so many samples; none where they are no evidence. */
function spread(n: number, sum: number, squares: number): number {
  return n < LEAST_SEEN ? 0 : squares / n - (sum / n) ** 2;
}

/** Below what a pixel of each cell is ink, 0 where there is none; and the contrasts. */
function limitsOf(
  { pixels, width, height }: Grey,
  cell: number,
  columns: number,
  rows: number,
): { readonly limits: Uint8Array; readonly contrasts: Uint8Array } {
  const dark = new Uint8Array(columns * rows).fill(255);
  const light = new Uint8Array(columns * rows);
  for (let y = 0; y < height; y++) {
    const row = Math.floor(y / cell) * columns;
    for (let column = 0; column < columns; column++) {
      let low = byteAt(dark, row + column);
      let high = byteAt(light, row + column);
      for (let i = y * width + column * cell, to = y * width + Math.min(width, (column + 1) * cell); i < to; i++) {
        const value = byteAt(pixels, i);
        if (value < low) low = value;
        if (value > high) high = value;
      }
      dark[row + column] = low;
      light[row + column] = high;
    }
  }
  const contrasts = new Uint8Array(columns * rows);
  const limits = around(columns, rows, (neighbours, own) => {
    let low = 255;
    let high = 0;
    for (const at of neighbours) {
      low = Math.min(low, byteAt(dark, at));
      high = Math.max(high, byteAt(light, at));
    }
    contrasts[own] = high - low;
    return high - low < CONTRAST ? 0 : Math.round(low + (high - low) * MIDDLE);
  });
  return { limits, contrasts };
}

/** A value for each place of a grid, from the places of the nine around it that there are. */
function around(columns: number, rows: number, value: (places: readonly number[], own: number) => number): Uint8Array {
  const out = new Uint8Array(columns * rows);
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      const places: number[] = [];
      for (let y = Math.max(0, row - 1); y <= Math.min(rows - 1, row + 1); y++)
        for (let x = Math.max(0, column - 1); x <= Math.min(columns - 1, column + 1); x++) places.push(y * columns + x);
      out[row * columns + column] = value(places, row * columns + column);
    }
  return out;
}

/** Takes out single pixels, which are grain, and counts the rest. */
function withoutSpecks(mask: Uint8Array, width: number, height: number): number {
  let count = 0;
  for (let y = 0; y < height; y++)
    for (let x = 0, at = y * width; x < width; x++, at++) {
      if (mask[at] === 0) continue;
      const beside = (x > 0 && mask[at - 1] === 1) || (x + 1 < width && mask[at + 1] === 1);
      const over = (y > 0 && mask[at - width] === 1) || (y + 1 < height && mask[at + width] === 1);
      if (beside || over) count += 1;
      else mask[at] = 0;
    }
  return count;
}

/** Rows as PDF has those of a stencil: 0 where there is ink. */
export function stencilOf(mask: Uint8Array, width: number, height: number): Uint8Array {
  const stride = (width + 7) >> 3;
  const rows = new Uint8Array(stride * height).fill(0xff);
  for (let y = 0; y < height; y++)
    for (let x = 0, at = y * width; x < width; x++, at++)
      if (mask[at] === 1) rows[y * stride + (x >> 3)]! &= ~(0x80 >> (x & 7));
  return rows;
}
