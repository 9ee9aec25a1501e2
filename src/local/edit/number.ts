import { NUMBER_MARGIN, type numberPages } from '../../contract/operations/edit/stamp.ts';
import { stampPages } from '../../pdf/edit/stamp/stamp-pages.ts';
import { filled } from '../../pdf/edit/stamp/template.ts';
import { askedPages } from '../../pdf/page/page-names.ts';
import type { Handler } from '../frame/handler.ts';
import { baseName } from '../frame/names.ts';
import { type MadePdf, type Making, writePdf } from '../frame/write-pdf.ts';
import { chosenFont, dayOf, readColour } from './text-options.ts';

export const run: Handler<typeof numberPages> = async (input, ctx) => {
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
