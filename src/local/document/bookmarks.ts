import { Failure } from '../../contract/failure.ts';
import type { bookmarksClear, bookmarksSet, bookmarksShow } from '../../contract/operations/edit/bookmarks.ts';
import { formatBookmarks, parseBookmarks } from '../../pdf/edit/document/bookmark-list.ts';
import { readBookmarks, writeBookmarks } from '../../pdf/edit/document/bookmark-tree.ts';
import { catalogOf, nameAt } from '../../pdf/file/read/entries.ts';
import { checkCount } from '../../pdf/structure/input.ts';
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
