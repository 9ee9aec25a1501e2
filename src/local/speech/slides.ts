// Draws pages as pictures: the cover of a book, the slides of a narration.

import { atEnd } from '../../contract/base/closing.ts';
import { Failure } from '../../contract/base/failure.ts';
import type { ByteSource, Context, PageDrawer, Result } from '../../contract/base/ports.ts';
import { openDrawer } from '../../pdf/render/drawer.ts';
import type { CoverImage } from '../../speech/containers/book.ts';
import { letterboxed, SLIDE } from '../../speech/video/slides.ts';
import { withSource } from '../frame/with-source.ts';

export interface Slides {
  draw(page: number): Promise<Uint8Array>;
  /** Undefined where it cannot be drawn: a book works without a cover. */
  cover(page: number): Promise<CoverImage | undefined>;
}

/** Pixels of the longer side of a cover. */
const COVER = 1_000;
const COVER_QUALITY = 85;

/** Runs `work` with a drawer of the file's pages, or without one where nothing can draw and slides are optional. */
export function withSlides<T extends Result>(
  file: ByteSource,
  needed: boolean,
  ctx: Context,
  work: (slides: Slides | undefined) => Promise<T>,
): Promise<T> {
  if (ctx.drawPages === undefined && !needed) return work(undefined);
  return withSource(file, ctx, async (source, temp) => {
    const drawer = await openDrawer(source, file, { ...ctx, temp }).catch((error: unknown) => {
      if (needed || ctx.signal.aborted) throw error;
      return undefined;
    });
    using _ = atEnd(() => drawer?.close());
    return await work(drawer === undefined ? undefined : slidesOf(drawer, ctx));
  });
}

function slidesOf(drawer: PageDrawer, ctx: Context): Slides {
  return {
    async draw(page) {
      const { width, height } = await fitted(drawer, page, SLIDE.width, SLIDE.height);
      const { pixels, channels } = await drawer.draw({ page, width, height, colours: 'rgb' });
      return letterboxed({ width, height, pixels, channels });
    },
    async cover(page) {
      try {
        const size = await fitted(drawer, page, COVER, COVER);
        const drawing = { page, ...size, colours: 'rgb' } as const;
        const bytes = await drawer
          .picture(drawing, { type: 'jpeg', quality: COVER_QUALITY, dpi: 72 })
          .catch((error: unknown) => {
            // JPEG needs a package that may not be there.
            if (!(error instanceof Failure && error.code === 'unavailable')) throw error;
            return undefined;
          });
        if (bytes !== undefined) return { mediaType: 'image/jpeg', bytes };
        return { mediaType: 'image/png', bytes: await drawer.picture(drawing, { type: 'png', quality: 100, dpi: 72 }) };
      } catch (error) {
        ctx.signal.throwIfAborted();
        if (!(error instanceof Failure)) throw error;
        ctx.detail(`no cover: ${error.message}`);
        return undefined;
      }
    },
  };
}

/** The largest even size with the page's aspect ratio within these bounds; video needs even sides. */
async function fitted(drawer: PageDrawer, page: number, mostWide: number, mostHigh: number) {
  const { width, height } = await drawer.size(page);
  const scale = Math.min(mostWide / width, mostHigh / height);
  const even = (side: number, most: number) => Math.max(2, Math.min(most, 2 * Math.round((side * scale) / 2)));
  return { width: even(width, mostWide), height: even(height, mostHigh) };
}
