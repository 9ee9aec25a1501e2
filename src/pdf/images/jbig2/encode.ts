// JBIG2 (ITU-T T.88) as PDF embeds it (ISO 32000-1, 7.4.7): one page with one generic region, template 0, with typical
// prediction. Lossless. No symbols: those of other coders put like-looking characters in each other's place.
import { ArithmeticEncoder } from './arithmetic-encoder.ts';

/** Contexts of template 0 (6.2.5.3), sixteen pixels each. */
const CONTEXTS = 1 << 16;
/** The context that says whether a row is the one above (6.2.5.7, figure 8). */
const ROW_CONTEXT = 0x9b25;
/** The template's four adaptive pixels (6.2.5.4): x and y from the pixel, as the standard proposes. */
const ADAPTIVE = [3, -1, -3, -1, 2, -2, -2, -2];

/**
 * A 1-bit picture in JBIG2. `rows`: each padded to bytes, the leftmost pixel in the highest bit; JBIG2Decode gives the
 * same bits back.
 */
export function encodeJbig2(rows: Uint8Array, width: number, height: number): Uint8Array {
  const region = segment(1, 38, [...regionHeader(width, height)], genericRegion(rows, width, height));
  const page = segment(
    0,
    48,
    [...uint32(width), ...uint32(height), ...uint32(0), ...uint32(0), 0, 0, 0],
    new Uint8Array(),
  );
  const all = new Uint8Array(page.length + region.length);
  all.set(page);
  all.set(region, page.length);
  return all;
}

/** 6.2.5: each pixel in the context of sixteen before it. */
function genericRegion(rows: Uint8Array, width: number, height: number): Uint8Array {
  const coder = new ArithmeticEncoder(CONTEXTS);
  const stride = (width + 7) >> 3;
  // Pixels of the row and of the two above, one a byte, with room for the template on both sides.
  let above2 = new Uint8Array(width + 2 * MARGIN);
  let above = new Uint8Array(width + 2 * MARGIN);
  let row = new Uint8Array(width + 2 * MARGIN);
  let wasTypical = 0;
  for (let y = 0; y < height; y++) {
    [above2, above, row] = [above, row, above2];
    unpack(rows.subarray(y * stride, (y + 1) * stride), row, width);
    const isTypical = same(row, above) ? 1 : 0;
    coder.encode(ROW_CONTEXT, isTypical ^ wasTypical);
    wasTypical = isTypical;
    if (isTypical === 1) continue;
    // Five pixels two rows up, seven one row up, four to the left.
    let upper = ((above2[MARGIN] ?? 0) << 1) | (above2[MARGIN + 1] ?? 0);
    let middle = ((above[MARGIN] ?? 0) << 2) | ((above[MARGIN + 1] ?? 0) << 1) | (above[MARGIN + 2] ?? 0);
    let left = 0;
    for (let x = MARGIN; x < width + MARGIN; x++) {
      upper = ((upper << 1) | (above2[x + 2] ?? 0)) & 31;
      middle = ((middle << 1) | (above[x + 3] ?? 0)) & 127;
      const pixel = row[x] ?? 0;
      coder.encode((upper << 11) | (middle << 4) | left, pixel);
      left = ((left << 1) | pixel) & 15;
    }
  }
  return coder.finish();
}

const MARGIN = 4;

/** PDF's 0 is JBIG2's black, 1 (ISO 32000-1, 7.4.7). */
function unpack(packed: Uint8Array, row: Uint8Array, width: number): void {
  for (let x = 0; x < width; x++) row[x + MARGIN] = 1 ^ (((packed[x >> 3] ?? 0) >> (7 - (x & 7))) & 1);
}

function same(a: Uint8Array, b: Uint8Array): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** 7.4.1 and 7.4.6: a region as large as the page, at its corner. */
function regionHeader(width: number, height: number): number[] {
  const typicalPrediction = 0x08;
  return [...[width, height, 0, 0].flatMap(uint32), 0, typicalPrediction, ...ADAPTIVE.map((value) => value & 0xff)];
}

/** 7.2: a segment of page 1 that refers to no other. */
function segment(number: number, type: number, head: readonly number[], data: Uint8Array): Uint8Array {
  const header = [...uint32(number), type, 0, 1, ...uint32(head.length + data.length), ...head];
  const bytes = new Uint8Array(header.length + data.length);
  bytes.set(header);
  bytes.set(data, header.length);
  return bytes;
}

function uint32(value: number): number[] {
  return [(value >>> 24) & 0xff, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff];
}
