// Judges whether rows of text are those of a table.
//
// In: a run of rows, the columns that follow from it, and the rules of the page. Out: yes or no. Cost: linear in the pieces.
import { greatest, least, median, pairs } from '../../syntax/arrays.ts';
import type { TextBox } from '../content/page-content.ts';
import { markerOf } from '../lines/list-markers.ts';
import type { Piece } from '../lines/pieces.ts';
import { alignment, type Column, columnAt, lengthOf, NUMBER, type Row } from './table-rows.ts';
import { pieceText } from './tables.ts';
import { groupRows, usedBy } from './wrapped-rows.ts';

/**
 * Criteria that tell a table from text, each with the property of documents it rests on. Distances are in em, widths
 * of words in characters, everything else in shares.
 */
export const CRITERIA = {
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
  /** A line that continues a cell is as close as text is set. */
  partGap: 1.4,
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
  /** At least three rows have several cells. */
  leastFullRows: 3,
  /** Two columns may also be a form or an index, unless the second has numbers beside names, … */
  numericPair: 0.7,
  /** … or short names that all begin at one place. */
  shortName: 24,
  pairAligned: 0.9,
  pairFilled: 0.9,
  /** A table over the whole page has more columns than text, each of them aligned, and most cells filled. */
  wideColumns: 4,
  wideAligned: 0.5,
  wideFilled: 0.75,
  wideRows: 0.5,
  /** Lines of prose are longer than this, and so many go on with a small letter. */
  proseLine: 20,
  prose: 0.2,
  /** Labels of references stand before most entries of their list, and signs in most rows of aligned equations. */
  signs: 0.7,
  /** Most lines of a program are one piece behind the number of the line; comments are a piece of their own. */
  codeLines: 0.7,
  /** No cell begins with a comma: sentences do so behind a formula that is drawn as a picture. */
  interrupted: 0.04,
  /** Marks, legends and titles stand beside less than this share of the labels of an axis. */
  beside: 0.9,
  /** A number with its unit is shorter than this. */
  number: 14,
  /** A table of contents has pages in a column: their numbers rise, except where parts count anew. */
  rising: 0.9,
} as const;

/** Rules and shaded areas of a page, as signs of a table. */
export interface Signs {
  readonly rules: readonly TextBox[];
  readonly fills: readonly TextBox[];
}

/** The rules that lie across a run of rows. */
export function across(run: readonly Row[], rules: readonly TextBox[]): TextBox[] {
  const [x0, x1] = [least(run.map((row) => row.x0)), greatest(run.map((row) => row.x1))];
  return rules.filter(
    (rule) =>
      rule.x1 - rule.x0 > rule.y1 - rule.y0 &&
      Math.min(rule.x1, x1) - Math.max(rule.x0, x0) > CRITERIA.ruleCover * (x1 - x0),
  );
}

/**
 * Whether rows over the whole page are those of one table, and not of columns of text or of charts beside each other:
 * most cells are filled, each column is aligned, and none has lines that go on in the next.
 */
export function isWideTable(run: readonly Row[], columns: readonly Column[], signs: Signs): boolean {
  const cells = cellsOf(run, columns);
  if (cells.some((column) => alignment(column) < CRITERIA.wideAligned)) return false;
  if (cells.some((column) => share(column, isMidSentence) > CRITERIA.prose)) return false;
  const used = groupRows(run, columns, across(run, signs.rules)).map((group) => usedCount(group, columns));
  const full = used.filter((count) => count > CRITERIA.wideFilled * columns.length).length;
  return full >= CRITERIA.leastFullRows && full >= CRITERIA.wideRows * used.length && isTable(run, columns, signs);
}

function usedCount(group: readonly Row[], columns: readonly Column[]): number {
  return usedBy({ pieces: group.flatMap((row) => row.pieces) }, columns).size;
}

/** The first piece of each cell. */
function beginnings(group: readonly Row[], columns: readonly Column[]): Piece[] {
  const first = new Map<number, Piece>();
  for (const piece of group.flatMap((row) => row.pieces)) {
    const column = columnAt(piece, columns);
    if (!first.has(column)) first.set(column, piece);
  }
  return [...first.values()];
}

/** A line of prose: where cells begin so, columns of text stand beside each other. */
function isMidSentence(piece: Piece): boolean {
  return lengthOf(piece) >= CRITERIA.proseLine && /^\p{Ll}/u.test(pieceText(piece));
}

