import type { overlay } from '../../contract/operations/edit/stamp.ts';
import { stampPages } from '../../pdf/edit/stamp/stamp-pages.ts';
import { type LostClaims, losesByOverlay, losesByTransparency } from '../../pdf/file/drop-claim.ts';
import type { Source } from '../../pdf/file/open.ts';
import { askedPages } from '../../pdf/page/page-names.ts';
import type { Handler } from '../frame/handler.ts';
import { type MadePdf, type Making, writePdf } from '../frame/write-pdf.ts';

export const run: Handler<typeof overlay> = (input, ctx) => {
  const { file, pdf, repeat, opacity, under } = input;
  const write = async ({ source, sources, total, draft, pace, id, step }: Making): Promise<MadePdf> => {
    const [, other] = sources as readonly [Source, Source]; // one for each of the two inputs
    const chosen = [...new Set(askedPages(file.name, total, input.pages))].sort((a, b) => a - b);
    const count = other.tree.pages.length;
    const numbers = new Map(
      chosen.flatMap((page, i) => {
        const number = i < count ? i + 1 : repeat === 'last' ? count : repeat === 'all' ? (i % count) + 1 : undefined;
        return number === undefined ? [] : [[page, number] as const];
      }),
    );
    const mark = { kind: 'page', source: other, numbers, scale: 1 } as const;
    const place = { position: 'center', margin: 0, rotation: 0 };
    const options = { mark, pages: new Set(numbers.keys()), ...place, opacity, under };
    const description = JSON.stringify([[...numbers], opacity, under]);
    await stampPages(source, draft, id(`overlay ${description}`), pace, options, () => step('overlay'));
    const left = count - chosen.length;
    return { warnings: left > 0 ? [`${pdf.name}: its last ${left} pages were not used`] : [] };
  };
  const loses = (sources: readonly Source[]): LostClaims => ({
    ...losesByOverlay(sources),
    ...(opacity < 1 ? losesByTransparency(sources) : {}),
  });
  return writePdf([file, pdf], 'overlaid.pdf', ctx, write, { loses });
};
