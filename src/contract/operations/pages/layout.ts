// Pages on other paper, cut, side by side, or with empty ones between them.
import { choice, file, flag, integer, number as numeric, pages, required } from '../../field.ts';
import { PDF } from '../../media.ts';
import { operation } from '../../operation.ts';
import { edited } from '../../shared-entries.ts';

const PAPERS = ['A3', 'A4', 'A5', 'Letter', 'Legal', 'Tabloid'] as const;
/** The largest page, in points (ISO 32000-1, annex C.2). */
const LARGEST = 14_400;

const pdf = file('The PDF', { types: [PDF] });
const points = (summary: string) => numeric(summary, { min: 0, max: LARGEST });
const margin = (summary: string) => numeric(summary, { min: 0, max: LARGEST, default: 0 });
/** Points between two pages of a sheet where no gap is given; in a booklet there is none. */
export const NUP_GAP = 6;
const side = (summary: string) => numeric(summary, { min: 3, max: LARGEST });

export const nup = operation({
  ...edited('-nup'),
  name: 'nup',
  aliases: ['n-up'],
  group: 'pages',
  path: '/api/v1/nup-pdf',
  summary: 'Put several pages on each sheet',
  description:
    'Puts several pages side by side on each sheet of a new PDF, upright and as large as they fit. It drops links, bookmarks and form fields',
  input: {
    file: pdf,
    per_sheet: required(integer('Pages on a sheet, such as 2, 4 or 9', { min: 1, max: 100 })),
    pages: pages('Pages to put on sheets, instead of all, such as 1-3,7'),
    paper: choice('Paper of the sheets; landscape if pages are larger that way', { values: PAPERS, default: 'A4' }),
    margin: margin('Points around the pages of a sheet'),
    gap: points(`Points between pages; ${NUP_GAP} unless given, 0 in a booklet`),
    border: flag('A line around each page'),
    booklet: flag('Booklet order, to be folded once: two pages on a sheet'),
  },
  tools: { nup_pdf: { when: 'Use it for handouts and booklets.' } },
});

export const crop = operation({
  ...edited('-cropped'),
  name: 'crop',
  group: 'pages',
  path: '/api/v1/crop-pdf',
  summary: 'Cut off the edges of pages',
  description:
    'Shows less of each page: content beyond the new edges is hidden, but still in the file. To remove it, use redact',
  work: 'render',
  input: {
    file: pdf,
    pages: pages('Pages to crop, instead of all, such as 1-3,7'),
    margin: margin('Points to cut off at every edge'),
    left: points('Points to cut off at the left'),
    right: points('Points to cut off at the right'),
    top: points('Points to cut off at the top'),
    bottom: points('Points to cut off at the bottom'),
    auto: flag('Cut off white edges, except for the margin'),
  },
  exclusive: [
    ['auto', 'left'],
    ['auto', 'right'],
    ['auto', 'top'],
    ['auto', 'bottom'],
  ],
  needsOneOf: ['margin', 'left', 'right', 'top', 'bottom', 'auto'],
  tools: { crop_pdf: { when: 'Use it to take white margins away; it removes nothing from the file.' } },
});

export const resize = operation({
  ...edited('-resized'),
  name: 'resize',
  group: 'pages',
  path: '/api/v1/resize-pdf',
  summary: 'Put pages on other paper',
  description:
    'Makes pages as large as a paper and scales their content to fit, with links, notes and fields in the right places',
  input: {
    file: pdf,
    pages: pages('Pages to resize, instead of all, such as 1-3,7'),
    paper: choice('Paper to fit', { values: PAPERS }),
    width: side('Width of another paper in points; give its height too'),
    height: side('Height of another paper in points'),
    margin: margin('Free points at each edge'),
    scale: numeric('Factor instead of fitting: 1 changes only the paper', { min: 0.01, max: 100 }),
    upright: flag('Portrait paper, also for landscape pages'),
  },
  exclusive: [
    ['paper', 'width'],
    ['paper', 'height'],
    ['scale', 'margin'],
  ],
  needsOneOf: ['paper', 'width'],
  tools: { resize_pdf: { when: 'Use it to bring pages to A4, Letter or one size.' } },
});

export const blank = operation({
  ...edited('-with-blanks'),
  name: 'blank',
  group: 'pages',
  path: '/api/v1/blank-pages',
  summary: 'Insert empty pages',
  description: 'Inserts empty pages, as large as the page before. Bookmarks, links and labels stay with their pages',
  input: {
    file: pdf,
    after: pages('Put one behind each of these pages, such as 3,7 or z'),
    first: flag('Put one before the first page'),
    count: integer('How many at each place', { min: 1, max: 1000, default: 1 }),
    paper: choice('Paper of the empty pages', { values: PAPERS }),
  },
  needsOneOf: ['after', 'first'],
  tools: { blank_pages: { when: 'Use it to make chapters begin on the right side, or to leave room for notes.' } },
});
