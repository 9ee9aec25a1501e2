// PNG's row filters as an encoder uses them (W3C PNG, chapter 9).

import { paeth } from '../../file/read/png-predictor.ts';
import { byteAt } from '../../syntax/arrays.ts';

/** Names of this module: calls through the bundle's getters take half of the time of such loops. */
const byte = byteAt;
const paethOf = paeth;

export interface RowLayout {
  readonly columns: number;
  readonly colors: number;
  readonly bits: number;
  readonly count: number;
}

/** Samples of a row that are looked at to choose its filter, about and at most; more choose no better (measured). */
const LOOKED_AT = 1024;

/** Each row with the filter of the smallest sum of absolute differences. Undefined where the bytes are no whole rows. */
export function predictRows(bytes: Uint8Array, { columns, colors, bits }: RowLayout): Uint8Array | undefined {
  const width = Math.ceil((columns * colors * bits) / 8);
  const pixel = Math.max(1, (colors * bits) >> 3);
  const count = Math.floor(bytes.length / width);
  // Samples of less than a byte have no neighbours worth predicting from.
  if (bits < 8 || width === 0 || count === 0 || bytes.length - count * width > 2) return undefined;
  const out = new Uint8Array(count * (width + 1));
  const nothing = new Uint8Array(width);
  for (let row = 0; row < count; row++) {
    const here = bytes.subarray(row * width, (row + 1) * width);
    const above = row === 0 ? nothing : bytes.subarray((row - 1) * width, row * width);
    const filter = bestFilter(here, above, pixel);
    const to = row * (width + 1);
    out[to] = filter;
    writeRow(filter, here, above, pixel, out, to + 1);
  }
  return out;
}

const [SUB, UP, AVERAGE, PAETH] = [1, 2, 3, 4];

function bestFilter(here: Uint8Array, above: Uint8Array, pixel: number): number {
  // A step coprime to the samples of a pixel, so that all channels are looked at.
  const step = here.length <= LOOKED_AT ? 1 : (Math.floor(here.length / LOOKED_AT / 12) + 1) * 12 - 7;
  let [none, sub, up, average, nearest] = [0, 0, 0, 0, 0];
  for (let i = pixel; i < here.length; i += step) {
    const value = byte(here, i);
    const a = byte(here, i - pixel);
    const b = byte(above, i);
    none += size(value);
    sub += size((value - a) & 255);
    up += size((value - b) & 255);
    average += size((value - ((a + b) >> 1)) & 255);
    nearest += size((value - paethOf(a, b, byte(above, i - pixel))) & 255);
  }
  const least = Math.min(none, sub, up, average, nearest);
  return [none, sub, up, average, nearest].indexOf(least);
}

function writeRow(
  filter: number,
  here: Uint8Array,
  above: Uint8Array,
  pixel: number,
  out: Uint8Array,
  to: number,
): void {
  const { length } = here;
  const first = Math.min(pixel, length);
  if (filter === SUB) {
    out.set(here.subarray(0, first), to);
    for (let i = pixel; i < length; i++) out[to + i] = byte(here, i) - byte(here, i - pixel);
  } else if (filter === UP) {
    for (let i = 0; i < length; i++) out[to + i] = byte(here, i) - byte(above, i);
  } else if (filter === AVERAGE) {
    for (let i = 0; i < first; i++) out[to + i] = byte(here, i) - (byte(above, i) >> 1);
    for (let i = pixel; i < length; i++) out[to + i] = byte(here, i) - ((byte(here, i - pixel) + byte(above, i)) >> 1);
  } else if (filter === PAETH) {
    for (let i = 0; i < first; i++) out[to + i] = byte(here, i) - byte(above, i);
    for (let i = pixel; i < length; i++)
      out[to + i] = byte(here, i) - paethOf(byte(here, i - pixel), byte(above, i), byte(above, i - pixel));
  } else out.set(here, to);
}

/** The absolute value of a difference modulo 256. */
function size(byte: number): number {
  return byte < 128 ? byte : 256 - byte;
}
