// Bookmarks of picked pages: those that lead to them, and above these what they stand under.
import { listAt } from '../../lists-by-key.ts';
import { numberAt } from '../../read/entries.ts';
import { bookmarksOf } from '../bookmarks.ts';
import type { Input, Numbered } from '../input.ts';
import type { DestinationPages } from './destination-pages.ts';

/** What is looked at of a bookmark. */
const ITEM = ['Dest', 'A', 'Count'];

interface Item {
  readonly num: number;
  /** Its place in the list; -1 for a top item. */
  readonly parent: number;
  /** The page it leads to; undefined where it leads elsewhere or nowhere. */
  readonly page: number | undefined;
  readonly closed: boolean;
}

/** All bookmarks of a document in the order they are shown, read once. */
export class Bookmarks {
  private readonly items: Item[] = [];
  private readonly byPage = new Map<number, number[]>();

  constructor(input: Input, destinations: DestinationPages) {
    for (const { num, dict, parent } of bookmarksOf(input, ITEM)) {
      const page = destinations.pageOf(dict.get('Dest')) ?? destinations.pageOfAction(dict.get('A'));
      if (page !== undefined) listAt(this.byPage, page).push(this.items.length);
      this.items.push({ num, parent, page, closed: (numberAt(input.file, dict, 'Count') ?? 0) < 0 });
    }
  }

  /** Copies the bookmarks of the pages from `first` to before `end`; returns the catalog's entry. */
  async copy(first: number, end: number, { copier }: Numbered): Promise<string> {
    const kept = this.kept(first, end).filter((place) => copier.map[this.items[place]!.num] === 0);
    if (kept.length === 0) return '';
    const { writer } = copier;
    const root = writer.allocate();
    const kids = new Map<number, number[]>();
    for (const place of kept) {
      const { num, parent } = this.items[place]!;
      copier.assign(num, writer.allocate());
      listAt(kids, parent).push(place);
    }
    const numberOf = (place: number): number => (place < 0 ? root : copier.map[this.items[place]!.num]!);
    const visible = this.visible(kept);
    const below = (place: number): Map<string, string | undefined> => {
      const own = kids.get(place) ?? [];
      const count = visible.get(place) ?? 0;
      const closed = place >= 0 && this.items[place]!.closed;
      return new Map<string, string | undefined>()
        .set('First', own.length === 0 ? undefined : `${numberOf(own[0]!)} 0 R`)
        .set('Last', own.length === 0 ? undefined : `${numberOf(own.at(-1)!)} 0 R`)
        .set('Count', count === 0 ? undefined : String(closed ? -count : count));
    };
    for (const [parent, own] of kids) {
      for (const [i, place] of own.entries()) {
        const { num, page } = this.items[place]!;
        const values = below(place).set('Parent', `${numberOf(parent)} 0 R`);
        values.set('Prev', i === 0 ? undefined : `${numberOf(own[i - 1]!)} 0 R`);
        values.set('Next', i === own.length - 1 ? undefined : `${numberOf(own[i + 1]!)} 0 R`);
        // The element of the tags it stands for may be left behind.
        values.set('SE', undefined);
        if (page !== undefined && (page < first || page >= end)) values.set('Dest', undefined).set('A', undefined);
        const ended = copier.now(num, values);
        if (ended !== undefined) await ended;
      }
    }
    const entries = [...below(-1)].map(([key, value]) => (value === undefined ? '' : `/${key} ${value}`));
    await writer.object(root, `<</Type/Outlines${entries.join('')}>>`);
    return `/Outlines ${root} 0 R`;
  }

  /** Places of the bookmarks that lead to the pages and of all above them, in order. */
  private kept(first: number, end: number): number[] {
    const kept = new Set<number>();
    for (let page = first; page < end; page++) {
      for (const own of this.byPage.get(page) ?? []) {
        for (let place = own; place >= 0 && !kept.has(place); place = this.items[place]!.parent) kept.add(place);
      }
    }
    return [...kept].sort((a, b) => a - b);
  }

  /** How many bookmarks are seen below each one when it is open; -1 is the root. */
  private visible(kept: readonly number[]): Map<number, number> {
    const counts = new Map<number, number>();
    for (const place of [...kept].reverse()) {
      const { parent, closed } = this.items[place]!;
      const own = closed ? 0 : (counts.get(place) ?? 0);
      counts.set(parent, (counts.get(parent) ?? 0) + 1 + own);
    }
    return counts;
  }
}
