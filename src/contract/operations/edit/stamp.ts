import { choice, file, flag, integer, number as numeric, optionalFile, pages, text } from '../../field.ts';
import { JPEG, OTF, PDF, PNG, TTF } from '../../media.ts';
import { operation } from '../../operation.ts';
import { edited, incremental } from '../../shared-entries.ts';

const POSITIONS = [
  'center',
  'top',
  'bottom',
  'left',
  'right',
  'top-left',
  'top-right',
  'bottom-left',
  'bottom-right',
] as const;

/** The fourteen fonts that every reader has. */
const FONTS = [
  'Helvetica',
  'Helvetica-Bold',
  'Helvetica-Oblique',
  'Helvetica-BoldOblique',
  'Times-Roman',
  'Times-Bold',
  'Times-Italic',
  'Times-BoldItalic',
  'Courier',
  'Courier-Bold',
  'Courier-Oblique',
  'Courier-BoldOblique',
  'Symbol',
  'ZapfDingbats',
] as const;

/** The largest page, in points (ISO 32000-1, annex C.2). */
const LARGEST = 14_400;

const letters = {
  font: choice('Font of the text, one that every viewer has', { values: FONTS, default: 'Helvetica' }),
  font_file: optionalFile('Font file for the text; only the letters shown are embedded', { types: [TTF, OTF] }),
};
/** Points to the edges of the page where no margin is given: half an inch, and a third of one, where footers are. */
export const STAMP_MARGIN = 36;
export const NUMBER_MARGIN = 24;
const margin = (usual: string) =>
  numeric(`Points from the edges of the page; ${usual} unless given`, { min: 0, max: LARGEST });
const opacity = numeric('Opacity: 1 covers, 0.2 is faint', { min: 0, max: 1, default: 1 });
const color = text('Colour of the text: black, white, gray, red, green, blue or #rrggbb', {
  maxLength: 20,
  default: 'black',
});
const under = flag('Put it under the content of the page, not over it');

export const stamp = operation({
  ...edited('-stamped'),
  name: 'stamp',
  group: 'edit',
  path: '/api/v1/stamp-pdf',
  summary: 'Put text, a picture or a page on pages',
  description:
    'Puts text, a picture or the first page of another PDF on pages, upright as they are shown. In the text {page} is the page number, {pages} the page count, {file} the file name and {date} today; {page:6} has six digits',
  input: {
    file: file('The PDF', { types: [PDF] }),
    text: text('Text to put on, such as "Draft" or "{page} of {pages}"; may have several lines', { maxLength: 2000 }),
    image: optionalFile('Picture to put on', { types: [PNG, JPEG] }),
    pdf: optionalFile('PDF whose first page is put on', { types: [PDF] }),
    pages: pages('Pages to stamp, instead of all, such as 1-3,7'),
    position: choice('Where on the page', { values: POSITIONS, default: 'center' }),
    margin: margin(`${STAMP_MARGIN}, or 0 for a PDF,`),
    rotation: numeric('Degrees, counter-clockwise', { min: -360, max: 360, default: 0 }),
    opacity,
    under,
    scale: numeric('Size of the picture or page: 1 is its own; never larger than the free area', {
      min: 0.001,
      max: 1000,
      default: 1,
    }),
    ...letters,
    size: numeric('Size of the text in points; smaller if it would not fit', { min: 1, max: 2000, default: 24 }),
    color,
    incremental,
  },
  exclusive: [
    ['text', 'image', 'pdf'],
    ['font', 'font_file'],
  ],
  needsOneOf: ['text', 'image', 'pdf'],
  tools: {
    stamp_pdf: {
      when: 'Use it for watermarks, letterheads, logos and notes on pages: give text, image_path or pdf_path, one of them.',
    },
  },
});

export const numberPages = operation({
  ...edited('-numbered'),
  name: 'number',
  group: 'edit',
  path: '/api/v1/number-pdf',
  summary: 'Write page numbers on pages',
  description:
    'Writes numbers on pages, counting from the first number. {page} is the number, {pages} the last one; {page:6} has six digits',
  input: {
    file: file('The PDF', { types: [PDF] }),
    pages: pages('Pages to number, instead of all, such as 3-'),
    start: integer('Number of the first one', { min: 0, max: 999_999_999, default: 1 }),
    format: text('What is written, such as "{page} of {pages}" or "A{page:6}"', { default: '{page}', maxLength: 200 }),
    position: choice('Where on the page', { values: POSITIONS, default: 'bottom' }),
    margin: margin(String(NUMBER_MARGIN)),
    ...letters,
    size: numeric('Size of the text in points', { min: 1, max: 2000, default: 10 }),
    color,
  },
  exclusive: [['font', 'font_file']],
  tools: { number_pages: { when: 'Use it for page numbers and Bates numbers.' } },
});

export const overlay = operation({
  ...edited('-overlaid'),
  name: 'overlay',
  group: 'edit',
  path: '/api/v1/overlay-pdf',
  summary: 'Lay the pages of another PDF over the pages',
  description:
    'Lays the pages of another PDF over those of this one, the first over the first and so on. Remaining pages stay unchanged unless its pages repeat',
  input: {
    file: file('The PDF', { types: [PDF] }),
    pdf: file('PDF whose pages are laid over', { types: [PDF] }),
    pages: pages('Pages to lay over, instead of all, such as 1-3,7'),
    repeat: choice('What to lay over the remaining pages', { values: ['none', 'last', 'all'], default: 'none' }),
    opacity,
    under,
  },
  tools: { overlay_pdf: { when: 'Use it to join two PDFs page on page, such as a filled layer and its form.' } },
});
