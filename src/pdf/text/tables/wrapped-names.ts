// Finds the lines that go on with the name of a row in tables of numbers: the numbers of a row stand beside the last
// line of its name, and no number goes on in another line. In: the lines of a table and its columns. Out: the lines that
// continue the one before; undefined where the numbers are not set so. One pass.
import { least } from '../../syntax/arrays.ts';
import type { Piece } from '../lines/pieces.ts';
import { type Column, columnAt, NUMBER, type Row } from './table-rows.ts';
import { pieceText } from './tables.ts';

/** Fewer lines with numbers tell nothing. */
const LEAST_LINES = 3;
/** Lines with numbers fill at least this share of the columns beside the names. */
const FILLED = 0.5;
/** In em: what is set in by more is indented. */
const INDENT = 0.5;
/** Most lines of one kind. */
const MOST = 0.8;

interface NamedLine {
  readonly row: Row;
  readonly name: Piece;
  readonly hasNumbers: boolean;
  /** It begins with a small letter. */
  readonly isSmall: boolean;
}

/** Lines that follow each other. */
type Step = readonly [NamedLine, NamedLine];

export function continuedNames(rows: readonly Row[], columns: readonly Column[]): Set<Row> | undefined {
  const lines = rows.map((row) => namedLine(row, columns));
  const named = lines.filter((line) => line !== undefined);
  const numbered = named.filter(({ hasNumbers }) => hasNumbers);
  if (numbered.length < LEAST_LINES || named.length < MOST * rows.length) return undefined;
  const left = least(named.map(({ name }) => name.x0));
  const isIn = ({ name }: NamedLine, x = left) => name.x0 > x + INDENT * name.size;
  const steps = lines.slice(1).flatMap((line, i): Step[] => {
    const above = lines[i];
    return above === undefined || line === undefined ? [] : [[above, line]];
  });
  // Numbers beside the first line of a name: what follows goes on with a small letter.
  if (steps.some(([above, line]) => above.hasNumbers && !line.hasNumbers && line.isSmall)) return undefined;
  const indented = steps.filter(([, line]) => line.hasNumbers && isIn(line));
  const begun = indented.filter(([above, line]) => !above.hasNumbers && (isIn(line, above.name.x0) || isIn(above)));
  // Rows below a title are indented as well, but only the first of them follows it.
  const areHanging = begun.length >= Math.max(2, MOST * indented.length);
  const capitals = named.filter(({ isSmall }) => !isSmall).length;
  const joined = new Set<Row>();
  for (const [above, line] of steps) {
    if (above.hasNumbers) continue;
    const goesOn = isIn(line, above.name.x0) || (joined.has(above.row) && isIn(above));
    const isSentence = line.isSmall && !isIn(line) && capitals >= 0.5 * named.length;
    if ((goesOn && areHanging) || isSentence) joined.add(line.row);
  }
  return joined.size === 0 ? undefined : joined;
}

/** A line with a name and numbers, or a name alone; undefined for others. */
function namedLine(row: Row, columns: readonly Column[]): NamedLine | undefined {
  const [name, ...others] = row.pieces;
  if (columnAt(name, columns) !== 0) return undefined;
  const isNumber = (piece: Piece) => NUMBER.test(pieceText(piece));
  const hasNumbers = others.length > 0;
  if (hasNumbers && (!others.every(isNumber) || others.length < FILLED * (columns.length - 1))) return undefined;
  return { row, name, hasNumbers, isSmall: /^\p{Ll}/u.test(pieceText(name)) };
}
