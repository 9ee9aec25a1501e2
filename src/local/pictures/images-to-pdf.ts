import { PDF } from '../../contract/media.ts';
import type { InputOf, ResultOf } from '../../contract/operation.ts';
import type { imagesToPdf } from '../../contract/operations/size.ts';
import type { Context } from '../../contract/ports.ts';
import { imagesPdf } from '../../pdf/images/images-pdf.ts';
import { checked } from '../../pdf/write/check.ts';

export async function run(input: InputOf<typeof imagesToPdf>, ctx: Context): Promise<ResultOf<typeof imagesToPdf>> {
  const { file, page_size = 'fit', margin = 0, dpi } = input;
  const draft = ctx.temp.create('images.pdf');
  await imagesPdf(file, draft, { size: page_size, margin, dpi }, ctx);
  const body = await checked(draft.finish(), file.length);
  return { kind: 'bytes', mediaType: PDF, body, pages: file.length };
}
