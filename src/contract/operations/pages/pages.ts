import { choice, file, files, flag, integer, pages, range, ranges, required, size, text } from '../../field.ts';
import { LIMITS } from '../../limits.ts';
import { JSON_TYPE, PDF, ZIP } from '../../media.ts';
import { operation } from '../../operation.ts';
import { incremental, PAID } from '../../shared-entries.ts';

export const info = operation({
  name: 'info',
  aliases: ['pdf-info'],
  group: 'pages',
  method: 'POST',
  path: '/api/v1/pdf-info',
  summary: 'Show page count and metadata',
  work: 'copy',
  cost: { credits: 0 },
  body: 'multipart',
  input: {
    file: file('The PDF', { types: [PDF] }),
    pages: pages('Pages whose sizes and fonts are shown, instead of all, such as 1-3,7', { extension: true }),
  },
  outputs: { record: { kind: 'record', mediaType: JSON_TYPE, record: 'pdf-info' } },
  success: 200,
  failures: ['usage', 'unauthenticated', 'too_large'],
  replay: 'free',
  tools: { pdf_info: { when: 'Use it first, to learn how many pages there are and whether a password is needed.' } },
  local: true,
  described: true,
});

export const merge = operation({
  ...PAID,
  name: 'merge',
  group: 'pages',
  summary: 'Join PDFs in the order given',
  input: {
    file: files('PDFs, in order', { types: [PDF], min: LIMITS.mergeMinFiles }),
    pages: range(
      'Pages of the file before it, such as 1-3 or z-1 (from the last to the first); one for each file, in its order',
      { grammar: 'ranges', extension: true },
    ),
    interleave: flag('Take a page of each file in turn; with the pages z-1 of the second one for the backs of a scan', {
      extension: true,
    }),
    bookmarks: flag('Put the bookmarks of each file under one named after it', { extension: true }),
    title: text("Title of the output, instead of the first file's", { extension: true }),
    author: text("Author of the output, instead of the first file's", { extension: true }),
    subject: text("Subject of the output, instead of the first file's", { extension: true }),
    keywords: text("Keywords of the output, instead of the first file's", { extension: true }),
  },
  limits: { inputBytes: LIMITS.mergeInput, outputBytes: LIMITS.mergeOutput },
  outputs: { pdf: { kind: 'bytes', mediaType: PDF, stem: { fixed: 'merged' } } },
  tools: {
    merge_pdfs: { when: 'Use it to make one PDF of two or more; the order of the paths is the order of the pages.' },
  },
});

export const split = operation({
  ...PAID,
  name: 'split',
  group: 'pages',
  summary: 'Cut a PDF into one file per page, or into segments',
  input: {
    file: file('The PDF', { types: [PDF] }),
    at_pages: pages('Split after these pages, such as 3,7'),
    ranges: ranges('One file per range, such as 1-3,7-9'),
    every: integer('Pages per file', { min: 1, extension: true }),
    by_bookmark: integer('A file from each bookmark to the next, down to this level', {
      min: 1,
      alone: 1,
      extension: true,
    }),
    max_size: size('As many pages per file as fit in this size, such as 10MB', { min: 1, extension: true }),
    blank: flag('Cut at empty pages, and leave them out', { extension: true }),
    name: text('File names: {stem} of the input, {n} number, {title} of the bookmark, {first} and {last} page', {
      extension: true,
    }),
  },
  exclusive: [['at_pages', 'ranges', 'every', 'by_bookmark', 'max_size', 'blank']],
  limits: { pages: LIMITS.splitPages, segments: LIMITS.splitSegments, outputBytes: LIMITS.splitZip },
  outputs: {
    pages: { kind: 'parts', mediaType: ZIP, partTypes: [PDF], stem: { suffix: '-pages' }, single: 'ranges' },
  },
  tools: {
    split_pdf: {
      when: 'Use it to cut a PDF up into several files: one a page, unless it is told where to cut.',
    },
  },
});

export const rotate = operation({
  ...PAID,
  name: 'rotate',
  group: 'pages',
  summary: 'Turn every page',
  input: {
    file: file('The PDF', { types: [PDF] }),
    pages: pages('Pages to turn, instead of all', { extension: true }),
    angle: required(
      choice('Degrees clockwise, added to the rotation of the page', {
        values: [90, 180, 270, -90, -180, -270],
      }),
    ),
    incremental,
  },
  outputs: { pdf: { kind: 'bytes', mediaType: PDF, stem: { suffix: '-rotated' } } },
  tools: { rotate_pdf: { when: 'Use it when pages lie on their side or stand on their head.' } },
});
