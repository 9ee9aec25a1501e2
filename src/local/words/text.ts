import type { extractText, toJson } from '../../contract/operations/text.ts';
import { codePoints } from '../../pdf/fonts/characters.ts';
import type { LeftOut, PageContent } from '../../pdf/text/content/page-content.ts';
import { layOut } from '../../pdf/text/layout/page-layout.ts';
import { leftOutWarnings, noText, noteOnPages, unreadableWarning } from '../../pdf/text/output/no-text.ts';
import { plainText } from '../../pdf/text/output/plain-text.ts';
import { readDocument } from '../../pdf/text/read-document.ts';
import type { Handler } from '../frame/handler.ts';
import { withWords } from './with-words.ts';

export const extract: Handler<typeof extractText> = async ({ file, pages: asked, ocr, allow_empty }, ctx) => {
  const pages: string[] = [];
  const leftOut: LeftOut[] = [];
  const worded = await withWords(file, ocr, ctx, asked);
  const visit = (content: PageContent) => {
    const layout = layOut(content);
    const text = plainText(layout);
    leftOut.push(layout.leftOut);
    if (text !== '') pages.push(text);
  };
  const { pageCount, warnings, unreadable } = await readDocument(worded.file, ctx, visit, { pages: asked });
  if (pages.length === 0 && !allow_empty) throw noText(file);
  const text = pages.length === 0 ? '' : `${pages.join('\n\n')}\n`;
  const recognised = worded.pages.length === 0 ? {} : { ocr_pages: worded.pages };
  const record = { ok: true, text, page_count: pageCount, ...recognised };
  const all = [...worded.warnings, ...warnings, ...unreadableWarning(unreadable), ...leftOutWarnings(leftOut)];
  return { kind: 'record', record, warnings: all };
};

export const pagesAsJson: Handler<typeof toJson> = async ({ file, pages: asked, ocr }, ctx) => {
  const pages: { page_number: number; text: string; char_count: number; ocr?: true }[] = [];
  const leftOut: LeftOut[] = [];
  const worded = await withWords(file, ocr, ctx, asked);
  const visit = (content: PageContent, page_number: number) => {
    const layout = layOut(content);
    const text = plainText(layout);
    leftOut.push(layout.leftOut);
    const recognised = worded.pages.includes(page_number) ? { ocr: true as const } : {};
    pages.push({ page_number, text, char_count: codePoints(text), ...recognised });
  };
  const { info, pageCount, warnings, unreadable } = await readDocument(worded.file, ctx, visit, { pages: asked });
  const empty = pages.filter((page) => page.char_count === 0).map((page) => page.page_number);
  const note = noteOnPages(empty, pages.length);
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
  const all = [...worded.warnings, ...warnings, ...unreadableWarning(unreadable), ...leftOutWarnings(leftOut)];
  return { kind: 'record', record, warnings: all };
};
