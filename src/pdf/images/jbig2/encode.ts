// JBIG2 (ITU-T T.88) as PDF embeds it (ISO 32000-1, 7.4.7): one page with one generic region, template 0, with typical
// prediction. Lossless. No symbols: those of other coders put like-looking characters in each other's place.
import { copiedInto } from '../../syntax/arrays.ts';

/** Contexts of template 0 (6.2.5.3), sixteen pixels each. */
const CONTEXTS = 1 << 16;
/** The context for whether a row equals the one above (6.2.5.7, figure 8). */
const ROW_CONTEXT = 0x9b25;
/** The template's four adaptive pixels (6.2.5.4): x and y from the pixel, as the standard proposes. */
const ADAPTIVE = [3, -1, -3, -1, 2, -2, -2, -2];

/** Encodes a 1-bit picture losslessly. `rows`: padded to bytes, the leftmost pixel in the highest bit. */
export function encodeJbig2(rows: Uint8Array, width: number, height: number): Uint8Array {
  const page = segment(0, 48, [...[width, height, 0, 0].flatMap(uint32), 0, 0, 0], new Uint8Array());
  const region = segment(1, 38, regionHeader(width, height), genericRegion(rows, width, height));
  return Buffer.concat([page, region]);
}

/** 6.2.5: each pixel in the context of sixteen before it. */
function genericRegion(rows: Uint8Array, width: number, height: number): Uint8Array {
  const coder = new ArithmeticEncoder();
  const stride = (width + 7) >> 3;
  // Pixels of the row and of the two above, one per byte, with room for the template on both sides.
  const line = () => new Uint8Array(8 * stride + 2 * MARGIN);
  let [above2, above, row] = [line(), line(), line()];
  let wasTypical = 0;
  for (let y = 0; y < height; y++) {
    [above2, above, row] = [above, row, above2];
    unpack(rows.subarray(y * stride, (y + 1) * stride), row, width);
    const isTypical = Buffer.compare(row, above) === 0 ? 1 : 0;
    coder.encode(ROW_CONTEXT, isTypical ^ wasTypical);
    wasTypical = isTypical;
    if (isTypical === 0) coder.encodeRow(above2, above, row, width);
  }
  return coder.finish();
}

const MARGIN = 4;

/** Four pixels, one per byte, for each four bits. PDF's 0 is JBIG2's black, 1 (ISO 32000-1, 7.4.7). */
const FOURS = new Uint32Array(Uint8Array.from({ length: 64 }, (_, i) => 1 ^ (((i >> 2) >> (3 - (i & 3))) & 1)).buffer);

function unpack(packed: Uint8Array, row: Uint8Array, width: number): void {
  const fours = new Uint32Array(row.buffer, MARGIN);
  for (let i = 0; i < packed.length; i++) {
    const byte = packed[i] ?? 0;
    fours[2 * i] = FOURS[byte >> 4] ?? 0;
    fours[2 * i + 1] = FOURS[byte & 15] ?? 0;
  }
  row.fill(0, MARGIN + width);
}

/** 7.4.1 and 7.4.6: a region as large as the page, at its corner. */
function regionHeader(width: number, height: number): number[] {
  const typicalPrediction = 0x08;
  return [...[width, height, 0, 0].flatMap(uint32), 0, typicalPrediction, ...ADAPTIVE.map((value) => value & 0xff)];
}

/** 7.2: a segment of page 1 that refers to no other. */
function segment(number: number, type: number, head: readonly number[], data: Uint8Array): Uint8Array {
  const header = [...uint32(number), type, 0, 1, ...uint32(head.length + data.length), ...head];
  return Buffer.concat([Uint8Array.from(header), data]);
}

function uint32(value: number): number[] {
  return [(value >>> 24) & 0xff, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff];
}

// The MQ arithmetic encoder of JBIG2 (ITU-T T.88, annex E.2, software conventions of E.3).

/** Table E.1: Qe in hexadecimal, next state after the more, after the less probable symbol, whether the two swap. */
const STATES = `
5601 1 1 1, 3401 2 6 0, 1801 3 9 0, 0ac1 4 12 0, 0521 5 29 0, 0221 38 33 0, 5601 7 6 1, 5401 8 14 0, 4801 9 14 0,
3801 10 14 0, 3001 11 17 0, 2401 12 18 0, 1c01 13 20 0, 1601 29 21 0, 5601 15 14 1, 5401 16 14 0, 5101 17 15 0,
4801 18 16 0, 3801 19 17 0, 3401 20 18 0, 3001 21 19 0, 2801 22 19 0, 2401 23 20 0, 2201 24 21 0, 1c01 25 22 0,
1801 26 23 0, 1601 27 24 0, 1401 28 25 0, 1201 29 26 0, 1101 30 27 0, 0ac1 31 28 0, 09c1 32 29 0, 08a1 33 30 0,
0521 34 31 0, 0441 35 32 0, 02a1 36 33 0, 0221 37 34 0, 0141 38 35 0, 0111 39 36 0, 0085 40 37 0, 0049 41 38 0,
0025 42 39 0, 0015 43 40 0, 0009 44 41 0, 0005 45 42 0, 0001 45 43 0, 5601 46 46 0`
  .split(',')
  .map((state) => state.trim().split(' '));

