import type { Box } from '../content/page-content.ts';

/** Lines that miss each other by this much still meet, in points. */
export const MEET = 3;

/** Horizontal rules on one height that touch become one. */
export function joined(rules: readonly Box[]): Box[] {
  const result: Box[] = [];
  const rows: Box[][] = [];
  for (const rule of [...rules].sort((a, b) => a.y0 - b.y0)) {
    const row = rows.at(-1);
    if (row !== undefined && rule.y0 - row[0]!.y0 < 2) row.push(rule);
    else rows.push([rule]);
  }
  for (const row of rows) {
    let last: Box | undefined;
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
