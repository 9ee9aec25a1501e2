import type { ByteSource, Context } from '../../contract/ports.ts';
import { readDocument } from '../../pdf/text/read-document.ts';

interface Worded {
  /** Pages that have a text layer, visible or not. */
  readonly full: Set<number>;
  /** Those of them whose text layer is unreadable. */
  readonly unreadable: readonly number[];
}

export async function wordedPages(file: ByteSource, ctx: Context): Promise<Worded> {
  const full = new Set<number>();
  // The caller opens the file too, and reports progress and repairs then.
  const quiet = { ...ctx, progress() {} };
  const { unreadable } = await readDocument(file, quiet, ({ words, turned }, number) => {
    if (words.length > 0 || turned.some((text) => text.words.length > 0)) full.add(number);
  });
  return { full, unreadable };
}

export async function pagesWithText(file: ByteSource, ctx: Context): Promise<Set<number>> {
  return (await wordedPages(file, ctx)).full;
}
