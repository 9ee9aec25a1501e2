import { greatest, least, type NonEmpty, runsOf } from '../../syntax/arrays.ts';
import { around, type TextBox } from '../content/page-content.ts';
import type { Piece } from '../lines/pieces.ts';

/** Pieces on one baseline, from left to right. */
export interface Row extends TextBox {
  readonly pieces: NonEmpty<Piece>;
  readonly y: number;
  readonly size: number;
}

export interface Column {
  x0: number;
  x1: number;
}

/** `apart`: baselines closer than this, in em, are one. */
export function rowsOf(pieces: readonly Piece[], apart = 0.4): Row[] {
  const sorted = [...pieces].sort((a, b) => a.y - b.y || a.x0 - b.x0);
  const rows = runsOf(sorted, (piece, [first]) => piece.y - first.y < apart * Math.min(piece.size, first.size));
  return rows.map((row) => {
    row.sort((a, b) => a.x0 - b.x0);
    return { pieces: row, y: row[0].y, size: greatest(row.map(({ size }) => size)), ...around(row) };
  });
}

/** Finds columns between the gaps that all rows leave. Rows with few pieces may lie across and do not count. */
export function columnsOf(rows: readonly Row[]): Column[] {
  const most = greatest(rows.map((row) => row.pieces.length));
  const telling = rows.filter((row) => row.pieces.length >= Math.max(2, Math.ceil(most * 0.6)));
  const columns: Column[] = [];
  for (const piece of telling.flatMap((row) => row.pieces).sort((a, b) => a.x0 - b.x0)) {
    const last = columns.at(-1);
    if (last !== undefined && piece.x0 < last.x1 + 0.25 * piece.size) last.x1 = Math.max(last.x1, piece.x1);
    else columns.push({ x0: piece.x0, x1: piece.x1 });
  }
  return columns;
}

/** The first and last column that a piece covers. */
export function reach(piece: TextBox, columns: readonly Column[]): [number, number] {
  let [first, last] = [-1, -1];
  columns.forEach((column, i) => {
    const shared = Math.min(piece.x1, column.x1) - Math.max(piece.x0, column.x0);
    if (shared > 0.3 * Math.min(column.x1 - column.x0, piece.x1 - piece.x0)) {
      if (first < 0) first = i;
      last = i;
    }
  });
  if (first >= 0) return [first, last];
  const middle = (piece.x0 + piece.x1) / 2;
  const distances = columns.map((column) => Math.max(column.x0 - middle, middle - column.x1, 0));
  const nearest = Math.max(0, distances.indexOf(least(distances)));
  return [nearest, nearest];
}

/** The share of a column's pieces that line up at their left, right or middle: 0 to 1. */
export function alignment(pieces: readonly Piece[]): number {
  if (pieces.length === 0) return 0;
  const edges = [
    pieces.map((piece) => piece.x0),
    pieces.map((piece) => piece.x1),
    pieces.map((piece) => (piece.x0 + piece.x1) / 2),
  ];
  return greatest(edges.map((values) => largestCluster(values))) / pieces.length;
}

function largestCluster(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  let [best, from] = [0, 0];
  for (const [to, value] of sorted.entries()) {
    while (value - (sorted[from] ?? value) > 4) from++;
    best = Math.max(best, to - from + 1);
  }
  return best;
}
