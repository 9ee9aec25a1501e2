// Finds tables without ruled frames: rows of text whose parts are aligned.
//
// In: the pieces of one column of the page from top to bottom, with the rules of the page. Out: tables
// and the lines between them, with every piece in exactly one. A run of rows begins at a row of several pieces and
// continues until a wide gap or flowing text; its longest beginning that passes as a table is one.
// Columns follow from the pieces of the rows. Cost: each run is tried at most once for each of its rows, so quadratic
// in the rows of a table, linear in those of a page.
import { greatest, lastOf, least, median, type NonEmpty, pairs, runsOf } from '../../syntax/arrays.ts';
import { joined } from '../content/joined-rules.ts';
import type { TextBox } from '../content/page-content.ts';
import { CAPTION } from '../lines/captions.ts';
import { linesOf } from '../lines/lines.ts';
import { type Piece, splitPiece } from '../lines/pieces.ts';
import type { TextRegion } from './region.ts';
import { CRITERIA, isTable, isWideTable, type Signs } from './table-criteria.ts';
import { tableOf } from './table-of-rows.ts';
import { type Column, columnsOf, lengthOf, partedRows, type Row, reach, rowsOf, rowsWithCells } from './table-rows.ts';
import { pieceText, type Table } from './tables.ts';
import { usedBy } from './wrapped-rows.ts';

/** Splits the pieces of one column into tables and the lines between them. */
export function alignedTables(pieces: readonly Piece[], signs: Signs): TextRegion[] {
  return partsOf(pieces, signs, isTable, 2).flatMap(({ table, pieces }): TextRegion[] => {
    if (table !== undefined) return [{ kind: 'table', table }];
    const lines = linesOf(pieces);
    return lines.length > 0 ? [{ kind: 'lines', lines }] : [];
  });
}

/** Tables of a whole page, and the other pieces: a gutter would cut a table between two of its columns. */
export function wideTables(pieces: readonly Piece[], signs: Signs): { tables: Table[]; rest: readonly Piece[] } {
  const parts = partsOf(pieces, signs, isWideTable, CRITERIA.wideColumns);
  const tables = parts.flatMap(({ table }) => table ?? []);
  return { tables, rest: parts.flatMap((part) => (part.table === undefined ? part.pieces : [])) };
}

interface Part {
  readonly table?: Table;
  readonly pieces: readonly Piece[];
}

type Test = (run: readonly Row[], columns: readonly Column[], signs: Signs) => boolean;

/** From top to bottom; every piece is in exactly one part. `columns`: the fewest of a table. */
function partsOf(pieces: readonly Piece[], signs: Signs, passes: Test, columns: number): Part[] {
  const rows = rowsWithCells(pieces);
  // Most pages have no row that is wide enough for `wideTables`.
  if (rows === undefined || rows.filter((row) => row.pieces.length >= columns).length < 2) return [{ pieces }];
  // Most rules of a chart are too short to lie across any run.
  const narrowest = least(rows.flatMap(({ pieces, x0, x1 }) => (pieces.length > 1 ? x1 - x0 : [])));
  const long = { ...signs, rules: signs.rules.filter(({ x0, x1 }) => x1 - x0 > CRITERIA.ruleCover * narrowest) };
  // Runs that begin at different rows are asked for the same columns.
  const known = new Map<number, readonly Column[]>();
  const columnsBetween = (from: number, to: number) => {
    const key = from * (rows.length + 1) + to;
    const columns = known.get(key) ?? columnsOf(rows.slice(from, to));
    known.set(key, columns);
    return columns;
  };
  const piecesIn = (from: number, to: number) => rows.slice(from, to).flatMap((row) => row.pieces);
  const parts: Part[] = [];
  let done = 0;
  for (const [from, row] of rows.entries()) {
    if (from < done || row.pieces.length <= columns / 2 || isCaption(row) || isTitle(row, rows[from + 1])) continue;
    const table = tableAt(rows, from, columnsBetween, long, passes, columns);
    if (table === undefined) continue;
    const belongs = (line: number, edge: number) => isPartOf(rows[line], rows[edge], table.columns);
    // Upper lines of a head, above the first full row, were taken for text.
    let start = from;
    while (start > done && belongs(start - 1, start)) start--;
    const shaded = shadedHead(row, table.columns, signs.fills);
    const top = least(shaded.map(({ y0 }) => y0));
    while (start > done && (rows[start - 1]?.y ?? 0) > top) start--;
    // The same holds for the last lines of a cell below the last full row.
    let end = table.to;
    while (belongs(end, end - 1)) end++;
    for (let more = rowEnd(rows, end, table.columns); more > end; more = rowEnd(rows, end, table.columns)) end = more;
    parts.push({ pieces: piecesIn(done, start) });
    parts.push({ table: tableOf(rows.slice(start, end), table.columns, signs, shaded), pieces: piecesIn(start, end) });
    done = end;
  }
  return [...parts, { pieces: piecesIn(done, rows.length) }];
}

