import type { InputOf, ResultOf } from '../../contract/operation.ts';
import type { bookmarksShow } from '../../contract/operations/bookmarks.ts';
import type { Context } from '../../contract/ports.ts';
import { formatBookmarks } from '../../pdf/document/bookmark-list.ts';
import { readBookmarks } from '../../pdf/document/bookmark-tree.ts';
import { type Source, withSources } from '../../pdf/read/source.ts';

export function run({ file }: InputOf<typeof bookmarksShow>, ctx: Context): Promise<ResultOf<typeof bookmarksShow>> {
  return withSources([file], ctx, async (sources) => {
    const [source] = sources as [Source];
    const bookmarks = readBookmarks(source);
    const warnings = bookmarks.length === 0 ? [`${source.file.name} has no bookmarks`] : [];
    return { kind: 'record', record: { ok: true, bookmarks, text: formatBookmarks(bookmarks) }, warnings };
  });
}
