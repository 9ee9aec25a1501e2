// Owns what bookmarks say of headings (ISO 32000-1, 12.3.3): title, page and depth. Knows nothing of looks.
import type { Page } from '../file/pages.ts';
import { decodeText } from '../file/strings.ts';
import { PdfString, Ref, type Value } from '../file/values.ts';
import { checkCount, type Input } from '../structure/input.ts';
import { Targets } from '../structure/subset/targets.ts';

export interface Bookmark {
  /** How deep it stands below the top ones, from 0. */
  readonly depth: number;
}

interface Item extends Bookmark {
  readonly destination: Value | undefined;
  readonly action: Value | undefined;
}

/** Numbers that stand before a title, in the bookmark or on the page alone. */
const NUMBER = /^[\s\d.]+(?=\s*\p{L})/u;

export class BookmarkTitles {
  private readonly items = new Map<string, Item[]>();
  private readonly targets: Targets;

  /** @throws Damage */
  constructor(input: Input, pages: readonly Page[]) {
    const { file, catalog } = input;
    this.targets = new Targets(input, pages);
    const seen = new Set<number>();
    const todo = [{ value: file.dict(catalog.get('Outlines'))?.get('First'), depth: 0 }];
    for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
      const { value, depth } = next;
      if (!(value instanceof Ref) || seen.has(value.num)) continue;
      seen.add(value.num);
      checkCount(file, seen.size, 'bookmarks');
      const dict = file.dict(value);
      if (dict === undefined) continue;
      const title = file.resolve(dict.get('Title'));
      const key = title instanceof PdfString ? keyOf(decodeText(title.bytes)) : '';
      const item = { depth, destination: dict.get('Dest'), action: dict.get('A') };
      if (key !== '') this.items.set(key, [...(this.items.get(key) ?? []), item]);
      todo.push({ value: dict.get('Next'), depth });
      todo.push({ value: dict.get('First'), depth: depth + 1 });
    }
  }

  /**
   * A bookmark of this title that leads to this page (from 0), or to nobody knows where.
   * @throws Damage
   */
  find(text: string, page: number): Bookmark | undefined {
    return this.items.get(keyOf(text))?.find((item) => (this.pageOf(item) ?? page) === page);
  }

  /** Looked up only for text that reads like a title: a manual has thousands of names. */
  private pageOf({ destination, action }: Item): number | undefined {
    return this.targets.pageOf(destination) ?? this.targets.pageOfAction(action);
  }
}

/** Letters and digits alone: spaces, dashes and quotes differ between a page and its bookmark. */
function keyOf(title: string): string {
  const plain = title.normalize('NFKC');
  return plain
    .replace(NUMBER, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}
