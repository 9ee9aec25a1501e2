import { PDF } from '../../contract/media.ts';
import type { InputOf, ResultOf } from '../../contract/operation.ts';
import type { number } from '../../contract/operations/edit.ts';
import type { Context } from '../../contract/ports.ts';
import { fingerprint } from '../../pdf/copy/assemble.ts';
import { stampPages } from '../../pdf/edit/stamp/stamp-pages.ts';
import { filled } from '../../pdf/edit/stamp/template.ts';
import { Pace } from '../../pdf/pace.ts';
import { signatureWarning } from '../../pdf/read/signature.ts';
import { type Source, withSources } from '../../pdf/read/source.ts';
import { numbersOf } from '../../pdf/render/page-names.ts';
import { checked } from '../../pdf/write/check.ts';
import { dayOf, readColour, readFont, shortName } from './text-options.ts';

/** Points: a third of an inch, where footers are. */
const MARGIN = 24;

export async function run(input: InputOf<typeof number>, ctx: Context): Promise<ResultOf<typeof number>> {
  const { file, start = 1, format = '{page}', position = 'bottom', margin = MARGIN, size = 10 } = input;
  const colour = readColour(input.color);
  const font = await readFont(input);
  return withSources([file], ctx, async (sources, temp) => {
    const [source] = sources as [Source];
    const total = source.tree.pages.length;
    const pages = new Set([...numbersOf(file.name, total, input.pages)].sort((a, b) => a - b));
    const facts = { pages: start + pages.size - 1, file: shortName(file.name), date: dayOf(ctx.clock) };
    const texts = new Map([...pages].map((page, i) => [page, filled(format, { ...facts, page: start + i })]));
    const mark = { kind: 'text', texts, style: { font, size, colour } } as const;
    const wish = { mark, pages, position, margin, rotation: 0, opacity: 1, under: false };
    const draft = temp.create('numbered.pdf');
    const said = JSON.stringify([[...texts], position, margin, size, font.name, colour]);
    await stampPages(source, draft, fingerprint(sources, `number ${said}`), new Pace(ctx), wish, (done) =>
      ctx.progress({ phase: 'number', done, total, unit: 'pages' }),
    );
    const body = await checked(draft.finish(), total);
    return { kind: 'bytes', mediaType: PDF, body, pages: total, warnings: signatureWarning(source.file) };
  });
}
