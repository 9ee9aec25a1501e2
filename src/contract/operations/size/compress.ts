import { choice, file, files, flag, integer, number, pages, size } from '../../field.ts';
import { LIMITS, TARGETS, USUAL_DPI } from '../../limits.ts';
import { JPEG, PDF, PNG } from '../../media.ts';
import { operation } from '../../operation.ts';
import { PAID } from '../../shared-entries.ts';

const target_bytes = size('Upload limit to measure against, in bytes; the output is best effort', {
  min: LIMITS.targetBytesMin,
  spelling: 'target',
});

/** How the local engine treats pictures; left out, only invisible changes are allowed. */
const pictures = {
  lossless: flag('Change no pixel, only structure, fonts and encoding', { extension: true }),
  quality: integer('JPEG quality of pictures, 1 to 100; by default chosen by how they look', {
    min: 1,
    max: 100,
    extension: true,
  }),
  dpi: integer(`Pixels per inch to which larger pictures are reduced; ${USUAL_DPI} unless given`, {
    min: 10,
    max: 2_400,
    extension: true,
  }),
  grayscale: flag('Make pictures grey', { extension: true }),
  bilevel: flag('Make scanned pages of text black and white', { extension: true }),
  no_mrc: flag('Keep scanned pages in one layer, without sharp text above a coarser background', { extension: true }),
  fast: flag('Take the first good result: a few times faster for large scans and pictures', { extension: true }),
  allow_unreadable: flag('Meet the target even if text in pictures becomes unreadable (below 72 dpi)', {
    extension: true,
  }),
};

/** The first four change pixels; a target is met by trying such changes, and lossless rules them out. */
const EXCLUSIVE = [
  ['lossless', 'quality'],
  ['lossless', 'dpi'],
  ['lossless', 'grayscale'],
  ['lossless', 'bilevel'],
  ['lossless', 'fast'],
  ['target_bytes', 'fast'],
] as const;

const paper = {
  page_size: choice('Page: as large as the image at its own resolution (fit), or paper it is fitted on', {
    values: ['fit', 'A4', 'Letter'],
    default: 'fit',
    extension: true,
  }),
  margin: number('Points (1/72 inch) left free around each image', { default: 0, extension: true }),
};

const whenAsked = (size: string): string =>
  `Use it when ${size} is asked for; measurement.target_reached says whether it was reached.`;

export const compress = operation({
  ...PAID,
  name: 'compress',
  group: 'size',
  summary: 'Make a PDF smaller',
  work: 'recode',
  input: {
    file: file('The PDF', { types: [PDF] }),
    target_bytes,
    pages: pages('Pages of the output, instead of all, such as 1-3,7', { extension: true }),
    ...pictures,
  },
  exclusive: EXCLUSIVE,
  outputs: { pdf: { kind: 'bytes', mediaType: PDF, stem: { suffix: '-compressed' }, measured: true } },
  failures: ['usage', 'unauthenticated', 'out_of_credits', 'too_large'],
  tools: {
    compress_pdf: { when: 'Use it when a PDF is too large and no size is asked for.' },
    compress_pdf_to_target: { when: whenAsked('a size in bytes'), required: ['target_bytes'] },
    compress_pdf_to_100kb: { when: whenAsked('100 KB'), preset: { target_bytes: TARGETS['100kb'] } },
    compress_pdf_to_200kb: { when: whenAsked('200 KB'), preset: { target_bytes: TARGETS['200kb'] } },
    compress_pdf_to_500kb: { when: whenAsked('500 KB'), preset: { target_bytes: TARGETS['500kb'] } },
    compress_pdf_to_1mb: { when: whenAsked('1 MB'), preset: { target_bytes: TARGETS['1mb'] } },
  },
  described: true,
});

export const mergeCompress = operation({
  ...PAID,
  name: 'merge-compress',
  group: 'size',
  summary: 'Join PDFs and make the result smaller',
  work: 'recode',
  input: {
    file: files('PDFs, in order', { types: [PDF], min: LIMITS.mergeCompressMin, max: LIMITS.mergeCompressMax }),
    target_bytes,
    ...pictures,
  },
  exclusive: EXCLUSIVE,
  outputs: { pdf: { kind: 'bytes', mediaType: PDF, stem: { fixed: 'merged' }, measured: true } },
  failures: ['usage', 'unauthenticated', 'out_of_credits', 'too_large'],
  described: true,
});

export const imagesToPdf = operation({
  ...PAID,
  name: 'images-to-pdf',
  group: 'size',
  summary: 'Make a PDF of images, one page each',
  input: {
    file: files('PNG or JPEG images, in page order', { types: [PNG, JPEG], min: 1, max: LIMITS.imagesMax }),
    ...paper,
    dpi: integer('Pixels per inch, instead of those that the images state', { min: 10, max: 2_400, extension: true }),
  },
  limits: { inputBytes: LIMITS.imagesInput },
  outputs: { pdf: { kind: 'bytes', mediaType: PDF, stem: { fixed: 'images' } } },
  tools: { images_to_pdf: { when: 'Use it for PNG or JPEG files; the order of the paths is the order of the pages.' } },
});

export const imagesToPdfCompress = operation({
  ...PAID,
  name: 'images-to-pdf-compress',
  group: 'size',
  summary: 'Make a small PDF of images, one page each',
  work: 'recode',
  input: {
    file: files('PNG or JPEG images, in page order', { types: [PNG, JPEG], min: 1, max: LIMITS.imagesMax }),
    target_bytes,
    ...paper,
    ...pictures,
  },
  exclusive: EXCLUSIVE,
  outputs: { pdf: { kind: 'bytes', mediaType: PDF, stem: { fixed: 'images' }, measured: true } },
  failures: ['usage', 'unauthenticated', 'out_of_credits', 'too_large'],
  described: true,
});
