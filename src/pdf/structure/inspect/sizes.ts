import { wholeDictOfPage } from '../../file/read/page-dict.ts';
import type { Page } from '../../file/read/page-tree.ts';
import type { PdfFile } from '../../file/read/pdf-file.ts';
import { mediaBox, viewOf } from '../../page/view.ts';
import { Damage } from '../../syntax/damage.ts';

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
    const dict = wholeDictOfPage(file, page);
    if (mediaBox(file, dict) === undefined) return 'unknown';
    const { width, height } = viewOf(file, dict, page.rotate);
    return `${[width, height].map((side) => Math.round(side * 100) / 100).join(' x ')} pt`;
  } catch (error) {
    if (error instanceof Damage) return 'unknown';
    throw error;
  }
}
