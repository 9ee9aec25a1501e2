// Bookmarks (ISO 32000-1, 12.3.3) through a merge: those of each input stay a chain, and the chains are linked.
import { entriesOf, numberAt } from '../read/entries.ts';
import { hexString } from '../syntax/serialize.ts';
import { encodeText } from '../syntax/text-strings.ts';
import { Ref } from '../syntax/values.ts';
import type { Writer } from '../write/writer.ts';
import { checkCount, type Input, type Numbered } from './input.ts';

interface Chain {
  /** Object numbers of the top items in the input and in the output. */
  readonly tops: readonly number[];
  readonly fresh: readonly number[];
  /** Items that are seen while nothing is opened. */
  readonly visible: number;
}

interface FileItem {
  readonly num: number;
  readonly title: string;
}

const EMPTY: Chain = { tops: [], fresh: [], visible: 0 };

export class Outlines {
  private readonly chains = new Map<number, Chain>();
  private readonly writer: Writer;
  /** With one bookmark a file: these, in order. */
  private readonly files: FileItem[] | undefined;
  private readonly root: number;

  /** `titles`: one bookmark for each file, so named, under which the file's own go. */
  constructor(writer: Writer, titles: readonly string[] | undefined) {
    this.writer = writer;
    this.root = writer.allocate();
    this.files = titles?.map((title) => ({ num: writer.allocate(), title }));
  }

  /** Follows the chain of top items; what is below them comes along as it is. */
  survey({ index, file, catalog }: Input): void {
    const tops: number[] = [];
    const seen = new Set<number>();
    let visible = 0;
    let next = file.dict(catalog.get('Outlines'))?.get('First');
    while (next instanceof Ref && !seen.has(next.num)) {
      seen.add(next.num);
      const item = entriesOf(file, next, ['Count', 'Next']);
      if (item === undefined) break;
      tops.push(next.num);
      checkCount(file, tops.length, 'bookmarks');
      visible += 1 + Math.max(0, numberAt(file, item, 'Count') ?? 0);
      next = item.get('Next');
    }
    if (tops.length > 0) this.chains.set(index, { tops, fresh: tops.map(() => this.writer.allocate()), visible });
  }

  /** Links the input's top items to their neighbours, and to those of the other inputs. */
  place({ index }: Input, { copier }: Numbered): void {
    const { tops, fresh } = this.chains.get(index) ?? EMPTY;
    const before = this.files === undefined ? this.nearest(index, -1) : undefined;
    const after = this.files === undefined ? this.nearest(index, 1) : undefined;
    const parent = this.files?.[index]?.num ?? this.root;
    for (const [i, num] of tops.entries()) {
      // A page that is linked as a bookmark stays a page.
      if (copier.map[num] !== 0) continue;
      copier.assign(num, fresh[i]!);
      const link = (to: number | undefined) => (to === undefined ? undefined : `${to} 0 R`);
      const values = {
        Parent: link(parent),
        Prev: link(fresh[i - 1] ?? before),
        Next: link(fresh[i + 1] ?? after),
      };
      copier.changes.set(num, new Map(Object.entries(values)));
    }
  }

  /** Copies the top items, and with them what they lead to. */
  async copy({ index }: Input, { copier, pages }: Numbered): Promise<void> {
    const { tops, fresh, visible } = this.chains.get(index) ?? EMPTY;
    for (const [i, num] of tops.entries()) if (copier.map[num] === fresh[i]) await copier.now(num);
    const item = this.files?.[index];
    if (item === undefined) return;
    const entries = [
      `/Title ${hexString(encodeText(item.title))}/Parent ${this.root} 0 R/Dest[${pages[0]} 0 R/Fit]`,
      ...this.neighbour('Prev', this.files?.[index - 1]),
      ...this.neighbour('Next', this.files?.[index + 1]),
      ...(tops.length > 0 ? [`/First ${fresh[0]} 0 R/Last ${fresh.at(-1)} 0 R/Count ${visible}`] : []),
    ];
    await this.writer.object(item.num, `<<${entries.join('')}>>`);
  }

  /** The catalog's entry; empty where no input has bookmarks. */
  async write(): Promise<string> {
    const chains = [...this.chains.values()];
    const linked = this.files?.map(({ num }) => num) ?? chains.flatMap(({ fresh }) => fresh);
    if (linked.length === 0) return '';
    const visible = chains.reduce((sum, chain) => sum + chain.visible, this.files?.length ?? 0);
    const ends = `/First ${linked[0]} 0 R/Last ${linked.at(-1)} 0 R`;
    await this.writer.object(this.root, `<</Type/Outlines${ends}/Count ${visible}>>`);
    return `/Outlines ${this.root} 0 R`;
  }

  private neighbour(key: string, item: FileItem | undefined): string[] {
    return item === undefined ? [] : [`/${key} ${item.num} 0 R`];
  }

  /** The top item next to those of an input: the last one before it or the first one behind it. */
  private nearest(index: number, step: 1 | -1): number | undefined {
    // Surveyed in order, so the map is in order.
    const others = [...this.chains].filter(([other]) => (other - index) * step > 0);
    return step > 0 ? others[0]?.[1].fresh[0] : others.at(-1)?.[1].fresh.at(-1);
  }
}
