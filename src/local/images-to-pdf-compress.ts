import type { imagesToPdfCompress } from '../contract/operations/size/compress.ts';
import { imagesPdf } from '../pdf/images-to-pdf/images-pdf.ts';
import { shrink } from '../pdf/shrink/shrink.ts';
import type { Handler } from './frame/handler.ts';
import { unnamed } from './frame/unnamed.ts';

export const run: Handler<typeof imagesToPdfCompress> = async (input, ctx) => {
  const { file, target_bytes: targetBytes, page_size, margin, ...choices } = input;
  const draft = ctx.temp.create('images.pdf');
  await imagesPdf(file, draft, { size: page_size, margin, dpi: undefined }, ctx);
  const originalBytes = file.reduce((sum, { size = 0 }) => sum + size, 0);
  const options = { targetBytes, originalBytes, fromImages: true, ...choices };
  return shrink(draft.finish(), 'images-compressed.pdf', options, unnamed(ctx));
};
