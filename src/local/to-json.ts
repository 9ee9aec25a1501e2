// Owns to-json on the local engine. Knows neither terminal nor HTTP.
import type { InputOf, ResultOf } from '../contract/operation.ts';
import type { toJson } from '../contract/operations/text.ts';
import type { Context } from '../contract/ports.ts';
import { documentInfo } from '../pdf/text/document-info.ts';
import { noteOnPages } from '../pdf/text/no-text.ts';
import { layOut } from '../pdf/text/page-layout.ts';
import { plainText } from '../pdf/text/plain-text.ts';
import { pagesOf, withDocument } from '../pdf/text/read-document.ts';

export async function run({ file }: InputOf<typeof toJson>, ctx: Context): Promise<ResultOf<typeof toJson>> {
  return withDocument(file, ctx, async (open) => {
    const pages: { page_number: number; text: string; char_count: number }[] = [];
    for await (const { number, content } of pagesOf(open, file, ctx)) {
      const text = plainText(layOut(content));
      pages.push({ page_number: number, text, char_count: [...text].length });
    }
    const empty = pages.filter((page) => page.char_count === 0).map((page) => page.page_number);
    const note = noteOnPages(empty, pages.length);
    const record = {
      ok: true,
      page_count: pages.length,
      metadata: await documentInfo(open),
      pages,
      text: pages
        .filter((page) => page.text !== '')
        .map((page) => page.text)
        .join('\n\n'),
      extraction_mode: 'pdfjs_text_layer',
      ...(note === undefined ? {} : { note }),
    };
    return { kind: 'record', record };
  });
}
