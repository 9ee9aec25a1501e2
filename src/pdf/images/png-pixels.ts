import { createInflate, inflateSync } from 'node:zlib';
import { unpredictRow } from '../file/read/png-predictor.ts';
import { badImage } from './picture.ts';
import type { Png } from './png.ts';

/** Unfiltered rows, padded to bytes, one after another; and the filter that each row of the file had. */
export interface PngRows {
  readonly rows: Uint8Array;
  readonly rowBytes: number;
  /** The filters of its rows, or of the last pass of an interlaced file: a hint for encoding again. */
  readonly filters: Uint8Array;
}

/** Most bytes of one picture held while it is decoded. */
const MOST_DECODED = 512 << 20;
/** Bytes inflated at a time; what a file claims to hold is not believed. */
const MOST_CHUNK = 1 << 20;
/** Most bytes inflated to check data that is not held: two seconds. */
const MOST_CHECKED = 1 << 30;

interface Pass {
  readonly width: number;
  readonly height: number;
  readonly x: number;
  readonly y: number;
  readonly dx: number;
  readonly dy: number;
}

const ADAM7 = [
  [0, 0, 8, 8], [4, 0, 8, 8], [0, 4, 4, 8], [2, 0, 4, 4], [0, 2, 2, 4], [1, 0, 2, 2], [0, 1, 1, 2],
] as const; // biome-ignore format: a table

function passesOf({ width, height, interlaced }: Png): Pass[] {
  if (!interlaced) return [{ width, height, x: 0, y: 0, dx: 1, dy: 1 }];
  return ADAM7.map(([x, y, dx, dy]) => {
    const size = (whole: number, from: number, step: number) => Math.max(0, Math.ceil((whole - from) / step));
    return { width: size(width, x, dx), height: size(height, y, dy), x, y, dx, dy };
  }).filter((pass) => pass.width > 0 && pass.height > 0);
}

const bytesOf = (png: Png, width: number) => Math.ceil((width * png.channels * png.depth) / 8);

function inflatedSize(png: Png): number {
  return passesOf(png).reduce((sum, pass) => sum + pass.height * (bytesOf(png, pass.width) + 1), 0);
}

/** Checks that the data is complete and well formed, a piece at a time. For files that are not interlaced. */
export async function checkData(name: string, png: Png, signal: AbortSignal): Promise<void> {
  const expected = inflatedSize(png);
  if (expected > MOST_CHECKED) throw tooLarge(name, expected);
  const row = bytesOf(png, png.width) + 1;
  const inflate = createInflate({ chunkSize: 256 * 1024 });
  let got = 0;
  const run = async () => {
    for await (const piece of inflate as AsyncIterable<Uint8Array>) {
      signal.throwIfAborted();
      // The first byte of each row is its filter.
      for (let at = (row - (got % row)) % row; at < piece.length && got + at < expected; at += row)
        if ((piece[at] ?? 0) > 4)
          throw badImage(name, `is a damaged PNG: a row has the filter ${piece[at]}, which does not exist`);
      got += piece.length;
      if (got >= expected) return;
    }
  };
  // One listener for all pieces: a file may have thousands of them.
  const closed = new Promise((resolve) => inflate.once('close', resolve));
  const feed = async () => {
    for (const piece of png.data) {
      if (inflate.destroyed) return;
      if (!inflate.write(piece)) await Promise.race([closed, new Promise((resolve) => inflate.once('drain', resolve))]);
    }
    inflate.end();
  };
  try {
    const [checked] = await Promise.allSettled([run(), feed()]);
    if (checked.status === 'rejected') throw checked.reason;
  } catch (error) {
    throw damagedData(name, error);
  } finally {
    inflate.destroy();
  }
  if (got < expected) throw short(name, got, expected);
}

export function decodePixels(name: string, png: Png): PngRows {
  const expected = inflatedSize(png);
  if (expected > MOST_DECODED) throw tooLarge(name, expected);
  const data = inflateWhole(name, png, expected);
  if (data.length < expected) throw short(name, data.length, expected);
  const rowBytes = bytesOf(png, png.width);
  const rows = png.interlaced ? new Uint8Array(rowBytes * png.height) : new Uint8Array(0);
  const filters = new Uint8Array(png.height);
  let whole: Uint8Array = rows;
  let from = 0;
  for (const pass of passesOf(png)) {
    const width = bytesOf(png, pass.width);
    const pixelBytes = Math.max(1, (png.channels * png.depth) >> 3);
    const pixels = unfilter(name, data.subarray(from), pass.height, width, pixelBytes);
    for (let row = 0; row < pass.height; row++) filters[pass.y + row * pass.dy] = data[from + row * (width + 1)] ?? 0;
    from += pass.height * (width + 1);
    if (png.interlaced) spread(rows, rowBytes, pixels, width, pass, png.channels * png.depth);
    else whole = pixels;
  }
  return { rows: whole, rowBytes, filters };
}

function inflateWhole(name: string, png: Png, expected: number): Uint8Array {
  try {
    return inflateSync(Buffer.concat(png.data), {
      maxOutputLength: expected + 65_536,
      chunkSize: Math.min(MOST_CHUNK, expected + 65_536),
    });
  } catch (error) {
    throw damagedData(name, error);
  }
}

function unfilter(name: string, data: Uint8Array, height: number, width: number, pixel: number): Uint8Array {
  const out = new Uint8Array(width * height);
  for (let row = 0; row < height; row++) {
    const from = row * (width + 1) + 1;
    const to = row * width;
    const filter = data[from - 1] ?? 0;
    if (filter > 4) throw badImage(name, `is a damaged PNG: row ${row} has the filter ${filter}, which does not exist`);
    const above = row > 0 ? out.subarray(to - width, to) : undefined;
    unpredictRow(filter, data.subarray(from, from + width), above, pixel, out.subarray(to, to + width));
  }
  return out;
}

/** Spreads the pixels of an interlace pass over the picture. */
function spread(rows: Uint8Array, rowBytes: number, pixels: Uint8Array, width: number, pass: Pass, bits: number): void {
  for (let y = 0; y < pass.height; y++) {
    const to = (pass.y + y * pass.dy) * rowBytes;
    for (let x = 0; x < pass.width; x++) {
      const column = pass.x + x * pass.dx;
      if (bits >= 8) {
        const size = bits >> 3;
        for (let k = 0; k < size; k++) rows[to + column * size + k] = pixels[y * width + x * size + k] ?? 0;
      } else {
        const value =
          ((pixels[y * width + ((x * bits) >> 3)] ?? 0) >> (8 - bits - ((x * bits) & 7))) & ((1 << bits) - 1);
        const place = to + ((column * bits) >> 3);
        rows[place] = (rows[place] ?? 0) | (value << (8 - bits - ((column * bits) & 7)));
      }
    }
  }
}

function damagedData(name: string, error: unknown) {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ERR_BUFFER_TOO_LARGE')
    return badImage(name, 'is a damaged PNG: it holds more data than its size allows');
  if (code.startsWith('Z_')) return badImage(name, 'is a damaged PNG: its data cannot be inflated', 'bad-image', error);
  return error;
}

function short(name: string, got: number, expected: number) {
  return badImage(name, `is a damaged PNG: it holds ${got} bytes of pixels where its size asks for ${expected}`);
}

function tooLarge(name: string, bytes: number) {
  return badImage(name, `holds ${bytes >> 20} MiB of pixels; the limit is ${MOST_DECODED >> 20} MiB`, 'limit');
}
