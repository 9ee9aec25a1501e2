import { greatest, least, pushAll } from '../../long-lists.ts';
import type { Box } from '../content/page-content.ts';
import { type Line, linesOf } from '../layout/lines.ts';
import type { Piece } from '../layout/pieces.ts';
import type { Region } from '../layout/region.ts';
import { markerOf } from '../lists/list-markers.ts';
import { joined } from './joined-rules.ts';
import { alignment, type Column, columnsOf, type Row, reach, rowsOf } from './table-rows.ts';
import { type Cell, cellText, pieceText, type Table } from './tables.ts';
import { groupRows, OVERLAP, usedBy } from './wrapped-rows.ts';

/** Rules and shaded areas of a page, as signs of a table. */
export interface Signs {
  readonly rules: readonly Box[];
  readonly fills: readonly Box[];
}

/** Parts the pieces of one column into tables and the lines between them. */
export function alignedTables(pieces: readonly Piece[], signs: Signs): Region[] {
  if (pieces.length === 0) return [];
  const rows = rowsWithCells(pieces);
  if (rows === undefined) return [{ kind: 'lines', lines: linesOf(pieces) }];
  const regions: Region[] = [];
  let flow: Piece[] = [];
  let done = 0;
  const endFlow = () => {
    const lines: Line[] = flow.length === 0 ? [] : linesOf(flow);
    if (lines.length > 0) regions.push({ kind: 'lines', lines });
    flow = [];
  };
  for (let from = 0; from < rows.length; ) {
    const found = rows[from]!.pieces.length > 1 ? tableAt(rows, from, signs) : undefined;
    if (found === undefined) {
      pushAll(flow, rows[from]!.pieces);
      from++;
      continue;
    }
    // Upper lines of a head, above the first full row, were taken for text.
    let start = from;
    while (start > done && isPartOf(rows[start - 1]!, rows[start]!, found.columns)) start--;
    // So were the last lines of a cell, below the last one.
    let end = found.to;
    while (end < rows.length && isPartOf(rows[end]!, rows[end - 1]!, found.columns)) end++;
    for (let more = rowEnd(rows, end, found.columns); more > end; more = rowEnd(rows, end, found.columns)) end = more;
    const head = rows.slice(start, from).flatMap((row) => row.pieces);
    flow = flow.filter((piece) => !head.includes(piece));
    endFlow();
    const run = rows.slice(start, end);
    regions.push({ kind: 'table', table: tableOf(run, found.columns, signs) });
    from = end;
    done = end;
  }
  endFlow();
  return regions;
}

/** Lines with parts beside each other; cells that stand at each other's middle may be half a line apart. */
function rowsWithCells(pieces: readonly Piece[]): Row[] | undefined {
  for (const apart of [undefined, OVERLAP]) {
    const rows = rowsOf(pieces, apart);
    if (rows.filter((row) => row.pieces.length > 1).length >= 2) return rows;
  }
  return undefined;
}

/** A line close to one of a table whose parts stand in one column each, and not the first, where other text begins. */
function isPartOf(row: Row, edge: Row, columns: readonly Column[]): boolean {
  if (Math.abs(edge.y - row.y) > 1.4 * edge.size || Math.abs(row.size - edge.size) > 0.1 * edge.size) return false;
  return row.pieces.every((piece) => {
    const [first, last] = reach(piece, columns);
    const [left, right] = [columns[first - 1]?.x1, columns[first + 1]?.x0 ?? columns[first]!.x1 + 8 * piece.size];
    return left !== undefined && first === last && piece.x0 > left && piece.x1 < right;
  });
}

/** The end of one more row below, whose cells stand at each other's middle, so that no line has all of them. */
function rowEnd(rows: readonly Row[], from: number, columns: readonly Column[]): number {
  const [above, first] = [rows[from - 1], rows[from]];
  if (above === undefined || first === undefined || first.y - above.y > 3.2 * above.size) return from;
  let to = from + 1;
  while (to < rows.length && rows[to]!.y - rows[to - 1]!.y < WRAPPED * rows[to]!.size) to++;
  const pieces = rows.slice(from, to).flatMap((row) => row.pieces);
  const apart = pieces.every((piece) => reach(piece, columns)[0] === reach(piece, columns)[1]);
  return apart && usedBy({ pieces }, columns).size === columns.length ? to : from;
}

