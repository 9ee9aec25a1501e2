import { completeInput } from '../contract/operation.ts';
import { merge as mergeRow } from '../contract/operations/pages/pages.ts';
import type { compress, imagesToPdfCompress, mergeCompress } from '../contract/operations/size/compress.ts';
import { askedPages } from '../pdf/page/page-names.ts';
import { shrink } from '../pdf/shrink/shrink.ts';
import type { Handler } from './frame/handler.ts';
import { unnamed } from './frame/unnamed.ts';
import { pickPages } from './pages/pages.ts';

export const compressOne: Handler<typeof compress> = async (input, ctx) => {
  const { file, target_bytes: targetBytes, pages, ...choices } = input;
  if (pages === undefined) return shrink(file, 'compressed.pdf', { targetBytes, ...choices }, ctx);
  const some = await pickPages(file, 'pages.pdf', ctx, ({ tree }) => askedPages(file.name, tree.pages.length, pages));
  const options = { targetBytes, ...choices, originalBytes: file.size };
  const result = await shrink(some.body, 'compressed.pdf', options, unnamed(ctx));
  return { ...result, warnings: [...new Set([...(some.warnings ?? []), ...(result.warnings ?? [])])] };
};

export const mergeAndCompress: Handler<typeof mergeCompress> = async (input, ctx) => {
  const { file, target_bytes: targetBytes, ...choices } = input;
  const { run: merge } = await import('./merge.ts');
  const merged = await merge(completeInput(mergeRow, { file }), ctx);
  const options = { targetBytes, originalBytes: file.reduce((sum, { size = 0 }) => sum + size, 0), ...choices };
  const result = await shrink(merged.body, 'merged-compressed.pdf', options, unnamed(ctx));
  return { ...result, warnings: [...new Set([...(merged.warnings ?? []), ...(result.warnings ?? [])])] };
};

export const compressImages: Handler<typeof imagesToPdfCompress> = async (input, ctx) => {
  const { file, target_bytes: targetBytes, page_size, margin, ...choices } = input;
  const draft = ctx.temp.create('images.pdf');
  const { imagesPdf } = await import('../pdf/images-to-pdf/images-pdf.ts');
  await imagesPdf(file, draft, { size: page_size, margin, dpi: undefined }, ctx);
  const originalBytes = file.reduce((sum, { size = 0 }) => sum + size, 0);
  const options = { targetBytes, originalBytes, fromImages: true, ...choices };
  return shrink(draft.finish(), 'images-compressed.pdf', options, unnamed(ctx));
};
