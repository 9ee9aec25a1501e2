import type { ByteSource, Context } from '../../contract/base/ports.ts';
import { parsePageRange, resolvePages } from '../../contract/page-range.ts';
import { openSource } from '../../pdf/file/open.ts';
import { askedPages } from '../../pdf/page/page-names.ts';
import { Damage } from '../../pdf/syntax/damage.ts';
import { pagesNamed } from '../../pdf/text/output/no-text.ts';
import { addTextLayers, ocrLanguage } from '../pictures/text-layers.ts';
import { wordedPages } from './pages-with-text.ts';

export interface Worded {
  /** The given document, or a copy in which unreadable pages have recognised words. */
  readonly file: ByteSource;
  /** The pages with recognised words, from 1. */
  readonly pages: readonly number[];
  /** The warning that recognised words may be wrong. */
  readonly warnings: readonly string[];
}

/** Recognises words for an operation that needs text. `wanted`: its option `ocr`. `asked`: pages or a range, or all. */
export async function withWords(
  file: ByteSource,
  wanted: boolean | undefined,
  ctx: Context,
  asked?: readonly number[] | string,
): Promise<Worded> {
  const asItIs = { file, pages: [], warnings: [] };
  if (wanted !== true) return asItIs;
  const worded = await wordedPages(file, ctx);
  const unreadable = new Set(worded.unreadable);
  const read = async (scan: boolean): Promise<Worded> => {
    const source = await openSource(file, ctx, scan);
    const count = source.tree.pages.length;
    const chosen =
      typeof asked === 'string'
        ? resolvePages(parsePageRange(asked), count, file.name)
        : askedPages(file.name, count, asked);
    const pages = [...new Set(chosen)]
      .filter((page) => !worded.full.has(page) || unreadable.has(page))
      .sort((a, b) => a - b);
    if (pages.length === 0) return asItIs;
    const language = ocrLanguage(ctx);
    // The copy is used only for its words, so unreadable pages lose their own content.
    const contents = (page: number) => (unreadable.has(page) ? new Uint8Array() : undefined);
    const layers = { language, pages, contents };
    const { draft, by, read: found } = await addTextLayers(source, file, layers, ctx, ctx.temp);
    if (found.length === 0) return asItIs;
    const warning = `${file.name}: the words of ${pagesNamed(found)} were recognised in pictures (${by}) and may be wrong`;
    return { file: { ...draft.finish(), name: file.name }, pages: found, warnings: [warning] };
  };
  try {
    return await read(false);
  } catch (error) {
    if (!(error instanceof Damage)) throw error;
    return read(true);
  }
}
