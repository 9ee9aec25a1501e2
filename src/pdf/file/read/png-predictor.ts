// Predictors of PNG (W3C PNG, 9): a row begins with its filter, and holds differences to what is left and above.
import { byteAt } from '../../syntax/arrays.ts';

/** A name of this module: a call through the bundle's getter takes half of the time of such loops. */
const byte = byteAt;

const [SUB, UP, AVERAGE, PAETH] = [1, 2, 3, 4];

/** Undoes the predictors of whole rows of `rowBytes` bytes each; the last row may be shorter. `pixel`: bytes of a pixel. */
export function unpredictPng(data: Uint8Array, rowBytes: number, pixel: number): Uint8Array {
  const rows = Math.ceil(data.length / (rowBytes + 1));
  // Row lengths come from the file: only what the data holds is allocated.
  const out = new Uint8Array(data.length);
  let written = 0;
  for (let row = 0, from = 0, to = 0; row < rows; row++, from += rowBytes + 1, to += rowBytes) {
    const length = Math.min(rowBytes, data.length - from - 1);
    const filter = data[from] ?? 0;
    written = to + length;
    if (filter === UP && row > 0) {
      // A fast path for cross-reference streams, which have tens of thousands of rows of a few bytes.
      for (let at = to, raw = from + 1; at < written; at++, raw++)
        out[at] = (data[raw] ?? 0) + (out[at - rowBytes] ?? 0);
      continue;
    }
    const above = row > 0 ? out.subarray(to - rowBytes, to) : undefined;
    unpredictRow(filter, data.subarray(from + 1, from + 1 + length), above, pixel, out.subarray(to, written));
  }
  return out.subarray(0, written);
}

/** Undoes the filter of one row into `out`. `above`: the row before, undone; undefined for the first one. */
export function unpredictRow(
  filter: number,
  row: Uint8Array,
  above: Uint8Array | undefined,
  pixel: number,
  out: Uint8Array,
): void {
  const { length } = row;
  const over = above ?? new Uint8Array(length);
  const first = Math.min(pixel, length);
  if (filter === SUB) {
    out.set(row.subarray(0, first));
    for (let i = first; i < length; i++) out[i] = byte(row, i) + byte(out, i - pixel);
  } else if (filter === UP) {
    for (let i = 0; i < length; i++) out[i] = byte(row, i) + byte(over, i);
  } else if (filter === AVERAGE) {
    for (let i = 0; i < first; i++) out[i] = byte(row, i) + (byte(over, i) >> 1);
    for (let i = first; i < length; i++) out[i] = byte(row, i) + ((byte(out, i - pixel) + byte(over, i)) >> 1);
  } else if (filter === PAETH) {
    for (let i = 0; i < first; i++) out[i] = byte(row, i) + byte(over, i);
    for (let i = first; i < length; i++)
      out[i] = byte(row, i) + paeth(byte(out, i - pixel), byte(over, i), byte(over, i - pixel));
  } else out.set(row);
}

/** The byte that a filter predicts from the bytes at the left, above, and above at the left. */
export function predicted(filter: number, left: number, up: number, corner: number): number {
  if (filter === SUB) return left;
  if (filter === UP) return up;
  if (filter === AVERAGE) return (left + up) >> 1;
  return filter === PAETH ? paeth(left, up, corner) : 0;
}

/** Left, up or corner: the nearest to left + up - corner. It runs for each byte of a picture, so it calls nothing. */
export function paeth(left: number, up: number, corner: number): number {
  const p = up - corner;
  const q = left - corner;
  const pa = p < 0 ? -p : p;
  const pb = q < 0 ? -q : q;
  const pc = p + q < 0 ? -p - q : p + q;
  return pa <= pb && pa <= pc ? left : pb <= pc ? up : corner;
}
