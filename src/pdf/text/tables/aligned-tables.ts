// Finds tables without ruled frames: rows of text whose parts are aligned.
//
// In: the pieces of one column of the page from top to bottom, with the rules of the page. Out: tables
// and the lines between them, with every piece in exactly one. A run of rows begins at a row of several pieces and
// continues until a wide gap or flowing text; its longest beginning that passes as a table is one.
// Columns follow from the pieces of the rows. Cost: each run is tried at most once for each of its rows, so quadratic
// in the rows of a table, linear in those of a page.
import { greatest, lastOf, least, median, type NonEmpty, pairs, pushAll, runsOf } from '../../syntax/arrays.ts';
import { joined } from '../content/joined-rules.ts';
import { around, type TextBox, type Word } from '../content/page-content.ts';
import { CAPTION } from '../lines/captions.ts';
import { leadsToPage } from '../lines/contents.ts';
import { linesOf } from '../lines/lines.ts';
import { markerOf } from '../lines/list-markers.ts';
import { type Piece, splitPiece } from '../lines/pieces.ts';
import type { TextRegion } from './region.ts';
import {
  alignment,
  type Column,
  columnsOf,
  lengthOf,
  NUMBER,
  partedRows,
  type Row,
  reach,
  rowsOf,
} from './table-rows.ts';
import { type Cell, cellOf, clusters, inside, pieceText, type Table } from './tables.ts';
import { groupRows, OVERLAP, usedBy } from './wrapped-rows.ts';

/**
 * What tells a table from text, each criterion with the property of documents it rests on. Distances are in em, widths
 * of words in characters, everything else in shares.
 */
const CRITERIA = {
  /** Rows of a table are closer than separate paragraphs. */
  rowGap: 3.2,
  /** A row that repeats the columns belongs to them across more space: items of an invoice take as much as they need. */
  repeatedRowGap: 6,
  repeatedColumns: 3,
  /** Lines of one cell are set solid. */
  cellGap: 1.5,
  /** More single lines in a row are flowing text. */
  singleRows: 3,
  /** Longer runs are tried only as a whole: long tables are regular. */
  longRun: 40,
  /** A line that continues a cell is as close as text is set, and in the same size. */
  partGap: 1.4,
  partSize: 0.1,
  /** A lone last column takes text up to this far behind it. */
  lastColumn: 8,
  /** A rule closes a table when it is within a line below it. */
  closingRule: 1.6,
  openingRule: 1.5,
  /** A rule belongs to rows when it covers this share of their width. */
  ruleCover: 0.5,
  /** Cells of a column begin, end or are centred at one place; rules make up for some deviation. */
  aligned: 0.65,
  alignedBetweenRules: 0.5,
  /** Most cells of rows with several of them are filled; rules make up for empty ones. */
  filled: 0.6,
  filledBetweenRules: 0.4,
  /** Wrapped cells leave no doubt where nearly all are filled, and three rows in four have several. */
  filledByWrapped: 0.8,
  severalByWrapped: 0.75,
  /** Otherwise three rows, and half of all, have several cells. */
  leastFullRows: 3,
  fullRows: 0.5,
  /** Two columns may also be a form or an index, unless the second has numbers beside names, … */
  numericPair: 0.7,
  nameOfNumber: 50,
  /** … or short names that all begin at one place. */
  shortName: 24,
  pairAligned: 0.9,
  pairFilled: 0.9,
  /** Three and more columns: most are narrower than a line of prose. */
  shortCell: 32,
  shortColumns: 0.5,
  /** A table over the whole page has more columns than text, each of them aligned, and most cells filled. */
  wideColumns: 4,
  wideAligned: 0.5,
  wideFilled: 0.75,
  /** Lines of prose are longer than this, and so many go on with a small letter. */
  proseLine: 20,
  prose: 0.2,
  /** Signs before most rows are bullets of a list, whatever their glyph. */
  signs: 0.7,
  /** Marks, legends and titles stand beside less than this share of the labels of an axis. */
  beside: 0.9,
  /** A number with its unit is shorter than this. */
  number: 14,
  /** Most entries of a table of contents end with dots and their page, … */
  entries: 0.5,
  /** … or have the page in a column: page numbers rise, except where parts count anew. */
  rising: 0.9,
} as const;

