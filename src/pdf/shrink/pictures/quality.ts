import { brightness, similarityIn } from '../layers/ssim.ts';
import type { PictureArea, Raster, Size } from './raster.ts';

/** What is asked of the codecs of this process. */
export interface Coder {
  scaled(raster: Raster, size: Size): Promise<Raster>;
  encoded(raster: Raster, quality: number): Promise<Uint8Array>;
  /** The pixels of a JPEG at a size, in so many channels. */
  decoded(jpeg: Uint8Array, size: Size, channels: 1 | 3): Promise<Raster>;
}

/** The resolution at which pages are compared. */
const VIEW_DPI = 100;
/** Measured: pictures that reach this keep a rendered page above 0.97. */
const ALIKE = 0.976;
const LOWEST = 40;
const HIGHEST = 90;
/** Pictures are judged by four parts of this size, whole units of a JPEG's grid so that they can be coded as one. */
const PART = 192;

/** The positions of the parts, as shares of the width and of the height. */
const PLACES = [
  [0.15, 0.3],
  [0.4, 0.7],
  [0.6, 0.2],
  [0.85, 0.8],
] as const;

/** Tries at a quality; each codes and decodes the parts. Two tries show how loss depends on quality. */
const PROBES = 2;
const FIRST = 58;
/** The change of log loss per unit of quality before any try: a mean over photos and screenshots. */
const USUAL_SLOPE = -0.018;
/** A quality whose log loss differs from the aim by no more than this is taken. */
const CLOSE = 0.06;

/** The last try, at the lowest quality and thoroughly coded, takes at least this share of the first. */
const LEAST_OF_FIRST = 0.6;

export interface PictureFacts {
  /** Its resolution where it is shown largest; undefined: not known. */
  readonly dpi: number | undefined;
  /** A coding of more bytes is useless. */
  readonly most: number;
  /** One try is enough: the quality is estimated from the usual slope. */
  readonly once: boolean;
}

/** The result of one quality: bytes of the whole picture, and its loss of similarity. */
interface Tried {
  readonly bytes: number;
  readonly lost: number;
}

/** Between 40 and 90; undefined where no quality comes to few enough bytes. `part`: a part of the picture. */
export async function chooseQuality(
  size: Size,
  part: (area: PictureArea) => Promise<Raster>,
  { dpi, ...wanted }: PictureFacts,
  coder: Coder,
): Promise<number | undefined> {
  const sample = await sampleOf(size, part);
  const share = (sample.width * sample.height) / (size.width * size.height);
  const shown = await coder.scaled(sample, viewOf(sample, dpi));
  const lost = lossOf(shown);
  return search(wanted, async (quality) => {
    const jpeg = await coder.encoded(sample, quality);
    return { bytes: jpeg.length / share, lost: lost(await coder.decoded(jpeg, shown, shown.channels)) };
  });
}

/** As `chooseQuality`, for a JPEG of four inks: judged whole, by the colours they give. `coded`: at a quality. */
export async function chooseInkQuality(
  jpeg: Uint8Array,
  size: Size,
  coded: (quality: number) => Promise<Uint8Array>,
  { dpi, ...wanted }: PictureFacts,
  coder: Coder,
): Promise<number | undefined> {
  const view = viewOf(size, dpi);
  const lost = lossOf(await coder.decoded(jpeg, view, 3));
  return search(wanted, async (quality) => {
    const tried = await coded(quality);
    return { bytes: tried.length, lost: lost(await coder.decoded(tried, view, 3)) };
  });
}

/** Measures what pictures of the same size lack in similarity. */
function lossOf({ pixels, width, height, channels }: Raster): (other: Raster) => number {
  const area = { left: 0, top: 0, width, height };
  const before = brightness(pixels, channels);
  return (other) => 1 - similarityIn(before, brightness(other.pixels, channels), width, area);
}

function viewOf({ width, height }: Size, dpi: number | undefined): Size {
  const scale = Math.min(1, VIEW_DPI / (dpi ?? VIEW_DPI));
  return { width: Math.ceil(width * scale), height: Math.ceil(height * scale) };
}

async function search(
  { most, once }: Omit<PictureFacts, 'dpi'>,
  attempt: (quality: number) => Promise<Tried>,
): Promise<number | undefined> {
  const wanted = Math.log(1 - ALIKE);
  let slope = USUAL_SLOPE;
  let quality = FIRST;
  let before: { readonly quality: number; readonly lost: number } | undefined;
  // The lowest quality known to be enough.
  let enough = HIGHEST;
  for (let probe = 0; probe < (once ? 1 : PROBES); probe++) {
    const tried = await attempt(quality);
    if (before === undefined && tried.bytes * LEAST_OF_FIRST > most) return undefined;
    const loses = Math.log(Math.max(1e-6, tried.lost));
    if (loses <= wanted) enough = Math.min(enough, quality);
    if (before !== undefined && before.quality !== quality) {
      const measured = (loses - before.lost) / (quality - before.quality);
      slope = Math.min(USUAL_SLOPE / 4, Math.max(USUAL_SLOPE * 3, measured));
    }
    before = { quality, lost: loses };
    const next = Math.min(HIGHEST, Math.max(LOWEST, Math.ceil(quality + (wanted - loses) / slope)));
    const done = next === quality || (loses <= wanted && wanted - loses < CLOSE);
    if (done) return loses <= wanted ? quality : next;
    quality = next;
  }
  // The result is extrapolated from the tries; a quality known to be enough may be lower.
  return Math.min(quality, enough);
}

/** The sample by which a picture is judged: all of it, or four parts one below the other. */
async function sampleOf({ width, height }: Size, part: (area: PictureArea) => Promise<Raster>): Promise<Raster> {
  if (width * height <= 4 * PART * PART) return part({ left: 0, top: 0, width, height });
  const w = Math.min(PART, width);
  const h = Math.min(PART, height);
  const parts: Raster[] = [];
  for (const [x, y] of PLACES) {
    const left = Math.floor((width - w) * x);
    const top = Math.floor((height - h) * y);
    parts.push(await part({ left, top, width: w, height: h }));
  }
  const channels = parts[0]?.channels ?? 3;
  return { pixels: Buffer.concat(parts.map(({ pixels }) => pixels)), width: w, height: h * parts.length, channels };
}