/** In em: cells of a head are no higher than this, and end no further above the first row. */
const [TALLEST_HEAD, HEAD_GAP] = [6, 1];

/**
 * The cells of a head above `first`. A head that is shaded cell by cell shows where each one begins and ends, however
 * close their words are and however many columns a name is centred over.
 */
function shadedHead(first: Row, columns: readonly Column[], fills: readonly TextBox[]): TextBox[] {
  const [left, right] = [columns[0]?.x0 ?? 0, columns.at(-1)?.x1 ?? 0];
  const cells: TextBox[] = [];
  const near = fills.filter(
    ({ x0, x1, y0, y1 }) => x1 > left && x0 < right && y0 < first.y0 && y1 - y0 < TALLEST_HEAD * first.size,
  );
  // Word shades the lines of a shaded cell as well.
  const holds = (a: TextBox, b: TextBox) => a.x0 < b.x0 + 1 && a.x1 > b.x1 - 1 && a.y0 < b.y0 + 1 && a.y1 > b.y1 - 1;
  const outer = near.filter((b, i) => !near.some((a, j) => i !== j && holds(a, b) && (j < i || !holds(b, a))));
  for (const fill of outer.sort((a, b) => b.y1 - a.y1)) {
    const onRow = fill.y1 > first.y0 - HEAD_GAP * first.size;
    if (onRow || cells.some(({ x0, x1, y0 }) => Math.abs(fill.y1 - y0) < 1 && fill.x1 > x0 && fill.x0 < x1))
      cells.push(fill);
  }
  const covered = joined(cells.map((cell) => ({ ...cell, y0: 0, y1: 0 })));
  return cells.length > 1 && covered.some(({ x0, x1 }) => x1 - x0 > 0.9 * (right - left)) ? cells : [];
}

/** A line close to a table, whose parts are in one column each, and not in the first, where other text begins. */
function isPartOf(row: Row | undefined, edge: Row | undefined, columns: readonly Column[]): boolean {
  if (row === undefined || edge === undefined || Math.abs(edge.y - row.y) > CRITERIA.partGap * edge.size) return false;
  return row.pieces.every((piece) => {
    const [first, last] = reach(piece, columns);
    const [before, column, after] = [columns[first - 1], columns[first], columns[first + 1]];
    if (before === undefined || column === undefined || first !== last) return false;
    return piece.x0 > before.x1 && piece.x1 < (after?.x0 ?? column.x1 + CRITERIA.lastColumn * piece.size);
  });
}

/** The end of one more row below with vertically centred cells, so that no line has all of them. */
function rowEnd(rows: readonly Row[], from: number, columns: readonly Column[]): number {
  const [above, first] = [rows[from - 1], rows[from]];
  if (above === undefined || first === undefined || first.y - above.y > CRITERIA.rowGap * above.size) return from;
  const steps = pairs(rows.slice(from));
  const wide = steps.findIndex(([before, row]) => row.y - before.y >= CRITERIA.cellGap * row.size);
  const to = wide < 0 ? rows.length : from + 1 + wide;
  const pieces = rows.slice(from, to).flatMap((row) => row.pieces);
  const apart = pieces.every((piece) => reach(piece, columns)[0] === reach(piece, columns)[1]);
  return apart && usedBy({ pieces }, columns).size === columns.length ? to : from;
}

