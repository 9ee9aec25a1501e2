import { PDF } from '../../contract/media.ts';
import type { InputOf, ResultOf } from '../../contract/operation.ts';
import type { overlay } from '../../contract/operations/edit.ts';
import type { Context } from '../../contract/ports.ts';
import { fingerprint } from '../../pdf/copy/assemble.ts';
import { stampPages } from '../../pdf/edit/stamp/stamp-pages.ts';
import { Pace } from '../../pdf/pace.ts';
import { signatureWarning } from '../../pdf/read/signature.ts';
import { type Source, withSources } from '../../pdf/read/source.ts';
import { numbersOf } from '../../pdf/render/page-names.ts';
import { checked } from '../../pdf/write/check.ts';

export function run(input: InputOf<typeof overlay>, ctx: Context): Promise<ResultOf<typeof overlay>> {
  const { file, pdf, repeat = 'none', opacity = 1, under = false } = input;
  return withSources([file, pdf], ctx, async (sources, temp) => {
    const [source, other] = sources as [Source, Source];
    const total = source.tree.pages.length;
    const chosen = [...new Set(numbersOf(file.name, total, input.pages))].sort((a, b) => a - b);
    const count = other.tree.pages.length;
    const numbers = new Map(
      chosen.flatMap((page, i) => {
        const number = i < count ? i + 1 : repeat === 'last' ? count : repeat === 'all' ? (i % count) + 1 : undefined;
        return number === undefined ? [] : [[page, number] as const];
      }),
    );
    const mark = { kind: 'page', source: other, numbers, scale: 1 } as const;
    const place = { position: 'center', margin: 0, rotation: 0 };
    const wish = { mark, pages: new Set(numbers.keys()), ...place, opacity, under };
    const draft = temp.create('overlaid.pdf');
    const said = JSON.stringify([[...numbers], opacity, under]);
    await stampPages(source, draft, fingerprint(sources, `overlay ${said}`), new Pace(ctx), wish, (done) =>
      ctx.progress({ phase: 'overlay', done, total, unit: 'pages' }),
    );
    const body = await checked(draft.finish(), total);
    const left = count - chosen.length;
    const warnings = [
      ...(left > 0 ? [`${pdf.name}: its last ${left} pages were not used`] : []),
      ...signatureWarning(source.file),
    ];
    return { kind: 'bytes', mediaType: PDF, body, pages: total, warnings };
  });
}
