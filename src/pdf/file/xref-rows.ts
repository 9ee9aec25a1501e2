// Owns the rows of a cross-reference stream or table (ISO 32000-1, 7.5.8.3 and 7.5.4) as they are written. Knows neither file nor writer.
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
  const tag = predicted ? 1 : 0;
  const width = tag + first + wide + last;
  const rows = new Uint8Array(width * count);
  for (let i = 0, pos = 0; i < count; i++, pos += width) {
    const type = i === 0 ? 0 : kind[i]!;
    const third = type === PACKED ? index[i]! : type === PLAIN ? 0 : 255;
    const end = pos + width;
    if (predicted) rows[pos] = 2;
    rows[pos + tag] = type === PLAIN ? 1 : type === PACKED ? 2 : 0;
    rows[end - 1] = third;
    if (last === 2) rows[end - 2] = third >> 8;
    if (type !== PLAIN && type !== PACKED) continue;
    let at = end - last;
    for (let rest = place[i]! | 0, bytes = Math.min(wide, 4); bytes > 0; bytes--, rest >>= 8) rows[--at] = rest;
    for (let rest = Math.floor(place[i]! / 2 ** 32); at > end - last - wide; rest >>= 8) rows[--at] = rest;
  }
  // From the end, so that the row above is still as it was.
  for (let row = rows.length - width; predicted && row > 0; row -= width) {
    for (let at = row + 1; at < row + width; at++) rows[at]! -= rows[at - width]!;
  }
  return rows;
}

/** A cross-reference stream of so many rows is not compressed. */
const PLAIN_ROWS = 128;

/**
 * A cross-reference stream that begins at `start`: what its dictionary says, its rows, and how they are coded besides
 * being compressed; undefined where they are not, for of a few rows compression saves nothing, and costs a file of one
 * page a tenth of its time. `most`: objects in an object stream.
 */
export function xrefStream(
  entries: Entries,
  start: number,
  most: number,
): { readonly dict: string; readonly rows: Uint8Array; readonly coded: string | undefined } {
  const wide = start > 0xffffffff ? 6 : start > 0xffffff ? 4 : start > 0xffff ? 3 : 2;
  const last = most > 256 ? 2 : 1;
  const plain = entries.count <= PLAIN_ROWS;
  const rows = xrefRows(entries, [1, wide, last], !plain);
  const coded = plain ? undefined : `/DecodeParms<</Predictor 12/Columns ${1 + wide + last}>>`;
  return { dict: `/Type/XRef/Size ${entries.count}/W[1 ${wide} ${last}]`, rows, coded };
}

/** A line of a cross-reference table; where an object is not used, its number is free. */
export function xrefLine(used: boolean, place: number): string {
  return used ? `${String(place).padStart(10, '0')} 00000 n \n` : '0000000000 65535 f \n';
}
