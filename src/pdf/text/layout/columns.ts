import { greatest, lastOf, least, listAt, median, pairs, pushAll, runsOf } from '../../syntax/arrays.ts';
import { around, type TextBox } from '../content/page-content.ts';

/** A part of a page to be ordered: a piece of a line, a table, a separating rule. */
export interface Item extends TextBox {
  readonly size: number;
  readonly amount: number;
  /** Dots lead from its words to a page number. */
  readonly leads?: boolean;
}

/** Each side of a gutter must have so many lines beside each other. */
const LEAST_LINES = 3;
/** Entries of contents take up to three lines, the last of which has the leader. */
const LEADERS = 0.3;
/** With more rules than this they belong to a drawing. */
const DEPTH = 8;

/**
 * Splits the items of a page into regions without columns, in reading order. In: pieces, tables and rules in any order.
 * Out: lists of items, each read from top to bottom; every item is in exactly one. The gutter that separates most lines
 * is found; above and below whatever lies across it, both sides are split again, left before right. Cost: at most 24
 * gutters a level, each a pass over the items, and 8 levels.
 */
export function regionsOf<T extends Item>(items: readonly T[], depth = 0): T[][] {
  const gutter = depth < DEPTH && items.length >= 2 * LEAST_LINES ? findGutter(items) : undefined;
  if (gutter === undefined) return items.length > 0 ? [[...items]] : [];
  const regions: T[][] = [];
  let full: T[] = [];
  const endFull = () => {
    if (full.length > 0) pushAll(regions, regionsOf(full, depth + 1));
    full = [];
  };
  for (const band of bandsAt(sorted(items), gutter)) {
    if (band.score > 0) {
      endFull();
      for (const side of [regionsOf(band.left, depth + 1), regionsOf(band.right, depth + 1)]) pushAll(regions, side);
    } else for (const part of [band.left, band.right, band.across]) pushAll(full, part);
  }
  // A single band without columns would be split the same way for ever.
  if (full.length === items.length) return [[...items]];
  endFull();
  return regions;
}

interface Band<T> {
  readonly left: T[];
  readonly right: T[];
  readonly across: T[];
  score: number;
}

/** Items in the two orders that every gutter needs, sorted once. */
interface Sorted<T> {
  readonly byTop: readonly T[];
  readonly byMiddle: readonly T[];
}

function sorted<T extends Item>(items: readonly T[]): Sorted<T> {
  return { byTop: [...items].sort((a, b) => a.y0 - b.y0), byMiddle: [...items].sort((a, b) => middle(a) - middle(b)) };
}

/** The bands above, between and below the items that lie across a gutter. */
function bandsAt<T extends Item>({ byTop, byMiddle }: Sorted<T>, x: number): Band<T>[] {
  const across = byTop.filter((item) => item.x0 < x - 1 && item.x1 > x + 1);
  const beside = byMiddle.filter((item) => !(item.x0 < x - 1 && item.x1 > x + 1));
  const bands: Band<T>[] = [];
  let next = 0;
  const takeUntil = (y: number) => {
    const band: Band<T> = { left: [], right: [], across: [], score: 0 };
    for (let item = beside[next]; item !== undefined && middle(item) < y; item = beside[next]) {
      (item.x1 <= x + 1 ? band.left : band.right).push(item);
      next++;
    }
    band.score = linesBeside(band.left, band.right);
    if (band.left.length + band.right.length > 0) bands.push(band);
  };
  for (const item of across) {
    takeUntil(middle(item));
    bands.push({ left: [], right: [], across: [item], score: 0 });
  }
  takeUntil(Infinity);
  return bands;
}

export function middle({ y0, y1 }: TextBox): number {
  return (y0 + y1) / 2;
}

