// Finds tables with rules.
//
// In: the words, rules and shaded areas of a page. Out: tables, and the words outside of them. Rules that meet form a
// group; the places of its rules, and the edges of shaded rows, give the lines of a grid. Bands and cells without inner
// rules are split where text is aligned. A grid whose cells do not look like those of a table is left as text. Each
// word is in one table at most. The cost grows with the square of the rules, of which there are at most 4,000.
import { NO_FACE } from '../../fonts/faces.ts';
import { greatest, median, pairs, pushAll, runsOf } from '../../syntax/arrays.ts';
import { BLACK } from '../content/fill-colour.ts';
import { joined, MEET } from '../content/joined-rules.ts';
import { around, centreIsIn, type PageContent, type TextBox, type Word } from '../content/page-content.ts';
import type { Line } from '../lines/lines.ts';
import { markerOf } from '../lines/list-markers.ts';
import { type Piece, piecesOf } from '../lines/pieces.ts';
import { type Column, columnsOf, NUMBER, partedRows, type Row, reach, rowsOf } from './table-rows.ts';
import { type Cell, cellOf, clusters, inside, isBetween, isFrame, pieceText, type Table } from './tables.ts';
import { groupRows, usedBy } from './wrapped-rows.ts';

/** More rules than this are a drawing. */
const MOST_RULES = 4_000;
/** A grid with more bands than this has a rule between its rows. */
const MOST_BANDS = 3;

interface Grid extends TextBox {
  readonly xs: readonly number[];
  readonly ys: readonly number[];
  readonly across: readonly TextBox[];
  readonly down: readonly TextBox[];
}

interface Found {
  readonly tables: Table[];
  /** The numbers at the bars or lines of each chart. */
  readonly charts: (readonly Word[])[];
  readonly rest: readonly Word[];
}

/** Finds the ruled tables of a page, and returns the other words. A line of `turned` in a table is in a cell. */
export function ruledTables(content: PageContent, turned: readonly Line[]): Found {
  const [tables, charts]: [Table[], Word[][]] = [[], []];
  if (content.rules.length < 4 || content.rules.length > MOST_RULES) return { tables, charts, rest: content.words };
  let rest: readonly Word[] = content.words;
  for (const grid of gridsOf(content.rules, content.fills)) {
    const words = rest.filter((word) => inside(word, grid));
    const table = words.length < 4 ? undefined : fill(grid, words, turned);
    if (table === undefined || (table === 'drawing' && !words.every(({ text }) => NUMBER.test(text)))) continue;
    if (table === 'drawing') charts.push(words);
    else tables.push(table);
    rest = rest.filter((word) => !inside(word, grid));
  }
  return { tables, charts, rest };
}

function gridsOf(rules: readonly TextBox[], fills: readonly TextBox[]): Grid[] {
  const across = joined(rules.filter((rule) => rule.x1 - rule.x0 >= rule.y1 - rule.y0));
  const down = joined(rules.filter((rule) => rule.x1 - rule.x0 < rule.y1 - rule.y0).map(flip)).map(flip);
  const grids: Grid[] = [];
  const level = new Set(across);
  for (const group of connected([...across, ...down])) {
    const h = group.filter((rule) => level.has(rule));
    const v = group.filter((rule) => !level.has(rule));
    if (h.length < 2 || v.length < 1) continue;
    const box = around(group);
    pushAll(h, edgesOf(fills, box));
    const xs = clusters([...v.map((rule) => (rule.x0 + rule.x1) / 2), box.x0, box.x1], MEET + 1);
    const ys = clusters([...h.map((rule) => (rule.y0 + rule.y1) / 2), box.y0, box.y1], MEET + 1);
    // A single column is a table when it has rows; a frame around text has none.
    if (ys.length < 3 || (xs.length < 3 && ys.length < 5)) continue;
    grids.push({ ...box, xs, ys, across: h, down: v });
  }
  // The border of a page has a table in it, which it is no part of.
  return grids.filter((grid) => grid.xs.length > 2 || !grids.some((other) => other !== grid && holds(grid, other)));
}

function holds(outer: TextBox, { x0, y0, x1, y1 }: TextBox): boolean {
  return x0 > outer.x0 && x1 < outer.x1 && y0 > outer.y0 && y1 < outer.y1;
}