/** Rules and shaded areas of a page, as signs of a table. */
export interface Signs {
  readonly rules: readonly TextBox[];
  readonly fills: readonly TextBox[];
}

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
  if (pieces.length === 0) return [];
  const rows = rowsWithCells(pieces);
  if (rows === undefined) return [{ pieces }];
  // Most pages have no row that is wide enough for `wideTables`.
  if (rows.filter((row) => row.pieces.length >= columns).length < 2)
    return [{ pieces: rows.flatMap((row) => row.pieces) }];
  const parts: Part[] = [];
  let flow: Piece[] = [];
  let done = 0;
  const endFlow = () => {
    if (flow.length > 0) parts.push({ pieces: flow });
    flow = [];
  };
  for (let from = 0, row = rows[0]; row !== undefined; row = rows[from]) {
    const table =
      row.pieces.length > columns / 2 && !isCaption(row) ? tableAt(rows, from, signs, passes, columns) : undefined;
    if (table === undefined) {
      pushAll(flow, row.pieces);
      from++;
      continue;
    }
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
    const head = rows.slice(start, from).flatMap((row) => row.pieces);
    flow = flow.filter((piece) => !head.includes(piece));
    endFlow();
    const run = rows.slice(start, end);
    // Columns that are empty on this page have their cells in the head.
    const leaves = shaded.filter(
      ({ x0, x1, y1 }) => !shaded.some((box) => box.y0 > y1 - 2 && box.x1 > x0 && box.x0 < x1),
    );
    const drawn = leaves.length > table.columns.length ? leaves.sort((a, b) => a.x0 - b.x0) : table.columns;
    parts.push({ table: tableOf(run, drawn, signs, shaded), pieces: run.flatMap((row) => row.pieces) });
    from = end;
    done = end;
  }
  endFlow();
  return parts;
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

/** Lines with parts beside each other; cells that are centred vertically may be half a line apart. */
function rowsWithCells(pieces: readonly Piece[]): Row[] | undefined {
  for (const apart of [undefined, OVERLAP]) {
    const rows = rowsOf(pieces, apart);
    if (rows.filter((row) => row.pieces.length > 1).length >= 2) return rows;
  }
  return undefined;
}

