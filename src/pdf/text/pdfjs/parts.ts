import { Failure } from '../../../contract/base/failure.ts';
import type { ByteSource, Context, RandomAccess } from '../../../contract/base/ports.ts';
import { Assembly, copyInfo, documentId, withoutPages, writerOptions } from '../../file/copy/assemble.ts';
import { Copier } from '../../file/copy/copier.ts';
import { Pruner } from '../../file/copy/unused-resources.ts';
import { openSource, type Source } from '../../file/open.ts';
import { Pace } from '../../file/read/pace.ts';
import { damagedBy } from '../../syntax/damage.ts';

/** Documents with more pages are refused: none is real, and reading one would take minutes. */
const MOST_PAGES = 50_000;
/**
 * pdf.js looks through all kids of a node for every page (10,000 pages in one node: more than 25 s, in parts 8 s) and
 * keeps what it parsed.
 */
const WHOLE_BELOW = 3_000;
export const PART = 500;

/** Opens a document with our own reader: repaired, decrypted, counted. @throws Failure, `limit` for too many pages. */
export async function openText(source: ByteSource, ctx: Context): Promise<Source> {
  const opened = await openSource(source, ctx);
  const count = opened.tree.pages.length;
  if (count > MOST_PAGES) {
    throw new Failure('unprocessable', `${source.name} has ${count} pages: at most ${MOST_PAGES} can be read at once`, {
      kind: 'limit',
      hint: 'Split it first.',
    });
  }
  return opened;
}

/** Whether pdf.js must not get the file itself, because it would repair, decrypt or walk it worse than we do. */
export function needsParts({ file, tree }: Source): boolean {
  return file.repairs.size > 0 || file.decryption !== undefined || tree.pages.length > WHOLE_BELOW;
}

/** A copy of at most PART pages, a sound document of its own. `from` counts pages from 0. */
export function partFrom(opened: Source, ctx: Context, from: number): Promise<RandomAccess> {
  const { file, tree } = opened;
  ctx.signal.throwIfAborted();
  return damagedBy(file.name, async () => {
    const draft = ctx.temp.create(`part-${from}.pdf`);
    const assembly = new Assembly(draft, writerOptions([opened]));
    const copier = new Copier(file, assembly.writer, withoutPages(opened));
    const info = copyInfo(copier);
    const pages = tree.pages.slice(from, from + PART);
    const pace = new Pace(ctx);
    await assembly.pick(pages, copier, assembly.reserve(opened, copier, pages), pace, new Pruner(file, tree.pages));
    await copier.drain(pace);
    await assembly.finish(documentId([opened], 'text'), info);
    return { ...draft.finish(), name: file.name };
  });
}
