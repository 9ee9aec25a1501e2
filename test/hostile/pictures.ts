// Hostile pictures: headers that promise more than the file has or a machine could hold, and data that never ends.
import { crc32, deflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

function chunk(type: string, data: Buffer, isRight = true): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(data.length, 0);
  body.copy(out, 4);
  out.writeUInt32BE(isRight ? crc32(body) : 7, body.length + 4);
  return out;
}

function png(
  width: number,
  height: number,
  depth: number,
  colour: number,
  data: Buffer,
  more: readonly Buffer[] = [],
): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head[8] = depth;
  head[9] = colour;
  return Buffer.concat([SIGNATURE, chunk('IHDR', head), ...more, chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]);
}

const packed = (bytes: number) => deflateSync(Buffer.alloc(bytes), { level: 9 });
const jpeg = (height: number, width: number, components: number, more = '') => {
  const frame = Buffer.alloc(10 + 3 * components);
  frame.writeUInt16BE(0xffc0, 0);
  frame.writeUInt16BE(8 + 3 * components, 2);
  frame[4] = 8;
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  frame[9] = components;
  for (let i = 0; i < components; i += 1) frame.set([i + 1, 0xff, 0], 10 + 3 * i);
  return Buffer.concat([
    Buffer.from('ffd8', 'hex'),
    Buffer.from(more, 'hex'),
    frame,
    Buffer.from('ffda0008010100003f00', 'hex'),
  ]);
};
const SIZES = [0, 1, 30_000, 65_535, 1_000_000, 0x7fffffff, 0xffffffff];

export const PICTURES: Readonly<Record<string, () => Buffer>> = {
  ...Object.fromEntries(
    SIZES.map((size) => [`PNG of ${size} × ${size} with nothing in it`, () => png(size, size, 8, 2, packed(9))]),
  ),
  ...Object.fromEntries(
    [1, 2, 4, 8, 16].map((depth) => [
      `PNG of 30,000 × 30,000 at ${depth} bits`,
      () => png(30_000, 30_000, depth, 0, packed(60_000_000)),
    ]),
  ),
  ...Object.fromEntries(
    [1, 5, 7, 99].map((colour) => [`PNG of colour ${colour} at 3 bits`, () => png(9, 9, 3, colour, packed(900))]),
  ),
  'PNG that unpacks to 100 MB more than it needs': () => png(1, 1, 8, 0, packed(100_000_000)),
  'PNG without a palette': () => png(9, 9, 8, 3, packed(90)),
  'PNG with 10,000 palettes': () =>
    png(
      9,
      9,
      8,
      3,
      packed(90),
      Array.from({ length: 10_000 }, () => chunk('PLTE', Buffer.alloc(768))),
    ),
  'PNG with text of 50 MB': () =>
    png(9, 9, 8, 0, packed(90), [chunk('zTXt', Buffer.concat([Buffer.from('a\0\0'), packed(50_000_000)]))]),
  'PNG with a profile of 50 MB': () =>
    png(9, 9, 8, 0, packed(90), [chunk('iCCP', Buffer.concat([Buffer.from('a\0\0'), packed(50_000_000)]))]),
  'PNG of wrong sums': () => Buffer.concat([SIGNATURE, chunk('IHDR', Buffer.alloc(13), false)]),
  'PNG with a chunk of 4 GB': () => Buffer.concat([SIGNATURE, Buffer.from('ffffffff49444154', 'hex')]),
  'PNG of a signature': () => SIGNATURE,
  ...Object.fromEntries(
    [
      [65_535, 65_535, 1],
      [65_535, 65_535, 4],
      [1, 65_535, 3],
      [0, 9, 3],
      [9, 9, 0],
      [9, 9, 255],
    ].map(([height = 0, width = 0, components = 0]) => [
      `JPEG of ${width} × ${height} in ${components} colours`,
      () => jpeg(height, width, components),
    ]),
  ),
  'JPEG with 60,000 comments': () => jpeg(9, 9, 1, 'fffe000241'.repeat(60_000)),
  'JPEG whose Exif is in a circle': () => jpeg(9, 9, 1, `ffe1001a457869660000${'4d4d002a00000008'}${'0001'.repeat(4)}`),
  'JPEG that is restarted without an end': () =>
    Buffer.concat([jpeg(9_999, 9_999, 1), Buffer.from('ffd0'.repeat(500_000), 'hex')]),
  'JPEG without a frame': () => Buffer.from('ffd8ffd9', 'hex'),
  'GIF of 65,535 × 65,535': () =>
    Buffer.from('474946383961ffffffff800000000000ffffff2c00000000ffffffff0002024401003b', 'hex'),
  'BMP of 2^31': () => Buffer.from(`424d${'00'.repeat(12)}28000000ffffff7fffffff7f0100180000${'00'.repeat(40)}`, 'hex'),
  'TIFF whose directory is in a circle': () => Buffer.from('49492a0008000000000008000000', 'hex'),
  'WebP of 16,383 × 16,383': () =>
    Buffer.from('524946461a000000574542505650384c0d0000002fffffff0f000000000000000000', 'hex'),
  'SVG of entities': () => Buffer.from('<!DOCTYPE a [<!ENTITY b "&b;&b;">]><svg>&b;</svg>'),
  'picture that is empty': () => Buffer.alloc(0),
};
