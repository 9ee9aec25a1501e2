// Limits on drawn pages, however large a page claims to be.

import { Failure } from '../../contract/base/failure.ts';
import type { PageDrawing } from '../../contract/base/ports.ts';
import { field, say } from '../../contract/base/wording.ts';

/** PNG is written in bands. A JPEG is held with 3 bytes a pixel, a WebP with 8, beside the last page: below 400 MB. */
const MOST_PIXELS = { png: 256_000_000, jpeg: 30_000_000, webp: 20_000_000, pixels: 64_000_000 } as const;
/** Larger pictures are coded one at a time. */
const LARGE = 8_000_000;
/** The longest side of each format. */
const MOST_SIDE = { png: 65_500, jpeg: 65_500, webp: 16_383, pixels: 65_500 } as const;

export type Stored = keyof typeof MOST_PIXELS;

export function isLarge({ width, height }: Pick<PageDrawing, 'width' | 'height'>): boolean {
  return width * height > LARGE;
}

/** @throws Failure of kind `limit` */
export function checkSize({ page, width, height }: Pick<PageDrawing, 'page' | 'width' | 'height'>, as: Stored): void {
  const size = `page ${page} would be ${width} x ${height} pixels`;
  const subject = as === 'pixels' ? 'a drawn page' : `a ${as.toUpperCase()} file`;
  const hint = say`Give a lower ${field('dpi')}, or ${field('width')} or ${field('height')}.`;
  if (Math.max(width, height) > MOST_SIDE[as]) {
    const message = `${size}: a side of ${subject} has at most ${MOST_SIDE[as]}`;
    throw new Failure('unprocessable', message, { kind: 'limit', hint });
  }
  if (width * height > MOST_PIXELS[as]) {
    const message = `${size}: ${subject} has at most ${MOST_PIXELS[as] / 1_000_000} million`;
    throw new Failure('unprocessable', message, { kind: 'limit', hint });
  }
}
