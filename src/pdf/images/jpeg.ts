// Reads a JPEG file's headers (ITU T.81 annex B, JFIF, Adobe APP14): what a PDF must state to show its bytes as they
// are.
import { readExif } from './exif.ts';
import { badImage, checkPictureSize, density, type ImageHeader } from './picture.ts';

export interface Jpeg extends ImageHeader {
  readonly kind: 'jpeg';
  readonly components: 1 | 3 | 4;
  /** Photoshop and others store CMYK inverted, marked by an Adobe marker. */
  readonly inverted: boolean;
  /** Three components that are plain red, green and blue, although no marker says so. */
  readonly plainRgb: boolean;
  readonly icc: Uint8Array | undefined;
  /** The start of the picture's data; an end marker must follow. */
  readonly scan: number;
}

const SOI = 0xd8;
const EOI = 0xd9;
const SOS = 0xda;
const APP0 = 0xe0;
const APP1 = 0xe1;
const APP2 = 0xe2;
const APP14 = 0xee;
/** Baseline, extended sequential and progressive, with Huffman coding: what DCTDecode must support. */
const SHOWN = new Set([0xc0, 0xc1, 0xc2]);
const UNSHOWN: Record<number, string> = {
  195: 'a lossless JPEG', 197: 'a hierarchical JPEG', 198: 'a hierarchical JPEG', 199: 'a hierarchical JPEG',
  201: 'a JPEG with arithmetic coding', 202: 'a JPEG with arithmetic coding', 203: 'a JPEG with arithmetic coding',
  205: 'a JPEG with arithmetic coding', 206: 'a JPEG with arithmetic coding', 207: 'a JPEG with arithmetic coding',
}; // biome-ignore format: a table

/**
 * Reads the headers of a file of `size` bytes. Undefined: they reach further than `head`, call again with more. Throws
 * a Failure of kind bad-image, unsupported or limit.
 */
export function readJpeg(name: string, head: Uint8Array, size: number): Jpeg | undefined {
  const view = new DataView(head.buffer, head.byteOffset, head.length);
  let frame: { width: number; height: number; ids: number[] } | undefined;
  let adobe: number | undefined;
  let jfif = false;
  let resolution: ImageHeader['density'];
  let exif: ReturnType<typeof readExif> | undefined;
  const profile = new Map<number, Uint8Array>();
  let scan = 0;
  for (let at = 2; scan === 0; ) {
    // Any number of fill bytes may stand before a marker (B.1.1.2).
    while (at + 1 < head.length && head[at] === 0xff && head[at + 1] === 0xff) at += 1;
    if (at + 4 > size) throw badImage(name, 'is a damaged JPEG: it ends within its headers');
    if (at + 4 > head.length) return undefined;
    if (head[at] !== 0xff || head[at + 1] === 0) {
      // A length may leave bytes over; decoders continue at the next marker, and so does every reader of PDF.
      const next = head.indexOf(0xff, at + 1);
      if (next < 0 && head.length < size) return undefined;
      if (next < 0) throw badImage(name, `is a damaged JPEG: there is no marker from byte ${at} on`);
      at = next;
      continue;
    }
    const marker = head[at + 1] ?? 0;
    if (marker === SOI || marker === 0x01) {
      at += 2;
      continue;
    }
    if (marker === EOI) throw badImage(name, 'is a JPEG without a picture');
    const length = view.getUint16(at + 2);
    const end = at + 2 + length;
    if (length < 2 || end > size)
      throw badImage(name, `is a damaged JPEG: a segment at byte ${at} has ${length} bytes`);
    if (end > head.length) return undefined;
    const body = head.subarray(at + 4, end);
    if (marker === SOS) {
      if (frame === undefined) throw badImage(name, 'is a damaged JPEG: it does not say how large its picture is');
      scan = end;
      continue;
    }
    const unshown = UNSHOWN[marker];
    if (unshown !== undefined) throw badImage(name, `is ${unshown}, which PDF cannot show`, 'unsupported');
    if (SHOWN.has(marker)) frame = readFrame(name, body);
    else if (marker === APP0 && starts(body, 'JFIF\0') && body.length >= 12) {
      jfif = true;
      const scale = body[7] === 1 ? 1 : body[7] === 2 ? 2.54 : 0;
      resolution = density(view.getUint16(at + 12) * scale, view.getUint16(at + 14) * scale);
    } else if (marker === APP1 && starts(body, 'Exif\0')) exif ??= readExif(body.subarray(6));
    else if (marker === APP2 && starts(body, 'ICC_PROFILE\0') && body.length > 14)
      profile.set(body[12] ?? 0, body.subarray(14));
    else if (marker === APP14 && starts(body, 'Adobe') && body.length >= 12) adobe = body[11] ?? 0;
    at = end;
    if (at === size) throw badImage(name, 'is a damaged JPEG: it ends before its picture');
  }
  if (frame === undefined) throw new TypeError('a scan without a frame was refused above');
  const { width, height, ids } = frame;
  const components = ids.length;
  if (components !== 1 && components !== 3 && components !== 4)
    throw badImage(name, `is a JPEG with ${components} components; PDF shows 1, 3 or 4`, 'unsupported');
  return {
    kind: 'jpeg',
    width,
    height,
    orientation: exif?.orientation ?? 1,
    density: resolution ?? exif?.density,
    components,
    inverted: components === 4 && adobe !== undefined,
    plainRgb: components === 3 && adobe === undefined && !jfif && ids.join() === '82,71,66',
    icc: joinProfile(profile),
    scan,
  };
}

function readFrame(name: string, body: Uint8Array): { width: number; height: number; ids: number[] } {
  const count = body[5] ?? 0;
  if (body.length < 6 + count * 3) throw badImage(name, 'is a damaged JPEG: its frame header is cut off');
  if (body[0] !== 8) throw badImage(name, `is a JPEG of ${body[0]} bits a sample; PDF shows 8`, 'unsupported');
  const height = ((body[1] ?? 0) << 8) | (body[2] ?? 0);
  const width = ((body[3] ?? 0) << 8) | (body[4] ?? 0);
  checkPictureSize(name, width, height);
  return { width, height, ids: Array.from({ length: count }, (_, i) => body[6 + i * 3] ?? 0) };
}

/** The profile of all its numbered pieces; undefined where one is missing. */
function joinProfile(pieces: ReadonlyMap<number, Uint8Array>): Uint8Array | undefined {
  if (pieces.size === 0) return undefined;
  const list = Array.from({ length: pieces.size }, (_, i) => pieces.get(i + 1));
  return list.every((piece) => piece !== undefined) ? Uint8Array.from(Buffer.concat(list)) : undefined;
}

function starts(body: Uint8Array, text: string): boolean {
  return Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, text.length)).toString('latin1') === text;
}
