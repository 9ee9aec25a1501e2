// Justified text in narrow columns has gaps as wide as those between cells. It differs from a table in that most other lines
// are in one piece and fill the column too.

import { lastOf, median, type NonEmpty, pairs, runsOf } from '../../syntax/arrays.ts';
import { joinPieces, type Piece } from './pieces.ts';

/** Ends of lines that differ by less are the same, in points. */
const FLUSH = 1.5;
/** Fewer lines do not tell that text is justified. */
const LEAST_LINES = 6;
/** No space within a line is stretched to more, in em. */
const WIDEST = 3;

/** The pieces of one region, those of a stretched line made one. */
export function joinStretched(pieces: readonly Piece[]): Piece[] {
  const sorted = [...pieces].sort((a, b) => a.y - b.y || a.x0 - b.x0);
  const rows = runsOf(sorted, (piece, [first]) => piece.y - first.y < 0.2 * piece.size);
  for (const row of rows) row.sort((a, b) => a.x0 - b.x0);
  const left = median(rows.map(([first]) => first.x0));
  const right = median(rows.map((row) => lastOf(row).x1));
  if (left === undefined || right === undefined) return [];
  const fills = (row: NonEmpty<Piece>) =>
    Math.abs(row[0].x0 - left) < FLUSH && Math.abs(lastOf(row).x1 - right) < FLUSH;
  const whole = rows.filter((row) => row.length === 1 && fills(row)).length;
  if (whole < Math.max(LEAST_LINES, 0.5 * rows.length)) return [...pieces];
  return rows.flatMap((row) => (row.length > 1 && fills(row) && isStretched(row) ? [joinPieces(row)] : row));
}

function isStretched(row: readonly Piece[]): boolean {
  return pairs(row).every(([before, piece]) => {
    // A bold title that its paragraph follows on the line is set off from it.
    const alike = piece.words[0]?.face.bold === before.words.at(-1)?.face.bold;
    return alike && piece.x0 - before.x1 < WIDEST * piece.size && Math.abs(piece.size - before.size) < 0.1 * piece.size;
  });
}