/** Upper and lower edges of shaded rows, which separate rows as lines do. */
function edgesOf(fills: readonly TextBox[], box: TextBox): TextBox[] {
  const within = fills.filter(
    (fill) =>
      fill.x0 > box.x0 - 6 &&
      fill.x1 < box.x1 + 6 &&
      fill.y0 > box.y0 - 3 &&
      fill.y1 < box.y1 + 3 &&
      fill.y1 - fill.y0 < 0.5 * (box.y1 - box.y0),
  );
  const edges = within.flatMap((fill) => [fill.y0, fill.y1].map((y) => ({ ...fill, y0: y, y1: y })));
  return joined(edges).filter((edge) => edge.x1 - edge.x0 > 0.6 * (box.x1 - box.x0));
}

function flip(box: TextBox): TextBox {
  return { x0: box.y0, y0: box.x0, x1: box.y1, y1: box.x1 };
}

/** Groups of rules that meet, directly or through others. */
function connected(rules: readonly TextBox[]): TextBox[][] {
  const groups: TextBox[][] = [];
  const left = new Set(rules);
  for (const first of rules) {
    if (!left.delete(first)) continue;
    const group = [first];
    for (const rule of group) {
      for (const other of left) {
        const meets = (from: number, to: number, start: number, end: number) =>
          from <= end + MEET && to >= start - MEET;
        if (!meets(other.x0, other.x1, rule.x0, rule.x1) || !meets(other.y0, other.y1, rule.y0, rule.y1)) continue;
        left.delete(other);
        group.push(other);
      }
    }
    groups.push(group);
  }
  return groups;
}

interface Area {
  row: number;
  column: number;
  rows: number;
  columns: number;
  words: Word[];
}

/**
 * Splits bands at numbers that count up in their first column: each begins an item. Rules in few other columns frame text
 * of an item and do not part rows.
 */
function withItems(grid: Grid, words: readonly Word[]): Grid {
  const columns = pairs(grid.xs).map(([x0, x1]) => ({ x0, x1 }));
  if (columns.length < 2) return grid;
  const parting = grid.ys.filter((_, i) => {
    const parted = columns.flatMap((_, column) => (partsRows(grid, i, column) ? [column] : []));
    return i === 0 || i === grid.ys.length - 1 || parted[0] === 0 || parted.length > 0.5 * columns.length;
  });
  const bands = pairs(parting).flatMap(([y0, y1]) => {
    const items = itemsOf(rowsBetween(y0, y1, words, grid), columns);
    return items === undefined ? [] : [{ y0, y1, items }];
  });
  const isLeft = (y: number) => !bands.some(({ y0, y1 }) => y > y0 + MEET && y < y1 - MEET);
  const starts = bands.flatMap(({ items }) => pairs(items).map(([above, below]) => between(above, below)));
  const ys = [...grid.ys.filter(isLeft), ...starts].sort((a, b) => a - b);
  const across = grid.across.filter(({ y0, y1 }) => isLeft((y0 + y1) / 2));
  return { ...grid, ys, across: [...across, ...starts.map((y) => ({ x0: grid.x0, x1: grid.x1, y0: y, y1: y }))] };
}

/** Rows of each item, where the first column holds nothing but numbers that count up. */
function itemsOf(rows: readonly Row[], columns: readonly Column[]): Row[][] | undefined {
  const begins = ({ pieces: [first] }: Row) => reach(first, columns)[0] === 0;
  const [top] = rows;
  const numbered = rows.filter(begins);
  if (top === undefined || !begins(top) || numbered.length < 2) return undefined;
  if (numbered.some(({ pieces }) => pieces.length < 2 || !/^\d+$/.test(pieceText(pieces[0])))) return undefined;
  const numbers = numbered.map(({ pieces }) => Number(pieceText(pieces[0])));
  return pairs(numbers).every(([a, b]) => b === a + 1) ? [...runsOf(rows, (row) => !begins(row))] : undefined;
}

/** A line between two groups of rows. */
function between(above: readonly Row[], below: readonly Row[]): number {
  return (around(above).y1 + around(below).y0) / 2;
}

function rowsBetween(y0: number, y1: number, words: readonly Word[], { down }: Grid): Row[] {
  const band = words.filter((word) => isBetween(word, y0, y1));
  return rowsOf(piecesOf(band, down));
}

