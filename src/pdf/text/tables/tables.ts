import { RTL } from '../../fonts/characters.ts';
import { lastOf, runsOf } from '../../syntax/arrays.ts';
import { boxOf, type TextBox, type Word } from '../content/page-content.ts';
import { joinLines } from '../lines/join-lines.ts';
import { linesOf } from '../lines/lines.ts';
import { type Piece, piecesOf } from '../lines/pieces.ts';

export interface Cell {
  /** Its lines, until `joinedCells` joins them. */
  readonly text: string;
  readonly colspan: number;
  readonly rowspan: number;
  /** The box around its words, if it has some. */
  readonly box?: TextBox;
}

/** Rows of cells; a cell that spans rows or columns stands where it begins, as in HTML. The first row is the head. */
export interface Table extends TextBox {
  readonly rows: readonly (readonly Cell[])[];
  readonly columns: number;
  /** The size of the largest text in it, in points. */
  readonly size: number;
}

export function cellOf(words: readonly Word[], colspan: number, rowspan: number): Cell {
  return { text: cellText(words), colspan, rowspan, ...(words.length === 0 ? {} : { box: boxOf(words) }) };
}

function cellText(words: readonly Word[]): string {
  return linesOf(piecesOf(words))
    .map((line) => line.text)
    .join('\n');
}

/** The table with the lines of each cell joined as those of a paragraph are, which takes the words of the whole document. */
export function joinedCells(table: Table, vocabulary: ReadonlySet<string>): Table {
  const joined = (cell: Cell) => ({ ...cell, text: joinLines(cell.text.split('\n'), vocabulary) });
  return { ...table, rows: table.rows.map((row) => row.map(joined)) };
}

/** The text of one piece, cached: every run of rows asks for it. */
export function pieceText(piece: Piece): string {
  const known = texts.get(piece);
  if (known !== undefined) return known;
  const [first, second] = piece.words;
  const text = second === undefined && isPlain(first) ? first.text : cellText(piece.words);
  texts.set(piece, text);
  return text;
}

/** Whether a line of this one word reads as the word does, as half of all cells do. */
function isPlain({ text, link }: Word): boolean {
  return link === undefined && !RTL.test(text);
}

const texts = new WeakMap<Piece, string>();

export function inside(word: Word, box: TextBox): boolean {
  const x = (word.x0 + word.x1) / 2;
  return x > box.x0 && x < box.x1 && isBetween(word, box.y0, box.y1);
}

/** Whether the middle of its letters is between two heights. */
export function isBetween({ y, size }: { readonly y: number; readonly size: number }, y0: number, y1: number): boolean {
  return y - 0.3 * size > y0 && y - 0.3 * size < y1;
}

/** A cell with more characters than this is a frame around text, whatever its tag is. */
const MOST_IN_CELL = 1_500;

export function isFrame(words: readonly Word[]): boolean {
  return words.reduce((sum, { text }) => sum + text.length, 0) > MOST_IN_CELL;
}

/** Groups numbers that are closer together than `within`; returns the mean of each group, rising. */
export function clusters(values: readonly number[], within: number): number[] {
  const sorted = [...values].sort((a, b) => a - b);
  const groups = runsOf(sorted, (value, group) => value - lastOf(group) <= within);
  return groups.map((group) => group.reduce((sum, value) => sum + value, 0) / group.length);
}
