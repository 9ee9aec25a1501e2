// Links the items of an outline (ISO 32000-1, 12.3.3).
import { listAt } from '../syntax/arrays.ts';

interface Links<T> {
  readonly parent?: T | undefined;
  readonly previous?: T | undefined;
  readonly next?: T | undefined;
  readonly first: T | undefined;
  readonly last: T | undefined;
  /** /Count: the visible items below it, as a negative number if it is closed. */
  readonly count: number;
}

/** The links of each item, siblings together, and those of the root under undefined. `items`: in display order. */
export function outlineLinks<T extends object>(
  items: readonly T[],
  placeOf: (item: T) => { readonly parent?: T | undefined; readonly closed?: boolean | undefined },
): Map<T | undefined, Links<T>> {
  const kids = new Map<T | undefined, T[]>();
  for (const item of items) listAt(kids, placeOf(item).parent).push(item);
  const visible = new Map<T | undefined, number>();
  for (const item of items.toReversed()) {
    const { parent, closed } = placeOf(item);
    const below = closed === true ? 0 : (visible.get(item) ?? 0);
    visible.set(parent, (visible.get(parent) ?? 0) + 1 + below);
  }
  const below = (item?: T): Links<T> => {
    const [list = [], count = 0] = [kids.get(item), visible.get(item)];
    return { first: list[0], last: list.at(-1), count: item && placeOf(item).closed === true ? 0 - count : count };
  };
  const links = new Map<T | undefined, Links<T>>([[undefined, below()]]);
  for (const [parent, list] of kids)
    for (const [i, item] of list.entries())
      links.set(item, { parent, previous: list[i - 1], next: list[i + 1], ...below(item) });
  return links;
}
