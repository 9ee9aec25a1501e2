import { Failure } from '../../contract/base/failure.ts';
import { field, say } from '../../contract/base/wording.ts';
import {
  NUMBER_MARGIN,
  type numberPages,
  type overlay,
  STAMP_MARGIN,
  type stamp,
} from '../../contract/operations/edit/stamp.ts';
import { type Mark, stampPages, whyNotPicture } from '../../pdf/edit/stamp/stamp-pages.ts';
import { filled } from '../../pdf/edit/stamp/template.ts';
import { type LostClaims, losesArchive, losesByOverlay, losesByTransparency } from '../../pdf/file/drop-claim.ts';
import type { Source } from '../../pdf/file/open.ts';
import { onDisk } from '../../pdf/file/read/random-access.ts';
import { askedPages } from '../../pdf/page/page-names.ts';
import type { Handler } from '../frame/handler.ts';
import { baseName } from '../frame/names.ts';
import { type MadePdf, type Making, writePdf } from '../frame/write-pdf.ts';
import { chosenFont, dayOf, readColour } from './text-options.ts';

export const numberAll: Handler<typeof numberPages> = async (input, ctx) => {
  const { file, start, format, position, margin = { usual: NUMBER_MARGIN }, size } = input;
  const colour = readColour(input.color);
  const write = async ({ source, sources, total, draft, pace, id, step }: Making): Promise<MadePdf> => {
    const pages = new Set([...askedPages(file.name, total, input.pages)].sort((a, b) => a - b));
    const facts = { pages: start + pages.size - 1, file: baseName(file.name), date: dayOf(ctx.clock) };
    const texts = new Map([...pages].map((page, i) => [page, filled(format, { ...facts, page: start + i })]));
    const font = await chosenFont(input, texts.values(), ctx, sources);
    const mark = { kind: 'text', texts, style: { font, size, colour } } as const;
    const options = { mark, pages, position, margin, rotation: 0, opacity: 1, under: false };
    const description = JSON.stringify([[...texts], position, margin, size, font.name, colour]);
    await stampPages(source, draft, id(`number ${description}`), pace, options, () => step('number'));
    return {};
  };
  return writePdf([file], 'numbered.pdf', ctx, write);
};

export const overlayPages: Handler<typeof overlay> = (input, ctx) => {
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

export const stampAll: Handler<typeof stamp> = async (input, ctx) => {
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
