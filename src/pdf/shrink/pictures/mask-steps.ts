import type { Raster } from './raster.ts';

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
  const down = REACH * width;
  for (let y = REACH; y < height - REACH; y++)
    for (let x = REACH, at = y * width + REACH; x < width - REACH; x++, at++) {
      const value = pixels[at] ?? 0;
      if (value === 0 || value === 255) continue;
      if (!isNear(pixels[at - REACH]!, value) || !isNear(pixels[at + REACH]!, value)) continue;
      if (isNear(pixels[at - down]!, value) && isNear(pixels[at + down]!, value)) broad += 1;
    }
  if (broad > MOST_BROAD * width * height) return undefined;
  const stride = (width + 1) >> 1;
  const rows = new Uint8Array(stride * height);
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at++)
      rows[y * stride + (x >> 1)]! |= (STEP[pixels[at] ?? 0] ?? 0) << ((x & 1) === 0 ? 4 : 0);
  return rows;
}

/** The step of each shade. */
const STEP = Uint8Array.from({ length: 256 }, (_, shade) => Math.round(shade / 17));

function isNear(other: number, value: number): boolean {
  return other !== 0 && other !== 255 && Math.abs(other - value) < NEAR;
}
