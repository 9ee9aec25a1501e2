import { greatest, lastOf, least, type NonEmpty, pairs, rising, runsOf } from '../../syntax/arrays.ts';
import { around, type TextBox } from '../content/page-content.ts';
import { joinPieces, type Piece, splitPiece } from '../lines/pieces.ts';
import { pieceText } from './tables.ts';

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

export function rowsOf(pieces: readonly Piece[]): Row[] {
  return baselines(pieces).map(rowOf);
}

/** Baselines closer than this, in em, belong to one row: text of two rows would overlap. */
export const OVERLAP = 0.75;

/** Lines with parts beside each other; cells that are centred vertically may be half a line apart. */
export function rowsWithCells(pieces: readonly Piece[]): Row[] | undefined {
  for (const apart of [undefined, OVERLAP]) {
    const lines = baselines(pieces, apart);
    if (lines.filter((line) => line.length > 1).length < 2) continue;
    const rows = lines.map(rowOf);
    if (rows.filter((row) => row.pieces.length > 1).length >= 2) return rows;
  }
  return undefined;
}

/** `apart`: baselines closer than this, in em, are one. */
function baselines(pieces: readonly Piece[], apart = 0.4): NonEmpty<Piece>[] {
  const sorted = [...pieces].sort((a, b) => a.y - b.y || a.x0 - b.x0);
  return runsOf(sorted, (piece, [first]) => piece.y - first.y < apart * Math.min(piece.size, first.size));
}

/** The row of pieces on one baseline. */
function rowOf(baseline: NonEmpty<Piece>): Row {
  const row = withSigns(baseline.sort((a, b) => a.x0 - b.x0));
  return { pieces: row, y: row[0].y, size: greatest(row.map(({ size }) => size)), ...around(row) };
}

/**
 * Accounts set the sign of a currency at the left edge of a cell, and a percent sign or closing bracket at its right: it
 * belongs to the number beside it.
 */
function withSigns(row: NonEmpty<Piece>): NonEmpty<Piece> {
  const [first, ...others] = runsOf(row, (piece, before) => {
    // The text of a piece takes longer than that of its first word.
    if (!/^[$€£¥]?$/.test(lastOf(before).words[0].text) && !/^[)%]*$/.test(piece.words[0].text)) return false;
    const [text, last] = [pieceText(piece), pieceText(lastOf(before))];
    return /^[$€£¥]$/.test(last) ? /^[(−–—-]?[\d.,]*\d|^[−–—-]$/.test(text) : /^[)%]+$/.test(text) && /\d$/.test(last);
  }).map((pieces) => (pieces.length === 1 ? pieces[0] : joinPieces(pieces)));
  return first === undefined ? row : [first, ...others];
}

/** Finds columns between the gaps that rows leave. Rows with few pieces may lie across and do not count. */
export function columnsOf(rows: readonly Row[]): Column[] {
  const most = greatest(rows.map((row) => row.pieces.length));
  const telling = rows.filter((row) => row.pieces.length >= Math.max(2, Math.ceil(most * 0.6)));
  // A name over two columns may be centred between them; one over an empty column is in a row with all of them.
  const [top] = telling;
  const between = ({ pieces: [name, other] }: Cluster) =>
    other === undefined &&
    name !== undefined &&
    telling.length > 2 &&
    top?.pieces.includes(name) &&
    top.pieces.length < most;
  const clusters = clustersOf(telling.flatMap((row) => row.pieces)).filter((cluster) => !between(cluster));
  return clusters.flatMap((cluster) => withoutBridges(cluster, telling));
}

interface Cluster extends Column {
  readonly pieces: Piece[];
}

function clustersOf(pieces: readonly Piece[]): Cluster[] {
  const clusters: Cluster[] = [];
  for (const piece of [...pieces].sort((a, b) => a.x0 - b.x0)) {
    const last = clusters.at(-1);
    if (last !== undefined && joins(piece, last)) {
      last.x1 = Math.max(last.x1, piece.x1);
      last.pieces.push(piece);
    } else clusters.push({ x0: piece.x0, x1: piece.x1, pieces: [piece] });
  }
  return clusters;
}

function joins(piece: Piece, before: Column): boolean {
  return piece.x0 < before.x1 + 0.25 * piece.size;
}

/** At most this share of rows may have text across a gap, and of the others this share has text on both sides of it. */
const [MOST_BRIDGES, LEAST_PARTED] = [0.2, 0.6];

