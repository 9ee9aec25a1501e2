import type { ByteSource, Context } from '../../contract/ports.ts';
import { readDocument } from '../../pdf/text/read-document.ts';

/** Pages, from 1, that have words of their own, seen or not. */
export async function pagesWithText(file: ByteSource, ctx: Context): Promise<Set<number>> {
  const found = new Set<number>();
  // Nothing is said of it twice: whoever asks opens the file as well.
  const quiet = { ...ctx, progress() {} };
  await readDocument(file, quiet, ({ words, turned }, number) => {
    if (words.length > 0 || turned.some((text) => text.words.length > 0)) found.add(number);
  });
  return found;
}
