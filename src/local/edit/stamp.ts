import { Failure } from '../../contract/failure.ts';
import { PDF } from '../../contract/media.ts';
import type { InputOf, ResultOf } from '../../contract/operation.ts';
import type { stamp } from '../../contract/operations/edit.ts';
import type { Context } from '../../contract/ports.ts';
import { fingerprint } from '../../pdf/copy/assemble.ts';
import type { Mark } from '../../pdf/edit/stamp/stamp-pages.ts';
import { stampPages } from '../../pdf/edit/stamp/stamp-pages.ts';
import { filled } from '../../pdf/edit/stamp/template.ts';
import { onDisk } from '../../pdf/on-disk.ts';
import { Pace } from '../../pdf/pace.ts';
import { signatureWarning } from '../../pdf/read/signature.ts';
import { type Source, withSources } from '../../pdf/read/source.ts';
import { numbersOf } from '../../pdf/render/page-names.ts';
import { checked } from '../../pdf/write/check.ts';
import { dayOf, readColour, readFont, shortName } from './text-options.ts';

/** Points: half an inch. */
const MARGIN = 36;

export async function run(input: InputOf<typeof stamp>, ctx: Context): Promise<ResultOf<typeof stamp>> {
  const { file, text, image, pdf, scale = 1, size = 24, ...choices } = input;
  if ([text, image, pdf].filter((each) => each !== undefined).length !== 1) {
    throw new Failure('usage', 'stamp needs something to put on the pages', {
      hint: 'Give one of --text, --image and --pdf.',
    });
  }
  const colour = readColour(input.color);
  const font = await readFont(input);
  return withSources(pdf === undefined ? [file] : [file, pdf], ctx, async (sources, temp) => {
    const [source, other] = sources as [Source, Source | undefined];
    const total = source.tree.pages.length;
    const pages = new Set(numbersOf(file.name, total, input.pages));
    const facts = { pages: total, file: shortName(file.name), date: dayOf(ctx.clock) };
    const texts = new Map([...pages].map((page) => [page, filled(text ?? '', { ...facts, page })]));
    const mark: Mark =
      other !== undefined
        ? { kind: 'page', source: other, numbers: new Map([...pages].map((page) => [page, 1])), scale }
        : image !== undefined
          ? { kind: 'picture', source: onDisk(image), scale, signal: ctx.signal }
          : { kind: 'text', texts, style: { font, size, colour } };
    const { position = 'center', margin = pdf === undefined ? MARGIN : 0, rotation = 0 } = choices;
    const { opacity = 1, under = false } = choices;
    const wish = { mark, pages, position, margin, rotation, opacity, under };
    const draft = temp.create('stamped.pdf');
    const said = JSON.stringify([text, scale, size, font.name, colour, choices, [...pages]]);
    await stampPages(source, draft, fingerprint(sources, `stamp ${said}`), new Pace(ctx), wish, (done) =>
      ctx.progress({ phase: 'stamp', done, total, unit: 'pages' }),
    );
    const body = await checked(draft.finish(), total);
    return { kind: 'bytes', mediaType: PDF, body, pages: total, warnings: signatureWarning(source.file) };
  });
}
