import { deflateSync, inflateSync } from 'node:zlib';
import { predicted } from '../file/read/png-predictor.ts';
import type { Png } from './png.ts';
import { checkData, decodePixels, type PngRows } from './png-pixels.ts';

/** An image XObject: the entries of its dictionary besides /Type, /Subtype, /Width, /Height, /Length, and its data. */
export interface ImageObject {
  readonly width: number;
  readonly height: number;
  readonly entries: string;
  /** The device space or its palette, to be put over a profile where there is one. */
  readonly space: { readonly device: 'DeviceGray' | 'DeviceRGB' | 'DeviceCMYK'; readonly palette?: Uint8Array };
  readonly data: readonly Uint8Array[];
  readonly softMask?: ImageObject;
}

/** Largest inflated profile; real ones have some kilobytes, those of printing presses two megabytes. */
const MOST_PROFILE = 8 << 20;
const LEVEL = 6;

export async function pngObject(name: string, png: Png, signal: AbortSignal): Promise<ImageObject> {
  const alpha = png.colors === 'gray-alpha' || png.colors === 'rgb-alpha';
  const gray = png.colors === 'gray' || png.colors === 'gray-alpha';
  const device = gray ? ('DeviceGray' as const) : ('DeviceRGB' as const);
  const space = png.palette !== undefined && png.colors === 'palette' ? { device, palette: png.palette } : { device };
  const { width, height, depth } = png;
  const size = { width, height };
  if (!alpha && !png.interlaced) {
    const mask = maskOf(png);
    // Decoding the pixels checks the data as well.
    if (mask !== 'soft') await checkData(name, png, signal);
    const colors = gray || png.colors === 'palette' ? 1 : 3;
    const entries = `/BitsPerComponent ${depth}${mask === 'soft' ? '' : mask}/Filter/FlateDecode/DecodeParms${parms(width, colors, depth)}`;
    const object = { ...size, entries, space, data: png.data };
    return mask === 'soft' ? { ...object, softMask: paletteAlpha(png, decodePixels(name, png)) } : object;
  }
  const pixels = decodePixels(name, png);
  if (!alpha) {
    const colors = png.channels;
    const image = encoded(size, pixels.rows, pixels.filters, colors, depth, space);
    const mask = maskOf(png);
    if (mask === 'soft') return { ...image, softMask: paletteAlpha(png, pixels) };
    return { ...image, entries: image.entries + mask };
  }
  const { color, transparency } = splitAlpha(pixels.rows, png.channels, depth);
  const softMask = encoded(size, transparency, pixels.filters, 1, depth, { device: 'DeviceGray' });
  return { ...encoded(size, color, pixels.filters, png.channels - 1, depth, space), softMask };
}

/** A profile's bytes, inflated; undefined where it is damaged, too large, or for another number of colours. */
export function inflateProfile(compressed: Uint8Array): Uint8Array | undefined {
  try {
    return inflateSync(compressed, { maxOutputLength: MOST_PROFILE });
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  }
}

/** /Mask for one transparent colour, '' for none, 'soft' where a palette has partial alpha. */
function maskOf(png: Png): string {
  const { transparency, colors, depth } = png;
  if (transparency === undefined) return '';
  if (colors === 'palette') {
    const partial = transparency.some((value) => value !== 0 && value !== 255);
    const gone = [...transparency.keys()].filter((i) => transparency[i] === 0);
    if (!partial && gone.length === 0) return '';
    // MuPDF ignores a masked index of less than eight bits.
    return !partial && gone.length === 1 && depth === 8 ? `/Mask[${gone[0]} ${gone[0]}]` : 'soft';
  }
  const count = colors === 'gray' ? 1 : 3;
  if (transparency.length < count * 2) return '';
  const view = new DataView(transparency.buffer, transparency.byteOffset, transparency.length);
  const most = (1 << depth) - 1;
  const values = Array.from({ length: count }, (_, i) => view.getUint16(i * 2) & most);
  return `/Mask[${values.map((value) => `${value} ${value}`).join(' ')}]`;
}

function parms(columns: number, colors: number, bits: number): string {
  return `<</Predictor 15/Columns ${columns}/Colors ${colors}/BitsPerComponent ${bits}>>`;
}

/** The alpha of each pixel of a palette image, eight bits each. */
function paletteAlpha(png: Png, { rows, rowBytes, filters }: PngRows): ImageObject {
  const { width, height, depth, transparency = new Uint8Array() } = png;
  const alpha = new Uint8Array(width * height);
  const most = (1 << depth) - 1;
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const bit = x * depth;
      const index = ((rows[y * rowBytes + (bit >> 3)] ?? 0) >> (8 - depth - (bit & 7))) & most;
      alpha[y * width + x] = transparency[index] ?? 255;
    }
  return encoded({ width, height }, alpha, filters, 1, 8, { device: 'DeviceGray' });
}

function splitAlpha(rows: Uint8Array, channels: number, depth: number) {
  const size = depth >> 3;
  const count = rows.length / (channels * size);
  const colorSize = (channels - 1) * size;
  const color = new Uint8Array(count * colorSize);
  const transparency = new Uint8Array(count * size);
  for (let i = 0, from = 0, to = 0; i < count; i++) {
    for (let k = 0; k < colorSize; k++) color[to++] = rows[from++] ?? 0;
    for (let k = 0; k < size; k++) transparency[i * size + k] = rows[from++] ?? 0;
  }
  return { color, transparency };
}

/** Deflated samples; each row with the filter that the file's encoder chose for it. */
function encoded(
  size: { width: number; height: number },
  samples: Uint8Array,
  filters: Uint8Array,
  colors: number,
  bits: number,
  space: ImageObject['space'],
): ImageObject {
  const { width, height } = size;
  const rowBytes = Math.ceil((width * colors * bits) / 8);
  const pixel = Math.max(1, (colors * bits) >> 3);
  const out = new Uint8Array((rowBytes + 1) * height);
  for (let row = 0; row < height; row++) {
    const filter = filters[row] ?? 0;
    const from = row * rowBytes;
    const to = row * (rowBytes + 1) + 1;
    out[to - 1] = filter;
    for (let i = 0; i < rowBytes; i++) {
      const left = i >= pixel ? (samples[from + i - pixel] ?? 0) : 0;
      const up = row > 0 ? (samples[from + i - rowBytes] ?? 0) : 0;
      const corner = row > 0 && i >= pixel ? (samples[from + i - rowBytes - pixel] ?? 0) : 0;
      out[to + i] = (samples[from + i] ?? 0) - predicted(filter, left, up, corner);
    }
  }
  const entries = `/BitsPerComponent ${bits}/Filter/FlateDecode/DecodeParms${parms(width, colors, bits)}`;
  return { ...size, entries, space, data: [deflateSync(out, { level: LEVEL })] };
}
