// Reads tables that the tags of a document declare (ISO 32000-1, 14.8.4.3.4), with the spans of their cells (14.8.5.7).
// Only tables whose tags agree with the page are taken; others are left to geometry.
import type { PdfFile } from '../../file/read/pdf-file.ts';
import { greatest, listAt, median, pairs } from '../../syntax/arrays.ts';
import { Dict, Ref, type Value } from '../../syntax/values.ts';
import { boxOf, type DeclaredCell, type DeclaredTable, type PageContent, type Word } from '../content/page-content.ts';
import { cellOf, inside, isFrame, type Table } from './tables.ts';

/** Tags of a document as far as tables need them: the elements around marked content of a page (from 0). */
export interface CellTags {
  cellOf(page: number, mark: number): { readonly cell: Ref; readonly row: Ref; readonly table: Ref } | undefined;
}

/** Shares of rows of one width, of neighbours in order, and of words inside that belong to the table. */
const [SAME_WIDTH, IN_ORDER, ITS_WORDS] = [0.8, 0.9, 0.9];

/** The sound tables of a page (from 0). */
export function taggedTables(content: PageContent, page: number, tags: CellTags, file: PdfFile): DeclaredTable[] {
  const byTable = new Map<number, { words: Map<number, Word[]>; rows: Map<number, Ref> }>();
  for (const word of content.words) {
    const place = word.mark < 0 ? undefined : tags.cellOf(page, word.mark);
    if (place === undefined) continue;
    const table = byTable.get(place.table.num) ?? { words: new Map(), rows: new Map() };
    byTable.set(place.table.num, table);
    table.rows.set(place.row.num, place.row);
    listAt(table.words, place.cell.num).push(word);
  }
  return [...byTable.values()].flatMap(({ words, rows }) => {
    // A table may continue over pages: its rows on this one are those that have text here.
    const read = [...rows.values()].map((row) => cellsOf(file, row, words));
    return isSound(read, [...words.values()].flat(), content) ? [read] : [];
  });
}

export function tableOfTags(rows: DeclaredTable): Table {
  const words = rows.flatMap((row) => row.flatMap((cell) => cell.words));
  const written = rows.map((row) => row.map((cell) => cellOf(cell.words, cell.colspan, cell.rowspan)));
  const size = greatest(words.map((word) => word.size));
  return { ...boxOf(words), rows: written, columns: widthsOf(rows)[0] ?? 1, size };
}

function cellsOf(file: PdfFile, row: Ref, words: ReadonlyMap<number, readonly Word[]>): DeclaredCell[] {
  const kids = file.resolve(file.dict(row)?.get('K'));
  return (Array.isArray(kids) ? kids : [file.dict(row)?.get('K')]).flatMap((kid: Value | undefined) => {
    if (!(kid instanceof Ref) || !/^T[DH]$/.test(file.dict(kid)?.name('S') ?? '')) return [];
    const given = file.resolve(file.dict(kid)?.get('A'));
    const attributes = (Array.isArray(given) ? given.map((item) => file.resolve(item)) : [given]).filter(
      (attribute) => attribute instanceof Dict,
    );
    const span = (key: string) =>
      Math.min(99, Math.max(1, ...attributes.map((attribute) => attribute.number(key) ?? 1)));
    return [{ words: words.get(kid.num) ?? [], colspan: span('ColSpan'), rowspan: span('RowSpan') }];
  });
}

/** The columns of each row, including cells that reach down into it; none where a span exceeds the last row. */
function widthsOf(rows: DeclaredTable): number[] {
  const widths = rows.map(() => 0);
  for (const [r, row] of rows.entries())
    for (const { colspan, rowspan } of row)
      for (let down = 0; down < rowspan; down++) {
        const width = widths[r + down];
        if (width === undefined) return [];
        widths[r + down] = width + colspan;
      }
  return widths;
}

function isSound(rows: DeclaredTable, words: readonly Word[], { words: onPage }: PageContent): boolean {
  const widths = widthsOf(rows);
  const usual = median(widths) ?? 0;
  if (rows.length < 2 || usual < 2 || widths[0] !== usual) return false;
  const same = widths.filter((width) => width === usual).length;
  if (same < SAME_WIDTH * widths.length || widths.some((width) => width > usual)) return false;
  const cells = rows.flat().filter((cell) => cell.words.length > 0);
  if (cells.length < 4 || cells.some((cell) => isFrame(cell.words))) return false;
  // All its words must be in cells of these rows: an element outside of rows is an error of the tags.
  if (cells.reduce((sum, cell) => sum + cell.words.length, 0) < words.length) return false;
  const box = boxOf(words);
  const within = onPage.filter((word) => inside(word, box)).length;
  if (words.length < ITS_WORDS * within) return false;
  const steps = rows.flatMap((row) =>
    pairs(row.filter((cell) => cell.words.length > 0)).map(([a, b]) => boxOf(b.words).x0 - boxOf(a.words).x0),
  );
  // Rows must be below each other; a cell that spans rows reaches into the next ones.
  const bands = rows.flatMap((row) => {
    const words = row.filter((cell) => cell.rowspan === 1).flatMap((cell) => cell.words);
    return words.length === 0 ? [] : [boxOf(words)];
  });
  const falls = pairs(bands).map(([a, b]) => b.y0 - a.y1);
  const ordered = (list: readonly number[]) => list.filter((step) => step > -2).length >= IN_ORDER * list.length;
  return ordered(falls) && (ordered(steps) || ordered(steps.map((step) => -step)));
}
