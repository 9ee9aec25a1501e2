import { runsOf } from '../../syntax/arrays.ts';
import type { TextBox } from './page-content.ts';

/** Lines with a gap up to this still meet, in points. */
export const MEET = 3;

/** Joins horizontal rules at one height that touch. */
export function joined(rules: readonly TextBox[]): TextBox[] {
  const result: TextBox[] = [];
  const sorted = [...rules].sort((a, b) => a.y0 - b.y0);
  for (const row of runsOf(sorted, (rule, [first]) => rule.y0 - first.y0 < 2)) {
    let last: TextBox | undefined;
    for (const rule of row.sort((a, b) => a.x0 - b.x0)) {
      if (last !== undefined && rule.x0 <= last.x1 + MEET) {
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
