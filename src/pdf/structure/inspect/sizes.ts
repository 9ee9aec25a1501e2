import { numberAt } from '../../read/entries.ts';
import { dictOfPage } from '../../read/page-dict.ts';
import type { Inheritable, Page } from '../../read/page-tree.ts';
import type { PdfFile } from '../../read/pdf-file.ts';
import { Damage } from '../../syntax/damage.ts';
import { Parser } from '../../syntax/parser.ts';
import { Dict } from '../../syntax/values.ts';
import { listOf } from '../input.ts';

/** Page numbers by size, such as `612 x 792 pt` and `1-3, 5`, in the order the sizes are met. */
export function pageSizes(file: PdfFile, pages: readonly Page[]): Record<string, string> {
  const bySize = new Map<string, [first: number, last: number][]>();
  for (const [i, page] of pages.entries()) {
    const size = sizeOf(file, page);
    const ranges = bySize.get(size) ?? [];
    bySize.set(size, ranges);
    const last = ranges.at(-1);
    if (last?.[1] === i) last[1] = i + 1;
    else ranges.push([i + 1, i + 1]);
  }
  const list = (ranges: readonly [number, number][]): string =>
    ranges.map(([first, last]) => (first === last ? String(first) : `${first}-${last}`)).join(', ');
  return Object.fromEntries([...bySize].map(([size, ranges]) => [size, list(ranges)]));
}

function sizeOf(file: PdfFile, page: Page): string {
  try {
    const dict = dictOfPage(file, page) ?? new Dict();
    const box = (key: Inheritable): number[] | undefined => {
      const inherited = page.inherited[key];
      const value = dict.get(key) ?? (inherited === undefined ? undefined : new Parser(inherited).value());
      const sides = listOf(file, value).map((side) => file.resolve(side));
      return sides.length === 4 && sides.every((side) => typeof side === 'number') ? sides : undefined;
    };
    const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = box('CropBox') ?? box('MediaBox') ?? [];
    const unit = numberAt(file, dict, 'UserUnit') ?? 1;
    const sides = [Math.abs(x1 - x0) * unit, Math.abs(y1 - y0) * unit].map((side) => Math.round(side * 100) / 100);
    if (page.rotate % 180 !== 0) sides.reverse();
    return sides.some((side) => side === 0) ? 'unknown' : `${sides.join(' x ')} pt`;
  } catch (error) {
    if (error instanceof Damage) return 'unknown';
    throw error;
  }
}
