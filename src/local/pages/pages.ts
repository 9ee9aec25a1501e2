// The operations that make one PDF of some pages of another.

import { Failure } from '../../contract/base/failure.ts';
import type { ByteSource, BytesResult, Context } from '../../contract/base/ports.ts';
import { pagesOf } from '../../contract/base/wording.ts';
import type { pagesDrop, pagesOrder, pagesReverse, pagesTake } from '../../contract/operations/pages/page-order.ts';
import type { Source } from '../../pdf/file/open.ts';
import { inputOf } from '../../pdf/structure/input.ts';
import { NewDocument } from '../../pdf/structure/new-document.ts';
import type { Handler } from '../frame/handler.ts';
import { writePdf } from '../frame/write-pdf.ts';
import { allPages, pagesIn } from './chosen-pages.ts';

export const take: Handler<typeof pagesTake> = ({ file, pages }, ctx) =>
  pickPages(file, 'pages.pdf', ctx, (source) => pagesIn(pages, source));

export const drop: Handler<typeof pagesDrop> = ({ file, pages }, ctx) =>
  pickPages(file, 'dropped.pdf', ctx, (source) => {
    const gone = new Set(pagesIn(pages, source));
    const all = allPages(source);
    const left = all.filter((page) => !gone.has(page));
    if (left.length > 0) return left;
    throw new Failure('usage', `${file.name} has ${pagesOf(all.length)}; none would be left`, {
      hint: 'Name fewer pages.',
    });
  });

export const reverse: Handler<typeof pagesReverse> = ({ file, pages }, ctx) =>
  pickPages(file, 'reversed.pdf', ctx, (source) => {
    const all = allPages(source);
    if (pages === undefined) return all.reverse();
    const turned = [...new Set(pagesIn(pages, source))].sort((a, b) => a - b);
    const instead = new Map(turned.map((page, i) => [page, turned[turned.length - 1 - i] ?? page]));
    return all.map((page) => instead.get(page) ?? page);
  });

/** The named pages come first, followed by all others. */
export const order: Handler<typeof pagesOrder> = ({ file, pages }, ctx) =>
  pickPages(file, 'ordered.pdf', ctx, (source) => {
    const named = new Set<number>();
    for (const page of pagesIn(pages, source)) {
      if (named.has(page)) {
        throw new Failure('usage', `${pages} names page ${page} twice`, { hint: 'Name each page once.' });
      }
      named.add(page);
    }
    return [...named, ...allPages(source).filter((page) => !named.has(page))];
  });

/** Makes a PDF of the pages that `choose` returns (from 1), with everything that belongs to them. `name`: of the draft. */
export function pickPages(
  file: ByteSource,
  name: string,
  ctx: Context,
  choose: (source: Source) => readonly number[],
): Promise<BytesResult> {
  return writePdf([file], name, ctx, async ({ source, draft, pace, id }) => {
    const pages = choose(source);
    ctx.progress({ phase: 'pages', done: 0, total: pages.length, unit: 'pages' });
    const places = pages.map((page) => page - 1);
    const input = inputOf(source, 0, places);
    const document = new NewDocument(draft, [input], pace);
    await document.add(input);
    await document.finish(id(`pages ${pages.join(' ')}`));
    return { pages: pages.length, warnings: document.warnings };
  });
}
