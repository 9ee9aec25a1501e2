// Makes a layer of a page: the marked pixels at a lower resolution, the gaps between them filled from around.
import type { Bits } from './bits.ts';

/** Samples of 8 bits. */
export interface Samples {
  readonly pixels: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 3;
}

/** The mean of the pixels that `used` has, over each pixel of the smaller layer. */
export function layerOf(
  { pixels, width, height, channels }: Samples,
  used: Bits,
  size: { readonly width: number; readonly height: number },
): { readonly layer: Samples; readonly counts: Uint32Array } {
  const count = size.width * size.height;
  const totals = new Uint32Array(count * channels);
  const counts = new Uint32Array(count);
  const columns = Uint32Array.from({ length: width }, (_, x) => Math.floor((x * size.width) / width));
  for (let y = 0; y < height; y++) {
    const row = Math.floor((y * size.height) / height) * size.width;
    const line = y * width;
    for (let i = y * used.stride, start = 0; start < width; i++, start += 32) {
      let word = used.words[i]!;
      for (let x = start; word !== 0; x++, word <<= 1) {
        if (word > 0) continue;
        const to = row + columns[x]!;
        counts[to]! += 1;
        if (channels === 1) totals[to]! += pixels[line + x]!;
        else {
          const from = (line + x) * 3;
          totals[to * 3]! += pixels[from]!;
          totals[to * 3 + 1]! += pixels[from + 1]!;
          totals[to * 3 + 2]! += pixels[from + 2]!;
        }
      }
    }
  }
  // Loops, as everywhere here: `from` and `map` take twenty times as long for millions of samples.
  const sums = new Float32Array(totals.length);
  const weights = new Uint8Array(count);
  for (let i = 0; i < count; i++) {
    const n = counts[i]!;
    if (n === 0) continue;
    weights[i] = 1;
    for (let at = i * channels; at < (i + 1) * channels; at++) sums[at] = totals[at]! / n;
  }
  fill({ sums, weights, ...size }, channels);
  const out = new Uint8Array(sums.length);
  for (let i = 0; i < out.length; i++) out[i] = sums[i]! + 0.5;
  return { layer: { pixels: out, ...size, channels }, counts };
}

interface Level {
  readonly sums: Float32Array;
  readonly weights: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** Gives unknown pixels the colour of what is around them, from ever coarser levels. */
function fill(level: Level, channels: number): void {
  const { sums, weights, width, height } = level;
  if (!weights.includes(0)) return;
  if (width === 1 && height === 1) {
    if (weights[0] === 0) sums.fill(255);
    return;
  }
  const half = coarser(level, channels);
  fill(half, channels);
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at++) {
      if (weights[at] !== 0) continue;
      const from = (y >> 1) * half.width + (x >> 1);
      for (let k = 0; k < channels; k++) sums[at * channels + k] = half.sums[from * channels + k]!;
    }
}

function coarser({ sums, weights, width, height }: Level, channels: number): Level {
  const across = (width + 1) >> 1;
  const down = (height + 1) >> 1;
  const out = new Float32Array(across * down * channels);
  const known = new Uint8Array(across * down);
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at++) {
      if (weights[at] === 0) continue;
      const to = (y >> 1) * across + (x >> 1);
      known[to]! += 1;
      for (let k = 0; k < channels; k++) out[to * channels + k]! += sums[at * channels + k]!;
    }
  for (let i = 0; i < known.length; i++) {
    const n = known[i]!;
    if (n <= 1) continue;
    for (let at = i * channels; at < (i + 1) * channels; at++) out[at] = out[at]! / n;
    known[i] = 1;
  }
  return { sums: out, weights: known, width: across, height: down };
}

/** Samples of a smaller picture where a larger one has its pixels: the nearest, or between the nearest four. */
export interface Enlarged {
  at(x: number, y: number): number;
  whole(): Uint8Array;
}

export function enlarged(
  { pixels, width, height }: Omit<Samples, 'channels'>,
  size: { readonly width: number; readonly height: number },
  way: 'nearest' | 'between',
): Enlarged {
  const columns = placesIn(width, size.width, way);
  const rows = placesIn(height, size.height, way);
  const at = (x: number, y: number) => {
    const above = rows.places[y]! * width;
    const part = rows.parts[y]!;
    const below = part === 0 ? above : above + width;
    const column = columns.places[x]!;
    const q = columns.parts[x]!;
    const next = q === 0 ? column : column + 1;
    const upper = pixels[above + column]! * (1 - q) + pixels[above + next]! * q;
    const lower = pixels[below + column]! * (1 - q) + pixels[below + next]! * q;
    return Math.floor(upper * (1 - part) + lower * part + 0.5);
  };
  const whole = () => {
    const out = new Uint8Array(size.width * size.height);
    const line = new Float32Array(width + 1);
    for (let y = 0, to = 0; y < size.height; y++) {
      const above = rows.places[y]! * width;
      const part = rows.parts[y]!;
      const below = part === 0 ? above : above + width;
      for (let x = 0; x < width; x++) line[x] = pixels[above + x]! * (1 - part) + pixels[below + x]! * part + 0.5;
      if (way === 'nearest') for (let x = 0; x < size.width; x++, to++) out[to] = line[columns.places[x]!]!;
      else
        for (let x = 0; x < size.width; x++, to++) {
          const column = columns.places[x]!;
          const before = line[column]!;
          out[to] = before + (line[column + 1]! - before) * columns.parts[x]!;
        }
    }
    return out;
  };
  return { at, whole };
}

/** For each place of a larger row the one of a smaller row, and how much of the next one belongs to it. */
function placesIn(length: number, larger: number, way: 'nearest' | 'between') {
  const places = new Int32Array(larger);
  const parts = new Float32Array(larger);
  const shift = way === 'between' ? 0.5 : 0;
  for (let i = 0; i < larger; i++) {
    const place = Math.max(0, ((i + 0.5) * length) / larger - shift);
    places[i] = Math.min(length - 1, Math.floor(place));
    parts[i] = way === 'between' && places[i]! + 1 < length ? place - Math.floor(place) : 0;
  }
  return { places, parts };
}
