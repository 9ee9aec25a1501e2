// Merges the bookmarks of several inputs into one outline (ISO 32000-1, 12.3.3): one root whose top items are the chains of
// the inputs, linked end to end; only the entries of top items change. Where pages are picked, their bookmarks stay with
// their ancestors, linked anew. Invariant: the order and the nesting of items never change. Cost: one pass over the top
// items, or over all items where pages are picked.

import { numberAt } from '../file/read/entries.ts';
import type { Writer } from '../file/write/writer.ts';
import { listAt } from '../syntax/arrays.ts';
import { hexString } from '../syntax/serialize.ts';
import { encodeText } from '../syntax/text-strings.ts';
import { Ref } from '../syntax/values.ts';
import { bookmarksOf } from './bookmarks.ts';
import { destinationsOf } from './destination-pages.ts';
import { checkCount, type Input, type Numbered, type PickedPages, readOnce, readOrLeave } from './input.ts';
import { outlineLinks } from './outline-links.ts';

interface Top {
  readonly num: number;
  readonly fresh: number;
}

interface Chain {
  readonly tops: readonly Top[];
  /** Items that are visible initially. */
  readonly visible: number;
  /** If pages are picked: all items that stay, those at the top included. */
  readonly kept: readonly KeptItem[];
}

interface KeptItem extends Top {
  readonly entries: ReadonlyMap<string, string | undefined>;
}

interface FileItem {
  readonly num: number;
  readonly title: string;
}

const EMPTY: Chain = { tops: [], visible: 0, kept: [] };

export class Outlines {
  private readonly chains = new Map<number, Chain>();
  private readonly writer: Writer;
  /** With one new bookmark for each file: these, in order. */
  private readonly files: FileItem[] | undefined;
  private number: number | undefined;

  /** `titles`: new bookmarks, one for each file, above its own. `root`: left out, one is allocated when needed. */
  constructor(writer: Writer, titles: readonly string[] | undefined, root: number | undefined) {
    this.writer = writer;
    this.number = root;
    this.files = titles?.map((title) => ({ num: writer.allocate(), title }));
  }

  private get root(): number {
    this.number ??= this.writer.allocate();
    return this.number;
  }

  /** Finds the top items; for picked pages all that stay. */
  survey(input: Input): void {
    const { index, picked } = input;
    const chain = picked === undefined ? this.wholeChain(input) : this.pickedChain(input, picked);
    if (chain.tops.length > 0) this.chains.set(index, chain);
  }

  /** Follows the chain of top items; the items below them are copied unchanged. */
  private wholeChain({ file, catalog }: Input): Chain {
    const tops: number[] = [];
    const seen = new Set<number>();
    let visible = 0;
    let next = file.dict(catalog.get('Outlines'))?.get('First');
    while (next instanceof Ref && !seen.has(next.num)) {
      seen.add(next.num);
      const item = file.dict(next);
      if (item === undefined) break;
      tops.push(next.num);
      checkCount(file, tops.length, 'bookmarks');
      visible += 1 + Math.max(0, numberAt(file, item, 'Count') ?? 0);
      next = item.get('Next');
    }
    return { tops: tops.map((num) => ({ num, fresh: this.writer.allocate() })), visible, kept: [] };
  }

  private pickedChain(input: Input, picked: PickedPages): Chain {
    const items = readOnce(input, readItems)?.kept(picked) ?? [];
    const fresh = new Map(items.map((item) => [item, this.writer.allocate()]));
    const links = outlineLinks(items, (item) => item);
    const link = (item: Item | undefined): string | undefined => {
      const num = item === undefined ? undefined : fresh.get(item);
      return num === undefined ? undefined : `${num} 0 R`;
    };
    const kept = [...links].flatMap(([item, { first, last, count, parent, previous, next }]) => {
      if (item === undefined) return [];
      const below = { First: link(first), Last: link(last), Count: count === 0 ? undefined : String(count) };
      const around = { Parent: link(parent), Prev: link(previous), Next: link(next) };
      // The structure element it refers to may be left out.
      const entries = new Map<string, string | undefined>(Object.entries({ ...below, ...around, SE: undefined }));
      if (item.page !== undefined && !picked.has(item.page)) entries.set('Dest', undefined).set('A', undefined);
      return [{ item, num: item.num, fresh: fresh.get(item) ?? 0, entries }];
    });
    const tops = kept.filter(({ item }) => item.parent === undefined);
    return { tops, visible: links.get(undefined)?.count ?? 0, kept };
  }

