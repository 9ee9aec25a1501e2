import type { ByteSource, Context } from '../../contract/base/ports.ts';
import type { PageContent } from '../../pdf/text/content/page-content.ts';
import { readDocument } from '../../pdf/text/read-document.ts';

interface Worded {
  /** Pages that have a text layer, visible or not. */
  readonly full: Set<number>;
  /** Those of them whose text layer is unreadable. */
  readonly unreadable: readonly number[];
}

/** `annotations`: text of fields, boxes and stamps counts too. A scan that somebody stamped has no text layer. */
export async function wordedPages(file: ByteSource, ctx: Context, annotations = false): Promise<Worded> {
  const full = new Set<number>();
  // The caller opens the file too, and reports progress and repairs then.
  const quiet = { ...ctx, progress() {} };
  const visit = ({ words, turned }: PageContent, number: number) => {
    if (words.length > 0 || turned.some((text) => text.words.length > 0)) full.add(number);
  };
  const { unreadable } = await readDocument(file, quiet, visit, { annotations });
  return { full, unreadable };
}

export async function pagesWithText(file: ByteSource, ctx: Context, annotations = false): Promise<Set<number>> {
  return (await wordedPages(file, ctx, annotations)).full;
}
