// Owns cutting a document into parts that pdf.js reads well, and refusing what has too many pages. Knows no text.
import { Failure } from '../../contract/failure.ts';
import type { ByteSource, Context, RandomAccess } from '../../contract/ports.ts';
import { Assembly, copyInfo, fingerprint, withoutPages, writerOptions } from '../file/assemble.ts';
import { Copier } from '../file/copier.ts';
import { damagedBy } from '../file/open.ts';
import { Pruner } from '../file/prune.ts';
import { openSource, type Source } from '../file/source.ts';
import { Pace } from '../pace.ts';
import { refuseBombs } from './bombs.ts';

/** A document with more pages is refused: nothing is one, and reading it would take minutes. */
const MOST_PAGES = 50_000;
/**
 * pdf.js looks through all kids of a node for every page: 10,000 pages in one node take more than 25 s, in parts 8 s.
 * It also keeps what it parsed, so that parts bound its memory.
 */
const WHOLE_BELOW = 3_000;
const PART = 500;

/**
 * Opens a document with our own reader: repaired, decrypted, its pages counted.
 * @throws Failure as the other operations throw it, and of kind `limit` for too many pages or a stream that inflates too far.
 */
export async function openText(source: ByteSource, ctx: Context): Promise<Source> {
  const opened = await openSource(source, ctx);
  const count = opened.tree.pages.length;
  if (count > MOST_PAGES) {
    throw new Failure('unprocessable', `${source.name} has ${count} pages: at most ${MOST_PAGES} can be read at once`, {
      kind: 'limit',
      hint: 'Split it first.',
    });
  }
  refuseBombs(opened.file);
  return opened;
}

/** Whether pdf.js should not be given the file itself: it would repair, decrypt or walk it worse than we do. */
export function needsParts({ file, tree }: Source): boolean {
  return file.repairs.size > 0 || file.decryption !== undefined || tree.pages.length > WHOLE_BELOW;
}

/** Copies of the pages in parts, each a sound document of its own, made when it is asked for. */
export async function* partsOf(opened: Source, ctx: Context): AsyncGenerator<RandomAccess> {
  const { file, tree } = opened;
  const settled = withoutPages(opened);
  const options = writerOptions([opened]);
  const print = fingerprint([opened], 'text');
  const pace = new Pace(ctx);
  const pruner = new Pruner(file, tree.pages);
  for (let from = 0; from < tree.pages.length; from += PART) {
    ctx.signal.throwIfAborted();
    yield await damagedBy(file.name, async () => {
      const draft = ctx.temp.create(`part-${from}.pdf`);
      const assembly = new Assembly(draft, options);
      const copier = new Copier(file, assembly.writer, settled);
      const info = copyInfo(copier);
      const pages = tree.pages.slice(from, from + PART);
      await assembly.pick(pages, copier, assembly.reserve(opened, copier, pages), pruner);
      await copier.drain(pace);
      await assembly.finish(print, info);
      return { ...draft.finish(), name: file.name };
    });
  }
}
