import type { compress } from '../contract/operations/size/compress.ts';
import { askedPages } from '../pdf/page/page-names.ts';
import { shrink } from '../pdf/shrink/shrink.ts';
import type { Handler } from './frame/handler.ts';
import { unnamed } from './frame/unnamed.ts';
import { pickPages } from './pages/pages.ts';

export const run: Handler<typeof compress> = async (input, ctx) => {
  const { file, target_bytes: targetBytes, pages, ...choices } = input;
  if (pages === undefined) return shrink(file, 'compressed.pdf', { targetBytes, ...choices }, ctx);
  const some = await pickPages(file, 'pages.pdf', ctx, ({ tree }) => askedPages(file.name, tree.pages.length, pages));
  const options = { targetBytes, ...choices, originalBytes: file.size };
  const result = await shrink(some.body, 'compressed.pdf', options, unnamed(ctx));
  return { ...result, warnings: [...new Set([...(some.warnings ?? []), ...(result.warnings ?? [])])] };
};
