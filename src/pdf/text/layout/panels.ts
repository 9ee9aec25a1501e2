// Finds panels: filled boxes that stand beside each other and hold text of their own, as cards and info boxes do.
//
// In: the items of a page and its filled areas. Out: groups of items in reading order: what stands above a row of panels,
// each panel, and what stands below; every item is in exactly one. Only panels that the columns of the page would mix are
// taken. Shaded cells and columns of a table are no panels: their lines are short, and other text stands beside them. The
// cost grows with the square of the areas, of which few hold text.
import { greatest, least, listAt } from '../../syntax/arrays.ts';
import { centreIsIn, type TextBox } from '../content/page-content.ts';
import { type Item, middle, regionsOf } from './columns.ts';

/** Lines of a panel have so many characters on average, and one panel of a row has so many lines, at least. */
const LEAST = { lines: 3, characters: 20 };
/** At most this share of the text at the height of panels is not in them. */
const MOST_BESIDE = 0.1;
/** With more areas than this they belong to a drawing. */
const MOST_AREAS = 200;
/** Panels overlap by less than this share of their width: their areas include shadows. */
const SHADOW = 0.15;

interface Panel<T> extends TextBox {
  readonly items: readonly T[];
}

export function groupsAtPanels<T extends Item>(items: readonly T[], fills: readonly TextBox[]): (readonly T[])[] {
  const panels = fills.length < 2 || fills.length > MOST_AREAS ? [] : panelsOf(items, fills);
  const rows = rowsOf(panels);
  if (rows.length === 0) return [items];
  const columns = regionsOf(items).map((column) => new Set(column));
  const groups: (readonly T[])[] = [];
  let left = items;
  for (const found of rows) {
    // Panels of two rows may overlap.
    const free = new Set(left);
    const row = found.map((panel) => ({ ...panel, items: panel.items.filter((item) => free.has(item)) }));
    if (!columns.some((column) => row.filter((panel) => panel.items.some((item) => column.has(item))).length > 1))
      continue;
    const [top, bottom] = [least(row.map(({ y0 }) => y0)), greatest(row.map(({ y1 }) => y1))];
    const held = new Set(row.flatMap((panel) => panel.items));
    const others = left.filter((item) => !held.has(item));
    const beside = others.filter((item) => middle(item) > top && middle(item) < bottom);
    if (amountOf(beside) > MOST_BESIDE * amountOf([...held])) continue;
    groups.push(
      others.filter((item) => middle(item) <= top),
      ...row.map((panel) => panel.items),
      beside,
    );
    left = others.filter((item) => middle(item) >= bottom);
  }
  return [...groups, left].filter((group) => group.length > 0);
}

function panelsOf<T extends Item>(items: readonly T[], fills: readonly TextBox[]): Panel<T>[] {
  const filled = fills.flatMap((fill): Panel<T>[] => {
    const within = items.filter((item) => centreIsIn(item, fill));
    const texts = within.filter(({ amount }) => amount > 0);
    return texts.length > 1 && amountOf(texts) >= LEAST.characters * texts.length ? [{ ...fill, items: within }] : [];
  });
  // An area within another one, such as a card on its shadow, is no panel of its own. An area around panels that stand
  // beside each other is a background.
  const outer = filled.filter((panel) => {
    const inner = filled.filter((other) => holds(panel, other) && areaOf(other) < areaOf(panel));
    return !inner.some((one) => inner.some((other) => areBeside(one, other)));
  });
  outer.sort((a, b) => areaOf(b) - areaOf(a));
  return outer.filter((panel, i) => !outer.slice(0, i).some((larger) => centreIsIn(panel, larger)));
}

/** Panels that stand beside each other, from left to right; rows from top to bottom. */
function rowsOf<T>(panels: readonly Panel<T>[]): Panel<T>[][] {
  const rows = new Map<Panel<T>, Panel<T>[]>();
  const firstOf = (panel: Panel<T>) => [...rows.keys()].find((first) => areBeside(first, panel)) ?? panel;
  for (const panel of panels) listAt(rows, firstOf(panel)).push(panel);
  const full = [...rows.values()].filter(
    (row) => row.length > 1 && row.some((panel) => panel.items.length >= LEAST.lines),
  );
  return full.map(apart).sort(([a], [b]) => (a?.y0 ?? 0) - (b?.y0 ?? 0));
}

/** From left to right. What is in two of them belongs to the right one, since text begins at the left edge of its box. */
function apart<T>(row: readonly Panel<T>[]): Panel<T>[] {
  const sorted = [...row].sort((a, b) => a.x0 - b.x0);
  return sorted.map((panel, i) => {
    const taken = new Set(sorted.slice(i + 1).flatMap(({ items }) => items));
    return { ...panel, items: panel.items.filter((item) => !taken.has(item)) };
  });
}

function amountOf(items: readonly Item[]): number {
  return items.reduce((sum, { amount }) => sum + amount, 0);
}

function areaOf({ x0, y0, x1, y1 }: TextBox): number {
  return (x1 - x0) * (y1 - y0);
}

function holds(outer: TextBox, { x0, y0, x1, y1 }: TextBox): boolean {
  return x0 >= outer.x0 - 1 && x1 <= outer.x1 + 1 && y0 >= outer.y0 - 1 && y1 <= outer.y1 + 1;
}

/** Whether two boxes share half of the height of the smaller one, and no width but that of a shadow. */
function areBeside(a: TextBox, b: TextBox): boolean {
  const [high, wide] = [Math.min(a.y1, b.y1) - Math.max(a.y0, b.y0), Math.min(a.x1, b.x1) - Math.max(a.x0, b.x0)];
  return high > 0.5 * Math.min(a.y1 - a.y0, b.y1 - b.y0) && wide < SHADOW * Math.min(a.x1 - a.x0, b.x1 - b.x0);
}
