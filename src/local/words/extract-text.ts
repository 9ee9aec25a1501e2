import type { extractText } from '../../contract/operations/text.ts';
import type { LeftOut, PageContent } from '../../pdf/text/content/page-content.ts';
import { layOut } from '../../pdf/text/layout/page-layout.ts';
import { leftOutWarnings, noText, unreadableWarning } from '../../pdf/text/output/no-text.ts';
import { plainText } from '../../pdf/text/output/plain-text.ts';
import { readDocument } from '../../pdf/text/read-document.ts';
import type { Handler } from '../frame/handler.ts';
import { withWords } from './with-words.ts';

export const run: Handler<typeof extractText> = async ({ file, pages: asked, ocr, allow_empty }, ctx) => {
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
