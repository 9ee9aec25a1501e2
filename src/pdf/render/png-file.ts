// Writes PNG files (W3C PNG) in bands, so that a large page is never held whole.

import { crc32, createDeflate } from 'node:zlib';
import type { DrawnPage } from '../../contract/base/ports.ts';
import { byteAt } from '../syntax/arrays.ts';

/** zlib's level: higher ones take 50 % longer for 1 % fewer bytes. */
const LEVEL = 6;
const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const INCHES = 39.37007874;
/** Colour types by channels. */
const TYPES = { 1: 0, 3: 2, 4: 6 } as const;

export class PngWriter {
  private readonly deflate = createDeflate({ level: LEVEL, memLevel: 9, chunkSize: 64 * 1024 });
  private readonly head: Uint8Array;
  private readonly row: number;
  private readonly data: Promise<Uint8Array>;
  /** The last row of the previous band. */
  private above: Uint8Array;

  constructor({ width, height, channels }: Omit<DrawnPage, 'pixels'>, dpi: number) {
    this.row = width * channels;
    this.above = new Uint8Array(this.row);
    const header = Buffer.alloc(13);
    header.writeUInt32BE(width, 0);
    header.writeUInt32BE(height, 4);
    header.writeUInt8(8, 8);
    header.writeUInt8(TYPES[channels], 9);
    const density = Buffer.alloc(9);
    density.writeUInt32BE(Math.round(dpi * INCHES), 0);
    density.writeUInt32BE(Math.round(dpi * INCHES), 4);
    density.writeUInt8(1, 8);
    this.head = Buffer.concat([SIGNATURE, chunk('IHDR', header), chunk('pHYs', density)]);
    this.data = all(this.deflate);
  }

  /** Adds the next rows, which are read before the first await. */
  async add({ pixels, height }: Pick<DrawnPage, 'pixels' | 'height'>): Promise<void> {
    const filtered = filterRows(pixels, height, this.row, this.above);
    this.above = pixels.slice((height - 1) * this.row, height * this.row);
    if (!this.deflate.write(filtered)) await new Promise((resolve) => this.deflate.once('drain', resolve));
  }

  async finish(): Promise<Uint8Array> {
    this.deflate.end();
    return Buffer.concat([this.head, chunk('IDAT', await this.data), chunk('IEND', new Uint8Array(0))]);
  }
}

const UP = 2;

/** Uses the filter Up: choosing among all five took three times as long for 3 % fewer bytes (photographs 9 %). */
function filterRows(pixels: Uint8Array, height: number, row: number, before: Uint8Array): Uint8Array {
  const out = new Uint8Array(height * (row + 1));
  for (let y = 0; y < height; y++) {
    const from = y * row;
    const to = y * (row + 1) + 1;
    out[to - 1] = UP;
    if (y === 0) for (let x = 0; x < row; x++) out[to + x] = byteAt(pixels, x) - byteAt(before, x);
    else for (let x = 0; x < row; x++) out[to + x] = byteAt(pixels, from + x) - byteAt(pixels, from - row + x);
  }
  return out;
}

/** The bytes of a chunk with its length and checksum. */
function chunk(type: string, body: Uint8Array): Uint8Array {
  const bytes = Buffer.alloc(body.length + 12);
  bytes.writeUInt32BE(body.length, 0);
  bytes.write(type, 4, 'latin1');
  bytes.set(body, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, body.length + 8)), body.length + 8);
  return bytes;
}

async function all(stream: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of stream) pieces.push(piece);
  return Buffer.concat(pieces);
}