/** Tables between horizontal rules of one width, wherever they stand on the page, and the pieces in none of them. */
export function framedTables(pieces: readonly Piece[], signs: Signs): { tables: Table[]; rest: readonly Piece[] } {
  const tables: Table[] = [];
  let rest = pieces;
  for (const rules of parallelRules(signs.rules)) {
    const { x0, x1 } = rules[0]!;
    const [top, bottom] = [rules[0]!.y1, rules.at(-1)!.y0];
    // A sheet of music has hundreds of rules: what is beside all of them is left out once.
    const beside = rest.filter((each) => each.x1 > x0 && each.x0 < x1 && isBetween(each, top, bottom));
    const bands = rules.slice(1).map((rule, i) => beside.filter((each) => isBetween(each, rules[i]!.y1, rule.y0)));
    for (let from = 0; from < bands.length; ) {
      let to = from;
      while (to < bands.length && isTabular(bands[to]!, x0, x1)) to++;
      const inside = bands.slice(from, to).flat();
      const run = rowsOf(inside);
      const columns = run.length < 2 ? [] : columnsOf(run);
      if (columns.length > 0 && isTable(run, columns, signs)) {
        const table = tableOf(run, columns, signs);
        tables.push({ ...table, x0, x1, y0: rules[from]!.y0, y1: rules[to]!.y1 });
        rest = rest.filter((piece) => !inside.includes(piece));
      }
      from = Math.max(to, from + 1);
    }
  }
  return { tables, rest };
}

function isBetween({ y, size }: Piece, top: number, bottom: number): boolean {
  return y > top && y - 0.3 * size < bottom;
}

/** Horizontal rules with the same ends, from top to bottom. */
function parallelRules(rules: readonly Box[]): Box[][] {
  const groups: Box[][] = [];
  const flat = rules.filter((rule) => rule.x1 - rule.x0 >= rule.y1 - rule.y0);
  for (const rule of joined(flat).sort((a, b) => a.y0 - b.y0)) {
    if (rule.x1 - rule.x0 < 40 || rule.y1 - rule.y0 > 3) continue;
    const group = groups.find(([first]) => Math.abs(first!.x0 - rule.x0) < 4 && Math.abs(first!.x1 - rule.x1) < 4);
    if (group === undefined) groups.push([rule]);
    else if (rule.y0 - group.at(-1)!.y1 > 2) group.push(rule);
  }
  return groups.filter((group) => group.length >= 2);
}

/** Most rows have cells beside each other, and none reaches out of the frame. */
function isTabular(band: readonly Piece[], x0: number, x1: number): boolean {
  if (band.some((piece) => piece.x0 < x0 - 8 || piece.x1 > x1 + 8)) return false;
  const rows = rowsOf(band);
  if (rows.length > 0 && rows.filter((row) => row.pieces.length > 1).length >= 0.5 * rows.length) return true;
  return isWrappedRow(band);
}

/** Lines between two rules that one row may have at most. */
const MOST_WRAPPED = 6;

/** Cells of several lines beside each other, which begin at one height or stand at each other's middle. */
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

function tableAt(rows: readonly Row[], from: number, signs: Signs): Found | undefined {
  for (let to = runEnd(rows, from, signs); to - from >= 2; to--) {
    const run = rows.slice(from, to);
    if (run.at(-1)!.pieces.length < 2 && to < rows.length && !closedBelow(run, signs)) continue;
    const columns = columnsOf(run);
    if (isTable(run, columns, signs)) return { columns, to };
    if (run.length > 40) return undefined;
  }
  return undefined;
}

/** Lines further apart than this, in em, are no lines of one cell. */
const WRAPPED = 1.5;

/** Rows that may belong to the table that begins at `from`: until a wide gap or too many lines of flowing text. */
function runEnd(rows: readonly Row[], from: number, signs: Signs): number {
  let to = from + 1;
  let single = 0;
  let columns = columnsOf(rows.slice(from, from + 1));
  for (; to < rows.length; to++) {
    const [before, row] = [rows[to - 1]!, rows[to]!];
    const gap = row.y - before.y;
    if (gap > 3.2 * Math.max(row.size, before.size) && !sharedFrame(before, row, signs)) break;
    if (row.size > 1.5 * before.size) break;
    if (row.pieces.length > 1) {
      single = 0;
      if (row.pieces.length >= columns.length) columns = columnsOf(rows.slice(from, to + 1));
      continue;
    }
    // Lines of one cell stand close together, however many they are.
    if (gap > WRAPPED * row.size) single++;
    const [first, last] = reach(row, columns);
    if (last > first || single > 3) break;
  }
  while (to > from + 1 && rows[to - 1]!.pieces.length < 2 && !closedBelow(rows.slice(from, to), signs)) to--;
  return to;
}

/** A shaded area or two rules hold both rows. */
function sharedFrame(a: Row, b: Row, signs: Signs): boolean {
  return signs.fills.some((fill) => fill.y0 < a.y && fill.y1 > b.y0 && fill.x0 < b.x1 && fill.x1 > b.x0);
}

function across(run: readonly Row[], signs: Signs): Box[] {
  const [x0, x1] = [least(run.map((row) => row.x0)), greatest(run.map((row) => row.x1))];
  return signs.rules.filter(
    (rule) => rule.x1 - rule.x0 > rule.y1 - rule.y0 && Math.min(rule.x1, x1) - Math.max(rule.x0, x0) > 0.5 * (x1 - x0),
  );
}

