// Mixed raster content (ITU-T T.44): a scanned page as ink over ground. The ink keeps its resolution, as a JBIG2 stencil with
// one colour or a coarse JPEG of colours; the ground, which is the paper and its pictures, becomes a JPEG of 75 to 150 dpi.
//
// In: the pixels of a page, its dpi, and either the JPEG it would else become (`bestLayers`) or nothing (`inLayers`, whose
// ground is coded again for each size that a target tries). Out: the layers, or undefined where one layer is as good.
// Invariants: the page in layers is as alike to the scan as the JPEG is, part by part, whether a viewer enlarges the ground
// smoothly or pixel by pixel, and no thin stroke of a letter is lost. With `inLayers` the caller must check `keptStrokes`.
// Cost: all steps are linear in the pixels, and up to five grounds are tried; photographs are refused after three bands.

import { encodeJbig2 } from '../../images/jbig2/encode.ts';
import { type Bits, dilated, forEachBit, halved, inverted, stencilOf } from './bits.ts';
import { EDGE, findInk, type Grey, isPhotograph } from './ink.ts';
import { type Enlarged, enlarged, layerOf, type Samples } from './layer.ts';
import { similarityIn } from './ssim.ts';
import type { Stopwatch } from './stopwatch.ts';
import { findStrokes, keepsStrokes } from './strokes.ts';

interface Size {
  readonly width: number;
  readonly height: number;
}

/** A scanned page in layers. */
export interface RasterLayers {
  /** JBIG2; 0 where there is ink. */
  readonly stencil: Uint8Array;
  /** The colour of the ink: one for all of it, or a JPEG of colours. */
  readonly color: readonly number[] | (Size & { readonly jpeg: Uint8Array });
  readonly ground: Size & { readonly jpeg: Uint8Array };
  /** The stencil at half the resolution, for layers that are coded further. */
  readonly half?: Size & { readonly stencil: Uint8Array };
  /** Whether the ground is plain paper. */
  readonly paper: boolean;
  /** Whether no stroke is lost, however coarse the ground becomes. */
  readonly keptStrokes: boolean;
}

/** The codecs of the calling process. */
export interface Codecs {
  jpeg(picture: Samples, size: Size, quality: number): Promise<Uint8Array>;
  /** The pixels of a JPEG. */
  grey(jpeg: Uint8Array): Promise<Grey>;
  /** Grey pixels at another size. */
  scaled(grey: Grey, size: Size): Promise<Uint8Array>;
}

/** Shares of pixels: less ink is not worth a layer, more is no page of text. */
const LEAST_INK = 0.002;
const MOST_INK = 0.4;
/** Resolution of the layer of colours. */
const COLOR_DPI = 25;
const COLOR_QUALITY = 50;
/** Samples that differ from one colour by no more than this on average are that colour. */
const ONE_COLOR = 9;
/** Grounds to try, smallest first: dpi and JPEG quality. */
const GROUNDS = [
  [75, 45],
  [100, 45],
  [100, 60],
  [150, 55],
  [150, 70],
] as const;
/** The resolution at which a page is compared, and the similarity that it must reach. */
const VIEW_DPI = 100;
const ALIKE = 0.976;
/** On plain paper a finer ground makes a page more similar by less than this. */
const PAPER_GAIN = 0.002;
/** No part of the page may be less similar than without layers by more than this. */
const PART_WORSE = 0.04;
/** Plain paper is lighter than this, and so much of it is within so far of one shade. */
const PAPER = 120;
const PAPER_SPREAD = 48;
const PAPER_SHARE = 0.95;
/** The resolutions of the master ground and of the coarsest. */
const COARSEST_DPI = 36;
const MASTER_DPI = 150;
const MASTER_QUALITY = 88;

/** Undefined where the picture is no page of ink on paper, or its ink alone takes `most` bytes. */
async function separate(
  picture: Samples,
  dpi: number,
  codecs: Codecs,
  watch: Stopwatch,
  most = Number.POSITIVE_INFINITY,
) {
  const { width, height } = picture;
  const grey = { pixels: greyOf(picture), width, height };
  const ink = watch.timed('separate', () => (isPhotograph(grey, dpi) ? undefined : findInk(grey, dpi)));
  if (ink === undefined) return undefined;
  const share = ink.count / (width * height);
  if (share < LEAST_INK || share > MOST_INK) return undefined;
  const stencil = watch.timed('mask', () => encodeJbig2(stencilOf(ink.mask), width, height));
  if (stencil.length >= most) return undefined;
  const color = await watch.timed('separate', () => colorOf(picture, ink.core, dpi, codecs));
  const finest = sizeAt(picture, dpi, Math.min(dpi, MASTER_DPI));
  const ground = watch.timed('separate', () => layerOf(picture, inverted(dilated(ink.mask, EDGE)), finest).layer);
  return { grey, ink, stencil, color, ground };
}