/** Splits bands without inner rules into rows of text: rules around groups of rows, or around a whole table. */
function withTextRows(grid: Grid, words: readonly Word[]): Grid {
  const columns = pairs(grid.xs).map(([x0, x1]) => ({ x0, x1 }));
  if (columns.length < 2) return grid;
  // Rules between most rows separate all of them; but a cell holds one number.
  const ruledRows = grid.ys.length > MOST_BANDS + 1;
  const lines: TextBox[] = [];
  for (const [y0, y1] of pairs(grid.ys)) {
    const rows = rowsBetween(y0, y1, words, grid);
    if (ruledRows && !holdsNumbers(rows, columns)) continue;
    // Wrapped text of two cells stands beside each other just as rows do; its lines are longer.
    if (columns.length === 2 && !ruledRows && hasLongLines(rows, columns)) continue;
    const groups = groupRows(rows, columns, []);
    const full = groups.filter((group) => {
      const used = usedBy({ pieces: group.flatMap((row) => row.pieces) }, columns).size;
      return used > 0.5 * columns.length;
    });
    if (groups.length < (ruledRows ? 2 : 3) || full.length < 0.7 * groups.length) continue;
    // A name beside several rows, in fewer lines than they are, is that of all of them.
    const names = rows.flatMap((row) => row.pieces).filter((piece) => reach(piece, columns)[0] === 0);
    const isOne = names.length < groups.length && pairs(names).every(([a, b]) => b.y - a.y < NAME_PITCH * b.size);
    const x0 = (isOne ? grid.xs[1] : undefined) ?? grid.x0;
    for (const [above, below] of pairs(groups)) {
      const y = between(above, below);
      lines.push({ x0, x1: grid.x1, y0: y, y1: y });
    }
  }
  if (lines.length === 0) return grid;
  const ys = [...grid.ys, ...lines.map(({ y0 }) => y0)].sort((a, b) => a - b);
  return { ...grid, ys, across: [...grid.across, ...lines] };
}

/** Lines of a name are no further apart, in em. */
const NAME_PITCH = 1.4;

/** Most lines of a column of numbers are one; others have marks or say that there is none. */
const MOST_NUMBERS = 0.6;

/** Whether the lines of half the columns are numbers each: a cell holds one number, and no number goes on in the next line. */
function holdsNumbers(rows: readonly Row[], columns: readonly Column[]): boolean {
  const pieces = rows.flatMap((row) => row.pieces);
  const filled = columns.map((_, i) => pieces.filter((piece) => reach(piece, columns)[0] === i)).slice(1);
  const used = filled.filter((column) => column.length > 1);
  const numbers = used.filter((column) => {
    return column.filter((piece) => NUMBER.test(pieceText(piece))).length >= MOST_NUMBERS * column.length;
  });
  return numbers.length > 0 && numbers.length >= 0.5 * used.length;
}

/**
 * Splits cells into columns of text: often only the head of a table has upright lines, or its first column. Running
 * text has no aligned gaps; where most rows have, a boundary is put in each gap that no text crosses.
 */
function withTextColumns(grid: Grid, words: readonly Word[]): Grid {
  // List bullets in a cell are no column.
  const texts = piecesOf(words, grid.down).filter((piece) => !isMark(piece));
  const rows = rowsOf(texts).filter((row) => row.pieces.length > 1);
  const isOpen = (row: Row) =>
    pairs(row.pieces).some(([a, b]) => !grid.down.some((rule) => stands(rule, a.x1, b.x0, row.y)));
  const open = rows.filter(isOpen);
  const inner = grid.xs.slice(1, -1);
  let [xs, lines] = [inner, rowsOf(texts)];
  // A head without upright lines stands in the columns that the lines below it show.
  let parts = (row: Row) =>
    row.pieces.length > 0.5 * (inner.length + 1) && row.pieces.every((piece) => !crosses(piece));
  const crosses = ({ x0, x1 }: Piece) => inner.some((x) => x > x0 && x < x1);
  if (open.length >= 2 && open.length >= MOST_OPEN * rows.length) {
    // Names in a head span several columns: rows with the usual number of pieces tell where columns are.
    const usual = median(open.map((row) => row.pieces.length)) ?? 0;
    const columns = columnsOf(open.filter((row) => row.pieces.length >= usual));
    const gaps = pairs(columns).map(([left, right]) => ({ from: left.x1, to: right.x0 }));
    // Line numbers beside code in a frame are no column.
    if (gaps.length < 2 && grid.xs.length < 3) return grid;
    lines = partedRows(rowsOf(texts), columns);
    const parted = lines.flatMap((row) => row.pieces);
    xs = gaps.map(({ from, to }) => grid.xs.find((x) => x > from - MEET && x < to + MEET) ?? freest(from, to, parted));
    parts = () => true;
  }
  const pieces = lines.flatMap((row) => row.pieces);
  const down = pairs(grid.ys).flatMap(([y0, y1]) => {
    if (!lines.some((row) => isBetween(row, y0, y1) && isOpen(row) && parts(row))) return [];
    const inBand = pieces.filter((piece) => isBetween(piece, y0, y1));
    const free = xs.filter((x) => !inBand.some((piece) => piece.x0 < x && piece.x1 > x));
    return free.map((x) => ({ x0: x, x1: x, y0, y1 }));
  });
  const all = clusters([...grid.xs, ...down.map(({ x0 }) => x0)], MEET + 1);
  return { ...grid, xs: all, down: [...grid.down, ...down] };
}

