import type { Source } from '../../file/read/source.ts';
import type { Rect } from '../../page/geometry.ts';
import { inputOf } from '../../structure/input.ts';
import { unlessRefused } from '../../syntax/damage.ts';
import type { Actual } from './actual-words.ts';
import { BookmarkTitles, type TitledBookmark } from './bookmark-titles.ts';
import { type CellPlace, ContentTags, type ItemPlace, type Tag } from './content-tags.ts';

export interface DeclaredStructure {
  /** The file claims that its tags are sound. */
  readonly claimsSound: boolean;
  /** The tag that these marked contents share; page from 0. */
  tagOf(page: number, marks: readonly number[]): Tag;
  /** The cell that this marked content stands in. */
  cellOf(page: number, mark: number): CellPlace | undefined;
  /** The number of the heading that this marked content stands in. */
  headingOf(page: number, mark: number): number | undefined;
  /** The list item that this marked content stands in. */
  itemOf(page: number, mark: number): ItemPlace | undefined;
  /** The /ActualText of the element around this marked content. */
  actualOf(page: number, mark: number): Actual | undefined;
  /** Where this marked content stands in the order of reading. */
  orderOf(page: number, mark: number): readonly number[] | undefined;
  /** The figures of a page that say what they show, and where they stand in its user space. */
  figuresOn(page: number): readonly { readonly alt: string; readonly box: Rect }[];
  /** A bookmark of this title to this page; the same one for all text that reads so. */
  bookmarkOf(page: number, text: string): TitledBookmark | undefined;
}

export function declaredStructure(opened: Source): DeclaredStructure {
  const { pages } = opened.tree;
  const input = inputOf(opened);
  // Bookmarks and tags are only a help: a file with too many or damaged ones is read without them.
  const unless = <T>(work: () => T): T | undefined => unlessRefused(undefined, work);
  const tags = unless(() => new ContentTags(input, pages));
  const titles = unless(() => new BookmarkTitles(input, pages));
  return {
    claimsSound: tags?.claimsSound === true,
    tagOf: (page, marks) =>
      unless(() => {
        const [first, ...others] = marks.map((mark) => tags?.tagOf(page, mark));
        return others.every((tag) => tag === first) ? first : undefined;
      }),
    cellOf: (page, mark) => unless(() => tags?.cellOf(page, mark)),
    headingOf: (page, mark) => unless(() => tags?.headingOf(page, mark)),
    itemOf: (page, mark) => unless(() => tags?.itemOf(page, mark)),
    actualOf: (page, mark) => unless(() => tags?.actualOf(page, mark)),
    orderOf: (page, mark) => unless(() => tags?.orderOf(page, mark)),
    figuresOn: (page) => unless(() => tags?.figuresOn(page)) ?? [],
    bookmarkOf: (page, text) => unless(() => titles?.find(text, page)),
  };
}