/** A line close to a table, whose parts are in one column each, and not in the first, where other text begins. */
function isPartOf(row: Row | undefined, edge: Row | undefined, columns: readonly Column[]): boolean {
  if (
    row === undefined ||
    edge === undefined ||
    Math.abs(edge.y - row.y) > CRITERIA.partGap * edge.size ||
    Math.abs(row.size - edge.size) > CRITERIA.partSize * edge.size
  )
    return false;
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
      return { y0: above.y0, y1: below.y1, pieces: inside, tabular: isTabular(inside, x0, x1) };
    });
    // One line between two bands of a table, no further from its rules than a row, is the title of what follows in it.
    const bands = read.map((band, i) => {
      const isTitle = band.pieces.length === 1 && band.y1 - band.y0 < TITLE_BAND * (band.pieces[0]?.size ?? 0);
      const isTitled = isTitle && !!read[i - 1]?.tabular && !!read[i + 1]?.tabular;
      return {
        ...band,
        tabular: band.tabular || isTitled || !!formOf([...(read[i - 1]?.pieces ?? []), ...band.pieces]),
      };
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
      tables.push({ ...tableOf(run, columns, signs), x0, x1, y0: frame[0].y0, y1: lastOf(frame).y1 });
      rest = rest.filter((piece) => !inside.includes(piece));
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

function isBetween({ y, size }: Piece, top: number, bottom: number): boolean {
  return y > top && y - 0.3 * size < bottom;
}

/** Points: rules of a frame are at least this long and at most this thick, and end within this of each other. */
const [FRAME_LENGTH, FRAME_THICKNESS, FRAME_ENDS] = [40, 3, 4];
/** Two rules closer than this, in points, are a double rule: no line of text fits between them. */
const DOUBLE_RULE = 4;
/** Text may reach this far out of its frame, in points. */
const OUT_OF_FRAME = 8;

/** Two or more horizontal rules with the same ends, from top to bottom. */
function parallelRules(rules: readonly TextBox[]): NonEmpty<TextBox>[] {
  const groups: NonEmpty<TextBox>[] = [];
  const flat = rules.filter((rule) => rule.x1 - rule.x0 >= rule.y1 - rule.y0);
  for (const rule of joined(flat).sort((a, b) => a.y0 - b.y0)) {
    if (rule.x1 - rule.x0 < FRAME_LENGTH || rule.y1 - rule.y0 > FRAME_THICKNESS) continue;
    const near = (a: number, b: number) => Math.abs(a - b) < FRAME_ENDS;
    const group = groups.find(([first]) => near(first.x0, rule.x0) && near(first.x1, rule.x1));
    if (group === undefined) groups.push([rule]);
    else if (rule.y0 - lastOf(group).y1 > DOUBLE_RULE) group.push(rule);
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

/** Most rows have cells beside each other or are those of a form, and none reaches out of the frame. */
function isTabular(band: readonly Piece[], x0: number, x1: number): boolean {
  if (band.some((piece) => piece.x0 < x0 - OUT_OF_FRAME || piece.x1 > x1 + OUT_OF_FRAME)) return false;
  const rows = rowsOf(band);
  if (rows.length > 0 && rows.filter((row) => row.pieces.length > 1).length >= 0.5 * rows.length) return true;
  if (formOf(band) !== undefined) return true;
  return isWrappedRow(band);
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

interface Found {
  readonly columns: readonly Column[];
  /** The row after its last one. */
  readonly to: number;
}

function tableAt(rows: readonly Row[], from: number, signs: Signs, passes: Test, fewest: number): Found | undefined {
  for (let to = runEnd(rows, from, signs); to - from >= 2; to--) {
    const run = rows.slice(from, to);
    if ((run.at(-1)?.pieces.length ?? 0) < 2 && to < rows.length && !closedBelow(run, signs)) continue;
    if (run.filter((row) => row.pieces.length >= fewest).length < 2) return undefined;
    const columns = columnsOf(run);
    if (passes(partedRows(run, columns), columns, signs)) return { columns, to };
    if (run.length > CRITERIA.longRun) return undefined;
  }
  return undefined;
}

/** The end of the rows that may belong to a table at `from`: before a wide gap or too many lines of flowing text. */
function runEnd(rows: readonly Row[], from: number, signs: Signs): number {
  let to = from + 1;
  let single = 0;
  let columns = columnsOf(rows.slice(from, from + 1));
  for (; to < rows.length; to++) {
    const [before, row] = [rows[to - 1], rows[to]];
    if (before === undefined || row === undefined || isCaption(row)) break;
    const gap = row.y - before.y;
    const size = Math.max(row.size, before.size);
    if (gap > CRITERIA.rowGap * size && !(gap <= CRITERIA.repeatedRowGap * size && repeats(row, columns))) break;
    if (row.pieces.length > 1) {
      single = 0;
      if (row.pieces.length >= columns.length) columns = columnsOf(rows.slice(from, to + 1));
      continue;
    }
    // Lines of one cell are close together, however many they are.
    if (gap > CRITERIA.cellGap * row.size) single++;
    const [first, last] = reach(row, columns);
    if (last > first || single > CRITERIA.singleRows) break;
  }
  while (to > from + 1 && (rows[to - 1]?.pieces.length ?? 0) < 2 && !closedBelow(rows.slice(from, to), signs)) to--;
  return to;
}

function isCaption({ pieces }: Row): boolean {
  return CAPTION.test(pieceText(pieces[0]));
}

/** Whether most columns, and three at least, have one piece each of this row. */
function repeats(row: Row, columns: readonly Column[]): boolean {
  const reached = row.pieces.map((piece) => reach(piece, columns));
  const used = new Set(reached.map(([first]) => first));
  if (used.size < Math.max(CRITERIA.repeatedColumns, 0.6 * columns.length)) return false;
  return used.size === row.pieces.length && reached.every(([first, last]) => first === last);
}

function across(run: readonly Row[], signs: Signs): TextBox[] {
  const [x0, x1] = [least(run.map((row) => row.x0)), greatest(run.map((row) => row.x1))];
  return signs.rules.filter(
    (rule) =>
      rule.x1 - rule.x0 > rule.y1 - rule.y0 &&
      Math.min(rule.x1, x1) - Math.max(rule.x0, x0) > CRITERIA.ruleCover * (x1 - x0),
  );
}

function closedBelow(run: readonly Row[], signs: Signs): boolean {
  const last = run.at(-1);
  if (last === undefined) return false;
  return across(run, signs).some((rule) => rule.y0 > last.y - 1 && rule.y0 < last.y + CRITERIA.closingRule * last.size);
}

/**
 * Whether rows over the whole page are those of one table, and not of columns of text or of charts beside each other:
 * most cells are filled, each column is aligned, and none has lines that go on in the next.
 */
function isWideTable(run: readonly Row[], columns: readonly Column[], signs: Signs): boolean {
  if (columns.length < CRITERIA.wideColumns) return false;
  const cells = cellsOf(run, columns);
  if (cells.some((column) => alignment(column) < CRITERIA.wideAligned)) return false;
  if (cells.some((column) => share(column, goesOn) > CRITERIA.prose)) return false;
  const used = groupRows(run, columns, across(run, signs)).map((group) => usedCount(group, columns));
  const full = used.filter((count) => count > CRITERIA.wideFilled * columns.length).length;
  return full >= CRITERIA.leastFullRows && full >= CRITERIA.fullRows * used.length && isTable(run, columns, signs);
}

/** A line of prose that continues a sentence; scripts without capitals do not tell. */
function goesOn(piece: Piece): boolean {
  return lengthOf(piece) >= CRITERIA.proseLine && /^[\p{Ll}\p{Lo}]/u.test(pieceText(piece));
}

function usedCount(group: readonly Row[], columns: readonly Column[]): number {
  return usedBy({ pieces: group.flatMap((row) => row.pieces) }, columns).size;
}

/** The pieces of each column. */
function cellsOf(run: readonly Row[], columns: readonly Column[]): Piece[][] {
  const cells: Piece[][] = columns.map(() => []);
  for (const { pieces } of run) for (const piece of pieces) cells[reach(piece, columns)[0]]?.push(piece);
  return cells;
}

/** Whether rows pass as a table of these columns: by their enclosing rules, else by alignment and length of cells. */
function isTable(run: readonly Row[], columns: readonly Column[], signs: Signs): boolean {
  const [first, last] = [run[0], run.at(-1)];
  if (columns.length < 2 || first === undefined || last === undefined) return false;
  const rulesAcross = across(run, signs);
  const groups = groupRows(run, columns, rulesAcross);
  const used = groups.map((group) => usedCount(group, columns));
  const full = used.filter((count) => count > 1);
  if (full.length < 2) return false;
  const cells = cellsOf(run, columns);
  const [names = []] = cells;
  if (names.every((piece) => markerOf(`${pieceText(piece)} x`) !== undefined)) return false;
  if (share(names, isSign) > CRITERIA.signs) return false;
  const values = cells.slice(1).flat();
  const alone = run.every(({ pieces }) => pieces.length <= 2);
  if (alone && areLineNumbers(names) && share(values, isNumber) < CRITERIA.numericPair) return false;
  if (columns.length === 2 && share(names, isLabel) > CRITERIA.signs) return false;
  if (cells.some((column) => column.length > 1 && share(column, isRelation) > CRITERIA.signs)) return false;
  if (isChart(cells, groups.length)) return false;
  if (share(cells.at(-1) ?? [], (piece) => leadsToPage(pieceText(piece))) > CRITERIA.entries) return false;
  if (isContents(cells.at(-1) ?? []) && (columns.length === 2 || cells.at(-2)?.some(hasLeader))) return false;
  const rules = rulesAcross.filter(
    (rule) =>
      rule.y0 > first.y0 - CRITERIA.openingRule * first.size && rule.y0 < last.y + CRITERIA.closingRule * last.size,
  ).length;
  const aligned = cells.reduce((sum, column) => sum + alignment(column), 0) / columns.length;
  const filled = full.reduce((sum, count) => sum + count, 0) / (full.length * columns.length);
  if (rules >= 2) return aligned > CRITERIA.alignedBetweenRules && filled > CRITERIA.filledBetweenRules;
  if (aligned < CRITERIA.aligned || filled < CRITERIA.filled) return false;
  const wrapped = filled > CRITERIA.filledByWrapped && full.length > CRITERIA.severalByWrapped * groups.length;
  if (wrapped && haveUnevenCells(groups, columns)) return true;
  if (full.length < CRITERIA.leastFullRows || full.length < CRITERIA.fullRows * groups.length) return false;
  const lengths = cells.map(meanLength);
  const numeric = share(values, isNumber);
  if (columns.length > 2) {
    const short = lengths.filter((mean) => mean < CRITERIA.shortCell).length;
    return short > CRITERIA.shortColumns * columns.length;
  }
  if (numeric > CRITERIA.numericPair) return meanLength(names) < CRITERIA.nameOfNumber;
  // Lines of prose and forms reach far or begin anywhere.
  const inPlace = aligned > CRITERIA.pairAligned && filled > CRITERIA.pairFilled;
  return inPlace && lengths.every((mean) => mean < CRITERIA.shortName);
}

function meanLength(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, piece) => sum + lengthOf(piece), 0) / Math.max(pieces.length, 1);
}

function isNumber(piece: Piece): boolean {
  return /^\P{L}*\d/u.test(pieceText(piece)) && lengthOf(piece) < CRITERIA.number;
}

/** The label of a reference. */
function isLabel(piece: Piece): boolean {
  return /^\[.+\]$/.test(pieceText(piece));
}

/** The numbers of the lines of a program, each of which is one piece beside its number. */
function areLineNumbers(names: readonly Piece[]): boolean {
  const texts = names.map(pieceText);
  return (
    texts.length > 1 &&
    Number(texts[0]) > 0 &&
    pairs(texts).every(([a, b]) => /^\d+$/.test(b) && Number(b) === Number(a) + 1)
  );
}

/** The sign between two sides of an equation, or between the name and the body of a definition. */
function isRelation(piece: Piece): boolean {
  return /^(::?=|[=≤≥≠<>≡≈∈⊆→⇒⇔↦⊢|])$/u.test(pieceText(piece));
}

/** The labels of an axis fall by one step from line to line; in a table, columns beside such numbers are filled. */
function isChart(cells: readonly (readonly Piece[])[], rows: number): boolean {
  const others = cells.filter((column) => !isAxis(column));
  return others.length < cells.length && others.every((column) => column.length < CRITERIA.beside * rows);
}

function isAxis(labels: readonly Piece[]): boolean {
  const texts = labels.map(pieceText).filter((text) => NUMBER.test(text));
  const steps = pairs(texts.map((text) => Number(text.replace(/[^\d.]/g, '')))).map(([a, b]) => a - b);
  const step = median(steps) ?? 0;
  const same = steps.filter((other) => Math.abs(other - step) < 0.01 * step).length;
  return steps.length > 1 && step > 0 && same > CRITERIA.signs * steps.length;
}

function isSign(piece: Piece): boolean {
  return /^[^\p{L}\p{N}]$/u.test(pieceText(piece));
}

/** Cells side by side with different numbers of lines, in several rows: columns of prose are not separated there. */
function haveUnevenCells(groups: readonly (readonly Row[])[], columns: readonly Column[]): boolean {
  const uneven = groups.filter((group) => {
    const used = group.map((row) => usedBy(row, columns));
    const lines = columns.map((_, column) => used.filter((columnsUsed) => columnsUsed.has(column)).length);
    return least(lines) > 0 && least(lines) < greatest(lines);
  });
  return groups.length >= 3 && uneven.length >= 2;
}

/** Page numbers beside titles are a table of contents, which is read as text. */
function isContents(pieces: readonly Piece[]): boolean {
  let [last, rising] = [0, 0];
  if (!pieces.every((piece) => /^(\d{1,4}|[ivxlcdm]+)$/i.test(pieceText(piece)))) return false;
  const numbers = pieces.map(pieceText);
  const arabic = numbers.filter((text) => /^\d+$/.test(text)).map(Number);
  for (const number of arabic) {
    if (number >= last) rising++;
    last = number;
  }
  return rising >= CRITERIA.rising * arabic.length;
}

/** Dots that lead to the next column. */
function hasLeader(piece: Piece): boolean {
  return /(\.\s?){4}$/.test(pieceText(piece));
}

function share(pieces: readonly Piece[], test: (piece: Piece) => boolean): number {
  return pieces.length === 0 ? 0 : pieces.filter(test).length / pieces.length;
}

/** Names over several columns stand in the first rows. */
const HEAD_ROWS = 2;

/** The first and last column above a rule below part of a head: it joins the names below it under the one above. */
function spanOf(
  piece: Piece,
  next: Row | undefined,
  columns: readonly Column[],
  signs: Signs,
): [number, number] | undefined {
  const lowest = Math.min(next?.y ?? piece.y, piece.y + piece.size);
  const rule = signs.rules.find(({ x0, x1, y0, y1 }) => {
    return y1 - y0 < x1 - x0 && y0 > piece.y && y0 < lowest && x0 < piece.x0 + 2 && x1 > piece.x1 - 2;
  });
  if (rule === undefined) return undefined;
  const isHeld = ({ x0, x1 }: Column) => (x0 + x1) / 2 > rule.x0 && (x0 + x1) / 2 < rule.x1;
  const [first, last] = [columns.findIndex(isHeld), columns.findLastIndex(isHeld)];
  return first >= 0 && last - first + 1 < columns.length ? [first, last] : undefined;
}

/** Beside a name over several columns, that of a single one stands for both lines of the head, wherever it is set. */
function withHighCells(rows: Cell[][]): Cell[][] {
  const [top = [], below = [], ...others] = rows;
  const starts = top.map((_, i) => top.slice(0, i).reduce((sum, { colspan }) => sum + colspan, 0));
  const under = top.map(({ colspan }, i) => below.slice(starts[i], (starts[i] ?? 0) + colspan));
  const named = under.every((cells, i) => top[i]?.colspan === 1 || cells.every(({ text }) => text !== ''));
  if (top.length < 2 || top.length === below.length || !named || below.some(({ colspan }) => colspan > 1)) return rows;
  const high = new Set(
    top.flatMap((cell, i) =>
      cell.colspan === 1 && [cell, ...(under[i] ?? [])].some(({ text }) => text === '') ? i : [],
    ),
  );
  const both = top.map((cell, i) => {
    const [other = cell] = under[i] ?? [];
    return high.has(i) ? { ...(cell.text === '' ? other : cell), rowspan: 2 } : cell;
  });
  return [both, under.flatMap((cells, i) => (high.has(i) ? [] : cells)), ...others];
}

/** Rows of cells with these boxes, each over the columns whose middle it holds. */
function rowsIn(boxes: readonly TextBox[], words: readonly Word[], columns: readonly Column[]): Cell[][] {
  const tops = clusters(
    boxes.map(({ y0 }) => y0),
    2,
  );
  const rowAt = (y: number) => tops.filter((top) => top < y - 2).length;
  return tops.map((_, row) =>
    boxes
      .filter(({ y0 }) => rowAt(y0) === row)
      .sort((a, b) => a.x0 - b.x0)
      .map((box) => {
        const covered = columns.filter(({ x0, x1 }) => (x0 + x1) / 2 > box.x0 && (x0 + x1) / 2 < box.x1).length;
        return cellOf(
          words.filter((word) => inside(word, box)),
          covered,
          rowAt(box.y1) - row,
        );
      }),
  );
}

function tableOf(text: readonly Row[], columns: readonly Column[], signs: Signs, head: readonly TextBox[] = []): Table {
  const bottom = greatest([-Infinity, ...head.map(({ y1 }) => y1)]);
  const above = text.filter(({ y }) => y < bottom);
  const shaded = rowsIn(
    head,
    above.flatMap(({ pieces }) => pieces.flatMap(({ words }) => words)),
    columns,
  );
  const run = partedRows(text.slice(above.length), columns);
  const groups = groupRows(run, columns, across(run, signs));
  const rows = groups.map((group, at): Cell[] => {
    const slots = columns.map(() => ({ pieces: [] as Piece[], span: 1 }));
    for (const piece of group.flatMap((row) => row.pieces)) {
      const held = at < HEAD_ROWS ? spanOf(piece, groups[at + 1]?.[0], columns, signs) : undefined;
      const [first, last] = held ?? reach(piece, columns);
      const slot = slots[first];
      slot?.pieces.push(piece);
      if (slot !== undefined && (group.length === 1 || held)) slot.span = Math.max(slot.span, last - first + 1);
    }
    const cells: Cell[] = [];
    let next = 0;
    for (const [i, { pieces, span }] of slots.entries()) {
      if (i < next) continue;
      const filled = slots.slice(i + 1, i + span).findIndex((slot) => slot.pieces.length > 0);
      const colspan = filled < 0 ? span : filled + 1;
      cells.push(
        cellOf(
          pieces.flatMap((piece) => piece.words),
          colspan,
          1,
        ),
      );
      next = i + colspan;
    }
    return cells;
  });
  const size = greatest(text.map((row) => row.size));
  return {
    rows: [...shaded, ...(shaded.length > 0 ? rows : withHighCells(rows))],
    columns: columns.length,
    size,
    ...around(text),
    y0: text[0]?.y0 ?? 0,
    y1: text.at(-1)?.y1 ?? 0,
  };
}