/** Columns that a few rows join: two heads a word space apart, or a name across both. */
function withoutBridges({ x0, x1, pieces }: Cluster, rows: readonly Row[]): Column[] {
  const most = Math.floor(MOST_BRIDGES * rows.length);
  if (!hasGap(pieces, most)) return [{ x0, x1 }];
  const within = rows.map((row) => row.pieces.filter((piece) => piece.x0 >= x0 && piece.x0 <= x1));
  const parted = within.filter((list) => list.length > 1);
  const bridging = pieces.flatMap((piece) => {
    const bridged = bridgedBy(piece, parted);
    return bridged > 0 ? { piece, bridged } : [];
  });
  if (bridging.length === 0) return [{ x0, x1 }];
  const bridges = bridging.sort((a, b) => b.bridged - a.bridged).slice(0, most);
  const across = new Set(bridges.map(({ piece }) => piece));
  const parts = clustersOf(pieces.filter((piece) => !across.has(piece)));
  const left = within.map((list) => list.filter((piece) => !across.has(piece)).length).filter((n) => n > 0);
  const isParted = parts.length > 1 && left.filter((n) => n > 1).length >= LEAST_PARTED * left.length;
  return isParted ? parts : [{ x0, x1 }];
}

/** How many rows have a gap that a piece lies across. */
function bridgedBy({ x0, x1 }: Piece, rows: readonly (readonly Piece[])[]): number {
  return rows.filter((row) => {
    const first = row.findIndex((piece) => piece.x1 > x0);
    return (row[first + 1]?.x0 ?? x1) < x1;
  }).length;
}

/** Whether no more pieces than `most` lie across a place; most clusters have none, which is told at once. */
function hasGap(pieces: readonly Piece[], most: number): boolean {
  return pieces.some((piece, at) => {
    let across = 0;
    for (let i = at - 1; i >= 0 && across <= most; i--) if (joins(piece, pieces[i] ?? piece)) across++;
    return across <= most && across < at;
  });
}

/** Characters, and a space behind each word. */
export function lengthOf(piece: Piece): number {
  return piece.words.reduce((sum, word) => sum + word.text.length + 1, 0);
}

/** Rows whose pieces are parted where columns are: by a word space in each gap they cross. */
export function partedRows(rows: readonly Row[], columns: readonly Column[]): Row[] {
  const gaps = pairs(columns);
  return rows.map((row) => {
    if (!row.pieces.some((piece) => piece.words.length > 1 && gaps.some((gap) => crosses(piece, gap)))) return row;
    const [first, ...others] = row.pieces.flatMap((piece) => partedPiece(piece, gaps));
    return first === undefined || others.length + 1 === row.pieces.length
      ? row
      : { ...row, pieces: [first, ...others] };
  });
}

function crosses({ x0, x1 }: Piece, [left, right]: readonly [Column, Column]): boolean {
  return x0 < left.x1 - 1 && x1 > right.x0 + 1;
}

function partedPiece(piece: Piece, gaps: readonly [Column, Column][]): Piece[] {
  if (piece.words.length < 2) return [piece];
  const crossed = gaps.filter((gap) => crosses(piece, gap));
  if (crossed.length === 0) return [piece];
  const starts = crossed.map(
    ([left, right]) =>
      pairs(piece.words).find(
        ([a, b]) => a.x1 < right.x0 + 1 && b.x0 > left.x1 - 1 && b.x0 - a.x1 > WORD_SPACE * b.size,
      )?.[1],
  );
  return starts.includes(undefined) ? [piece] : splitPiece(piece, new Set(starts));
}

/** In em; most spaces between words are narrower. */
const WORD_SPACE = 0.35;

export const NUMBER = /^[-+−–$€£(]*\d[\d.,]*%?\)?$/;

/** The first and last column that a piece covers. */
export function reach(piece: TextBox, columns: readonly Column[]): [number, number] {
  const first = columnAt(piece, columns);
  return [
    first,
    Math.max(
      first,
      columns.findLastIndex((column) => covers(piece, column)),
    ),
  ];
}

/** The first column that a piece covers, or the nearest. */
export function columnAt(piece: TextBox, columns: readonly Column[]): number {
  const first = columns.findIndex((column) => covers(piece, column));
  if (first >= 0) return first;
  const middle = (piece.x0 + piece.x1) / 2;
  const distances = columns.map((column) => Math.max(column.x0 - middle, middle - column.x1, 0));
  return Math.max(0, distances.indexOf(least(distances)));
}

function covers(piece: TextBox, column: Column): boolean {
  const shared = Math.min(piece.x1, column.x1) - Math.max(piece.x0, column.x0);
  return shared > 0.3 * Math.min(column.x1 - column.x0, piece.x1 - piece.x0);
}

const EDGES = [({ x0 }: Piece) => x0, ({ x1 }: Piece) => x1, ({ x0, x1 }: Piece) => (x0 + x1) / 2];

/** The share of a column's pieces that line up at their left, right or middle: 0 to 1. */
export function alignment(pieces: readonly Piece[]): number {
  let most = 0;
  for (const edge of EDGES) if (most < pieces.length) most = Math.max(most, largestCluster(pieces.map(edge)));
  return most / Math.max(pieces.length, 1);
}

function largestCluster(values: readonly number[]): number {
  const sorted = rising(values);
  let [best, from, to] = [0, 0, 0];
  for (const value of sorted) {
    while (value - (sorted[from] ?? value) > 4) from++;
    to++;
    best = Math.max(best, to - from);
  }
  return best;
}