/** Tables between horizontal rules of one width anywhere on the page, and the other pieces. */
export function framedTables(pieces: readonly Piece[], signs: Signs): { tables: Table[]; rest: readonly Piece[] } {
  const tables: Table[] = [];
  let rest = pieces;
  for (const rules of parallelRules(signs.rules)) {
    const [{ x0, x1, y1: top }, bottom] = [rules[0], lastOf(rules).y0];
    // A sheet of music has hundreds of rules: pieces beside all of them are skipped once.
    const beside = rest.filter((piece) => piece.x1 > x0 && piece.x0 < x1 && isBetween(piece, top, bottom));
    const read = pairs(rules).map(([above, below]) => {
      const inside = beside.filter((piece) => isBetween(piece, above.y1, below.y0));
      return { y0: above.y0, y1: below.y1, pieces: inside, tabular: isTabular(inside) };
    });
    // One line between two bands of a table, no further from its rules than a row, is the title of what follows in it.
    const bands = read.map((band, i) => {
      const isTitle = band.pieces.length === 1 && band.y1 - band.y0 < TITLE_BAND * (band.pieces[0]?.size ?? 0);
      const isTitled = isTitle && !!read[i - 1]?.tabular && !!read[i + 1]?.tabular;
      return { ...band, tabular: band.tabular || isTitled };
    });
    for (const frame of runsOf(bands, (band, [first]) => band.tabular && first.tabular)) {
      // Large text across a rule lies in two bands.
      const inside = frame[0].tabular ? [...new Set(frame.flatMap((band) => band.pieces))] : [];
      const form = formOf(inside);
      const run = form ?? rowsOf(inside);
      const columns = run.length < 2 ? [] : columnsOf(run);
      if (columns.length === 0) continue;
      if (form === undefined && !isTable(partedRows(run, columns), columns, signs)) continue;
      if (bands.length === 1 && isHead(run, columns, rest)) continue;
      const above = form === undefined ? rowsAbove(frame[0], columns, rest) : [];
      const table = tableOf([...above, ...run], columns, signs);
      tables.push({ ...table, x0, x1, y0: above[0]?.y0 ?? frame[0].y0, y1: lastOf(frame).y1 });
      const taken = new Set([...inside, ...above.flatMap(({ pieces }) => pieces)]);
      rest = rest.filter((piece) => !taken.has(piece));
    }
  }
  return { tables, rest };
}

/** In em, with the rules. */
const TITLE_BAND = 2;

/** Whether the two rules hold a head, with rows in the same columns below: then alignedTables reads the whole. */
function isHead(head: readonly Row[], columns: readonly Column[], pieces: readonly Piece[]): boolean {
  const last = head.at(-1);
  const [left, right] = [columns[0]?.x0, columns.at(-1)?.x1];
  if (last === undefined || left === undefined || right === undefined) return false;
  const below = pieces.filter(
    ({ x0, x1, y }) => x1 > left && x0 < right && y > last.y && y < last.y + CRITERIA.rowGap * last.size,
  );
  const [next] = rowsOf(below.filter((piece) => !last.pieces.includes(piece)));
  return next !== undefined && next.pieces.length > 1 && usedBy(next, columns).size === columns.length;
}

/** A head ends at most this far above a rule, in em. */
const HEAD_ABOVE = 2.2;

/**
 * Rows directly above the first rule, each with one cell in most columns: the head, and the first row where rules are
 * drawn below rows only. They are as far apart as the rules are.
 */
function rowsAbove(
  { y0, y1 }: { readonly y0: number; readonly y1: number },
  columns: readonly Column[],
  pieces: readonly Piece[],
): Row[] {
  const [left, right] = [columns[0]?.x0 ?? 0, columns.at(-1)?.x1 ?? 0];
  const beside = pieces.filter(({ x0, x1, y }) => x1 > left && x0 < right && y < y0);
  const rows: Row[] = [];
  for (let bottom = y0; ; bottom = rows[0]?.y ?? y0) {
    const near = beside.filter(
      ({ y, size }) => y < bottom - 1 && y > bottom - Math.max(HEAD_ABOVE * size, 1.1 * (y1 - y0)),
    );
    const row = rowsOf(near).at(-1);
    if (row === undefined || row.pieces.length === 1) return rows;
    const reached = row.pieces.map((piece) => reach(piece, columns));
    const single = new Set(reached.flatMap(([first, last]) => (first === last ? first : [])));
    // A head of more lines is left whole.
    if (single.size < Math.max(row.pieces.length, 0.6 * columns.length)) return [];
    rows.unshift(row);
  }
}

