// Puts the parts of a page into the order of its tags, where these are sound.
import { pairs } from '../../syntax/arrays.ts';
import { ARTIFACT } from '../content/page-content.ts';
import type { Line } from '../lines/lines.ts';

/** Shares of a page's lines that tags must place, and of neighbours in a paragraph that they must have in order. */
const [PLACED, IN_ORDER] = [0.9, 0.95];

type Order = readonly number[] | undefined;

/**
 * The parts of a page in the order of tags. They are believed where they place nearly all lines, and have the lines of
 * each paragraph as they stand. A part without lines, and what is no content, follows the part before it.
 */
export function inTaggedOrder<T extends { readonly group?: { readonly lines: readonly Line[] } }>(
  parts: readonly T[],
  orderOf: (mark: number) => Order,
): readonly T[] {
  const placed = parts.map((part) => ({ part, orders: part.group?.lines.map(({ mark }) => orderOf(mark)) ?? [] }));
  const all = parts.flatMap(({ group }) => group?.lines.filter(({ mark }) => mark !== ARTIFACT) ?? []);
  const known = placed.flatMap(({ orders }) => orders.filter((order) => order !== undefined));
  if (known.length < PLACED * all.length || known.length === 0) return parts;
  const steps = placed.flatMap(({ orders }) => pairs(orders.filter((order) => order !== undefined)));
  if (steps.filter(([before, order]) => compare(before, order) <= 0).length < IN_ORDER * steps.length) return parts;
  let last: readonly number[] = [];
  const keyed = placed.map(({ part, orders }) => {
    last = orders.find((order) => order !== undefined) ?? last;
    return { part, key: last };
  });
  return keyed.sort((a, b) => compare(a.key, b.key)).map(({ part }) => part);
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((index, i) => index !== b[i]);
  return at < 0 ? a.length - b.length : (a[at] ?? 0) - (b[at] ?? -1);
}
