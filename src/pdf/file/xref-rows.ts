// Owns the rows of a cross-reference stream (ISO 32000-1, 7.5.8.3) as they are written. Knows neither file nor writer.
import { PACKED, PLAIN } from './xref.ts';

/** Where each object is, as xref.ts says it; object 0 is free. */
export interface Entries {
  readonly kind: Uint8Array;
  readonly place: Float64Array;
  readonly index: Uint16Array;
  readonly count: number;
}

/**
 * The rows, with fields of the bytes given. `predicted`: before each row a byte that says Up, and in it the difference to the
 * row above (PNG predictor 12), for rows are alike.
 */
export function xrefRows(
  { kind, place, index, count }: Entries,
  [first, wide, last]: readonly [number, number, number],
  predicted: boolean,
): Uint8Array {
  const width = first + wide + last;
  const rows = new Uint8Array((width + (predicted ? 1 : 0)) * count);
  const above = new Uint8Array(width);
  const row = new Uint8Array(width);
  for (let i = 0, pos = 0; i < count; i++) {
    const type = i === 0 ? 0 : kind[i]!;
    row[0] = type === PLAIN ? 1 : type === PACKED ? 2 : 0;
    let rest = type === PLAIN || type === PACKED ? place[i]! : 0;
    for (let j = wide; j >= 1; j--) {
      row[j] = rest % 256;
      rest = Math.floor(rest / 256);
    }
    const third = type === PACKED ? index[i]! : type === PLAIN ? 0 : 255;
    row[width - 1] = third;
    if (last === 2) row[width - 2] = third >> 8;
    if (predicted) rows[pos++] = 2;
    for (let j = 0; j < width; j++) {
      rows[pos++] = predicted ? row[j]! - above[j]! : row[j]!;
      above[j] = row[j]!;
    }
  }
  return rows;
}
