import { choice, file, flag, integer, pages, text } from '../field.ts';
import { OWN_LIMITS } from '../limits.ts';
import { JPEG, JSON_TYPE, PDF, PNG, WEBP, ZIP } from '../media.ts';
import { localOperation, type Output, operation } from '../operation.ts';
import { made, PAID } from '../shared-entries.ts';
import { ARCHIVE_LEVELS } from './edit/archive.ts';

const pictures = (type: string) =>
  ({
    kind: 'parts',
    mediaType: ZIP,
    partTypes: [type],
    stem: { suffix: '-images' },
    single: 'any',
  }) as const satisfies Output;

export const toImages = operation({
  ...PAID,
  extension: true,
  name: 'to-images',
  aliases: ['pdf-to-images'],
  group: 'pictures',
  path: '/api/v1/pdf-to-images',
  summary: 'Draw pages as PNG, JPEG or WebP pictures, one file per page',
  input: {
    file: file('The PDF', { types: [PDF] }),
    pages: pages('Pages to draw, instead of all, such as 1-3,7'),
    format: choice('Kind of picture', { values: ['png', 'jpeg', 'webp'], default: 'png' }),
    dpi: integer('Pixels per inch', { min: 1, max: 2400, default: 150 }),
    width: integer('Width in pixels; with a height, the largest picture that fits in both', { min: 1, max: 65_500 }),
    height: integer('Height in pixels', { min: 1, max: 65_500 }),
    grayscale: flag('Shades of grey instead of colours'),
    quality: integer('Quality of JPEG and WebP', { min: 1, max: 100, default: 85 }),
    transparent: flag('Transparent background instead of white; for PNG and WebP'),
  },
  exclusive: [
    ['dpi', 'width'],
    ['dpi', 'height'],
    ['grayscale', 'transparent'],
  ],
  limits: {
    inputBytes: OWN_LIMITS.toImagesInput,
    pages: OWN_LIMITS.toImagesPages,
    outputBytes: OWN_LIMITS.toImagesZip,
  },
  outputs: { png: pictures(PNG), jpeg: pictures(JPEG), webp: pictures(WEBP) },
  outputBy: 'format',
  work: 'render',
  failures: ['usage', 'unauthenticated', 'out_of_credits', 'too_large', 'unprocessable', 'unavailable'],
  tools: {
    pdf_to_images: {
      when: 'Use it to look at pages, or to hand them on as pictures; name pages where not all are wanted.',
    },
  },
});

export const images = localOperation({
  name: 'images',
  group: 'pictures',
  summary: 'Extract the embedded pictures',
  description:
    'Extracts the pictures that pages show: JPEGs byte for byte, all others as PNG, with their masks applied. Each picture is written once',
  input: {
    file: file('The PDF', { types: [PDF] }),
    pages: pages('Pages to look at, instead of all, such as 1-3,7'),
    list: flag('Only list them, with page, size and resolution'),
  },
  outputs: {
    pictures: { kind: 'parts', mediaType: ZIP, partTypes: [PNG, JPEG], stem: { suffix: '-pictures' }, single: 'any' },
    list: { kind: 'record', mediaType: JSON_TYPE, record: 'pictures', text: 'table' },
  },
  outputBy: 'list',
  work: 'render',
});

export const ocr = operation({
  ...made('-ocr'),
  name: 'ocr',
  appends: true,
  aliases: ['ocr-pdf'],
  group: 'text',
  path: '/api/v1/ocr-pdf',
  summary: 'Add an invisible text layer to scanned pages',
  description:
    'Recognises the words of pages without text and adds them as invisible text, which can be searched and selected. Pages with text stay unchanged, and pages look the same, except that sideways ones are turned upright. With optimize, pictures are compressed after they were read',
  input: {
    file: file('The PDF', { types: [PDF] }),
    language: text('Languages by their three letters, such as eng or eng+deu', { default: 'eng', maxLength: 100 }),
    pages: pages('Pages to look at, instead of all, such as 1-3,7'),
    all: flag('Also read pages that have text, and keep that text'),
    redo: flag('Remove the invisible text of an earlier run, and read those pages again'),
    rotate_pages: choice('Turn sideways and upside-down pages upright, if tesseract is sure', {
      values: ['auto', 'off'],
      default: 'auto',
    }),
    deskew: choice('Straighten slanted lines: only in the text layer, or by turning the page', {
      values: ['text', 'page'],
    }),
    optimize: flag('Also make the file smaller, as compress does: scans shrink to about a quarter and look the same'),
    to: choice('Also convert it to PDF/A', { values: ARCHIVE_LEVELS }),
    text: text('Also write the words to this file: JSON lines with page, box in points and confidence', {
      extension: true,
      output: true,
    }),
  },
  exclusive: [['all', 'redo']],
  limits: { inputBytes: OWN_LIMITS.ocrInput, pages: OWN_LIMITS.ocrPages },
  work: 'render',
  failures: ['usage', 'unauthenticated', 'out_of_credits', 'too_large', 'unprocessable', 'unavailable'],
  tools: { ocr_pdf: {} },
});