/** The place in a gap that fewest pieces lie across, heads among them, which are wider than numbers; its middle if none is better. */
function freest(from: number, to: number, pieces: readonly Piece[]): number {
  const crossing = (x: number) => pieces.filter((piece) => piece.x0 < x && piece.x1 > x).length;
  let [best, fewest] = [(from + to) / 2, crossing((from + to) / 2)];
  for (const x of pieces.flatMap(({ x0, x1 }) => [x0, x1])) {
    if (x <= from || x >= to || crossing(x) >= fewest) continue;
    [best, fewest] = [x, crossing(x)];
  }
  return best;
}

/** From this share of rows with open gaps on, the gaps separate columns. */
const MOST_OPEN = 0.5;

function stands(rule: TextBox, from: number, to: number, y: number): boolean {
  return rule.x0 > from - MEET && rule.x1 < to + MEET && rule.y0 < y && rule.y1 > y - 1;
}

/** Average characters of a line; names and figures are shorter, wrapped text is longer and fills its column. */
const LONG_LINE = 25;
const FILLED = 0.6;

function isMark(piece: Piece): boolean {
  return markerOf(`${pieceText(piece)} x`)?.kind === 'bullet';
}

function hasLongLines(rows: readonly Row[], columns: readonly Column[]): boolean {
  const pieces = rows.flatMap((row) => row.pieces).filter((piece) => !isMark(piece));
  return columns.some(({ x0, x1 }, i) => {
    const inColumn = pieces.filter((piece) => reach(piece, columns)[0] === i);
    const characters = inColumn.reduce((sum, piece) => sum + pieceText(piece).length, 0);
    const width = inColumn.reduce((sum, piece) => sum + piece.x1 - piece.x0, 0);
    return characters > LONG_LINE * inColumn.length && width > FILLED * (x1 - x0) * inColumn.length;
  });
}

function fill(ruled: Grid, words: readonly Word[], turned: readonly Line[]): Table | 'drawing' | undefined {
  const grid = withTextRows(withItems(withTextColumns(ruled, words), words), words);
  const { xs, ys } = grid;
  const areaOf = areasOf(grid);
  const areas = [...new Set(areaOf.flat())];
  const areaAt = (x: number, y: number) =>
    areaOf[ys.findLastIndex((at) => at <= y)]?.[xs.findLastIndex((at) => at <= x)];
  for (const word of words) areaAt((word.x0 + word.x1) / 2, word.y - 0.3 * word.size)?.words.push(word);
  const used = areas.filter((area) => area.words.length > 0);
  // A form has a head and names; its other cells are to be filled in.
  const isForm = areas.every(({ row, column, words }) => (row > 0 && column > 0) || words.length > 0);
  if (used.length < 3 || (used.length < 0.25 * areas.length && !isForm)) return undefined;
  const size = (parts: readonly Area[]) => parts.reduce((sum, { rows, columns }) => sum + rows * columns, 0);
  if (drawnShare(ruled) < LEAST_DRAWN && size(used) < MOST_FILLED * size(areas)) return 'drawing';
  if (used.some((area) => isFrame(area.words))) return undefined;
  // Names of narrow columns stand upright.
  for (const line of turned.filter((line) => centreIsIn(line, grid))) {
    const area = areaAt((line.x0 + line.x1) / 2, (line.y0 + line.y1) / 2);
    const y = ys[(area?.row ?? 0) + (area?.rows ?? 0)] ?? line.y1;
    area?.words.push({ ...line, y, face: NO_FACE, colour: BLACK, spaced: true });
  }
  return withoutEmpty(
    grid,
    areas.flatMap((area) => partedNumbers(area, ys)),
  );
}

/** A cell holds one number: a column without lines between its rows has as many cells as numbers. */
function partedNumbers(area: Area, ys: readonly number[]): Area[] {
  if (area.rows === 1 || area.words.length < 2) return [area];
  const rows = Array.from({ length: area.rows }, (_, i): Area => {
    const [top = 0, bottom = 0] = [ys[area.row + i], ys[area.row + i + 1]];
    const words = area.words.filter(({ y, size }) => y - 0.3 * size >= top && y - 0.3 * size < bottom);
    return { ...area, row: area.row + i, rows: 1, words };
  });
  return rows.every(({ words }) => words.length < 2 && words.every(({ text }) => NUMBER.test(text))) ? rows : [area];
}

