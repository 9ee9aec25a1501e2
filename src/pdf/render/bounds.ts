// Bounds of a drawn page, so that no page takes more memory than there is, however large it says it is.

import { Failure } from '../../contract/failure.ts';
import type { PageDrawing } from '../../contract/ports.ts';
import { field, say } from '../../contract/wording.ts';

/**
 * PNG files are written band by band. Others are held whole for a moment, a JPEG with 3 bytes a pixel, a WebP with 8,
 * while the pixels of the page before may be held too: together they stay below 400 MB.
 */
const MOST_PIXELS = { png: 256_000_000, jpeg: 30_000_000, webp: 20_000_000, pixels: 64_000_000 } as const;
/** Larger ones are made one at a time. */
const LARGE = 8_000_000;
/** The longest side that each format can have. */
const MOST_SIDE = { png: 65_500, jpeg: 65_500, webp: 16_383, pixels: 65_500 } as const;

export type Stored = keyof typeof MOST_PIXELS;

export function isLarge({ width, height }: Pick<PageDrawing, 'width' | 'height'>): boolean {
  return width * height > LARGE;
}

/** @throws Failure of kind `limit` that names the limit. */
export function checkSize({ page, width, height }: Pick<PageDrawing, 'page' | 'width' | 'height'>, as: Stored): void {
  const size = `page ${page} would be ${width} x ${height} pixels`;
  const what = as === 'pixels' ? 'a drawn page' : `a ${as.toUpperCase()} file`;
  const hint = say`Give a lower ${field('dpi')}, or ${field('width')} or ${field('height')}.`;
  if (Math.max(width, height) > MOST_SIDE[as]) {
    const message = `${size}: a side of ${what} has at most ${MOST_SIDE[as]}`;
    throw new Failure('unprocessable', message, { kind: 'limit', hint });
  }
  if (width * height > MOST_PIXELS[as]) {
    const message = `${size}: ${what} has at most ${MOST_PIXELS[as] / 1_000_000} million`;
    throw new Failure('unprocessable', message, { kind: 'limit', hint });
  }
}