/** The pieces of each column. */
function cellsOf(run: readonly Row[], columns: readonly Column[]): Piece[][] {
  const cells: Piece[][] = columns.map(() => []);
  for (const { pieces } of run) for (const piece of pieces) cells[columnAt(piece, columns)]?.push(piece);
  return cells;
}

/** Whether rows pass as a table of these columns: by their enclosing rules, else by alignment and length of cells. */
export function isTable(run: readonly Row[], columns: readonly Column[], signs: Signs): boolean {
  const [first, last] = [run[0], run.at(-1)];
  if (columns.length < 2 || first === undefined || last === undefined) return false;
  const cells = cellsOf(run, columns);
  const [names = []] = cells;
  if (names.every((piece) => markerOf(`${pieceText(piece)} x`) !== undefined)) return false;
  // The entries of a list may begin with one word, such as Sec.; names of rows differ.
  if (names.length > 2 && new Set(names.map(pieceText)).size === 1) return false;
  const alone = run.filter(({ pieces }) => pieces.length <= 2).length > CRITERIA.codeLines * run.length;
  const labels = names.map(pieceText);
  if ((alone || labels.every((label) => label.endsWith(':'))) && countUp(labels)) return false;
  if (columns.length === 2 && share(names, isLabel) > CRITERIA.signs) return false;
  if (cells.some((column) => column.length > 1 && share(column, isRelation) > CRITERIA.signs)) return false;
  const arePages = (column: readonly Piece[], i: number) =>
    i > 0 && isContents(column) && (columns.length === 2 || cells[i - 1]?.some(hasLeader) === true);
  if (cells.some(arePages)) return false;
  // Grouping the rows takes longest, so the tests that need groups come last.
  const rulesAcross = across(run, signs.rules);
  const groups = groupRows(run, columns, rulesAcross);
  const used = groups.map((group) => usedCount(group, columns));
  const full = used.filter((count) => count > 1);
  if (full.length < 2) return false;
  if (isChart(cells, groups.length)) return false;
  if (run.some(({ pieces }) => pieces.length > 1 && pieces.every(isAddress))) return false;
  if (share(cells.flat(), goesOnBehindGap) > CRITERIA.interrupted || run.some(isMatrix)) return false;
  const starts = groups.flatMap((group) => beginnings(group, columns));
  if (share(starts, isMidSentence) > CRITERIA.prose) return false;
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
  if (full.length < CRITERIA.leastFullRows) return false;
  if (columns.length > 2 || share(cells.slice(1).flat(), isNumber) > CRITERIA.numericPair) return true;
  // Lines of prose and forms reach far or begin anywhere.
  const inPlace = aligned > CRITERIA.pairAligned && filled > CRITERIA.pairFilled;
  return inPlace && cells.every((column) => meanLength(column) < CRITERIA.shortName);
}

function meanLength(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, piece) => sum + lengthOf(piece), 0) / Math.max(pieces.length, 1);
}

function isNumber(piece: Piece): boolean {
  return /^\P{L}*\d/u.test(pieceText(piece)) && lengthOf(piece) < CRITERIA.number;
}

/** Authors stand beside each other, with their addresses in one line; in a table, addresses stand below each other. */
function isAddress(piece: Piece): boolean {
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(pieceText(piece));
}

/** The label of a reference. */
function isLabel(piece: Piece): boolean {
  return /^\[.+\]$/.test(pieceText(piece));
}

/** Whether most texts begin with numbers that count up: lines of a program, each of which is one piece beside its number. */
function countUp(texts: readonly string[]): boolean {
  const numbers = texts.map((text) => Number(/^(\d+)(?:\s|:|$)/.exec(text)?.[1] ?? NaN));
  const counted = pairs(numbers).filter(([a, b]) => b === a + 1).length;
  return texts.length > 1 && counted >= CRITERIA.codeLines * (texts.length - 1);
}

function goesOnBehindGap(piece: Piece): boolean {
  return /^[,;]\s*(\p{Ll}|$)/u.test(pieceText(piece));
}

/** Brackets of several lines are drawn from pieces, by fonts of Adobe and LaTeX under numbers of private use. */
function isMatrix({ pieces }: Row): boolean {
  return pieces.some(({ words }) => words.some(({ text }) => /[\u239b-\u23ad\uf8eb-\uf8fe]/.test(text)));
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
  return /([.…]\s?){4}$|(…\s?){2}$/.test(pieceText(piece));
}

function share(pieces: readonly Piece[], test: (piece: Piece) => boolean): number {
  return pieces.length === 0 ? 0 : pieces.filter(test).length / pieces.length;
}
