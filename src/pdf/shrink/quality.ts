// Owns choosing a JPEG quality by eye: the lowest at which a picture still looks like itself, by structural similarity.
import type { Codec, Raster } from './codec.ts';
import { similarity } from './ssim.ts';

/** Measured on pages rendered at 100 dpi: pictures that reach this keep a page above 0.97. */
const ALIKE = 0.955;
const LOWEST = 40;
const HIGHEST = 88;
/** Pictures are judged by up to four parts of this size; a part's coding is that of the whole. */
const PART = 320;

/** Between 40 and 88. */
export async function chooseQuality(raster: Raster, codec: Codec): Promise<number> {
  const parts = await partsOf(raster, codec);
  let low = LOWEST;
  let high = HIGHEST;
  while (high - low > 3) {
    const quality = (low + high) >> 1;
    if (await looksAlike(parts, quality, codec)) high = quality;
    else low = quality;
  }
  return high;
}

async function looksAlike(parts: readonly Raster[], quality: number, codec: Codec): Promise<boolean> {
  let sum = 0;
  for (const part of parts) {
    const { width, height, channels, pixels } = part;
    const jpeg = await codec.encode(part, quality, false);
    const shown = await codec.decode(jpeg, part, channels === 1 ? 'gray' : 'rgb');
    sum += similarity(pixels, shown.pixels, width, height, channels);
  }
  return sum / parts.length >= ALIKE;
}

async function partsOf(raster: Raster, codec: Codec): Promise<Raster[]> {
  const { width, height } = raster;
  if (width * height <= 4 * PART * PART) return [raster];
  const w = Math.min(PART, width);
  const h = Math.min(PART, height);
  const places = [0.15, 0.4, 0.6, 0.85].map((part, i) => [part, [0.3, 0.7, 0.2, 0.8][i]!] as const);
  return Promise.all(
    places.map(([x, y]) => codec.crop(raster, Math.floor((width - w) * x), Math.floor((height - h) * y), w, h)),
  );
}
