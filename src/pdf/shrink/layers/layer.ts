// Makes a layer of a page: the marked pixels at a lower resolution, the gaps between them filled from around.
import { byteAt } from '../../syntax/arrays.ts';

/** Samples of 8 bits. */
export interface Samples {
  readonly pixels: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 3;
}

/** The mean of the pixels that `used` (a byte a pixel) marks with `value`, over each pixel of the smaller layer. */
export function layerOf(
  { pixels, width, height, channels }: Samples,
  used: Uint8Array,
  value: 0 | 1,
  size: { readonly width: number; readonly height: number },
): { readonly layer: Samples; readonly counts: Uint32Array } {
  const count = size.width * size.height;
  const sums = new Float32Array(count * channels);
  const counts = new Uint32Array(count);
  const columns = Uint32Array.from({ length: width }, (_, x) => Math.floor((x * size.width) / width));
  for (let y = 0, at = 0; y < height; y++) {
    const row = Math.floor((y * size.height) / height) * size.width;
    for (let x = 0; x < width; x++, at++) {
      if (used[at] !== value) continue;
      const to = row + columns[x]!;
      counts[to]! += 1;
      if (channels === 1) sums[to]! += byteAt(pixels, at);
      else {
        sums[to * 3]! += byteAt(pixels, at * 3);
        sums[to * 3 + 1]! += byteAt(pixels, at * 3 + 1);
        sums[to * 3 + 2]! += byteAt(pixels, at * 3 + 2);
      }
    }
  }
  // Loops, as everywhere here: `from` and `map` take twenty times as long for millions of samples.
  const weights = new Uint8Array(count);
  for (let i = 0; i < count; i++) {
    const n = counts[i]!;
    if (n === 0) continue;
    weights[i] = 1;
    for (let at = i * channels; at < (i + 1) * channels; at++) sums[at] = sums[at]! / n;
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
    const n = byteAt(known, i);
    if (n <= 1) continue;
    for (let at = i * channels; at < (i + 1) * channels; at++) out[at] = out[at]! / n;
    known[i] = 1;
  }
  return { sums: out, weights: known, width: across, height: down };
}

/** The marked pixels and those at most `reach` to the side of and over them. */
export function grown(mask: Uint8Array, width: number, height: number, reach: number): Uint8Array {
  const wide = new Uint8Array(mask.length);
  for (let y = 0; y < height; y++) {
    const row = y * width;
    for (let x = 0; x < width; ) {
      if (mask[row + x] === 0) {
        x += 1;
        continue;
      }
      let end = x;
      while (end < width && mask[row + end] === 1) end += 1;
      wide.fill(1, row + Math.max(0, x - reach), row + Math.min(width, end + reach));
      x = end;
    }
  }
  const out = wide.slice();
  for (let shift = 1; shift <= reach; shift++) {
    const by = shift * width;
    for (let i = by; i < out.length; i++) if (wide[i - by] === 1) out[i] = 1;
    for (let i = 0; i < out.length - by; i++) if (wide[i + by] === 1) out[i] = 1;
  }
  return out;
}

/** Samples of a smaller picture where a larger one has its pixels: the nearest, or between the nearest four. */
export function enlarged(
  { pixels, width, height }: Omit<Samples, 'channels'>,
  size: { readonly width: number; readonly height: number },
  way: 'nearest' | 'between',
): Uint8Array {
  const out = new Uint8Array(size.width * size.height);
  const shift = way === 'between' ? 0.5 : 0;
  const columns = new Int32Array(size.width);
  const parts = new Float32Array(size.width);
  for (let x = 0; x < size.width; x++) {
    const place = Math.max(0, ((x + 0.5) * width) / size.width - shift);
    columns[x] = Math.min(width - 1, Math.floor(place));
    parts[x] = columns[x]! + 1 < width ? place - Math.floor(place) : 0;
  }
  for (let y = 0, at = 0; y < size.height; y++) {
    const place = Math.max(0, ((y + 0.5) * height) / size.height - shift);
    const row = Math.min(height - 1, Math.floor(place));
    const part = way === 'between' && row + 1 < height ? place - Math.floor(place) : 0;
    const above = row * width;
    const below = part === 0 ? above : above + width;
    if (way === 'nearest') {
      for (let x = 0; x < size.width; x++, at++) out[at] = byteAt(pixels, above + columns[x]!);
      continue;
    }
    for (let x = 0; x < size.width; x++, at++) {
      const column = columns[x]!;
      const q = parts[x]!;
      const next = q === 0 ? column : column + 1;
      const upper = byteAt(pixels, above + column) * (1 - q) + byteAt(pixels, above + next) * q;
      const lower = byteAt(pixels, below + column) * (1 - q) + byteAt(pixels, below + next) * q;
      out[at] = upper * (1 - part) + lower * part + 0.5;
    }
  }
  return out;
}
