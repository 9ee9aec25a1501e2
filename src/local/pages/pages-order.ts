import type { InputOf, ResultOf } from '../../contract/operation.ts';
import type { pagesOrder } from '../../contract/operations/page-order.ts';
import type { Context } from '../../contract/ports.ts';
import { allPages, assertOnce, pagesIn, pickPages } from './pick-pages.ts';

export function run({ file, pages }: InputOf<typeof pagesOrder>, ctx: Context): Promise<ResultOf<typeof pagesOrder>> {
  return pickPages(
    file,
    'ordered.pdf',
    (source) => {
      const first = pagesIn(pages, source);
      assertOnce(first, pages);
      const named = new Set(first);
      return [...first, ...allPages(source).filter((page) => !named.has(page))];
    },
    ctx,
  );
}
