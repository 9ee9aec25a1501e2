import type { InputOf, ResultOf } from '../../contract/operation.ts';
import type { pagesTake } from '../../contract/operations/page-order.ts';
import type { Context } from '../../contract/ports.ts';
import { pagesIn, pickPages } from './pick-pages.ts';

export function run({ file, pages }: InputOf<typeof pagesTake>, ctx: Context): Promise<ResultOf<typeof pagesTake>> {
  return pickPages(file, 'pages.pdf', (source) => pagesIn(pages, source), ctx);
}
