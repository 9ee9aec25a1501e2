import { Failure } from '../../contract/failure.ts';
import type { InputOf, ResultOf } from '../../contract/operation.ts';
import type { bookmarksSet } from '../../contract/operations/bookmarks.ts';
import type { Context } from '../../contract/ports.ts';
import { changeCatalog } from '../../pdf/copy/catalog.ts';
import { parseBookmarks } from '../../pdf/document/bookmark-list.ts';
import { writeBookmarks } from '../../pdf/document/bookmark-tree.ts';
import { checkCount } from '../../pdf/structure/input.ts';
import { type Edit, editDocument } from './edit.ts';

export async function run(
  { file, bookmarks }: InputOf<typeof bookmarksSet>,
  ctx: Context,
): Promise<ResultOf<typeof bookmarksSet>> {
  const items = parseBookmarks(bookmarks);
  const edit: Edit = {
    begin({ file, tree }) {
      checkCount(file, items.length, 'bookmarks');
      const total = tree.pages.length;
      const wrong = items.find(({ page = 1 }) => page > total);
      if (wrong === undefined) return;
      throw new Failure(
        'usage',
        `bookmark '${wrong.title}' leads to page ${wrong.page}, and ${file.name} has ${total}`,
        {
          hint: `Give pages from 1 to ${total}.`,
        },
      );
    },
    async prepare(copier, { tree }) {
      const root = await writeBookmarks(copier, items, (page) => copier.map[tree.pages[page - 1]?.num ?? 0] ?? 0);
      changeCatalog(copier, new Map([['Outlines', `${root} 0 R`]]));
    },
  };
  return editDocument(file, ['bookmarks set', items], edit, ctx);
}
