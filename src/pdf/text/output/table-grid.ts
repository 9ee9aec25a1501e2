// Tables as grids of cells for other programs: values with their places, and CSV (RFC 4180).
import type { Cell, Table } from '../tables/tables.ts';

/** A cell on the grid of its table; rows and columns count from 0. */
export interface PlacedCell extends Cell {
  readonly row: number;
  readonly column: number;
  readonly number?: { readonly value: number; readonly decimals: number; readonly grouped: boolean };
}

/** The cells of a table with their rows and columns; one that spans rows occupies its columns in each of them. */
export function placedCells({ rows, columns }: Table): PlacedCell[] {
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
  const fits = Array.from({ length: columns }, (_, i) => fitting(cells.filter(({ column }) => column === i)));
  // One column may determine the decimal sign for the whole table.
  const sure = fits.flatMap(([first, ...others]) =>
    first !== undefined && others.every(({ style }) => style.point === first.style.point) ? first.style.point : [],
  );
  const point = sure.includes('.') ? '.' : sure[0];
  const styles = fits.map((all) => {
    const [first, ...others] = all.filter(({ style }) => point === undefined || style.point === point);
    return others.every(({ values }) => values === first?.values) ? first?.style : undefined;
  });
  return cells.map((cell) => {
    const style = styles[cell.column];
    const number = style === undefined ? undefined : numberOf(cell.text, style);
    return number === undefined ? cell : { ...cell, number };
  });
}

/** How the numbers of a column are written: the thousands separator and the decimal sign. */
interface Style {
  readonly group: string;
  readonly point: string;
}

const STYLES: readonly Style[] = [
  { group: '', point: '.' },
  { group: ',', point: '.' },
  { group: '.', point: ',' },
];

/** Text that people take for a number. */
const LIKE_NUMBER = /^[-+−(]?\d[\d.,'\u00a0\u202f ]*\)?$/;

/**
 * The number styles that fit a whole column, with the resulting values: 1,234 may be a decimal or more than a thousand.
 * Where that is not certain the cells stay text, since a sum over a column that is half text would be silently wrong.
 */
function fitting(cells: readonly Cell[]): { readonly style: Style; readonly values: string }[] {
  const texts = cells.map(({ text }) => text).filter((text) => LIKE_NUMBER.test(text));
  if (texts.length === 0) return [];
  return STYLES.flatMap((style) => {
    const numbers = texts.map((text) => numberOf(text, style)?.value);
    return numbers.includes(undefined) ? [] : { style, values: numbers.join() };
  });
}

/** Leading zeros and a plus sign belong to codes and telephone numbers; programs keep fifteen digits of a number. */
function numberOf(text: string, style: Style): PlacedCell['number'] | undefined {
  const [point, group] = [`\\${style.point}`, style.group === '' ? undefined : `\\${style.group}`];
  const whole = group === undefined ? '0|[1-9]\\d*' : `0|[1-9]\\d{0,2}(?:${group}\\d{3})*`;
  const [, sign, integer, decimals = ''] = new RegExp(`^([-−]?)(${whole})(?:${point}(\\d+))?$`).exec(text) ?? [];
  if (integer === undefined) return undefined;
  const digits = integer.replace(/\D/g, '');
  if (digits.length + decimals.length > 15) return undefined;
  const value = Number(`${sign === '' ? '' : '-'}${digits}.${decimals}`);
  return { value, decimals: decimals.length, grouped: digits.length < integer.length };
}

/** The texts of a table, row by row; a spanning cell fills only its first place. */
export function csvOf(table: Table): string {
  const rows = table.rows.map(() => Array.from({ length: table.columns }, () => ''));
  for (const { row, column, text } of placedCells(table)) {
    const cells = rows[row];
    if (cells !== undefined) cells[column] = /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  }
  return rows.map((row) => `${row.join(',')}\r\n`).join('');
}
