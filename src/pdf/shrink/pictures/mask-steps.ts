import { byteAt } from '../../syntax/arrays.ts';
import type { Raster } from './raster.ts';

/** A name of this module: a call through the bundle's getter takes half of the time of such loops. */
const byte = byteAt;

/** At this distance on all sides of a soft edge the mask is clear or opaque; in a shadow it has about the same shade. */
const REACH = 3;
const NEAR = 34;
/** Largest share of pixels in shadows and gradients: strokes of a pen have half of that, where they cross (measured). */
const MOST_BROAD = 0.01;

/**
 * A soft mask in sixteen steps, as rows of four bits: letters and strokes look the same in less than half of the bytes.
 * Undefined where steps would be seen, in shadows and gradients.
 */
export function inSixteenSteps({ pixels, width, height }: Raster): Uint8Array | undefined {
  let broad = 0;
  for (let y = REACH; y < height - REACH; y++)
    for (let x = REACH, at = y * width + REACH; x < width - REACH; x++, at++) {
      const value = byte(pixels, at);
      if (value === 0 || value === 255) continue;
      const isNear = (other: number) => other !== 0 && other !== 255 && Math.abs(other - value) < NEAR;
      if (!isNear(byte(pixels, at - REACH)) || !isNear(byte(pixels, at + REACH))) continue;
      if (isNear(byte(pixels, at - REACH * width)) && isNear(byte(pixels, at + REACH * width))) broad += 1;
    }
  if (broad > MOST_BROAD * width * height) return undefined;
  const stride = (width + 1) >> 1;
  const rows = new Uint8Array(stride * height);
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at++)
      rows[y * stride + (x >> 1)]! |= Math.round(byte(pixels, at) / 17) << ((x & 1) === 0 ? 4 : 0);
  return rows;
}
