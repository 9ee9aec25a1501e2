// Measures how similar two pictures look: structural similarity (Wang, Bovik, Sheikh, Simoncelli 2004) of their
// brightness, over blocks of 8 by 8 pixels.

const BLOCK = 8;
const STEP = 4;
const SUMS = 4;
const C1 = (0.01 * 255) ** 2;
const C2 = (0.03 * 255) ** 2;

/** 1 for equal pictures. Both have `channels` samples a pixel of 8 bits, in rows of `width` pixels. */
export function similarity(a: Uint8Array, b: Uint8Array, width: number, height: number, channels: number): number {
  return similarityIn(brightness(a, channels), brightness(b, channels), width, { left: 0, top: 0, width, height });
}

/** The same for a part of two grey pictures, whose rows have `stride` pixels. */
export function similarityIn(
  a: Uint8Array,
  b: Uint8Array,
  stride: number,
  { left, top, width, height }: { left: number; top: number; width: number; height: number },
): number {
  // Blocks overlap by half: sums are taken once over each quarter.
  const columns = Math.floor(width / STEP);
  const rows = Math.floor(height / STEP);
  let above = new Int32Array(columns * SUMS);
  let here = new Int32Array(columns * SUMS);
  let sum = 0;
  for (let row = 0; row < rows; row++) {
    const from = (top + row * STEP) * stride + left;
    for (let column = 0; column < columns; column++)
      addQuarter(a, b, from + column * STEP, stride, here, column * SUMS);
    for (let column = 1; row > 0 && column < columns; column++) sum += blockSimilarity(above, here, column * SUMS);
    [above, here] = [here, above];
  }
  const blocks = (rows - 1) * (columns - 1);
  return rows < 2 || columns < 2 ? 1 : sum / blocks;
}

/** Sums of each picture's samples, of all squares and of the products, over a quarter of a block. */
function addQuarter(a: Uint8Array, b: Uint8Array, at: number, stride: number, into: Int32Array, to: number): void {
  let sa = 0;
  let sb = 0;
  let squares = 0;
  let sab = 0;
  for (let row = 0; row < STEP; row++) {
    const from = at + row * stride;
    for (let i = from; i < from + STEP; i++) {
      const p = a[i]!;
      const q = b[i]!;
      sa += p;
      sb += q;
      squares += p * p + q * q;
      sab += p * q;
    }
  }
  into[to] = sa;
  into[to + 1] = sb;
  into[to + 2] = squares;
  into[to + 3] = sab;
}

/** The similarity of the block whose last quarter is at `at`. */
function blockSimilarity(above: Int32Array, here: Int32Array, at: number): number {
  const total = (k: number) => above[at - SUMS + k]! + above[at + k]! + here[at - SUMS + k]! + here[at + k]!;
  const n = BLOCK * BLOCK;
  const ma = total(0) / n;
  const mb = total(1) / n;
  const means = ma * ma + mb * mb;
  const variances = total(2) / n - means;
  const cov = total(3) / n - ma * mb;
  return ((2 * ma * mb + C1) * (2 * cov + C2)) / ((means + C1) * (variances + C2));
}

/** The light of a sample (IEC 61966-2-1), in parts of `STEPS`, for each channel by its share (ITU-R BT.709). */
const STEPS = 4095;
const [RED, GREEN, BLUE] = [0.2126, 0.7152, 0.0722].map((share) =>
  Float32Array.from({ length: 256 }, (_, sample) => share * STEPS * lightOf(sample / 255)),
) as [Float32Array, Float32Array, Float32Array]; // three shares give three tables
/** The grey value of so much light. */
const GREY = Uint8Array.from({ length: STEPS + 1 }, (_, light) => Math.round(255 * greyOf(light / STEPS)));

function lightOf(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

function greyOf(light: number): number {
  return light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055;
}

/** By light and not by sample value, as a page is shown in grey: only so are coding errors in strong colours seen. */
export function brightness(pixels: Uint8Array, channels: number): Uint8Array {
  if (channels === 1) return pixels;
  const count = Math.floor(pixels.length / channels);
  const out = new Uint8Array(count);
  for (let i = 0, from = 0; i < count; i++, from += channels)
    out[i] = GREY[(RED[pixels[from]!]! + GREEN[pixels[from + 1]!]! + BLUE[pixels[from + 2]!]! + 0.5) | 0]!;
  return out;
}
