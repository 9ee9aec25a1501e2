// Owns choosing a JPEG quality by eye: the lowest at which a picture still looks like itself, by structural similarity.
import type { Codec, Pixels, Raster } from './codec.ts';
import { similarity } from './ssim.ts';

/** A page is looked at with so many pixels to the inch. */
const VIEW_DPI = 100;
/** Measured: pictures that reach this keep a rendered page above 0.97. */
const ALIKE = 0.972;
const LOWEST = 40;
const HIGHEST = 90;
/** Pictures are judged by up to four parts of this size; a part's coding is that of the whole. */
const PART = 320;

/** Where the parts are taken from, in parts of the way from left and from top. */
const PLACES = [
  [0.15, 0.3],
  [0.4, 0.7],
  [0.6, 0.2],
  [0.85, 0.8],
] as const;

/** Between 40 and 90. `dpi`: the picture's pixels to the inch where it is shown largest; undefined: not known. */
export async function chooseQuality(pixels: Pixels, dpi: number | undefined, codec: Codec): Promise<number> {
  const scale = Math.min(1, VIEW_DPI / (dpi ?? VIEW_DPI));
  const parts = await Promise.all(
    (await partsOf(pixels)).map(async (part) => {
      const size = { width: Math.ceil(part.width * scale), height: Math.ceil(part.height * scale) };
      return { part, seen: await codec.scale(part, size, part.channels === 1 ? 'gray' : 'rgb') };
    }),
  );
  let low = LOWEST;
  let high = HIGHEST;
  while (high - low > 3) {
    const quality = (low + high) >> 1;
    if (await looksAlike(parts, quality, codec)) high = quality;
    else low = quality;
  }
  return high;
}

/** `seen`: the part as it is seen on the page. */
async function looksAlike(
  parts: readonly { part: Raster; seen: Raster }[],
  quality: number,
  codec: Codec,
): Promise<boolean> {
  let sum = 0;
  for (const { part, seen } of parts) {
    const { width, height, channels, pixels } = seen;
    const jpeg = await codec.ofRaster(part).encode(quality, false);
    const shown = await codec.decode(jpeg, seen, channels === 1 ? 'gray' : 'rgb');
    sum += similarity(pixels, shown.pixels, width, height, channels);
  }
  return sum / parts.length >= ALIKE;
}

async function partsOf({ size, part }: Pixels): Promise<Raster[]> {
  const { width, height } = size;
  if (width * height <= 4 * PART * PART) return [await part({ left: 0, top: 0, width, height })];
  const w = Math.min(PART, width);
  const h = Math.min(PART, height);
  const parts: Raster[] = [];
  for (const [x, y] of PLACES) {
    const left = Math.floor((width - w) * x);
    const top = Math.floor((height - h) * y);
    parts.push(await part({ left, top, width: w, height: h }));
  }
  return parts;
}
