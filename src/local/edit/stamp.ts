import { Failure } from '../../contract/failure.ts';
import { STAMP_MARGIN, type stamp } from '../../contract/operations/edit/stamp.ts';
import { field, say } from '../../contract/wording.ts';
import type { Mark } from '../../pdf/edit/stamp/stamp-pages.ts';
import { stampPages, whyNotPicture } from '../../pdf/edit/stamp/stamp-pages.ts';
import { filled } from '../../pdf/edit/stamp/template.ts';
import { type LostClaims, losesArchive, losesByOverlay, losesByTransparency } from '../../pdf/file/drop-claim.ts';
import type { Source } from '../../pdf/file/open.ts';
import { onDisk } from '../../pdf/file/read/random-access.ts';
import { askedPages } from '../../pdf/page/page-names.ts';
import type { Handler } from '../frame/handler.ts';
import { baseName } from '../frame/names.ts';
import { type MadePdf, type Making, writePdf } from '../frame/write-pdf.ts';
import { chosenFont, dayOf, readColour } from './text-options.ts';

export const run: Handler<typeof stamp> = async (input, ctx) => {
  const { file, text, image, pdf, scale, size, position, rotation, opacity, under, incremental, ...choices } = input;
  if ([text, image, pdf].filter((content) => content !== undefined).length !== 1) {
    throw new Failure('usage', 'stamp needs something to put on the pages', {
      hint: say`Give one of ${field('text')}, ${field('image')} and ${field('pdf')}.`,
    });
  }
  const colour = readColour(input.color);
  const write = async ({ source, sources, total, draft, pace, append, id, step }: Making): Promise<MadePdf> => {
    const [, other] = sources;
    const pages = new Set(askedPages(file.name, total, input.pages));
    const facts = { pages: total, file: baseName(file.name), date: dayOf(ctx.clock) };
    const texts = new Map([...pages].map((page) => [page, filled(text ?? '', { ...facts, page })]));
    const font = await chosenFont(input, texts.values(), ctx, sources);
    const mark: Mark =
      other !== undefined
        ? { kind: 'page', source: other, numbers: new Map([...pages].map((page) => [page, 1])), scale }
        : image !== undefined
          ? { kind: 'picture', source: onDisk(image), scale, signal: ctx.signal }
          : { kind: 'text', texts, style: { font, size, colour } };
    const { margin = pdf === undefined ? { usual: STAMP_MARGIN } : 0 } = choices;
    const place = { position, margin, rotation, opacity, under };
    const options = { mark, pages, append, ...place };
    const description = JSON.stringify([text, scale, size, font.name, colour, place, [...pages]]);
    await stampPages(source, draft, id(`stamp ${description}`), pace, options, () => step('stamp'));
    return {};
  };
  const loses = (sources: readonly Source[]): LostClaims => ({
    ...(pdf === undefined ? {} : losesByOverlay(sources)),
    ...(image === undefined ? {} : losesArchive(sources[0] && whyNotPicture(sources[0], onDisk(image)))),
    ...(opacity < 1 ? losesByTransparency(sources) : {}),
  });
  return writePdf(pdf === undefined ? [file] : [file, pdf], 'stamped.pdf', ctx, write, {
    loses,
    incremental,
  });
};
