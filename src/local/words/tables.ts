import { Failure } from '../../contract/base/failure.ts';
import { field, operationNamed, say } from '../../contract/base/wording.ts';
import { CSV, MARKDOWN, XLSX } from '../../contract/media.ts';
import type { tables } from '../../contract/operations/text.ts';
import { type PageContent, type TextBox, turnBack } from '../../pdf/text/content/page-content.ts';
import { layOut, type PageLayout } from '../../pdf/text/layout/page-layout.ts';
import { vocabularyOf } from '../../pdf/text/layout/vocabulary.ts';
import { writeBlock } from '../../pdf/text/output/markdown-document.ts';
import { noText, unreadableWarning } from '../../pdf/text/output/no-text.ts';
import { csvOf, placedCells } from '../../pdf/text/output/table-grid.ts';
import { workbook } from '../../pdf/text/output/workbook.ts';
import { readDocument } from '../../pdf/text/read-document.ts';
import { joinedCells, type Table } from '../../pdf/text/tables/tables.ts';
import type { Handler } from '../frame/handler.ts';
import { MOST_FILES } from '../frame/names.ts';
import { withWords } from './with-words.ts';

interface Read {
  readonly table: Table;
  readonly page: number;
  /** Its number among the tables of its page, from 1. */
  readonly number: number;
  /** Maps a box of the page as it was read to the page as it is displayed. */
  place(box: TextBox): TextBox;
}

export const run: Handler<typeof tables> = async ({ file, pages, format, ocr }, ctx) => {
  const found: Read[] = [];
  const layouts: PageLayout[] = [];
  const worded = await withWords(file, ocr, ctx, pages);
  const visit = (content: PageContent, page: number) => {
    const layout = layOut(content);
    layouts.push(layout);
    const onPage = layout.regions.flatMap((region) => (region.kind === 'table' ? region.table : []));
    for (const [i, table] of onPage.entries())
      found.push({ table, page, number: i + 1, place: (box) => asShown(box, content) });
  };
  const read = await readDocument(worded.file, ctx, visit, { pages });
  const warnings = [...worded.warnings, ...read.warnings, ...unreadableWarning(read.unreadable)];
  if (layouts.every(({ regions }) => regions.length === 0)) throw noText(file);
  const vocabulary = vocabularyOf(layouts);
  const results = found.map((read) => ({ ...read, table: joinedCells(read.table, vocabulary) }));
  if (format === 'json') {
    const listed = results.map(recordOf);
    return { kind: 'record', record: { ok: true, page_count: read.pageCount, tables: listed, warnings }, warnings };
  }
  if (results.length === 0) {
    const where = pages === undefined ? '' : ' on these pages';
    throw new Failure('unprocessable', `${file.name} has no tables${where}`, {
      hint: say`Use ${operationNamed('markdown')} for text in another form.`,
    });
  }
  const draft = (name: string, bytes: Uint8Array | string) => {
    const made = ctx.temp.create(name);
    made.write(typeof bytes === 'string' ? Buffer.from(bytes) : bytes);
    return made.finish();
  };
  switch (format) {
    case 'csv': {
      // An empty line separates two tables: no row of a table is empty.
      const text = results.map(({ table }) => csvOf(table)).join('\r\n');
      return { kind: 'bytes', mediaType: CSV, body: draft('tables.csv', text), warnings };
    }
    case 'csv-files': {
      if (results.length > MOST_FILES) {
        throw new Failure('unprocessable', `${file.name} has more than ${MOST_FILES} tables`, {
          kind: 'limit',
          hint: say`Take fewer pages at a time, with ${field('pages')}.`,
        });
      }
      const width = Math.max(3, String(read.pageCount).length);
      const parts = results.map(({ table, page, number }) => {
        const name = `page-${String(page).padStart(width, '0')}-table-${number}.csv`;
        return { name, body: draft(name, csvOf(table)) };
      });
      return { kind: 'parts', parts, warnings };
    }
    case 'xlsx': {
      const sheets = results.map(({ table, page, number }) => ({ name: `Page ${page} table ${number}`, table }));
      return { kind: 'bytes', mediaType: XLSX, body: draft('tables.xlsx', workbook(sheets)), warnings };
    }
    case 'markdown': {
      const written = results.map(({ table, page }) => writeBlock({ kind: 'table', page, table }, new Set()));
      return { kind: 'bytes', mediaType: MARKDOWN, body: draft('tables.md', `${written.join('\n\n')}\n`), warnings };
    }
  }
};

function recordOf({ table, page, number, place }: Read): Record<string, unknown> {
  return {
    page,
    number,
    box: corners(place(table)),
    rows: table.rows.length,
    columns: table.columns,
    cells: placedCells(table).map(({ row, column, rowspan, colspan, text, number: value, box }) => ({
      row: row + 1,
      column: column + 1,
      rowspan,
      colspan,
      text,
      ...(value === undefined ? {} : { value: value.value }),
      ...(box === undefined ? {} : { box: corners(place(box)) }),
    })),
  };
}

/** A box as left, top, right, bottom: points from the upper left corner of the page. */
function corners({ x0, y0, x1, y1 }: TextBox): number[] {
  return [x0, y0, x1, y1].map((side) => Math.round(side * 100) / 100);
}

function asShown(box: TextBox, { direction, width, height }: PageContent): TextBox {
  const sideways = direction === 1 || direction === 3;
  return turnBack(box, direction, sideways ? height : width, sideways ? width : height);
}
