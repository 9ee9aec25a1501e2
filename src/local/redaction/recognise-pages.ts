import { Failure } from '../../contract/base/failure.ts';
import type { ByteSource, Context, Temp } from '../../contract/base/ports.ts';
import type { Source } from '../../pdf/file/read/source.ts';
import type { Recognise, RecognisedPage } from '../../pdf/redact/find/pictures-of-words.ts';
import { addTextLayers, ocrLanguage } from '../pictures/text-layers.ts';

/**
 * Recognises words in drawings of pages. Without a recogniser on this machine the result is undefined, and the caller reports
 * the pages as unread; `isAsked`: with --ocr, a missing recogniser is an error.
 */
export function recogniseWith(
  source: Source,
  file: ByteSource,
  ctx: Context & { readonly temp: Temp },
  isAsked: boolean,
): { readonly recognise: Recognise; by(): string | undefined } {
  let by: string | undefined;
  const recognise: Recognise = async (pages) => {
    const read = new Map<number, RecognisedPage>();
    const onWords = (page: number, lines: readonly { words: RecognisedPage['lines'][number] }[], size: Size) =>
      void read.set(page, { lines: lines.map(({ words }) => words), ...size });
    try {
      const options = { language: ocrLanguage(ctx), pages, onWords };
      const layered = await addTextLayers(source, file, options, ctx, ctx.temp);
      // Only the words are needed, not the PDF with them.
      layered.draft.discard();
      by = layered.by;
      return read;
    } catch (error) {
      if (!isAsked && error instanceof Failure && error.code === 'unavailable') return undefined;
      throw error;
    }
  };
  return { recognise, by: () => by };
}

interface Size {
  readonly width: number;
  readonly height: number;
}
