// Cuts a document into files that are as large as possible without exceeding a size.
import { atEnd } from '../contract/base/closing.ts';
import type { Context } from '../contract/base/ports.ts';
import type { PageSpan } from '../contract/field.ts';
import { Pace } from '../pdf/file/read/pace.ts';
import { type Input, pickedCount, picking } from '../pdf/structure/input.ts';
import { NewDocument } from '../pdf/structure/new-document.ts';

/** A file filled to this share is accepted: another try costs as much as writing it. */
const FULL = 0.9;

/** Spans of pages for files of at most `most` bytes. A page that is larger by itself gets a file of its own. */
export async function cutBySize(whole: Input, most: number, ctx: Context): Promise<PageSpan[]> {
  const total = pickedCount(whole);
  const pace = new Pace(ctx);
  const spans: PageSpan[] = [];
  // The page count of the previous file: the next one probably takes as many.
  let usual = Math.max(1, Math.floor((total * most) / Math.max(1, whole.file.size)));
  for (let from = 0; from < total; ) {
    ctx.progress({ phase: 'measure', done: from, total, unit: 'pages' });
    const left = total - from;
    let fits = 0;
    let tooMany = left + 1;
    let next = Math.min(usual, left);
    while (fits + 1 < tooMany) {
      const size = await sizeOf(whole, from, next, pace, ctx);
      if (size <= most) fits = next;
      else tooMany = next;
      if (size <= most && size >= FULL * most) break;
      const guess = Math.floor((next * most) / size);
      next = Math.min(Math.max(guess, fits + 1), tooMany - 1);
    }
    const taken = Math.max(1, fits);
    spans.push([from + 1, from + taken]);
    usual = taken;
    from += taken;
  }
  return spans;
}

/** The size of a file with so many pages, measured by writing it to a draft that is discarded. */
async function sizeOf(whole: Input, from: number, count: number, pace: Pace, ctx: Context): Promise<number> {
  const draft = ctx.temp.create('measured.pdf');
  const pages = Array.from({ length: count }, (_, at) => from + at);
  const picked = picking(whole, pages);
  using _ = atEnd(() => draft.discard());
  const document = new NewDocument(draft, [picked], pace, { parts: true });
  await document.add(picked);
  await document.finish('0'.repeat(32));
  return draft.size;
}