/** How many lines stand beside each other as columns: 0 for too few, and for a table whose cells share their lines. */
function linesBeside(left: readonly Item[], right: readonly Item[]): number {
  if (Math.min(left.length, right.length) < LEAST_LINES) return 0;
  const [l, r] = [linesOf(left), linesOf(right)];
  const count = Math.min(l.length, r.length);
  const [[firstLeft], [firstRight], lastLeft, lastRight] = [l, r, l.at(-1), r.at(-1)];
  if (count < LEAST_LINES || !firstLeft || !firstRight || !lastLeft || !lastRight) return 0;
  const [top, bottom] = [Math.max(firstLeft.y0, firstRight.y0), Math.min(lastLeft.y1, lastRight.y1)];
  if (bottom - top < LEAST_LINES * 0.8 * Math.min(firstLeft.size, firstRight.size)) return 0;
  const isContents = (lines: readonly LineBox[], side: readonly Item[]) =>
    side.filter((item) => item.leads).length > LEADERS * lines.length;
  if (isContents(l, left) && isContents(r, right)) return count;
  // A side may have columns of its own, whose lines are measured one by one.
  const isProse = (lines: readonly LineBox[], side: readonly Item[]) =>
    fillsWidth(lines) || fillsWidth(side.map((item) => ({ ...item, squares: item.amount ** 2 }))) || isJustified(side);
  if (shareLines(l, r) && !(isProse(l, left) && isProse(r, right))) return 0;
  return standInRows(left, right) ? 0 : count;
}

/** Rows are further apart than this, in em; lines are closer. */
const ROW_GAP = 0.5;
/** Gaps between rows differ by less than this, in em, and cells are no higher than that. */
const SAME_GAP = 0.5;
const TALLEST_CELL = 12;

/**
 * Rows of cells with several lines: the same gaps separate the rows of both sides, although one side has more lines.
 * Paragraphs of two columns do not all begin at one height.
 */
function standInRows(left: readonly Item[], right: readonly Item[]): boolean {
  const all = [left, right].flatMap((items, side) =>
    items.filter(({ amount }) => amount > 0).map((item) => ({ item, side })),
  );
  const gaps: number[] = [];
  let bottom = Number.NEGATIVE_INFINITY;
  const rows = runsOf(
    all.sort((a, b) => a.item.y0 - b.item.y0),
    ({ item }, run) => {
      bottom = Math.max(bottom, lastOf(run).item.y1);
      const gap = (item.y0 - bottom) / item.size;
      if (gap > ROW_GAP) gaps.push(gap);
      return gap <= ROW_GAP;
    },
  );
  const heightOf = (row: (typeof all)[number][], side: number) => {
    const { y0, y1 } = around(row.flatMap((piece) => (piece.side === side ? piece.item : [])));
    return y1 - y0;
  };
  const full = rows.map((row) => [heightOf(row, 0), heightOf(row, 1)] as const).filter(([l, r]) => Math.min(l, r) >= 0);
  const size = all[0]?.item.size ?? 1;
  const uneven = full.filter(([l, r]) => Math.abs(l - r) > 0.8 * size).length;
  if (full.length < 3 || full.length < 0.75 * rows.length || uneven < 2) return false;
  const usual = median(gaps) ?? 0;
  const same = gaps.filter((gap) => Math.abs(gap - usual) < SAME_GAP).length;
  return same >= 0.7 * gaps.length && greatest(full.flat()) < TALLEST_CELL * size;
}

const NEIGHBOURS = 3;

interface LineBox extends TextBox {
  size: number;
  amount: number;
  squares: number;
}

function linesOf(items: readonly Item[]): LineBox[] {
  const lines: LineBox[] = [];
  for (const item of items) {
    if (item.amount === 0) continue;
    const last = lines.at(-1);
    if (last !== undefined && middle(item) < last.y1 - 0.25 * item.size && item.y1 - item.y0 < 3 * item.size) {
      last.x0 = Math.min(last.x0, item.x0);
      last.x1 = Math.max(last.x1, item.x1);
      last.y1 = Math.max(last.y1, item.y1);
      last.amount += item.amount;
      last.squares += item.amount ** 2;
    } else {
      const { x0, y0, x1, y1, size, amount } = item;
      lines.push({ x0, y0, x1, y1, size, amount, squares: amount ** 2 });
    }
  }
  return lines;
}

/** Lines of prose have more characters than this, even in narrow columns. */
const PROSE = 20;
/** In em; even prose with double spacing is closer. */
const WIDEST_PITCH = 2.6;

