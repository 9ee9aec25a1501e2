// Makes a layer of a page: the marked pixels at a lower resolution, with the gaps filled from around.
import type { Bits } from './bits.ts';

/** Samples of 8 bits. */
export interface Samples {
  readonly pixels: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 3;
}

/** The mean of the `used` pixels over each pixel of the smaller layer. */
export function layerOf(
  { pixels, width, height, channels }: Samples,
  used: Bits,
  size: { readonly width: number; readonly height: number },
): { readonly layer: Samples; readonly counts: Int32Array } {
  const out = new Uint8Array(size.width * size.height * channels);
  const counts = new Int32Array(size.width * size.height);
  // For each column the number of pixels that count, then the sums of their samples.
  const each = channels + 1;
  const sums = new Int32Array(size.width * each);
  const columns = Int32Array.from({ length: width }, (_, x) => Math.floor((x * size.width) / width) * each);
  for (let y = 0; y < height; y++) {
    const row = Math.floor((y * size.height) / height) * size.width;
    for (let i = y * used.stride, start = 0; start < width; i++, start += 32) {
      let word = used.words[i]!;
      if (word === 0) continue;
      const end = Math.min(width, start + 32);
      for (let x = start, from = (y * width + x) * channels; x < end; x++, from += channels, word <<= 1) {
        // All ones where the pixel counts: no branches, in half of their time.
        const taken = word >> 31;
        const to = columns[x]!;
        sums[to]! -= taken;
        sums[to + 1]! += pixels[from]! & taken;
        if (channels === 1) continue;
        sums[to + 2]! += pixels[from + 1]! & taken;
        sums[to + 3]! += pixels[from + 2]! & taken;
      }
    }
    if (y + 1 < height && row === Math.floor(((y + 1) * size.height) / height) * size.width) continue;
    // Loops, as everywhere here: `from` and `map` take twenty times as long for millions of samples.
    for (let x = 0, at = 0, to = row * channels; x < size.width; x++) {
      const n = sums[at++]!;
      counts[row + x] = n;
      for (let k = 0; k < channels; k++, at++, to++) if (n > 0) out[to] = (sums[at]! / n + 0.5) | 0;
    }
    sums.fill(0);
  }
  const layer = { pixels: out, ...size, channels };
  fill(layer, counts);
  return { layer, counts };
}

/** Gives pixels of no weight the colour of their surroundings, from ever coarser levels. */
function fill({ pixels, width, height, channels }: Samples, weights: Uint8Array | Int32Array): void {
  if (!weights.includes(0)) return;
  if (width === 1 && height === 1) {
    pixels.fill(255);
    return;
  }
  const across = (width + 1) >> 1;
  const down = (height + 1) >> 1;
  const half = { pixels: new Uint8Array(across * down * channels), width: across, height: down, channels };
  const known = new Uint8Array(across * down);
  for (let y = 0, to = 0; y < down; y++)
    for (let x = 0; x < across; x++, to++) {
      const first = 2 * y * width + 2 * x;
      const right = 2 * x + 1 < width ? 1 : 0;
      const below = 2 * y + 1 < height ? width : 0;
      const a = weights[first] === 0 ? 0 : 1;
      const b = right === 0 || weights[first + right] === 0 ? 0 : 1;
      const c = below === 0 || weights[first + below] === 0 ? 0 : 1;
      const d = right === 0 || below === 0 || weights[first + below + right] === 0 ? 0 : 1;
      const n = a + b + c + d;
      if (n === 0) continue;
      known[to] = 1;
      for (let k = 0; k < channels; k++) {
        const at = first * channels + k;
        const side = at + right * channels;
        const next = below * channels;
        const sum = a * pixels[at]! + b * pixels[side]! + c * pixels[at + next]! + d * pixels[side + next]!;
        half.pixels[to * channels + k] = (sum / n + 0.5) | 0;
      }
    }
  fill(half, known);
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at++) {
      if (weights[at] !== 0) continue;
      const from = (y >> 1) * across + (x >> 1);
      for (let k = 0; k < channels; k++) pixels[at * channels + k] = half.pixels[from * channels + k]!;
    }
}

/** Samples of a smaller picture at the pixels of a larger one: the nearest, or interpolated between four. */
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
    const { places, parts } = columns;
    for (let y = 0, to = 0; y < size.height; y++) {
      const above = rows.places[y]! * width;
      const part = rows.parts[y]!;
      const below = part === 0 ? above : above + width;
      for (let x = 0; x < width; x++) line[x] = pixels[above + x]! * (1 - part) + pixels[below + x]! * part + 0.5;
      // Whole numbers are stored in half of the time.
      if (way === 'nearest') for (let x = 0; x < size.width; x++, to++) out[to] = line[places[x]!]! | 0;
      else
        for (let x = 0; x < size.width; x++, to++) {
          const column = places[x]!;
          const before = line[column]!;
          out[to] = (before + (line[column + 1]! - before) * parts[x]!) | 0;
        }
    }
    return out;
  };
  return { at, whole };
}

/** For each place of a larger row the place in the smaller row, and the weight of the next one. */
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
