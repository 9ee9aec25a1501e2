import type { InputOf, ResultOf } from '../../contract/operation.ts';
import type { toJson } from '../../contract/operations/text.ts';
import type { Context } from '../../contract/ports.ts';
import { codePoints } from '../../pdf/text/fonts/characters.ts';
import { layOut } from '../../pdf/text/layout/page-layout.ts';
import { noteOnPages } from '../../pdf/text/output/no-text.ts';
import { plainText } from '../../pdf/text/output/plain-text.ts';
import { readDocument } from '../../pdf/text/read-document.ts';
import { withWords } from './with-words.ts';

export async function run({ file, ocr }: InputOf<typeof toJson>, ctx: Context): Promise<ResultOf<typeof toJson>> {
  const pages: { page_number: number; text: string; char_count: number; ocr?: true }[] = [];
  const worded = await withWords(file, ocr, ctx);
  const { info, pageCount, warnings } = await readDocument(worded.file, ctx, (content, page_number) => {
    const text = plainText(layOut(content));
    const recognised = worded.pages.includes(page_number) ? { ocr: true as const } : {};
    pages.push({ page_number, text, char_count: codePoints(text), ...recognised });
  });
  const empty = pages.filter((page) => page.char_count === 0).map((page) => page.page_number);
  const note = noteOnPages(empty, pageCount);
  const full = pages.filter((page) => page.text !== '').map((page) => page.text);
  const record = {
    ok: true,
    page_count: pageCount,
    metadata: info,
    pages,
    text: full.join('\n\n'),
    extraction_mode: 'pdfjs_text_layer',
    ...(note === undefined ? {} : { note }),
  };
  return { kind: 'record', record, warnings: [...worded.warnings, ...warnings] };
}
