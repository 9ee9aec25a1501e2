import { PDF } from '../../contract/media.ts';
import type { imagesToPdf } from '../../contract/operations/size/compress.ts';
import { checked } from '../../pdf/file/write/check.ts';
import { imagesPdf } from '../../pdf/images-to-pdf/images-pdf.ts';
import type { Handler } from '../frame/handler.ts';

export const run: Handler<typeof imagesToPdf> = async (input, ctx) => {
  const { file, page_size, margin, dpi } = input;
  const draft = ctx.temp.create('images.pdf');
  await imagesPdf(file, draft, { size: page_size, margin, dpi }, ctx);
  const body = await checked(draft.finish(), file.length);
  return { kind: 'bytes', mediaType: PDF, body, pages: file.length };
};
