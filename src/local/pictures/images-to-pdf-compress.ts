import type { InputOf, ResultOf } from '../../contract/operation.ts';
import type { imagesToPdfCompress } from '../../contract/operations/size.ts';
import type { Context } from '../../contract/ports.ts';
import { imagesPdf } from '../../pdf/images/images-pdf.ts';
import { shrink } from '../../pdf/shrink/shrink.ts';
import { unnamed } from '../merge-compress.ts';

export async function run(
  input: InputOf<typeof imagesToPdfCompress>,
  ctx: Context,
): Promise<ResultOf<typeof imagesToPdfCompress>> {
  const { file, target_bytes: targetBytes, page_size = 'fit', margin = 0, ...choices } = input;
  const draft = ctx.temp.create('images.pdf');
  await imagesPdf(file, draft, { size: page_size, margin, dpi: undefined }, ctx);
  const originalBytes = file.reduce((sum, { size = 0 }) => sum + size, 0);
  return shrink(draft.finish(), 'images-compressed.pdf', { targetBytes, originalBytes, ...choices }, unnamed(ctx));
}
