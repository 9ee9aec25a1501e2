import { choice, file, flag, integer, pages } from '../field.ts';
import { CREDITS, OWN_LIMITS } from '../limits.ts';
import { JPEG, PDF, PNG, WEBP, ZIP } from '../media.ts';
import { type Output, operation } from '../operation.ts';

const pictures = (type: string) =>
  ({
    kind: 'parts',
    mediaType: ZIP,
    partTypes: [type],
    stem: { suffix: '-images' },
    single: true,
  }) as const satisfies Output;

export const toImages = operation({
  name: 'to-images',
  aliases: ['pdf-to-images'],
  group: 'pictures',
  method: 'POST',
  path: '/api/v1/pdf-to-images',
  summary: 'Draw pages as PNG, JPEG or WebP pictures, one file per page',
  cost: { credits: CREDITS.standard },
  body: 'multipart',
  input: {
    file: file('The PDF', { types: [PDF] }),
    pages: pages('Pages to draw, instead of all, such as 1-3,7'),
    format: choice('Kind of picture', { values: ['png', 'jpeg', 'webp'], default: 'png' }),
    dpi: integer('Pixels per inch', { min: 1, max: 2400, default: 150 }),
    width: integer('Width in pixels; with --height the largest picture that fits in both', { min: 1, max: 65_500 }),
    height: integer('Height in pixels', { min: 1, max: 65_500 }),
    grayscale: flag('Shades of grey instead of colours'),
    quality: integer('Quality of JPEG and WebP', { min: 1, max: 100, default: 85 }),
    transparent: flag('Nothing behind the page instead of white; for PNG and WebP'),
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
  success: 200,
  failures: ['usage', 'unauthenticated', 'out_of_credits', 'too_large', 'unprocessable', 'unavailable'],
  replay: 'never',
  tools: {
    pdf_to_images: {
      when: 'Use it to look at pages, or to hand them on as pictures; name pages where not all are wanted.',
    },
  },
  local: true,
  extension: true,
});
