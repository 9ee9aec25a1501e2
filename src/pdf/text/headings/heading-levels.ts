import { greatest, least, listAt, median, pairs } from '../../syntax/arrays.ts';
import type { HeadingStyle } from './headings.ts';

export interface Heading {
  readonly style: HeadingStyle;
  readonly tag?: number;
  readonly depth?: number;
}

/** Text above all chapters in a larger size is the title, so chapters have at most this level. */
const LOWEST_CHAPTER = 2;

/**
 * Computes the levels (1 to 6) of headings in order, with one pass over them for each source of levels. A tag is taken
 * at its word. Levels from bookmarks count down from the style of the top ones: chapters may stand below a title that
 * has no bookmark. Other headings take the level of declared ones with the same style or, by size, between these;
 * without any, styles are ranked.
 */
export function levelsOf(all: readonly Heading[]): number[] {
  const headings: readonly Heading[] = nests(all) ? all : all.map(({ depth: _, ...heading }) => heading);
  const byLooks = looksOf(headings.map(({ style }) => style));
  const top = least(headings.flatMap(({ depth }) => depth ?? []));
  const tops = headings.flatMap(({ style, depth }) => (depth === top ? [byLooks(style)] : []));
  const chapter = Math.min(LOWEST_CHAPTER, usual(tops));
  const declared = headings.map(
    ({ tag, depth }) => tag ?? (depth === undefined ? undefined : Math.min(6, chapter + depth - top)),
  );
  if (declared.every((level) => level === undefined)) return headings.map(({ style }) => byLooks(style));
  const alike = new Map<string, number[]>();
  const sizes = new Map<number, number[]>();
  for (const [i, { style }] of headings.entries()) {
    const level = declared[i];
    if (level === undefined) continue;
    listAt(alike, rankKey(style)).push(level);
    listAt(sizes, level).push(style.size);
  }
  const ladder = [...sizes]
    .map(([level, list]) => ({ level, size: median(list) ?? 0 }))
    .sort((a, b) => a.level - b.level);
  const deepest = greatest(sizes.keys());
  return headings.map(({ style }, i) => {
    const likes = alike.get(rankKey(style));
    if (declared[i] !== undefined || likes === undefined) return declared[i] ?? among(ladder, style.size);
    // Bookmarks end at some depth. A heading that looks like the deepest of them, but has no bookmark, is one level below;
    // unnumbered chapters may lack one, too.
    const below =
      top !== Infinity && style.depth === 0 && likes.length > 1 && usual(likes) === deepest && deepest > chapter;
    return Math.min(6, usual(likes) + Number(below));
  });
}

/** Whether bookmarks put 1.1 below 1. Some lists of bookmarks are flat: they tell titles, but not levels. */
function nests(headings: readonly Heading[]): boolean {
  const depths = new Map<number, number[]>();
  for (const { style, depth } of headings)
    if (style.depth > 0 && depth !== undefined) listAt(depths, style.depth).push(depth);
  const steps = [...depths].sort(([a], [b]) => a - b).map(([, list]) => usual(list));
  return pairs(steps).every(([above, below]) => above < below);
}

/**
 * Styles are ranked by size, weight and the depth of their numbers; the level of a style is how deep most of its
 * headings stand below others. So a style of the title page between two others makes no gap in the levels.
 */
function looksOf(styles: readonly HeadingStyle[]): (style: HeadingStyle) => number {
  const ranks = [...new Map(styles.map((style) => [rankKey(style), style])).entries()].sort(
    ([, a], [, b]) => b.size - a.size || Number(b.bold) - Number(a.bold) || a.depth - b.depth,
  );
  const rankOf = new Map(ranks.map(([key], rank) => [key, rank]));
  const depths = new Map<string, number[]>();
  const above: number[] = [];
  for (const key of styles.map(rankKey)) {
    const rank = rankOf.get(key) ?? 0;
    while ((above.at(-1) ?? -1) >= rank) above.pop();
    listAt(depths, key).push(above.push(rank));
  }
  return (style) => Math.min(6, usual(depths.get(rankKey(style)) ?? []));
}

/** Unnumbered parts, such as references, are set like numbered chapters. */
function rankKey({ size, bold, depth }: HeadingStyle): string {
  return [Math.round(size * 2) / 2, bold, Math.max(1, depth)].join(' ');
}

interface Step {
  readonly level: number;
  readonly size: number;
}

/** The level of a size between those of the steps, highest first: above them if larger, below if smaller. */
function among(ladder: readonly Step[], size: number): number {
  const step = ladder.find((level) => size > level.size * 0.97);
  if (step === undefined) return Math.min(6, (ladder.at(-1)?.level ?? 0) + 1);
  // A heading of the same size in another style, without a bookmark, is below those with one.
  return size > step.size * 1.03 ? Math.max(1, step.level - 1) : Math.min(6, step.level + 1);
}

/** The most frequent level; of several the highest one. */
function usual(levels: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const level of levels) counts.set(level, (counts.get(level) ?? 0) + 1);
  const [[level] = [6]] = [...counts].sort(([a, m], [b, n]) => n - m || a - b);
  return level;
}
