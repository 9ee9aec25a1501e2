import type { InputOf, ResultOf } from '../contract/operation.ts';
import type { extractText } from '../contract/operations/text.ts';
import type { Context } from '../contract/ports.ts';
import { noText } from '../pdf/text/no-text.ts';
import { layOut } from '../pdf/text/page-layout.ts';
import { plainText } from '../pdf/text/plain-text.ts';
import { readDocument } from '../pdf/text/read-document.ts';

export async function run(
  { file, allow_empty = false }: InputOf<typeof extractText>,
  ctx: Context,
): Promise<ResultOf<typeof extractText>> {
  const pages: string[] = [];
  const { pageCount, warnings } = await readDocument(file, ctx, (content) => {
    const text = plainText(layOut(content));
    if (text !== '') pages.push(text);
  });
  if (pages.length === 0 && !allow_empty) throw noText(file);
  const text = pages.length === 0 ? '' : `${pages.join('\n\n')}\n`;
  return { kind: 'record', record: { ok: true, text, page_count: pageCount }, warnings };
}
