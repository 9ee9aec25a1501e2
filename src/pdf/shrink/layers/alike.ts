// Compares a page with its original at the resolution of the scan: part by part, so that no good part makes up for a bad one.
import { similarity } from './ssim.ts';

const PART = 256;

export function partsAlike(a: Uint8Array, b: Uint8Array, width: number, height: number): Float64Array {
  const across = Math.max(1, Math.round(width / PART));
  const down = Math.max(1, Math.round(height / PART));
  const parts = new Float64Array(across * down);
  for (let at = 0; at < parts.length; at++) {
    const left = Math.floor(((at % across) * width) / across);
    const right = Math.floor((((at % across) + 1) * width) / across);
    const top = Math.floor((Math.floor(at / across) * height) / down);
    const bottom = Math.floor(((Math.floor(at / across) + 1) * height) / down);
    const cut = (pixels: Uint8Array) => {
      const out = new Uint8Array((right - left) * (bottom - top));
      for (let y = top; y < bottom; y++)
        out.set(pixels.subarray(y * width + left, y * width + right), (y - top) * (right - left));
      return out;
    };
    parts[at] = similarity(cut(a), cut(b), right - left, bottom - top, 1);
  }
  return parts;
}

export function mean(parts: Float64Array): number {
  return parts.reduce((sum, part) => sum + part, 0) / parts.length;
}