  /** Links the input's top items to each other and to those of the other inputs. */
  place({ index }: Input, { copier }: Numbered): void {
    const { tops, kept } = this.chains.get(index) ?? EMPTY;
    for (const { num, fresh, entries } of kept) {
      copier.assign(num, fresh);
      copier.plan(num, entries);
    }
    if (tops.length === 0) return;
    const before = this.files === undefined ? this.nearest(index, -1) : undefined;
    const after = this.files === undefined ? this.nearest(index, 1) : undefined;
    const parent = this.files?.[index]?.num ?? this.root;
    for (const [i, { num, fresh }] of tops.entries()) {
      // A page that is linked as a bookmark stays a page.
      if (copier.map[num] !== 0 && copier.map[num] !== fresh) continue;
      copier.assign(num, fresh);
      const link = (to: number | undefined) => (to === undefined ? undefined : `${to} 0 R`);
      const values = {
        Parent: link(parent),
        Prev: link(tops[i - 1]?.fresh ?? before),
        Next: link(tops[i + 1]?.fresh ?? after),
      };
      copier.plan(num, new Map(Object.entries(values)));
    }
  }

  /** Copies the top items, or all that stay, with all they refer to. */
  async copy({ index }: Input, { copier, pages }: Numbered): Promise<void> {
    const { tops, visible, kept } = this.chains.get(index) ?? EMPTY;
    for (const { num, fresh } of kept.length > 0 ? kept : tops) {
      if (copier.map[num] === fresh) await copier.now(num);
    }
    const item = this.files?.[index];
    if (item === undefined) return;
    const beside = (key: string, other?: FileItem) => (other === undefined ? '' : `/${key} ${other.num} 0 R`);
    const entries = [
      `/Title ${hexString(encodeText(item.title))}/Parent ${this.root} 0 R/Dest[${pages[0]} 0 R/Fit]`,
      beside('Prev', this.files?.[index - 1]),
      beside('Next', this.files?.[index + 1]),
      ...(tops.length > 0 ? [`/First ${tops[0]?.fresh} 0 R/Last ${tops.at(-1)?.fresh} 0 R/Count ${visible}`] : []),
    ];
    await this.writer.object(item.num, `<<${entries.join('')}>>`);
  }

  async write(): Promise<string> {
    const chains = [...this.chains.values()];
    const linked = this.files?.map(({ num }) => num) ?? chains.flatMap(({ tops }) => tops.map(({ fresh }) => fresh));
    if (linked.length === 0) return '';
    const visible = chains.reduce((sum, chain) => sum + chain.visible, this.files?.length ?? 0);
    const ends = `/First ${linked[0]} 0 R/Last ${linked.at(-1)} 0 R`;
    await this.writer.object(this.root, `<</Type/Outlines${ends}/Count ${visible}>>`);
    return `/Outlines ${this.root} 0 R`;
  }

  /** The neighbouring top item of another input: the last before, or the first behind. */
  private nearest(index: number, step: 1 | -1): number | undefined {
    // Inputs are surveyed in order, so the map is in order.
    const others = [...this.chains].filter(([other]) => (other - index) * step > 0);
    return step > 0 ? others[0]?.[1].tops[0]?.fresh : others.at(-1)?.[1].tops.at(-1)?.fresh;
  }
}

interface Item {
  readonly num: number;
  /** Its parent; undefined for a top item. */
  readonly parent: Item | undefined;
  /** The page it leads to; undefined where it leads elsewhere or nowhere. */
  readonly page: number | undefined;
  readonly closed: boolean;
}

class Items {
  private readonly order = new Map<Item, number>();
  private readonly byPage = new Map<number, Item[]>();

  constructor(input: Input) {
    const destinations = destinationsOf(input);
    const items: Item[] = [];
    for (const { num, dict, parent } of bookmarksOf(input)) {
      const page = destinations.pageOf(dict.get('Dest')) ?? destinations.pageOfAction(dict.get('A'));
      const closed = (numberAt(input.file, dict, 'Count') ?? 0) < 0;
      const item = { num, parent: items[parent], page, closed };
      items.push(item);
      // A page that is linked as a bookmark stays a page.
      if (destinations.isPage(num)) continue;
      this.order.set(item, this.order.size);
      if (page !== undefined) listAt(this.byPage, page).push(item);
    }
  }

  /** The items that lead to the pages, and their ancestors, in order. */
  kept({ places }: PickedPages): Item[] {
    const kept = new Set<Item>();
    for (const place of places) {
      for (const copy of this.byPage.get(place) ?? []) {
        for (let item: Item | undefined = copy; item !== undefined && this.order.has(item); item = item.parent) {
          if (kept.has(item)) break;
          kept.add(item);
        }
      }
    }
    return [...kept].sort((a, b) => (this.order.get(a) ?? 0) - (this.order.get(b) ?? 0));
  }
}

function readItems(input: Input): Items | undefined {
  return readOrLeave(input, 'bookmarks', undefined, () => new Items(input));
}