/** The picture in layers that are coded further: its ground has nearly full quality. */
export async function inLayers(
  picture: Samples,
  dpi: number,
  codecs: Codecs,
  watch: Stopwatch,
): Promise<RasterLayers | undefined> {
  const parts = await separate(picture, dpi, codecs, watch);
  if (parts === undefined) return undefined;
  const { grey, stencil, color, ground, ink } = parts;
  const coarse = sizeAt(picture, dpi, COARSEST_DPI);
  const paper = await codecs.scaled({ pixels: greyOf(ground), ...sizeOf(ground) }, coarse);
  const half = halved(ink.mask);
  return {
    half: {
      ...sizeOf(half),
      stencil: watch.timed('mask', () => encodeJbig2(stencilOf(half), half.width, half.height)),
    },
    stencil,
    color,
    ground: {
      ...sizeOf(ground),
      jpeg: await watch.timed('code', () => codecs.jpeg(ground, ground, MASTER_QUALITY)),
    },
    keptStrokes: keepsStrokes(
      findStrokes(grey, ink, dpi),
      enlarged({ pixels: paper, ...coarse }, sizeOf(picture), 'between'),
    ),
    paper: isPaper(ground),
  };
}

/**
 * Layers of at most `most` bytes that look no worse than the JPEG `otherwise`, however a viewer enlarges the ground,
 * and that lose no stroke; undefined where there are none.
 */
export async function bestLayers(
  picture: Samples,
  { dpi, most, otherwise }: { readonly dpi: number; readonly most: number; readonly otherwise: Uint8Array },
  codecs: Codecs,
  watch: Stopwatch,
): Promise<RasterLayers | undefined> {
  const parts = await separate(picture, dpi, codecs, watch, most);
  if (parts === undefined) return undefined;
  const { grey, ink, stencil, color, ground } = parts;
  const fixed = stencil.length + ('jpeg' in color ? color.jpeg.length : 0);
  if (fixed >= most) return undefined;
  const whole = sizeOf(picture);
  const strokes = findStrokes(grey, ink, dpi);
  // Strokes that are lost above the finest ground are lost above every other one.
  if (!keepsStrokes(strokes, enlarged({ pixels: greyOf(ground), ...sizeOf(ground) }, whole, 'between')))
    return undefined;
  const inks = await inkIn(color, whole, codecs);
  const view = sizeAt(picture, dpi, Math.min(dpi, VIEW_DPI));
  const { width, height } = whole;
  const flat = await codecs.grey(otherwise);
  const other = watch.timed('compare', () =>
    partsAlike(
      grey.pixels,
      flat.width === width ? flat.pixels : enlarged(flat, whole, 'between').whole(),
      width,
      height,
    ),
  );
  const least = mean(other);
  const paper = isPaper(ground);
  let isHopeless = false;
  const seen = await codecs.scaled(grey, view);
  const isAlike = async (small: Grey, way: 'between' | 'nearest') => {
    const shown = enlarged(small, whole, way);
    if (!keepsStrokes(strokes, shown)) return false;
    const page = shownAs(ink.mask, inks, shown.whole());
    const now = partsAlike(grey.pixels, page, width, height);
    isHopeless ||= paper && mean(now) < least - PAPER_GAIN;
    if (mean(now) < least || now.some((part, i) => part < other[i]! - PART_WORSE)) return false;
    const small100 = await codecs.scaled({ pixels: page, width, height }, view);
    return mean(partsAlike(seen, small100, view.width, view.height)) >= ALIKE;
  };
  const attempt = async ([groundDpi, quality]: (typeof GROUNDS)[number]) => {
    const size = sizeAt(picture, dpi, Math.min(dpi, groundDpi));
    const jpeg = await watch.timed('code', () => codecs.jpeg(ground, size, quality));
    if (fixed + jpeg.length > most) return undefined;
    const small = await codecs.grey(jpeg);
    const alike = await watch.timed(
      'compare',
      async () => (await isAlike(small, 'between')) && (await isAlike(small, 'nearest')),
    );
    return alike ? { stencil, color, ground: { ...size, jpeg }, keptStrokes: true, paper } : undefined;
  };
  const [smallest, ...finer] = GROUNDS;
  const first = await attempt(smallest);
  if (first !== undefined || isHopeless) return first;
  // Of most pages the ink decides: where the finest ground is not alike, those between are not either.
  const finest = await attempt(finer.at(-1) ?? smallest);
  for (const each of finer.slice(0, -1)) {
    const found = finest === undefined ? undefined : await attempt(each);
    if (found !== undefined) return found;
  }
  return finest;
}