// A context is one number, twice its state plus its more probable symbol, so that a decision takes one look-up each.
const QE = new Uint16Array(2 * STATES.length);
const AFTER_MPS = new Uint8Array(2 * STATES.length);
const AFTER_LPS = new Uint8Array(2 * STATES.length);
for (const [state, [qe = '', nextMps, nextLps, change]] of STATES.entries()) {
  for (const mps of [0, 1]) {
    QE[2 * state + mps] = Number.parseInt(qe, 16);
    AFTER_MPS[2 * state + mps] = 2 * Number(nextMps) + mps;
    AFTER_LPS[2 * state + mps] = 2 * Number(nextLps) + (change === '1' ? 1 - mps : mps);
  }
}

class ArithmeticEncoder {
  private readonly contexts = new Uint8Array(CONTEXTS);
  private out: Uint8Array = new Uint8Array(1 << 14);
  /** Bytes in `out`; the first of them comes before the data (E.2.9, INITENC) and is no part of it. */
  private length = 1;
  private interval = 0x8000;
  private code = 0;
  /** Shifts until a byte is complete. */
  private shifts = 12;

  /** Codes one decision in its context (E.2.3 to E.2.6). */
  encode(context: number, bit: number): void {
    const state = this.contexts[context] ?? 0;
    const qe = QE[state] ?? 0;
    this.interval -= qe;
    if ((state & 1) === bit) {
      if (this.interval >= 0x8000) {
        this.code += qe;
        return;
      }
      if (this.interval < qe) this.interval = qe;
      else this.code += qe;
      this.contexts[context] = AFTER_MPS[state] ?? 0;
    } else {
      if (this.interval < qe) this.code += qe;
      else this.interval = qe;
      this.contexts[context] = AFTER_LPS[state] ?? 0;
    }
    do {
      this.interval <<= 1;
      this.code <<= 1;
      this.shifts -= 1;
      if (this.shifts === 0) this.byteOut();
    } while (this.interval < 0x8000);
  }

  /** Codes a row of pixels, given those above it. */
  encodeRow(above2: Uint8Array, above: Uint8Array, row: Uint8Array, width: number): void {
    const { contexts } = this;
    let { interval, code } = this;
    // Five pixels two rows up, seven one row up, four to the left.
    let upper = ((above2[MARGIN] ?? 0) << 1) | (above2[MARGIN + 1] ?? 0);
    let middle = ((above[MARGIN] ?? 0) << 2) | ((above[MARGIN + 1] ?? 0) << 1) | (above[MARGIN + 2] ?? 0);
    let left = 0;
    for (let x = MARGIN; x < width + MARGIN; x++) {
      upper = ((upper << 1) | (above2[x + 2] ?? 0)) & 31;
      middle = ((middle << 1) | (above[x + 3] ?? 0)) & 127;
      const pixel = row[x] ?? 0;
      const context = (upper << 11) | (middle << 4) | left;
      const state = contexts[context] ?? 0;
      const qe = QE[state] ?? 0;
      // The usual case of `encode`, in local variables.
      if ((state & 1) === pixel && interval - qe >= 0x8000) {
        interval -= qe;
        code += qe;
      } else {
        this.interval = interval;
        this.code = code;
        this.encode(context, pixel);
        interval = this.interval;
        code = this.code;
      }
      left = ((left << 1) | pixel) & 15;
    }
    this.interval = interval;
    this.code = code;
  }

  /** Ends the data (E.2.9, FLUSH) and returns it with its end marker. */
  finish(): Uint8Array {
    const upper = this.code + this.interval;
    this.code |= 0xffff;
    if (this.code >= upper) this.code -= 0x8000;
    this.code <<= this.shifts;
    this.byteOut();
    this.code <<= this.shifts;
    this.byteOut();
    if (this.out[this.length - 1] !== 0xff) this.put(0xff);
    this.put(0xac);
    return this.out.subarray(1, this.length);
  }

  /** E.2.8. A byte behind 0xFF holds seven bits, so that no marker can arise. */
  private byteOut(): void {
    const last = this.length - 1;
    const previous = this.out[last] ?? 0;
    if (previous !== 0xff && this.code >= 0x8000000) {
      this.out[last] = previous + 1;
      // The carry is consumed here; otherwise it would be written again behind 0xFF.
      if (previous + 1 === 0xff) this.code &= 0x7ffffff;
    }
    if (this.out[last] === 0xff) {
      this.put(this.code >> 20);
      this.code &= 0xfffff;
      this.shifts = 7;
    } else {
      this.put((this.code >> 19) & 0xff);
      this.code &= 0x7ffff;
      this.shifts = 8;
    }
  }

  private put(byte: number): void {
    if (this.length === this.out.length) this.out = copiedInto(this.out, new Uint8Array(2 * this.length));
    this.out[this.length++] = byte;
  }
}