/** Charts and diagrams have a smaller share of their grid drawn, and text in less than `MOST_FILLED` of it. */
const [LEAST_DRAWN, MOST_FILLED] = [0.18, 0.6];

/** The share of its crossings at which a grid would have lines both ways: rules of a table run across most of it. */
function drawnShare({ xs, ys, across, down, x0, y0, x1, y1 }: Grid): number {
  const share = (rules: readonly TextBox[], places: readonly number[], length: number) => {
    const drawn = places.map((x) => {
      const along = rules.filter((rule) => Math.abs((rule.x0 + rule.x1) / 2 - x) <= MEET + 1);
      return Math.min(1, along.reduce((sum, line) => sum + line.y1 - line.y0, 0) / length);
    });
    return drawn.reduce((sum, each) => sum + each, 0) / places.length;
  };
  return share(down, xs, y1 - y0) * share(across.map(flip), ys, x1 - x0);
}

/** The cell of each unit of the grid. Units are joined where no line separates them and the result is a rectangle. */
function areasOf(grid: Grid): Area[][] {
  const [rows, columns] = [grid.ys.length - 1, grid.xs.length - 1];
  const units = Array.from({ length: rows }, (): Area[] => []);
  for (const [row, line] of units.entries()) {
    for (let column = 0; column < columns; column++) {
      if (line[column] !== undefined) continue;
      let [wide, high] = [1, 1];
      const isFree = (at: number) => line[at] === undefined && !partsColumns(grid, at, row);
      while (column + wide < columns && isFree(column + wide)) wide++;
      while (row + high < rows && opensBelow(grid, row + high, column, wide)) high++;
      const area = { row, column, rows: high, columns: wide, words: [] };
      for (const below of units.slice(row, row + high)) for (let c = 0; c < wide; c++) below[column + c] = area;
    }
  }
  return units;
}

function partsColumns({ xs, ys, down }: Grid, column: number, row: number): boolean {
  return down.some((rule) => runsAlong(rule, xs[column], ys[row], ys[row + 1]));
}

function partsRows({ xs, ys, across }: Grid, row: number, column: number): boolean {
  return across.some((rule) => runsAlong(flip(rule), ys[row], xs[column], xs[column + 1]));
}

/** Whether an upright rule at `x` covers most of the way from `top` to `bottom`. */
function runsAlong(rule: TextBox, x = NaN, top = NaN, bottom = NaN): boolean {
  const shared = Math.min(rule.y1, bottom) - Math.max(rule.y0, top);
  return Math.abs((rule.x0 + rule.x1) / 2 - x) <= MEET + 1 && shared > 0.6 * (bottom - top);
}

/** Whether the next row of units belongs to the cell above: no line on its top, the same lines at its sides. */
function opensBelow(grid: Grid, row: number, column: number, wide: number): boolean {
  for (let c = column; c < column + wide; c++) {
    if (partsRows(grid, row, c)) return false;
    if (c > column && partsColumns(grid, c, row)) return false;
  }
  const last = column + wide;
  return last >= grid.xs.length - 1 || partsColumns(grid, last, row);
}

/**
 * Rows of one column are entries where each says something of its own; prose in a box goes on from row to row, and
 * numbers alone belong to titles beside them.
 */
function areEntries(areas: readonly Area[]): boolean {
  return areas.every(({ words }) => /^\P{Ll}*\p{Lu}|^\p{Lo}/u.test(cellOf(words, 1, 1).text));
}

/** Drops rows and columns in which no cell begins, or all are empty: an artefact of the drawing. */
function withoutEmpty(grid: Grid, areas: readonly Area[]): Table | undefined {
  const used = areas.filter((area) => area.words.length > 0);
  const rows = [...new Set(used.map((area) => area.row))].sort((a, b) => a - b);
  const columns = [...new Set(used.map((area) => area.column))].sort((a, b) => a - b);
  if (rows.length < 2 || (columns.length < 2 && (rows.length < 4 || !areEntries(used)))) return undefined;
  const table = rows.map((): Cell[] => []);
  for (const area of [...areas].sort((a, b) => a.column - b.column)) {
    const rowspan = rows.filter((row) => row >= area.row && row < area.row + area.rows).length;
    const colspan = columns.filter((column) => column >= area.column && column < area.column + area.columns).length;
    if (rowspan > 0 && colspan > 0)
      table[rows.findIndex((row) => row >= area.row)]?.push(cellOf(area.words, colspan, rowspan));
  }
  const size = greatest(used.flatMap((area) => area.words.map((word) => word.size)));
  return { x0: grid.x0, y0: grid.y0, x1: grid.x1, y1: grid.y1, rows: table, columns: columns.length, size };
}
