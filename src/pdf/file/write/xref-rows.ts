// Rows of a cross-reference stream or table (ISO 32000-1, 7.5.8.3 and 7.5.4) as they are written.
import { deflateSync } from 'node:zlib';
import { copiedInto } from '../../syntax/arrays.ts';
import { COMPRESSED, PLAIN, UNSET } from '../read/xref-table.ts';
import { FLATE } from './object-stream.ts';

const UP = 2;
/** A cross-reference stream of so many rows is not compressed. */
const PLAIN_ROWS = 128;

/** Kind and place of each object, coded as in xref-table.ts; object 0 is free. */
export interface Entries {
  readonly kind: Uint8Array;
  readonly place: Float64Array;
  readonly index: Uint16Array;
}

export class Rows implements Entries {
  kind: Uint8Array;
  place: Float64Array;
  index: Uint16Array;

  constructor(room: number) {
    this.kind = new Uint8Array(room);
    this.place = new Float64Array(room);
    this.index = new Uint16Array(room);
  }

  reserve(count: number): void {
    if (count <= this.kind.length) return;
    const size = Math.max(count, this.kind.length * 2);
    this.kind = copiedInto(this.kind, new Uint8Array(size));
    this.place = copiedInto(this.place, new Float64Array(size));
    this.index = copiedInto(this.index, new Uint16Array(size));
  }

  plain(num: number, place: number): void {
    this.kind[num] = PLAIN;
    this.place[num] = place;
  }

  compressed(num: number, stream: number, index: number): void {
    this.kind[num] = COMPRESSED;
    this.place[num] = stream;
    this.index[num] = index;
  }
}

/** Bytes of the second and third field of a row; the first has one byte. */
interface Widths {
  readonly wide: number;
  readonly last: number;
}

/** The rows of sections, pairs of a first number and a count. `predicted`: less the row above (PNG predictor 12). */
export function xrefRows(
  { kind, place, index }: Entries,
  sections: readonly number[],
  { wide, last }: Widths,
  predicted: boolean,
): Uint8Array {
  const width = 1 + wide + last + (predicted ? 1 : 0);
  const rows = new Uint8Array(width * rowsIn(sections));
  let end = 0;
  for (let section = 0; section < sections.length; section += 2) {
    const behind = (sections[section] ?? 0) + (sections[section + 1] ?? 0);
    for (let i = sections[section] ?? 0; i < behind; i++) {
      end += width;
      const type = i === 0 ? UNSET : (kind[i] ?? 0);
      let at = end - last;
      if (type === PLAIN || type === COMPRESSED) {
        for (let rest = (place[i] ?? 0) | 0, bytes = Math.min(wide, 4); bytes > 0; bytes--, rest >>= 8)
          rows[--at] = rest;
        if (wide > 4)
          for (let rest = Math.floor((place[i] ?? 0) / 2 ** 32); at > end - last - wide; rest >>= 8) rows[--at] = rest;
        rows[at - 1] = type === PLAIN ? 1 : 2;
      }
      const third = type === COMPRESSED ? (index[i] ?? 0) : type === PLAIN ? 0 : 255;
      rows[end - 1] = third;
      if (last === 2) rows[end - 2] = third >> 8;
    }
  }
  if (predicted) predict(rows, width);
  return rows;
}

/** Replaces rows by their differences to the row above, from the end, so that the row above is still unchanged. */
function predict(rows: Uint8Array, width: number): void {
  for (let row = rows.length - width; row > 0; row -= width) {
    for (let at = row + 1; at < row + width; at++) rows[at] = (rows[at] ?? 0) - (rows[at - width] ?? 0);
    rows[row] = UP;
  }
  rows[0] = UP;
}

/** The data of the cross-reference stream at `start` for objects below `count`, and entries of its dictionary. */
export function xrefStream(
  entries: Entries,
  count: number,
  start: number,
  perStream: number,
  level: number,
): { entries: string; filter: string; data: Uint8Array } {
  // Compressing a few rows saves nothing.
  const plain = count <= PLAIN_ROWS;
  const wide = start > 0xffffffff ? 6 : start > 0xffffff ? 4 : start > 0xffff ? 3 : 2;
  const last = perStream > 256 ? 2 : 1;
  const rows = xrefRows(entries, [0, count], { wide, last }, !plain);
  return {
    entries: `/W[1 ${wide} ${last}]`,
    filter: plain ? '' : `${FLATE}/DecodeParms<</Predictor 12/Columns ${1 + wide + last}>>`,
    data: plain ? rows : deflateSync(rows, { level }),
  };
}

function rowsIn(sections: readonly number[]): number {
  let rows = 0;
  for (let i = 1; i < sections.length; i += 2) rows += sections[i] ?? 0;
  return rows;
}

/** A line of a cross-reference table; the number of an unused object is free. */
export function xrefLine(used: boolean, place: number): string {
  return used ? `${String(place).padStart(10, '0')} 00000 n \n` : '0000000000 65535 f \n';
}
