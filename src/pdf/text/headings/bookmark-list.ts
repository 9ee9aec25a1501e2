// Lists the bookmarks of a document in order, with the pages they lead to: where chapters begin.
import type { Source } from '../../file/read/source.ts';
import { bookmarksOf } from '../../structure/bookmarks.ts';
import { destinationsOf } from '../../structure/destination-pages.ts';
import { inputOf } from '../../structure/input.ts';
import { unlessRefused } from '../../syntax/damage.ts';
import { decodeTextString } from '../../syntax/text-strings.ts';
import { PdfString } from '../../syntax/values.ts';

export interface ListedBookmark {
  readonly title: string;
  readonly page: number;
  readonly depth: number;
}

/** The bookmarks that lead to a page. Damaged ones are left out: bookmarks are only a help. */
export function listBookmarks(opened: Source): ListedBookmark[] {
  const input = inputOf(opened);
  const bookmarks: ListedBookmark[] = [];
  unlessRefused(undefined, () => {
    const targets = destinationsOf(input);
    for (const { dict, depth } of bookmarksOf(input)) {
      const title = input.file.resolve(dict.get('Title'));
      const page = targets.pageOf(dict.get('Dest')) ?? targets.pageOfAction(dict.get('A'));
      if (!(title instanceof PdfString) || page === undefined) continue;
      const text = decodeTextString(title.bytes).replace(/\s+/g, ' ').trim();
      if (text !== '') bookmarks.push({ title: text, page: page + 1, depth });
    }
  });
  return bookmarks;
}
