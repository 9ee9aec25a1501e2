// Finds the ink of a scanned page: text and line art, which are darker than the ground with few shades between.
// Photographs have all tones and are not ink.
import { type Bits, clearBits, countSetBits, dilated, emptyBits, inverted, setBit, withoutSpecks } from './bits.ts';

/** Samples of 8 bits, one a pixel. */
export interface Grey {
  readonly pixels: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** The pixels of ink, and their number. */
export interface Ink {
  readonly mask: Bits;
  /** The darkest of them, which give its colour. */
  readonly core: Bits;
  readonly count: number;
  readonly cells: Cells;
}

/** Cells per inch; light and dark are measured in a cell and those around it, an eighth of an inch. */
const CELLS_PER_INCH = 25;
/** A smaller range from dark to light is paper, its grain and its shadows. */
const CONTRAST = 44;
/** Pixels darker than this part of the way from dark to light are ink: a lens leaves no more of thin strokes. */
const MIDDLE = 0.62;
const CORE = 0.42;
/**
 * Hairlines, such as the bar of an e, are fainter: they are ink up to this part of the way where both sides of them are
 * lighter by so much of the contrast.
 */
const FAINT = 0.84;
const VALLEY = 0.08;
const BLOCK = 4;
/** Pixels this near to an edge of ink count neither as ink nor as ground. */
export const EDGE = 2;
/** Away from edges, samples in ink and in ground differ by less than this part of the contrast, or than grain does. */
const EVEN = 0.11;
const GRAIN = 11;
/** Fewer pixels of a block allow no statement. */
const LEAST_SEEN = 24;
/**
 * A photograph has a block with more uneven blocks than this among the nine around it; crossing lines of two inks have
 * not. A block beside it with so many belongs to the photograph too.
 */
const INNER = 6;
const MANY = 5;
/**
 * Pages with a larger share of blocks in photographs are left unchanged. Three bands of so many blocks decide, in a
 * quarter of the 1.3 s that separating a page of 4 million pixels takes.
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
  const { mask: raw, core, cells } = candidates(grey, dpi);
  const mask = withoutSpecks(raw);
  for (let i = 0; i < core.words.length; i++) core.words[i]! &= mask.words[i]!;
  return { mask, core, count: countSetBits(mask), cells };
}

function cellAt(dpi: number): number {
  return Math.max(4, Math.round(dpi / CELLS_PER_INCH));
}

/** The pixels that are dark enough and not in a photograph; and the share of the page in photographs. */
function candidates(grey: Grey, dpi: number): Omit<Ink, 'count'> & { readonly photographs: number } {
  const { pixels, width, height } = grey;
  const cell = cellAt(dpi);
  const columns = Math.ceil(width / cell);
  const rows = Math.ceil(height / cell);
  const { limits, contrasts } = limitsOf(grey, cell, columns, rows);
  const mask = emptyBits(width, height);
  const core = emptyBits(width, height);
  const reach = Math.max(2, Math.round(dpi / 150));
  for (let y = 0; y < height; y++) {
    const row = Math.floor(y / cell) * columns;
    for (let column = 0; column < columns; column++) {
      const limit = limits[row + column]!;
      if (limit === 0) continue;
      const contrast = contrasts[row + column]!;
      const deep = limit - contrast * (MIDDLE - CORE);
      const faint = limit + contrast * (FAINT - MIDDLE);
      const step = contrast * VALLEY;
      const to = Math.min(width, (column + 1) * cell);
      for (let x = column * cell, i = y * width + x; x < to; x++, i++) {
        const value = pixels[i]!;
        if (value >= faint) continue;
        if (value < limit || isValley(pixels, i, value + step, reach, width)) setBit(mask, x, y);
        if (value <= deep) setBit(core, x, y);
      }
    }
  }
  const cells = { cell, columns, rows, contrasts };
  return { mask, core, cells, photographs: withoutPhotographs(mask, grey, cells) };
}

/** Whether the pixels `reach` away on both sides, or above and below, are lighter than `limit`. */
function isValley(pixels: Uint8Array, at: number, limit: number, reach: number, width: number): boolean {
  const down = reach * width;
  // Pixels outside the page count as dark.
  return (
    ((pixels[at - down] ?? 0) > limit && (pixels[at + down] ?? 0) > limit) ||
    ((pixels[at - reach] ?? 0) > limit && (pixels[at + reach] ?? 0) > limit)
  );
}

interface Cells {
  /** Pixels along the side of a cell. */
  readonly cell: number;
  readonly columns: number;
  readonly rows: number;
  /** The range from dark to light, in each cell and around it. */
  readonly contrasts: Uint8Array;
}

/** Removes photographs from the mask: there samples vary away from dark edges too. Returns their share of blocks. */
function withoutPhotographs(mask: Bits, { pixels, width, height }: Grey, cells: Cells): number {
  const { cell, columns, rows, contrasts } = cells;
  const across = Math.ceil(columns / BLOCK);
  const down = Math.ceil(rows / BLOCK);
  const side = cell * BLOCK;
  const outside = dilated(mask, EDGE).words;
  const inside = dilated(inverted(mask), 1).words;
  const seen = new Uint8Array(across * down);
  for (let at = 0; at < seen.length; at++) {
    const [column, row] = [at % across, Math.floor(at / across)];
    let contrast = 0;
    for (let y = row * BLOCK; y < Math.min(rows, (row + 1) * BLOCK); y++)
      for (let x = column * BLOCK; x < Math.min(columns, (column + 1) * BLOCK); x++)
        contrast = Math.max(contrast, contrasts[y * columns + x]!);
    if (contrast < CONTRAST) continue;
    let [n, sum, squares, inkN, inkSum, inkSquares] = [0, 0, 0, 0, 0, 0];
    const to = Math.min(width, (column + 1) * side);
    for (let y = row * side; y < Math.min(height, (row + 1) * side); y++)
      for (let x = column * side; x < to; x++) {
        const value = pixels[y * width + x]!;
        const word = y * mask.stride + (x >> 5);
        if (outside[word]! << (x & 31) >= 0) {
          n += 1;
          sum += value;
          squares += value * value;
        } else if (inside[word]! << (x & 31) >= 0) {
          inkN += 1;
          inkSum += value;
          inkSquares += value * value;
        }
      }
    const even = Math.max(GRAIN, contrast * EVEN) ** 2;
    seen[at] = Number(spread(n, sum, squares) > even || spread(inkN, inkSum, inkSquares) > even);
  }
  const add = (a: number, b: number) => a + b;
  const near = around(seen, across, down, add);
  const inner = around(
    seen.map((value, at) => Number(value === 1 && near[at]! > INNER)),
    across,
    down,
    add,
  );
  const photo = seen.map((value, at) => Number(inner[at]! > 0 && (value === 1 || near[at]! >= MANY)));
  for (const [at, is] of photo.entries()) {
    const [left, top] = [(at % across) * side, Math.floor(at / across) * side];
    for (let y = top; is === 1 && y < Math.min(height, top + side); y++)
      clearBits(mask, y, left, Math.min(width, left + side));
  }
  return photo.reduce(add, 0) / photo.length;
}

/** The variance of so many samples; 0 for too few. */
function spread(n: number, sum: number, squares: number): number {
  return n < LEAST_SEEN ? 0 : squares / n - (sum / n) ** 2;
}

/** The limit of ink for each cell, 0 where there is none; and the contrasts. */
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
      let low = dark[row + column]!;
      let high = light[row + column]!;
      for (let i = y * width + column * cell, to = y * width + Math.min(width, (column + 1) * cell); i < to; i++) {
        const value = pixels[i]!;
        if (value < low) low = value;
        if (value > high) high = value;
      }
      dark[row + column] = low;
      light[row + column] = high;
    }
  }
  const lows = around(dark, columns, rows, Math.min);
  const contrasts = around(light, columns, rows, Math.max).map((high, at) => high - lows[at]!);
  const limits = contrasts.map((contrast, at) => (contrast < CONTRAST ? 0 : Math.round(lows[at]! + contrast * MIDDLE)));
  return { limits, contrasts };
}

/** Combines each place of a grid with those around it, up to nine. */
function around(
  grid: Uint8Array,
  columns: number,
  rows: number,
  together: (a: number, b: number) => number,
): Uint8Array {
  const threes = grid.map((value, at) => {
    const x = at % columns;
    const left = x === 0 ? value : together(value, grid[at - 1]!);
    return x + 1 === columns ? left : together(left, grid[at + 1]!);
  });
  return threes.map((value, at) => {
    const over = at < columns ? value : together(value, threes[at - columns]!);
    return at + columns >= rows * columns ? over : together(over, threes[at + columns]!);
  });
}
