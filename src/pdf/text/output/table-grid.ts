// Tables as grids of cells for other programs: values with their places, and CSV (RFC 4180).
import type { Cell, Table } from '../tables/tables.ts';

/** A cell on the grid of its table; rows and columns count from 0. */
export interface PlacedCell extends Cell {
  readonly row: number;
  readonly column: number;
  /** The number that the text stands for. */
  readonly number?: { readonly value: number; readonly decimals: number; readonly grouped: boolean };
}

/** The cells of a table with their rows and columns: one that spans rows takes its columns in each of them. */
export function placedCells({ rows }: Table): PlacedCell[] {
  const taken = new Set<string>();
  const cells = rows.flatMap((cells, row) => {
    let column = 0;
    return cells.map((cell): PlacedCell => {
      while (taken.has(`${row} ${column}`)) column++;
      for (let r = 0; r < cell.rowspan; r++)
        for (let c = 0; c < cell.colspan; c++) taken.add(`${row + r} ${column + c}`);
      const placed = { ...cell, row, column };
      column += cell.colspan;
      return placed;
    });
  });
  const styles = new Map<number, Style | undefined>();
  return cells.map((cell) => {
    if (!styles.has(cell.column))
      styles.set(cell.column, styleOf(cells.filter(({ column }) => column === cell.column)));
    const number = numberOf(cell.text, styles.get(cell.column));
    return number === undefined ? cell : { ...cell, number };
  });
}

/** How the numbers of a column are written: the sign that parts thousands, and the one before decimals. */
interface Style {
  readonly group: string;
  readonly point: string;
}

const STYLES: readonly Style[] = [
  { group: '', point: '.' },
  { group: ',', point: '.' },
  { group: '.', point: ',' },
];

/** Text that a person takes for a number. */
const LIKE_NUMBER = /^[-+−(]?\d[\d.,'\u00a0\u202f ]*\)?$/;

/**
 * The one style that all numbers of a column have: 1,234 alone may be one and a part, or more than a thousand. Undefined
 * where it is not sure, since a sum over a column that is half text would be wrong without a word.
 */
function styleOf(cells: readonly Cell[]): Style | undefined {
  const texts = cells.map(({ text }) => text).filter((text) => LIKE_NUMBER.test(text));
  if (texts.length === 0) return undefined;
  const fitting = STYLES.filter((style) => texts.every((text) => numberOf(text, style) !== undefined));
  return fitting.length === 1 || fitting[0]?.group === '' ? fitting[0] : undefined;
}

/** Leading zeros and a plus sign belong to codes and telephone numbers; programs keep fifteen digits of a number. */
function numberOf(text: string, style: Style | undefined): PlacedCell['number'] | undefined {
  if (style === undefined) return undefined;
  const [point, group] = [`\\${style.point}`, style.group === '' ? undefined : `\\${style.group}`];
  const whole = group === undefined ? '0|[1-9]\\d*' : `0|[1-9]\\d{0,2}(?:${group}\\d{3})*`;
  const [, sign, integer, decimals = ''] = new RegExp(`^([-−]?)(${whole})(?:${point}(\\d+))?$`).exec(text) ?? [];
  if (integer === undefined) return undefined;
  const digits = integer.replace(/\D/g, '');
  if (digits.length + decimals.length > 15) return undefined;
  const value = Number(`${sign === '' ? '' : '-'}${digits}.${decimals}`);
  return { value, decimals: decimals.length, grouped: digits.length < integer.length };
}

/** The texts of a table, row by row; what a cell spans besides its first place is empty. */
export function csvOf(table: Table): string {
  const rows = table.rows.map(() => Array.from({ length: table.columns }, () => ''));
  for (const { row, column, text } of placedCells(table)) {
    const cells = rows[row];
    if (cells !== undefined) cells[column] = /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  }
  return rows.map((row) => `${row.join(',')}\r\n`).join('');
}