function isBetween({ y, size }: Piece, top: number, bottom: number): boolean {
  return y > top && y - 0.3 * size < bottom;
}

/** Points: rules of a frame are at least this long and at most this thick, and end within this of each other. */
const [FRAME_LENGTH, FRAME_THICKNESS, FRAME_ENDS] = [40, 3, 4];
/** A rule may be interrupted between columns, by this in points. */
const RULE_GAP = 6;

/** Horizontal rules. Parts are joined to one rule where they reach as far together as another rule does in one piece. */
function acrossGaps(flat: readonly TextBox[]): TextBox[] {
  const parts = joined(flat);
  const wide = joined(flat, RULE_GAP).filter((rule) => parts.some((other) => endAlike(other, rule)));
  const isIn = (part: TextBox, rule: TextBox) =>
    Math.abs(part.y0 - rule.y0) < 2 && part.x0 >= rule.x0 && part.x1 <= rule.x1;
  return [...wide, ...parts.filter((part) => !wide.some((rule) => isIn(part, rule)))];
}

function endAlike(a: TextBox, b: TextBox): boolean {
  return Math.abs(a.x0 - b.x0) < FRAME_ENDS && Math.abs(a.x1 - b.x1) < FRAME_ENDS;
}

/** Two or more horizontal rules with the same ends, from top to bottom. */
function parallelRules(rules: readonly TextBox[]): NonEmpty<TextBox>[] {
  const groups: NonEmpty<TextBox>[] = [];
  const flat = rules.filter((rule) => rule.x1 - rule.x0 >= rule.y1 - rule.y0);
  for (const rule of acrossGaps(flat).sort((a, b) => a.y0 - b.y0)) {
    if (rule.x1 - rule.x0 < FRAME_LENGTH || rule.y1 - rule.y0 > FRAME_THICKNESS) continue;
    const group = groups.find(([first]) => endAlike(first, rule));
    if (group === undefined) groups.push([rule]);
    else group.push(rule);
  }
  return groups.filter((group) => group.length >= 2);
}

/** In em, and in spaces between words: what parts the names of a head at least. */
const [NAME_GAP, NAME_SPACES] = [0.6, 2.5];

/** Rows of a form: a head of several names, and below it short names in its first column, with nothing beside them. */
function formOf(pieces: readonly Piece[]): Row[] | undefined {
  const [first, ...names] = rowsOf(pieces);
  if (first === undefined || names.length < 2) return undefined;
  const [head] = rowsOf(first.pieces.flatMap(namesIn));
  const [name, next] = head?.pieces ?? [];
  if (head === undefined || name === undefined || next === undefined) return undefined;
  const areNames = names.every(({ pieces: [piece, ...others] }) => {
    return others.length === 0 && piece.x1 < next.x0 && piece.x0 < name.x1 && lengthOf(piece) < CRITERIA.shortName;
  });
  return areNames ? [head, ...names] : undefined;
}

function namesIn(piece: Piece): Piece[] {
  const gaps = pairs(piece.words).map(([a, b]) => ({ word: b, gap: b.x0 - a.x1 }));
  const least = Math.max(NAME_GAP * piece.size, NAME_SPACES * (median(gaps.map(({ gap }) => gap)) ?? 0));
  return splitPiece(piece, new Set(gaps.filter(({ gap }) => gap > least).map(({ word }) => word)));
}

/** Most rows have cells beside each other or are those of a form. */
function isTabular(band: readonly Piece[]): boolean {
  const rows = rowsOf(band);
  if (rows.length > 0 && rows.filter((row) => row.pieces.length > 1).length >= 0.5 * rows.length) return true;
  return formOf(band) !== undefined || isWrappedRow(band);
}

/** Most lines of a row between two rules. */
const MOST_WRAPPED = 6;

