import { parsePageRange, resolvePages } from '../../contract/page-range.ts';
import type { ByteSource, Context } from '../../contract/ports.ts';
import { openSource } from '../../pdf/read/source.ts';
import { numbersOf } from '../../pdf/render/page-names.ts';
import { Damage } from '../../pdf/syntax/damage.ts';
import { pagesNamed } from '../../pdf/text/output/no-text.ts';
import { addTextLayers, ocrLanguage } from '../pictures/text-layers.ts';
import { pagesWithText } from './pages-with-text.ts';

export interface Worded {
  /** The document to be read: the one that was given, or a copy of it with words on the pages that had none. */
  readonly file: ByteSource;
  /** Pages, from 1, whose words were recognised in pictures. */
  readonly pages: readonly number[];
  /** That they were, and may be wrong: one sentence. */
  readonly warnings: readonly string[];
}

/** The step that `--ocr` puts before an operation that needs text. `wanted`: the flag. `asked`: pages or a range of them, instead of all. */
export async function withWords(
  file: ByteSource,
  wanted: boolean | undefined,
  ctx: Context,
  asked?: readonly number[] | string,
): Promise<Worded> {
  const asItIs = { file, pages: [], warnings: [] };
  if (wanted !== true) return asItIs;
  const full = await pagesWithText(file, ctx);
  const read = async (scan: boolean): Promise<Worded> => {
    const source = await openSource(file, ctx, scan);
    const count = source.tree.pages.length;
    const chosen =
      typeof asked === 'string'
        ? resolvePages(parsePageRange(asked), count, file.name)
        : numbersOf(file.name, count, asked);
    const pages = [...new Set(chosen)].filter((page) => !full.has(page)).sort((a, b) => a - b);
    if (pages.length === 0) return asItIs;
    const language = ocrLanguage(ctx);
    const { draft, by, read: found } = await addTextLayers(source, file, { language, pages }, ctx, ctx.temp);
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
