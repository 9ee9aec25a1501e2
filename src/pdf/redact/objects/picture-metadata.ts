import { byteAt } from '../../syntax/arrays.ts';
import { type Dict, Name } from '../../syntax/values.ts';

/** A picture's data without metadata: locations, names, thumbnails of the unedited picture. */
export function withoutMetadata(dict: Dict, data: Uint8Array): Uint8Array {
  const filter = dict.get('Filter');
  if (!(filter instanceof Name)) return data;
  if (filter.value === 'DCTDecode') return jpegWithoutMetadata(data);
  if (filter.value === 'JPXDecode') return jpxWithoutMetadata(data);
  return data;
}

const SOI = 0xd8;
const SOS = 0xda;
const COM = 0xfe;
const APP0 = 0xe0;
const APP15 = 0xef;
/** Declares the colour transform; all other APP segments are metadata. */
const ADOBE = 0xee;

function jpegWithoutMetadata(data: Uint8Array): Uint8Array {
  if (data[0] !== 0xff || data[1] !== SOI) return data;
  const kept: Uint8Array[] = [data.subarray(0, 2)];
  let at = 2;
  while (at + 4 <= data.length) {
    if (data[at] !== 0xff) return data;
    const marker = byteAt(data, at + 1);
    if (marker === 0xff) {
      at++;
      continue;
    }
    // The data of the image: everything up to the end-of-image marker is kept.
    if (marker === SOS) break;
    if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd9)) {
      kept.push(data.subarray(at, at + 2));
      at += 2;
      continue;
    }
    const end = at + 2 + ((byteAt(data, at + 2) << 8) | byteAt(data, at + 3));
    if (end > data.length) return data;
    const segment = data.subarray(at, end);
    const about = (marker >= APP0 && marker <= APP15 && !isNeeded(marker, segment)) || marker === COM;
    if (!about) kept.push(segment);
    at = end;
  }
  kept.push(data.subarray(at, endOfImage(data, at)));
  return Buffer.concat(kept);
}

function isNeeded(marker: number, segment: Uint8Array): boolean {
  return marker === ADOBE && segment.length >= 16 && Buffer.from(segment.subarray(4, 9)).toString('latin1') === 'Adobe';
}

/** The offset behind the end-of-image marker. */
function endOfImage(data: Uint8Array, from: number): number {
  for (let at = from; at + 1 < data.length; at++) if (data[at] === 0xff && data[at + 1] === 0xd9) return at + 2;
  return data.length;
}

/** Boxes around JPEG 2000 data that hold metadata. */
const ABOUT = new Set(['xml ', 'uuid', 'uinf', 'jp2i', 'asoc', 'nlst', 'lbl ']);

function jpxWithoutMetadata(data: Uint8Array): Uint8Array {
  const view = Buffer.from(data.buffer, data.byteOffset, data.length);
  if (data.length < 12 || view.toString('latin1', 4, 8) !== 'jP  ') return data;
  const kept: Uint8Array[] = [];
  for (let at = 0; at + 8 <= data.length; ) {
    const length = view.readUInt32BE(at);
    // 0: to the end. 1: a length of 64 bits, which no box of a document needs.
    const end = length === 0 || length === 1 ? data.length : at + length;
    if (end > data.length || end < at + 8) return data;
    if (!ABOUT.has(view.toString('latin1', at + 4, at + 8))) kept.push(data.subarray(at, end));
    at = end;
  }
  return Buffer.concat(kept);
}
