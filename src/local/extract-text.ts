// Owns extract-text on the local engine. Knows neither terminal nor HTTP.
import type { InputOf, ResultOf } from '../contract/operation.ts';
import type { extractText } from '../contract/operations/text.ts';
import type { Context } from '../contract/ports.ts';
import { noText } from '../pdf/text/no-text.ts';
import { layOut } from '../pdf/text/page-layout.ts';
import { plainText } from '../pdf/text/plain-text.ts';
import { pagesOf, withDocument } from '../pdf/text/read-document.ts';

export async function run(
  { file, allow_empty = false }: InputOf<typeof extractText>,
  ctx: Context,
): Promise<ResultOf<typeof extractText>> {
  return withDocument(file, ctx, async (open) => {
    const pages: string[] = [];
    for await (const { content } of pagesOf(open, file, ctx)) pages.push(plainText(layOut(content)));
    if (!allow_empty && pages.every((text) => text === '')) throw noText(file);
    const text = pages.filter((page) => page !== '').join('\n\n');
    return { kind: 'record', record: { ok: true, text: text === '' ? '' : `${text}\n`, page_count: pages.length } };
  });
}