/** Cells of one row share a baseline and are short; columns of prose may share baselines, but fill their width. */
function shareLines(left: readonly LineBox[], right: readonly LineBox[]): boolean {
  let shared = 0;
  for (const line of left) {
    if (right.some((other) => Math.abs(other.y1 - line.y1) < 0.3 * line.size)) shared++;
  }
  return shared >= 0.6 * Math.min(left.length, right.length);
}

/** Text that runs round a figure is narrower beside it: a line is measured by those above and below it. */
function fillsWidth(all: readonly LineBox[]): boolean {
  const lines = all.filter((line) => line.amount > 0);
  const pitches = pairs(lines).flatMap(([above, line]) =>
    line.y1 > above.y1 ? [(line.y1 - above.y1) / line.size] : [],
  );
  if ((median(pitches) ?? 0) > WIDEST_PITCH) return false;
  // The average length of the item that holds a character: several short cells on one line are not prose.
  const squares = lines.reduce((sum, line) => sum + line.squares, 0);
  const length = squares / lines.reduce((sum, line) => sum + line.amount, 0);
  if (!(length >= PROSE)) return false;
  const filled = lines.filter((line, i) => {
    const near = lines
      .slice(Math.max(0, i - NEIGHBOURS), i + NEIGHBOURS + 1)
      .filter((other) => other.x0 < line.x1 && other.x1 > line.x0);
    const width = greatest(near.map((one) => one.x1)) - least(near.map((one) => one.x0));
    return near.length > 1 && line.x1 - line.x0 > 0.75 * width;
  });
  return filled.length > 0.45 * lines.length;
}

/** In points, characters and shares: edges that differ by less are one, and what justified lines have at least. */
const JUSTIFIED = { flush: 1.5, lines: 6, amount: 12, spread: 3, share: 0.25 };

/**
 * Whether lines of different lengths begin and end at the same places, as in justified prose. Its other lines are in
 * several parts, where spaces are stretched; cells begin and end together only if they are equally long, such as dates.
 */
function isJustified(items: readonly Item[]): boolean {
  const { flush, lines, amount, spread, share } = JUSTIFIED;
  const places = new Map<string, number[]>();
  for (const item of items)
    if (item.amount > 0)
      listAt(places, `${Math.round(item.x0 / flush)} ${Math.round(item.x1 / flush)}`).push(item.amount);
  const whole = [...places.values()].filter(
    (list) => list.length >= lines && (median(list) ?? 0) >= amount && greatest(list) - least(list) >= spread,
  );
  const sum = (list: readonly number[]) => list.reduce((all, each) => all + each, 0);
  return sum(whole.flat()) > share * sum(items.map((item) => item.amount));
}

/** The x at which most lines stand beside each other and fewest lie across. */
function findGutter(items: readonly Item[]): number | undefined {
  const starts = new Map<number, number>();
  for (const item of items) {
    if (item.amount === 0) continue;
    const x = Math.round(item.x0 / 2) * 2;
    starts.set(x, (starts.get(x) ?? 0) + 1);
  }
  const left = least(items.map((item) => item.x0));
  const candidates = [...starts].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, 24);
  const orders = sorted(items);
  let best: number | undefined;
  let bestScore = 0;
  for (const [rounded] of candidates) {
    const x = rounded - 2;
    if (x < left + 10 || mostLines(items, x) <= Math.max(bestScore, LEAST_LINES - 1)) continue;
    let score = 0;
    let across = 0;
    for (const band of bandsAt(orders, x)) {
      if (band.score > 0) score += band.score;
      else across += band.across.filter((item) => item.amount > 0).length;
    }
    if (score >= LEAST_LINES && score > 0.15 * across && score > bestScore) {
      best = x;
      bestScore = score;
    }
  }
  return best;
}

/** A quick look: no more lines can stand beside each other than items are wholly on either side. Spares most candidates. */
function mostLines(items: readonly Item[], x: number): number {
  let [left, right] = [0, 0];
  for (const item of items) {
    if (item.amount === 0) continue;
    if (item.x1 <= x + 1) left++;
    else if (item.x0 >= x - 1) right++;
  }
  return Math.min(left, right);
}
