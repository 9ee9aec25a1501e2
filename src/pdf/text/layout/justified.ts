// Justified text in narrow columns has gaps as wide as those between cells. What tells it from a table: most other lines
// are in one piece and fill the column too.

import { type Piece, pieceOf } from './pieces.ts';

/** Ends of lines that differ by less are the same, in points. */
const FLUSH = 1.5;
/** Fewer lines do not tell that text is justified. */
const LEAST_LINES = 6;
/** No space within a line is stretched to more, in em. */
const WIDEST = 3;

/** The pieces of one region, those of a stretched line made one. */
export function joinStretched(pieces: readonly Piece[]): Piece[] {
  const rows = rowsOf(pieces);
  const [left, right] = [median(rows.map((row) => row[0]!.x0)), median(rows.map((row) => row.at(-1)!.x1))];
  const fills = (row: readonly Piece[]) =>
    Math.abs(row[0]!.x0 - left) < FLUSH && Math.abs(row.at(-1)!.x1 - right) < FLUSH;
  const whole = rows.filter((row) => row.length === 1 && fills(row)).length;
  if (whole < Math.max(LEAST_LINES, 0.5 * rows.length)) return [...pieces];
  return rows.flatMap((row) =>
    row.length > 1 && fills(row) && isStretched(row) ? [pieceOf(row.flatMap((piece) => piece.words))] : row,
  );
}

function isStretched(row: readonly Piece[]): boolean {
  return row.every((piece, i) => {
    const before = row[i - 1];
    if (before === undefined) return true;
    // A bold title that its paragraph follows on the line is set off from it.
    const alike = piece.words[0]!.face.bold === before.words.at(-1)!.face.bold;
    return alike && piece.x0 - before.x1 < WIDEST * piece.size && Math.abs(piece.size - before.size) < 0.1 * piece.size;
  });
}

function rowsOf(pieces: readonly Piece[]): Piece[][] {
  const rows: Piece[][] = [];
  for (const piece of [...pieces].sort((a, b) => a.y - b.y || a.x0 - b.x0)) {
    const row = rows.at(-1);
    if (row !== undefined && piece.y - row[0]!.y < 0.2 * piece.size) row.push(piece);
    else rows.push([piece]);
  }
  for (const row of rows) row.sort((a, b) => a.x0 - b.x0);
  return rows;
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? 0;
}