/** The page that the layers show, written over the ground. */
function shownAs(mask: Bits, inks: Enlarged | number, page: Uint8Array): Uint8Array {
  const { width } = mask;
  forEachBit(mask, (at) => {
    page[at] = typeof inks === 'number' ? inks : inks.at(at % width, Math.floor(at / width));
  });
  return page;
}

/** Grey as the eye weighs colours (ITU-R BT.601). */
function greyOf({ pixels, channels }: Samples): Uint8Array {
  if (channels === 1) return pixels;
  const out = new Uint8Array(pixels.length / 3);
  for (let i = 0, from = 0; i < out.length; i++, from += 3)
    out[i] = (pixels[from]! * 77 + pixels[from + 1]! * 150 + pixels[from + 2]! * 29) >> 8;
  return out;
}

function isPaper(ground: Samples): boolean {
  const shades = new Uint32Array(256);
  const grey = greyOf(ground);
  for (let i = 0; i < grey.length; i++) shades[grey[i]!]! += 1;
  const within = (from: number, to: number) => shades.subarray(Math.max(0, from), to).reduce((sum, n) => sum + n, 0);
  let middle = 0;
  while (within(0, middle + 1) < grey.length / 2) middle += 1;
  const near = within(middle - PAPER_SPREAD, middle + PAPER_SPREAD + 1);
  return middle >= PAPER && near >= grey.length * PAPER_SHARE;
}

async function colorOf(picture: Samples, core: Bits, dpi: number, codecs: Codecs): Promise<RasterLayers['color']> {
  const { layer, counts } = layerOf(picture, core, sizeAt(picture, dpi, COLOR_DPI));
  const { pixels, channels } = layer;
  const all = counts.reduce((sum, count) => sum + count, 0);
  const one = Array.from({ length: channels }, (_, k) => {
    let sum = 0;
    for (let i = 0; i < counts.length; i++) sum += pixels[i * channels + k]! * counts[i]!;
    return sum / all;
  });
  let off = 0;
  for (let i = 0; i < counts.length; i++)
    for (let k = 0; k < channels; k++) off += Math.abs(pixels[i * channels + k]! - one[k]!) * counts[i]!;
  if (off / all / channels <= ONE_COLOR) return one.map(Math.round);
  return { ...sizeOf(layer), jpeg: await codecs.jpeg(layer, layer, COLOR_QUALITY) };
}

async function inkIn(color: RasterLayers['color'], whole: Size, codecs: Codecs): Promise<number | Enlarged> {
  if (!('jpeg' in color))
    return greyOf({ pixels: Uint8Array.from(color), width: 1, height: 1, channels: color.length === 1 ? 1 : 3 })[0]!;
  return enlarged(await codecs.grey(color.jpeg), whole, 'between');
}

function sizeAt({ width, height }: Size, from: number, to: number): Size {
  return { width: Math.max(1, Math.round((width * to) / from)), height: Math.max(1, Math.round((height * to) / from)) };
}

function sizeOf({ width, height }: Size): Size {
  return { width, height };
}

// Compares a page with its original at the resolution of the scan, part by part, so that no good part makes up for a
// bad one.

const PART = 256;

function partsAlike(a: Uint8Array, b: Uint8Array, width: number, height: number): Float64Array {
  const across = Math.max(1, Math.round(width / PART));
  const down = Math.max(1, Math.round(height / PART));
  const parts = new Float64Array(across * down);
  for (let at = 0; at < parts.length; at++) {
    const left = Math.floor(((at % across) * width) / across);
    const right = Math.floor((((at % across) + 1) * width) / across);
    const top = Math.floor((Math.floor(at / across) * height) / down);
    const bottom = Math.floor(((Math.floor(at / across) + 1) * height) / down);
    parts[at] = similarityIn(a, b, width, { left, top, width: right - left, height: bottom - top });
  }
  return parts;
}

function mean(parts: Float64Array): number {
  return parts.reduce((sum, part) => sum + part, 0) / parts.length;
}
