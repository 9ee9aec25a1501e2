import type { InputOf, ResultOf } from '../../contract/operation.ts';
import type { pagesReverse } from '../../contract/operations/page-order.ts';
import type { Context } from '../../contract/ports.ts';
import { allPages, pagesIn, pickPages } from './pick-pages.ts';

export function run(
  { file, pages }: InputOf<typeof pagesReverse>,
  ctx: Context,
): Promise<ResultOf<typeof pagesReverse>> {
  return pickPages(
    file,
    'reversed.pdf',
    (source) => {
      const all = allPages(source);
      if (pages === undefined) return all.reverse();
      const turned = [...new Set(pagesIn(pages, source))].sort((a, b) => a - b);
      const instead = new Map(turned.map((page, i) => [page, turned[turned.length - 1 - i] ?? page]));
      return all.map((page) => instead.get(page) ?? page);
    },
    ctx,
  );
}