/** Cells of several lines beside each other, aligned at the top or vertically centred. */
function isWrappedRow(band: readonly Piece[]): boolean {
  const cells: { x1: number; top: number; bottom: number }[] = [];
  for (const { x0, x1, y } of [...band].sort((a, b) => a.x0 - b.x0)) {
    const cell = cells.at(-1);
    if (cell === undefined || x0 > cell.x1) cells.push({ x1, top: y, bottom: y });
    else
      Object.assign(cell, { x1: Math.max(cell.x1, x1), top: Math.min(cell.top, y), bottom: Math.max(cell.bottom, y) });
  }
  if (cells.length < 2) return false;
  const size = greatest(band.map((piece) => piece.size));
  const differ = (at: readonly number[]) => greatest(at) - least(at);
  const [tops, middles] = [cells.map(({ top }) => top), cells.map(({ top, bottom }) => (top + bottom) / 2)];
  const isLow = greatest(cells.map(({ bottom }) => bottom)) - least(tops) < MOST_WRAPPED * size;
  return isLow && Math.min(differ(tops), differ(middles)) < 0.3 * size;
}

/** The columns of the rows between two places. */
type Columns = (from: number, to: number) => readonly Column[];

/** The columns of the longest table at a row, and the row after its last one. */
function tableAt(
  rows: readonly Row[],
  from: number,
  columnsBetween: Columns,
  signs: Signs,
  passes: Test,
  fewest: number,
): { readonly columns: readonly Column[]; readonly to: number } | undefined {
  for (let to = runEnd(rows, from, columnsBetween); to - from >= 2; to--) {
    const run = rows.slice(from, to);
    if ((run.at(-1)?.pieces.length ?? 0) < 2 && to < rows.length) continue;
    if (run.filter((row) => row.pieces.length >= fewest).length < 2) return undefined;
    const columns = columnsBetween(from, to);
    if (columns.length >= fewest && passes(partedRows(run, columns), columns, signs)) return { columns, to };
    if (run.length > CRITERIA.longRun) return undefined;
  }
  return undefined;
}

/** The end of the rows that may belong to a table at `from`: before a wide gap or too many lines of flowing text. */
function runEnd(rows: readonly Row[], from: number, columnsBetween: Columns): number {
  let to = from + 1;
  let single = 0;
  // The row after the last one with several pieces. Columns are found only where they are asked for.
  let full = to;
  const columns = () => columnsBetween(Math.max(from, full - CRITERIA.longRun), full);
  for (; to < rows.length; to++) {
    const [before, row] = [rows[to - 1], rows[to]];
    if (before === undefined || row === undefined) break;
    const gap = row.y - before.y;
    const size = Math.max(row.size, before.size);
    if (gap > CRITERIA.rowGap * size && !(gap <= CRITERIA.repeatedRowGap * size && repeats(row, columns()))) break;
    if (isCaption(row)) break;
    if (row.pieces.length > 1) {
      single = 0;
      full = to + 1;
      continue;
    }
    // Lines of one cell are close together, however many they are.
    if (gap > CRITERIA.cellGap * row.size) single++;
    const [first, last] = reach(row, columns());
    if (last > first || single > CRITERIA.singleRows) break;
  }
  while (to > from + 1 && (rows[to - 1]?.pieces.length ?? 0) < 2) to--;
  return to;
}

function isCaption({ pieces }: Row): boolean {
  return CAPTION.test(pieceText(pieces[0]));
}

/** The number and the name of a section, which stand apart as cells do, in larger or bolder type than the next line. */
function isTitle({ pieces, size }: Row, next: Row | undefined): boolean {
  const [number, name] = pieces;
  if (next === undefined || name === undefined || pieces.length > 2 || !/^\d+(\.\d+)*\.?$/.test(pieceText(number)))
    return false;
  const isBold = (list: readonly Piece[]) => list.every(({ words }) => words.every(({ face }) => face.bold));
  return size > LARGER * next.size || (isBold(pieces) && !isBold(next.pieces));
}

/** Titles are larger than the text below them by this factor. */
const LARGER = 1.05;

/** Whether most columns, and three at least, have one piece each of this row. */
function repeats(row: Row, columns: readonly Column[]): boolean {
  const reached = row.pieces.map((piece) => reach(piece, columns));
  const used = new Set(reached.map(([first]) => first));
  if (used.size < Math.max(CRITERIA.repeatedColumns, 0.6 * columns.length)) return false;
  return used.size === row.pieces.length && reached.every(([first, last]) => first === last);
}
