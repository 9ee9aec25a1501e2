import { NDJSON, PDF } from '../../contract/media.ts';
import type { InputOf, ResultOf } from '../../contract/operation.ts';
import type { ocr } from '../../contract/operations/pictures.ts';
import type { Context } from '../../contract/ports.ts';
import { signatureWarning } from '../../pdf/read/signature.ts';
import { type Source, withSources } from '../../pdf/read/source.ts';
import { numbersOf } from '../../pdf/render/page-names.ts';
import { pagesNamed } from '../../pdf/text/output/no-text.ts';
import { withoutInvisibleText } from '../../pdf/text-layer/remove-layer.ts';
import { checked } from '../../pdf/write/check.ts';
import { pagesWithText } from '../words/pages-with-text.ts';
import { addTextLayers } from './text-layers.ts';

export function run(input: InputOf<typeof ocr>, ctx: Context): Promise<ResultOf<typeof ocr>> {
  const { file, language = 'eng', all = false, redo = false, deskew } = input;
  return withSources([file], ctx, async (sources, temp) => {
    const [source] = sources as [Source];
    const total = source.tree.pages.length;
    const asked = [...new Set(numbersOf(file.name, total, input.pages))].sort((a, b) => a - b);
    const contents = (page: number) =>
      redo ? withoutInvisibleText(source.file, source.tree.pages[page - 1]!) : undefined;
    const full = all ? new Set<number>() : await pagesWithText(file, ctx);
    const pages = asked.filter((page) => !full.has(page) || contents(page) !== undefined);
    const words = input.text === undefined ? undefined : temp.create('words.jsonl');
    const layered = await addTextLayers(
      source,
      file,
      {
        language,
        pages,
        deskew,
        contents,
        found(page, lines) {
          for (const word of lines.flatMap((line) => line.words)) {
            const box = word.box.map((side) => Math.round(side * 100) / 100);
            const { text, confidence } = word;
            words?.write(Buffer.from(`${JSON.stringify({ page, text, confidence, box })}\n`));
          }
        },
      },
      ctx,
      temp,
    );
    const body = await checked(layered.draft.finish(), total);
    const read = new Set(layered.read);
    const wordless = pages.filter((page) => !read.has(page));
    const warnings = [
      ...(pages.length === 0 ? [`${file.name}: every page has text already; --all reads them again`] : []),
      ...(wordless.length === 0 ? [] : [`${file.name}: no words were found on ${pagesNamed(wordless)}`]),
      ...signatureWarning(source.file, true),
    ];
    const also = words === undefined ? {} : { also: [{ field: 'text', body: words.finish(), mediaType: NDJSON }] };
    return { kind: 'bytes', mediaType: PDF, body, pages: total, warnings, ...also };
  });
}
