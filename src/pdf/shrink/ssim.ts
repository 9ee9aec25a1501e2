// Owns the measure of how alike two pictures look: structural similarity (Wang, Bovik, Sheikh, Simoncelli 2004) of their
// brightness, over blocks of 8 by 8 pixels. Knows no files.

const BLOCK = 8;
const STEP = 4;
const C1 = (0.01 * 255) ** 2;
const C2 = (0.03 * 255) ** 2;

/** 1 for equal pictures. Both have `channels` samples a pixel of 8 bits, in rows of `width` pixels. */
export function similarity(a: Uint8Array, b: Uint8Array, width: number, height: number, channels: number): number {
  const left = brightness(a, channels);
  const right = brightness(b, channels);
  let sum = 0;
  let blocks = 0;
  for (let y = 0; y + BLOCK <= height; y += STEP)
    for (let x = 0; x + BLOCK <= width; x += STEP) {
      sum += blockSimilarity(left, right, y * width + x, width);
      blocks += 1;
    }
  return blocks === 0 ? 1 : sum / blocks;
}

function blockSimilarity(a: Uint8Array, b: Uint8Array, at: number, width: number): number {
  let sa = 0;
  let sb = 0;
  let saa = 0;
  let sbb = 0;
  let sab = 0;
  for (let row = 0; row < BLOCK; row++) {
    const from = at + row * width;
    for (let i = from; i < from + BLOCK; i++) {
      const p = a[i]!;
      const q = b[i]!;
      sa += p;
      sb += q;
      saa += p * p;
      sbb += q * q;
      sab += p * q;
    }
  }
  const n = BLOCK * BLOCK;
  const ma = sa / n;
  const mb = sb / n;
  const va = saa / n - ma * ma;
  const vb = sbb / n - mb * mb;
  const cov = sab / n - ma * mb;
  return ((2 * ma * mb + C1) * (2 * cov + C2)) / ((ma * ma + mb * mb + C1) * (va + vb + C2));
}

function brightness(pixels: Uint8Array, channels: number): Uint8Array {
  if (channels === 1) return pixels;
  const count = Math.floor(pixels.length / channels);
  const out = new Uint8Array(count);
  for (let i = 0, from = 0; i < count; i++, from += channels)
    out[i] = (pixels[from]! * 77 + pixels[from + 1]! * 150 + pixels[from + 2]! * 29) >> 8;
  return out;
}
