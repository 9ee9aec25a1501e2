import { lastOf, listAt, runsOf } from '../../syntax/arrays.ts';
import type { PageContent, TextBox } from './page-content.ts';

/** Lines with a gap up to this still meet, in points. */
export const MEET = 3;

/** Joins horizontal rules at one height that touch, or are no further apart than `gap`. */
export function joined(rules: readonly TextBox[], gap = MEET): TextBox[] {
  const result: TextBox[] = [];
  const sorted = [...rules].sort((a, b) => a.y0 - b.y0);
  for (const row of runsOf(sorted, (rule, [first]) => rule.y0 - first.y0 < 2)) {
    let last: TextBox | undefined;
    for (const rule of row.sort((a, b) => a.x0 - b.x0)) {
      if (last !== undefined && rule.x0 <= last.x1 + gap) {
        last.x1 = Math.max(last.x1, rule.x1);
        last.y1 = Math.max(last.y1, rule.y1);
      } else {
        last = { ...rule };
        result.push(last);
      }
    }
  }
  return result;
}

/** Parallel lines of hatching are closer than this, in points: no cell is so narrow. */
const HATCHED = 3;
/** So many of them are hatching; a double or triple line is a rule. */
const LEAST_HATCHED = 8;
/** Shorter lines are dashes of a line or strokes of a drawing, in points. */
const LEAST_LENGTH = 12;

/** Rules that reach farther out of the page belong to its background or to the page beside it, in points. */
const OUTSIDE = 20;

/** The rules that may part cells: not hatching, which backgrounds are drawn with, and none that leaves the page. */
export function partingRules(
  all: readonly TextBox[],
  { width, height }: Pick<PageContent, 'width' | 'height'>,
): TextBox[] {
  const rules = all.filter(
    ({ x0, y0, x1, y1 }) => x0 > -OUTSIDE && y0 > -OUTSIDE && x1 < width + OUTSIDE && y1 < height + OUTSIDE,
  );
  if (rules.length < LEAST_HATCHED) return rules;
  const upright = (rule: TextBox) => rule.y1 - rule.y0 >= LEAST_LENGTH && rule.x1 - rule.x0 < HATCHED;
  const level = (rule: TextBox) => rule.x1 - rule.x0 >= LEAST_LENGTH && rule.y1 - rule.y0 < HATCHED;
  const hatching = new Set([
    ...hatched(rules.filter(upright), ({ y0, y1 }) => `${Math.round(y0)} ${Math.round(y1)}`, 'x0'),
    ...hatched(rules.filter(level), ({ x0, x1 }) => `${Math.round(x0)} ${Math.round(x1)}`, 'y0'),
  ]);
  return rules.filter((rule) => !hatching.has(rule));
}

/** Lines of one extent, of which many stand close together. */
function hatched(rules: readonly TextBox[], extent: (rule: TextBox) => string, across: 'x0' | 'y0'): TextBox[] {
  const lines = new Map<string, TextBox[]>();
  for (const rule of rules) listAt(lines, extent(rule)).push(rule);
  return [...lines.values()].flatMap((parallel) => {
    const sorted = parallel.sort((a, b) => a[across] - b[across]);
    const runs = runsOf(sorted, (rule, run) => rule[across] - lastOf(run)[across] < HATCHED);
    return runs.filter((run) => run.length >= LEAST_HATCHED).flat();
  });
}
