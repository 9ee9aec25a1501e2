// The destinations that have names and lead to picked pages.

import { listAt } from '../../lists-by-key.ts';
import { pushAll } from '../../long-lists.ts';
import { encodeName } from '../../syntax/serialize.ts';
import { Ref, type Value } from '../../syntax/values.ts';
import { inlineText } from '../destinations.ts';
import { type Numbered, valueText } from '../input.ts';
import { writeNames } from '../name-trees.ts';
import type { DestinationPages } from './destination-pages.ts';

/** What a name leads to is written beside it up to so many bytes: as an object it takes 20 more, and time. */
const SHORT = 96;

type Entry = readonly [name: string, value: Value];

export class PickedNames {
  /** Names and what they lead to, by the page that is. */
  private readonly tree: ReadonlyMap<number, readonly Entry[]>;
  private readonly old: ReadonlyMap<number, readonly Entry[]>;

  constructor(destinations: DestinationPages) {
    const { tree, old } = destinations.named;
    this.tree = byPage(tree, destinations);
    this.old = byPage(old, destinations);
  }

  /** Writes the names of the pages from `first` to before `end`; returns the catalog's entries. */
  async write(first: number, end: number, { copier }: Numbered): Promise<string> {
    const flat = between(this.old, first, end).map(
      ([name, value]) => `/${encodeName(name)} ${valueText(value, copier)}`,
    );
    const dests = flat.length === 0 ? '' : `/Dests<<${flat.join('')}>>`;
    const texts = new Map<string, string>();
    for (const [name, value] of between(this.tree, first, end)) {
      const text = value instanceof Ref ? inlineText(value.num, copier, SHORT) : undefined;
      texts.set(name, text ?? valueText(value, copier));
    }
    if (texts.size === 0) return dests;
    return `${dests}/Names<</Dests ${await writeNames(copier.writer, texts)} 0 R>>`;
  }
}

function byPage(
  names: ReadonlyMap<string, Value>,
  destinations: DestinationPages,
): ReadonlyMap<number, readonly Entry[]> {
  const found = new Map<number, Entry[]>();
  for (const [name, value] of names) {
    const page = destinations.pageOf(value);
    if (page !== undefined) listAt(found, page).push([name, value]);
  }
  return found;
}

function between(names: ReadonlyMap<number, readonly Entry[]>, first: number, end: number): Entry[] {
  const found: Entry[] = [];
  for (let page = first; page < end; page++) pushAll(found, names.get(page) ?? []);
  return found;
}
