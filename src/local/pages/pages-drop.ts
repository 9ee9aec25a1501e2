import type { InputOf, ResultOf } from '../../contract/operation.ts';
import type { pagesDrop } from '../../contract/operations/page-order.ts';
import type { Context } from '../../contract/ports.ts';
import { allPages, noneLeft, pagesIn, pickPages } from './pick-pages.ts';

export function run({ file, pages }: InputOf<typeof pagesDrop>, ctx: Context): Promise<ResultOf<typeof pagesDrop>> {
  return pickPages(
    file,
    'dropped.pdf',
    (source) => {
      const gone = new Set(pagesIn(pages, source));
      const left = allPages(source).filter((page) => !gone.has(page));
      if (left.length === 0) throw noneLeft(source);
      return left;
    },
    ctx,
  );
}
