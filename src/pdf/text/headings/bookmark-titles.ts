// Looks up headings that bookmarks declare (ISO 32000-1, 12.3.3): title, page and depth.

import type { Page } from '../../file/read/page-tree.ts';
import { bookmarksOf } from '../../structure/bookmarks.ts';
import { DestinationPages } from '../../structure/destination-pages.ts';
import type { Input } from '../../structure/input.ts';
import { listAt } from '../../syntax/arrays.ts';
import { decodeTextString } from '../../syntax/text-strings.ts';
import { PdfString, type Value } from '../../syntax/values.ts';

export interface TitledBookmark {
  readonly depth: number;
}

interface Item extends TitledBookmark {
  readonly destination: Value | undefined;
  readonly action: Value | undefined;
}

/** The bookmarks of one title: the first for each page, and the first whose target is unknown. */
interface Places {
  readonly pages: ReadonlyMap<number, TitledBookmark>;
  readonly elsewhere: TitledBookmark | undefined;
}

/** Numbers before a title, as in "2.1", "A.1" or "Chapter 2", which the bookmark or the page may lack. */
const NUMBER = /^(?:\p{Lu}\p{L}{3,}\s+)?(?:\p{Lu}\.)?[\s.]*\d[\s\d.]*(?=\s*\p{L})/u;

export class BookmarkTitles {
  private readonly items = new Map<string, Item[]>();
  private readonly places = new Map<string, Places>();
  private readonly targets: DestinationPages;

  /** @throws Damage */
  constructor(input: Input, pages: readonly Page[]) {
    this.targets = new DestinationPages(input, pages);
    for (const { dict, depth } of bookmarksOf(input)) {
      const title = input.file.resolve(dict.get('Title'));
      const key = title instanceof PdfString ? keyOf(decodeTextString(title.bytes)) : '';
      if (key !== '') listAt(this.items, key).push({ depth, destination: dict.get('Dest'), action: dict.get('A') });
    }
  }

  /** The bookmark of this title that leads to this page (from 0), or whose target is unknown. @throws Damage */
  find(text: string, page: number): TitledBookmark | undefined {
    const key = keyOf(text);
    const items = this.items.get(key);
    if (items === undefined) return undefined;
    const known = this.places.get(key);
    const places = known ?? this.placesOf(items);
    if (known === undefined) this.places.set(key, places);
    return places.pages.get(page) ?? places.elsewhere;
  }

  /** Resolved once, and only for text that reads like a title: a manual has thousands of names. */
  private placesOf(items: readonly Item[]): Places {
    const pages = new Map<number, TitledBookmark>();
    for (const item of items) {
      const page = this.targets.pageOf(item.destination) ?? this.targets.pageOfAction(item.action);
      // A bookmark with an unknown target may mean any page: those behind it are not needed.
      if (page === undefined) return { pages, elsewhere: item };
      if (!pages.has(page)) pages.set(page, item);
    }
    return { pages, elsewhere: undefined };
  }
}

/** Letters and digits only: spaces, dashes and quotes differ between a page and its bookmark. */
function keyOf(title: string): string {
  const plain = title.normalize('NFKC');
  return plain
    .replace(NUMBER, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}