function closedBelow(run: readonly Row[], signs: Signs): boolean {
  const last = run.at(-1)!;
  return across(run, signs).some((rule) => rule.y0 > last.y - 1 && rule.y0 < last.y + 1.6 * last.size);
}

function isTable(run: readonly Row[], columns: readonly Column[], signs: Signs): boolean {
  if (columns.length < 2) return false;
  const groups = groupRows(run, columns, across(run, signs));
  const used = groups.map((group) => usedBy({ pieces: group.flatMap((row) => row.pieces) }, columns).size);
  const full = used.filter((each) => each > 1);
  if (full.length < 2) return false;
  const cells: Piece[][] = columns.map(() => []);
  for (const row of run) for (const piece of row.pieces) cells[reach(piece, columns)[0]]!.push(piece);
  if (cells[0]!.every((piece) => markerOf(`${pieceText(piece)} x`) !== undefined)) return false;
  const rules = across(run, signs).filter(
    (rule) => rule.y0 > run[0]!.y0 - 1.5 * run[0]!.size && rule.y0 < run.at(-1)!.y + 1.6 * run.at(-1)!.size,
  ).length;
  const shaded = signs.fills.filter(
    (fill) => fill.y0 < run.at(-1)!.y && fill.y1 > run[0]!.y0 && fill.x0 < run[0]!.x1 && fill.x1 > run[0]!.x0,
  ).length;
  const lengths = cells.map(
    (column) => column.reduce((sum, piece) => sum + length(piece), 0) / Math.max(column.length, 1),
  );
  const aligned = cells.reduce((sum, column) => sum + alignment(column), 0) / columns.length;
  const filled = full.reduce((sum, each) => sum + each, 0) / (full.length * columns.length);
  const numeric = share(cells.slice(1).flat(), (piece) => /\d/.test(piece.words[0]!.text) && length(piece) < 14);
  if (columns.length === 2 && isContents(cells[1]!)) return false;
  if (rules >= 2 || (rules >= 1 && shaded > 0)) return aligned > 0.5 && filled > 0.4 && full.length >= 2;
  if (aligned < 0.65 || filled < 0.6) return false;
  if (filled > 0.8 && full.length > 0.75 * groups.length && haveUnevenCells(groups, columns)) return true;
  if (full.length < 3 || full.length < 0.5 * groups.length) return false;
  if (columns.length === 2) {
    if (shaded > 1 && lengths[1]! < 40) return true;
    // Short names that begin at one place on every line are cells too; lines of prose and forms reach far or begin anywhere.
    return numeric > 0.7 ? lengths[0]! < 50 : aligned > 0.9 && filled > 0.9 && lengths.every((each) => each < 24);
  }
  return lengths.filter((each) => each < 32).length > 0.5 * columns.length || numeric > 0.5;
}

/** Cells beside each other with more lines here and fewer there, in several rows: columns of prose would not part there. */
function haveUnevenCells(groups: readonly (readonly Row[])[], columns: readonly Column[]): boolean {
  const uneven = groups.filter((group) => {
    const lines = columns.map(() => 0);
    for (const row of group) for (const column of usedBy(row, columns)) lines[column]! += 1;
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
  return rising >= 0.9 * arabic.length;
}

function length(piece: Piece): number {
  return piece.words.reduce((sum, word) => sum + word.text.length + 1, 0);
}

function share(pieces: readonly Piece[], test: (piece: Piece) => boolean): number {
  return pieces.length === 0 ? 0 : pieces.filter(test).length / pieces.length;
}

function tableOf(run: readonly Row[], columns: readonly Column[], signs: Signs): Table {
  const groups = groupRows(run, columns, across(run, signs));
  const rows = groups.map((group): Cell[] => {
    const slots: Piece[][] = columns.map(() => []);
    const spans = columns.map(() => 1);
    for (const piece of group.flatMap((row) => row.pieces)) {
      const [first, last] = reach(piece, columns);
      slots[first]!.push(piece);
      if (group.length === 1) spans[first] = Math.max(spans[first]!, last - first + 1);
    }
    const cells: Cell[] = [];
    for (let i = 0; i < columns.length; ) {
      let colspan = spans[i]!;
      while (colspan > 1 && slots.slice(i + 1, i + colspan).some((slot) => slot.length > 0)) colspan--;
      cells.push({ text: cellText(slots[i]!.flatMap((piece) => piece.words)), colspan, rowspan: 1 });
      i += colspan;
    }
    return cells;
  });
  return {
    rows,
    columns: columns.length,
    size: greatest(run.map((row) => row.size)),
    x0: least(run.map((row) => row.x0)),
    y0: run[0]!.y0,
    x1: greatest(run.map((row) => row.x1)),
    y1: run.at(-1)!.y1,
  };
}
