import { Failure } from '../../contract/base/failure.ts';
import type { bookmarksClear, bookmarksSet, bookmarksShow } from '../../contract/operations/edit/bookmarks.ts';
import type { labelsClear, labelsSet, labelsShow } from '../../contract/operations/edit/labels.ts';
import { formatBookmarks, parseBookmarks } from '../../pdf/edit/document/bookmark-list.ts';
import { readBookmarks, writeBookmarks } from '../../pdf/edit/document/bookmark-tree.ts';
import { formatLabels, numberingOf, parseLabels, signOf } from '../../pdf/edit/document/label-list.ts';
import { catalogOf, nameAt } from '../../pdf/file/read/entries.ts';
import { checkCount } from '../../pdf/structure/input.ts';
import { type LabelRange, readLabels, writeLabels } from '../../pdf/structure/labels.ts';
import { encodeText, textOf } from '../../pdf/syntax/text-strings.ts';
import { PdfString } from '../../pdf/syntax/values.ts';
import type { Handler } from '../frame/handler.ts';
import { withSource } from '../frame/with-source.ts';
import { type Edit, editDocument } from './edit.ts';

export const showBookmarks: Handler<typeof bookmarksShow> = ({ file }, ctx) => {
  return withSource(file, ctx, async (source) => {
    const bookmarks = readBookmarks(source);
    const warnings = bookmarks.length === 0 ? [`${source.file.name} has no bookmarks`] : [];
    return { kind: 'record', record: { ok: true, bookmarks, text: formatBookmarks(bookmarks) }, warnings };
  });
};

export const setBookmarks: Handler<typeof bookmarksSet> = async ({ file, bookmarks, incremental }, ctx) => {
  const items = parseBookmarks(bookmarks);
  const edit: Edit = {
    incremental,
    begin({ file, tree }) {
      checkCount(file, items.length, 'bookmarks');
      const total = tree.pages.length;
      const wrong = items.find(({ page = 1 }) => page > total);
      if (wrong === undefined) return;
      const message = `bookmark '${wrong.title}' leads to page ${wrong.page}, and ${file.name} has ${total}`;
      throw new Failure('usage', message, { hint: `Give pages from 1 to ${total}.` });
    },
    async prepare(copier, { tree }) {
      const root = await writeBookmarks(copier, items, (page) => copier.map[tree.pages[page - 1]?.num ?? 0] ?? 0);
      copier.planCatalog(new Map([['Outlines', `${root} 0 R`]]));
    },
  };
  return editDocument(file, ['bookmarks set', items], edit, ctx);
};

export const clearBookmarks: Handler<typeof bookmarksClear> = ({ file }, ctx) => {
  const edit: Edit = {
    prepare(copier, source) {
      const entries = new Map<string, undefined>([['Outlines', undefined]]);
      // Without bookmarks, viewers would open an empty panel.
      if (nameAt(source.file, catalogOf(source.file), 'PageMode') === 'UseOutlines') entries.set('PageMode', undefined);
      copier.planCatalog(entries);
    },
  };
  return editDocument(file, ['bookmarks clear'], edit, ctx);
};

export const showLabels: Handler<typeof labelsShow> = ({ file: input }, ctx) => {
  return withSource(input, ctx, async ({ file }) => {
    const labels = (readLabels(file, catalogOf(file)) ?? []).map(({ page, style, prefix, start }) => {
      return { page: page + 1, style: numberingOf(style), prefix: textOf(prefix ?? null), start };
    });
    const warnings = labels.length === 0 ? [`${file.name} has no page labels`] : [];
    return { kind: 'record', record: { ok: true, labels, text: formatLabels(labels) }, warnings };
  });
};

export const setLabels: Handler<typeof labelsSet> = async ({ file, labels, incremental }, ctx) => {
  const items = parseLabels(labels);
  const ranges: LabelRange[] = items.map(({ page, style, prefix, start }) => ({
    page: page - 1,
    style: signOf(style),
    prefix: prefix === null ? undefined : new PdfString(encodeText(prefix)),
    start,
  }));
  // The first page must have a label (ISO 32000-1, 12.4.2): pages before the first named range keep their number.
  if (ranges[0]?.page !== 0) ranges.unshift({ page: 0, style: 'D', start: 1 });
  const edit: Edit = {
    incremental,
    begin({ file, tree }) {
      checkCount(file, items.length, 'page labels');
      const total = tree.pages.length;
      const wrong = items.find(({ page }) => page > total);
      if (wrong === undefined) return;
      throw new Failure('usage', `there is no page ${wrong.page} to label: ${file.name} has ${total}`, {
        hint: `Give pages from 1 to ${total}.`,
      });
    },
    prepare(copier) {
      copier.planCatalog(new Map([['PageLabels', writeLabels(ranges).replace('/PageLabels', '')]]));
    },
  };
  return editDocument(file, ['labels set', items], edit, ctx);
};

export const clearLabels: Handler<typeof labelsClear> = ({ file }, ctx) => {
  const edit: Edit = { prepare: (copier) => copier.planCatalog(new Map([['PageLabels', undefined]])) };
  return editDocument(file, ['labels clear'], edit, ctx);
};
