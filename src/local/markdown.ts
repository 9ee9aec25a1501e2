// Owns markdown on the local engine. Knows neither terminal nor HTTP.
import type { InputOf, ResultOf } from '../contract/operation.ts';
import type { markdown } from '../contract/operations/text.ts';
import type { Context } from '../contract/ports.ts';
import { addWords } from '../pdf/text/join-lines.ts';
import { layOut, type PageLayout } from '../pdf/text/page-layout.ts';
import { pagesOf, withDocument } from '../pdf/text/read-document.ts';
import { blocksOf } from '../pdf/text/structure.ts';
import { writeBlocks } from '../pdf/text/write-markdown.ts';

export async function run({ file, mode }: InputOf<typeof markdown>, ctx: Context): Promise<ResultOf<typeof markdown>> {
  return withDocument(file, ctx, async (open) => {
    const pages: PageLayout[] = [];
    for await (const { content } of pagesOf(open, file, ctx)) pages.push(layOut(content));
    const vocabulary = new Set<string>();
    for (const page of pages)
      for (const region of page.regions)
        if (region.kind === 'lines') for (const line of region.lines) addWords(line.text, vocabulary);
    const text = writeBlocks(blocksOf(pages), mode === 'rag', vocabulary)
      .map((each) => each.text)
      .join('\n\n');
    const draft = ctx.temp.create('document.md');
    draft.write(new TextEncoder().encode(`${text}\n`));
    return { kind: 'bytes', mediaType: 'text/markdown', body: draft.finish() };
  });
}
