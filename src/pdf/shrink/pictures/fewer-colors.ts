// Reduces the colours of screenshots and drawings where the difference is not seen.

import { deflateSync } from 'node:zlib';
import { readPng } from '../../images/png.ts';
import { decodePixels } from '../../images/png-pixels.ts';
import { similarity } from '../layers/ssim.ts';
import type { Raster } from './raster.ts';

export interface Fewer {
  readonly palette: Uint8Array;
  readonly bits: number;
  readonly rows: Uint8Array;
}

/** Numbers of colours to try: nearly all pictures that look the same in 256 do so in 16 (measured). */
const TRIED = [16, 256];
/** Less similar in 16, a picture is taken not to look the same in 256: trying takes a tenth of all time. */
const NEAR = 0.95;
/** 16 colours, deflated quickly, take no more than this part of what 256 take. */
const OF_MORE = 0.6;
/** Similarity required in every channel, pixel by pixel and at viewing size. */
const ALIKE = 0.99;
/** Least share of pixels equal to the one before: in a photograph it is a twentieth. */
const FLAT = 0.5;
const MOST_PIXELS = 8_000_000;

/**
 * Undefined where it would look different, or would come to more than `most` bytes in as many colours as it needs.
 * `quantised`: the picture in so many colours, as PNG.
 */
export async function inFewerColors(
  raster: Raster,
  most: number,
  quantised: (colors: number) => Promise<Uint8Array>,
): Promise<Fewer | undefined> {
  const { width, height } = raster;
  if (width * height > MOST_PIXELS || !isFlat(raster)) return undefined;
  for (const colors of TRIED) {
    const png = readPng('a picture', await quantised(colors));
    if (png.palette === undefined || png.depth === 16) return undefined;
    const fewer = { palette: png.palette, bits: png.depth, rows: decodePixels('a picture', png).rows };
    const alike = likenessOf(raster, fewer);
    if (alike >= ALIKE) return fewer;
    if (alike < NEAR || deflateSync(fewer.rows, { level: 1 }).length > most * OF_MORE) return undefined;
  }
  return undefined;
}

/** The similarity of the first channel that does not look the same; of the last one where all do. */
function likenessOf({ pixels, width, height, channels }: Raster, fewer: Fewer): number {
  const before = new Uint8Array(width * height);
  let alike = 1;
  for (let channel = 0; channel < channels && alike >= ALIKE; channel++) {
    for (let i = 0, from = channel; i < before.length; i++, from += channels) before[i] = pixels[from]!;
    alike = similarity(before, channelOf(fewer, channel, width, height), width, height, 1);
  }
  return alike;
}

function isFlat({ pixels, channels }: Raster): boolean {
  let same = 0;
  for (let i = channels; i < pixels.length; i += channels) {
    let k = 0;
    while (k < channels && pixels[i + k] === pixels[i + k - channels]) k += 1;
    same += Number(k === channels);
  }
  return same * channels >= pixels.length * FLAT;
}

function channelOf({ palette, bits, rows }: Fewer, channel: number, width: number, height: number): Uint8Array {
  const out = new Uint8Array(width * height);
  const stride = Math.ceil((width * bits) / 8);
  const most = (1 << bits) - 1;
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at++) {
      const bit = x * bits;
      const number = (rows[y * stride + (bit >> 3)]! >> (8 - bits - (bit & 7))) & most;
      out[at] = palette[number * 3 + channel]!;
    }
  return out;
}
