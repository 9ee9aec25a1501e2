// Reads a PNG file's chunks (W3C PNG): the form of its picture, and where its data lies.
import { crc32 } from 'node:zlib';
import { type Exif, readExif } from './exif.ts';
import { badImage, checkPictureSize, density, type ImageHeader } from './picture.ts';

export interface Png extends ImageHeader {
  readonly kind: 'png';
  readonly depth: 1 | 2 | 4 | 8 | 16;
  readonly colors: 'gray' | 'rgb' | 'palette' | 'gray-alpha' | 'rgb-alpha';
  /** Samples per pixel, alpha included. */
  readonly channels: 1 | 2 | 3 | 4;
  readonly interlaced: boolean;
  /** Red, green and blue of each entry. */
  readonly palette: Uint8Array | undefined;
  /** The tRNS chunk: one transparent colour, or the alpha of each palette entry. */
  readonly transparency: Uint8Array | undefined;
  /** A profile, still compressed. */
  readonly icc: Uint8Array | undefined;
  /** The picture's data, one zlib stream in pieces. The frames of an animation that follow are not among them. */
  readonly data: readonly Uint8Array[];
}

export const PNG_SIGNATURE = '\x89PNG\r\n\x1a\n';
const KINDS: Record<number, { colors: Png['colors']; channels: Png['channels']; depths: readonly number[] }> = {
  0: { colors: 'gray', channels: 1, depths: [1, 2, 4, 8, 16] },
  2: { colors: 'rgb', channels: 3, depths: [8, 16] },
  3: { colors: 'palette', channels: 1, depths: [1, 2, 4, 8] },
  4: { colors: 'gray-alpha', channels: 2, depths: [8, 16] },
  6: { colors: 'rgb-alpha', channels: 4, depths: [8, 16] },
};
/** Chunks without which the picture would be another one: their checksums are looked at. */
const CRITICAL = new Set(['IHDR', 'PLTE', 'IDAT', 'tRNS']);
const METRE = 39.37007874;

/** Reads all chunks of a whole file. Throws a Failure of kind bad-image or limit. */
export function readPng(name: string, bytes: Uint8Array): Png {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let header: ReturnType<typeof readHeader> | undefined;
  let palette: Uint8Array | undefined;
  let transparency: Uint8Array | undefined;
  let icc: Uint8Array | undefined;
  let resolution: ImageHeader['density'];
  let exif: Exif | undefined;
  const data: Uint8Array[] = [];
  for (let at = 8; at + 8 <= bytes.length; ) {
    const length = view.getUint32(at);
    const type = Buffer.from(bytes.buffer, bytes.byteOffset + at + 4, 4).toString('latin1');
    const end = at + 8 + length;
    if (end + 4 > bytes.length) {
      // Readers show a picture that lacks only its end chunk.
      if (type === 'IEND') break;
      throw badImage(name, `is a damaged PNG: it ends within the chunk at byte ${at}`);
    }
    const body = bytes.subarray(at + 8, end);
    if (CRITICAL.has(type) && crc32(bytes.subarray(at + 4, end)) !== view.getUint32(end))
      throw badImage(name, `is a damaged PNG: the checksum of its ${type} chunk at byte ${at} is wrong`);
    if (header === undefined && type !== 'IHDR') throw badImage(name, 'is a damaged PNG: it does not begin with IHDR');
    if (type === 'IEND') break;
    if (type === 'IHDR') header ??= readHeader(name, body);
    else if (type === 'PLTE') palette ??= body;
    else if (type === 'tRNS') transparency ??= body;
    else if (type === 'IDAT') data.push(body);
    else if (type === 'pHYs' && length === 9 && body[8] === 1)
      resolution = density(view.getUint32(at + 8) / METRE, view.getUint32(at + 12) / METRE);
    else if (type === 'eXIf') exif = readExif(body);
    else if (type === 'iCCP') icc = profileOf(body);
    at = end + 4;
  }
  if (header === undefined) throw badImage(name, 'is a damaged PNG: it has no header');
  if (data.length === 0) throw badImage(name, 'is a PNG without a picture');
  if (header.colors === 'palette' && (palette === undefined || palette.length < 3))
    throw badImage(name, 'is a damaged PNG: its palette is missing');
  return {
    kind: 'png',
    ...header,
    orientation: exif?.orientation ?? 1,
    density: resolution ?? exif?.density,
    palette: palette?.subarray(0, Math.min(768, palette.length - (palette.length % 3))),
    transparency: header.channels % 2 === 0 ? undefined : transparency,
    icc,
    data,
  };
}

function readHeader(name: string, body: Uint8Array) {
  if (body.length !== 13) throw badImage(name, `is a damaged PNG: its header has ${body.length} bytes, not 13`);
  const view = new DataView(body.buffer, body.byteOffset, body.length);
  const width = view.getUint32(0);
  const height = view.getUint32(4);
  const [depth = 0, kind = 0, compression, filter, interlace = 0] = body.subarray(8);
  const form = KINDS[kind];
  if (form === undefined || !form.depths.includes(depth))
    throw badImage(name, `is a damaged PNG: colour type ${kind} with ${depth} bits does not exist`);
  if (compression !== 0 || filter !== 0 || interlace > 1)
    throw badImage(name, 'is a damaged PNG: its header names methods that do not exist');
  checkPictureSize(name, width, height);
  const { colors, channels } = form;
  return { width, height, depth: depth as Png['depth'], colors, channels, interlaced: interlace === 1 };
}

/** The compressed profile behind its name and compression method. */
function profileOf(body: Uint8Array): Uint8Array | undefined {
  const end = body.indexOf(0);
  return end > 0 && end < 80 && body[end + 1] === 0 ? body.subarray(end + 2) : undefined;
}
