// Puts several pages on each sheet of a new document.

import type { Draft } from '../../../contract/base/ports.ts';
import { decimal, operands } from '../../content/operands.ts';
import { streamText } from '../../content/surrounded.ts';
import { Assembly, copyInfo, withoutPages, writerOptions } from '../../file/copy/assemble.ts';
import { Copier } from '../../file/copy/copier.ts';
import { catalogOf, listOf, nameAt } from '../../file/read/entries.ts';
import type { Pace } from '../../file/read/pace.ts';
import { wholeDictOfPage } from '../../file/read/page-dict.ts';
import type { Page } from '../../file/read/page-tree.ts';
import type { Source } from '../../file/read/source.ts';
import { appearanceOf } from '../../page/annotations.ts';
import { inTurn, multiply, scaling, shift } from '../../page/geometry.ts';
import { uprightOf, viewOf } from '../../page/view.ts';
import { valueText } from '../../structure/input.ts';
import type { Value } from '../../syntax/values.ts';
import { PageForms } from '../page-form.ts';

interface Sheets {
  readonly width: number;
  readonly height: number;
  readonly columns: number;
  readonly rows: number;
  /** Points around all pages, and between two. */
  readonly margin: number;
  readonly gap: number;
  readonly border: boolean;
  /** Enlarge pages to fill their cells; otherwise they are only reduced. */
  readonly enlarge: boolean;
}

/** Entries of the catalog that hold for sheets as for pages. */
const KEPT = ['Metadata', 'OutputIntents', 'Lang', 'ViewerPreferences', 'Extensions'];

/** `order`: pages from 1, cell by cell. Returns the number of sheets, and the pages with links, which are left out. */
export async function writeSheets(
  source: Source,
  draft: Draft,
  id: string,
  pace: Pace,
  sheets: Sheets,
  order: readonly (number | undefined)[],
  progress: (done: number) => void,
): Promise<{ readonly count: number; readonly linked: ReadonlySet<number> }> {
  const assembly = new Assembly(draft, writerOptions([source]));
  const copier = new Copier(source.file, assembly.writer, withoutPages(source));
  const info = copyInfo(copier);
  const catalog = catalogOf(source.file);
  const kept = KEPT.flatMap((key) => {
    const value = catalog.get(key);
    return value === undefined ? [] : [`/${key} ${valueText(value, copier)}`];
  });
  const forms = new PageForms(copier);
  const cells = sheets.columns * sheets.rows;
  const linked = new Set<number>();
  let count = 0;
  for (let first = 0; first < order.length; first += cells) {
    const drawn: string[] = [];
    const resources: string[] = [];
    let group: Value | undefined;
    for (const [cell, number] of order.slice(first, first + cells).entries()) {
      const page = number === undefined ? undefined : source.tree.pages[number - 1];
      if (page === undefined || number === undefined) continue;
      const { width, height, num } = await forms.write(page);
      group ??= wholeDictOfPage(source.file, page).get('Group');
      const box = boxOf(sheets, cell);
      const factor = Math.min(box.width / width, box.height / height, sheets.enlarge ? Number.POSITIVE_INFINITY : 1);
      const [left, bottom] = [box.x + (box.width - width * factor) / 2, box.y + (box.height - height * factor) / 2];
      const matrix = inTurn(scaling(factor), shift(left, bottom));
      resources.push(`/P${cell} ${num} 0 R`);
      drawn.push(`q ${operands(matrix)} cm /P${cell} Do Q`);
      const { links, shown } = notesOf(source, page);
      if (links > 0) linked.add(number);
      for (const [i, note] of shown.entries()) {
        resources.push(`/A${cell}_${i} ${copier.ref(note.form.num)} 0 R`);
        drawn.push(`q ${operands(multiply(note.matrix, matrix))} cm /A${cell}_${i} Do Q`);
      }
      if (sheets.border) {
        drawn.push(`q 0.5 w ${operands([left, bottom, width * factor, height * factor])} re S Q`);
      }
      if (pace.isOver()) await pace.yield();
    }
    progress(first);
    const contents = streamText(assembly.writer, drawn.join('\n'));
    const box = `[0 0 ${decimal(sheets.width)} ${decimal(sheets.height)}]`;
    // Transparency is blended in the colours of its page.
    const blended = group === undefined ? '' : `/Group ${valueText(group, copier)}`;
    await assembly.add(`/MediaBox${box}${blended}/Resources<</XObject<<${resources.join('')}>>>>/Contents ${contents}`);
    await copier.drain(pace);
    count += 1;
  }
  await assembly.finish(id, info, kept.join(''));
  return { count, linked };
}

/** The place of a cell on its sheet, rows from the top. */
function boxOf({ width, height, columns, rows, margin, gap }: Sheets, cell: number) {
  const wide = (width - 2 * margin - (columns - 1) * gap) / columns;
  const high = (height - 2 * margin - (rows - 1) * gap) / rows;
  const [column, row] = [cell % columns, Math.floor(cell / columns)];
  return {
    x: margin + column * (wide + gap),
    y: height - margin - high - row * (high + gap),
    width: wide,
    height: high,
  };
}

/** The appearances of annotations on the displayed page; links have none and are counted. */
function notesOf({ file }: Source, page: Page) {
  const dict = wholeDictOfPage(file, page);
  const upright = uprightOf(viewOf(file, dict, page.rotate));
  const notes = listOf(file, dict.get('Annots')).flatMap((item) => {
    const note = file.dict(item);
    return note === undefined ? [] : [{ note, subtype: nameAt(file, note, 'Subtype') }];
  });
  const shown = notes.flatMap(({ note, subtype }) => {
    const look = subtype === 'Popup' ? undefined : appearanceOf(file, note);
    return look === undefined ? [] : [{ form: look.form, matrix: multiply(look.matrix, upright) }];
  });
  return { links: notes.filter(({ subtype }) => subtype === 'Link').length, shown };
}

/** Columns and rows for so many pages of this shape, and whether the sheet is turned, so that pages are largest. */
export function gridFor(
  cells: number,
  page: { readonly width: number; readonly height: number },
  paper: readonly [number, number],
): Pick<Sheets, 'columns' | 'rows' | 'width' | 'height'> {
  const [short, long] = paper;
  let best = { columns: 1, rows: cells, width: short, height: long };
  let largest = 0;
  for (let columns = 1; columns <= cells; columns++) {
    if (cells % columns !== 0) continue;
    for (const [width, height] of [paper, [long, short] as const]) {
      const rows = cells / columns;
      const factor = Math.min(width / columns / page.width, height / rows / page.height);
      if (factor <= largest * 1.0001) continue;
      largest = factor;
      best = { columns, rows, width, height };
    }
  }
  return best;
}

/** The page order of a booklet, two pages on each side of a folded sheet: last, first, second, last but one. */
export function bookletOrder(pages: readonly number[]): (number | undefined)[] {
  const total = Math.ceil(pages.length / 4) * 4;
  return Array.from({ length: total }, (_, i) => {
    const side = Math.floor(i / 2);
    const isLeft = i % 2 === 0;
    // The outer page alternates: on the first side the last page is left, on the second it is right.
    const high = isLeft === (side % 2 === 0);
    return pages[high ? total - 1 - side : side];
  });
}
