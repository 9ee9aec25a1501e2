// Owns the destinations that have names and lead to picked pages. Knows nothing of links.
import type { Copier } from '../../file/copier.ts';
import { readable } from '../../file/entries.ts';
import { encodeName } from '../../file/serialize.ts';
import { BRACKET_CLOSE, BRACKET_OPEN, GREATER, LESS, PAREN_OPEN, PERCENT, skipSpace } from '../../file/syntax.ts';
import { Ref, type Value } from '../../file/values.ts';
import { listAt } from '../../lists-by-key.ts';
import { type Placed, written } from '../input.ts';
import type { NameList } from '../name-list.ts';
import { writeSorted } from '../name-trees.ts';
import type { Targets } from './targets.ts';

/** What a name leads to is written beside it up to so many bytes: as an object it takes 20 more, and time. */
const SHORT = 96;
const NONE: readonly number[] = [];

export class PickedNames {
  private readonly targets: Targets;
  /** Places in the lists of names by the page they lead to, sorted by name. */
  private readonly tree: ReadonlyMap<number, readonly number[]>;
  private readonly old: ReadonlyMap<number, readonly number[]>;

  constructor(targets: Targets) {
    const { tree, old } = targets.named;
    this.targets = targets;
    this.tree = this.byPage(tree, tree.sorted());
    this.old = this.byPage(
      old,
      Array.from({ length: old.count }, (_, i) => i),
    );
  }

  /** Writes the names of the pages from `first` to before `end`; returns the catalog's entries. */
  async write(first: number, end: number, { copier }: Placed): Promise<string> {
    const { old } = this.targets.named;
    const flat = between(this.old, first, end).map(
      (i) => `/${encodeName(old.text(i))} ${written(targetOf(old, i), copier)}`,
    );
    const dests = flat.length === 0 ? '' : `/Dests<<${flat.join('')}>>`;
    const names = await this.writeTree(first, end, copier);
    return names === undefined ? dests : `${dests}/Names<</Dests ${names} 0 R>>`;
  }

  private async writeTree(first: number, end: number, copier: Copier): Promise<number | undefined> {
    const { tree } = this.targets.named;
    const places = between(this.tree, first, end);
    if (places.length === 0) return undefined;
    if (end - first > 1) places.sort((a, b) => tree.compare(a, b));
    const { writer } = copier;
    return writeSorted(writer, {
      count: places.length,
      text: (i) => tree.text(places[i]!),
      write: (from, to) => {
        for (let i = from; i < to; i++) {
          tree.writeName(writer, places[i]!);
          writeValue(tree, places[i]!, copier);
        }
      },
    });
  }

  private byPage(list: NameList, order: Iterable<number>): Map<number, number[]> {
    const found = new Map<number, number[]>();
    for (const i of order) {
      const page = this.targets.pageOfEntry(list, i);
      if (page !== undefined) listAt(found, page).push(i);
    }
    return found;
  }
}

function targetOf(list: NameList, i: number): Value {
  const num = list.reference(i);
  return num < 0 ? list.values.parsed(list.place(i)) : new Ref(num, 0);
}

function between(lists: ReadonlyMap<number, readonly number[]>, first: number, end: number): number[] {
  const found: number[] = [];
  for (let page = first; page < end; page++) {
    const places = lists.get(page) ?? NONE;
    for (let i = 0; i < places.length; i++) found.push(places[i]!);
  }
  return found;
}

function writeValue(list: NameList, i: number, copier: Copier): void {
  const { file, map } = copier;
  const num = list.reference(i);
  if (num < 0) {
    const { values } = list;
    copier.value(values.bytes, values.start(list.place(i)), values.bytes.length);
    return;
  }
  // Where something else has led to it, it is an object already.
  if (map[num] === 0 && readable(file, num) && file.fetch(num)) {
    const { buf, limit } = file;
    const start = skipSpace(buf, file.pos, limit);
    if (isShort(buf, start, Math.min(limit, start + SHORT))) {
      copier.value(buf, start, limit);
      return;
    }
  }
  copier.writeRef(num);
}

/** Whether an array or a dictionary without strings ends before `limit`. */
function isShort(buf: Uint8Array, start: number, limit: number): boolean {
  let depth = 0;
  for (let pos = start; pos < limit; pos++) {
    const byte = buf[pos]!;
    if (byte === BRACKET_OPEN) depth++;
    else if (byte === BRACKET_CLOSE) depth--;
    else if (byte === LESS || byte === GREATER) {
      if (buf[pos + 1] !== byte) return false;
      depth += byte === LESS ? 1 : -1;
      pos++;
    } else if (byte === PAREN_OPEN || byte === PERCENT) return false;
    if (depth <= 0) return depth === 0 && pos > start;
  }
  return false;
}
