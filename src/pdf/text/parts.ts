// Owns cutting a document into parts that pdf.js reads well, and refusing what has too many pages. Knows no text.
import { Failure } from '../../contract/failure.ts';
import type { ByteSource, Context, RandomAccess } from '../../contract/ports.ts';
import {
  Assembly,
  copyInfo,
  fingerprint,
  openSource,
  type Source,
  withoutPages,
  writerOptions,
} from '../file/assemble.ts';
import { Copier } from '../file/copier.ts';
import { damagedBy } from '../file/open.ts';
import { Pruner } from '../file/prune.ts';
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

/** The page tree as our own reader sees it; undefined where only pdf.js may be able to read the file. */
export function pageTreeOf(source: ByteSource): Source | undefined {
  try {
    const opened = openSource(source);
    const count = opened.tree.pages.length;
    if (count > MOST_PAGES) {
      throw new Failure(
        'unprocessable',
        `${source.name} has ${count} pages: at most ${MOST_PAGES} can be read at once`,
        {
          kind: 'limit',
          hint: 'Split it first.',
        },
      );
    }
    refuseBombs(opened.file);
    return opened;
  } catch (failure) {
    if (!(failure instanceof Failure)) throw failure;
    // pdf.js finds objects by scanning where our reader gives up.
    if (
      failure.kind === 'damaged' ||
      failure.kind === 'not-pdf' ||
      failure.kind === 'encrypted' ||
      failure.kind === 'unsupported'
    )
      return undefined;
    throw failure;
  }
}

export function needsParts(opened: Source): boolean {
  return opened.file.rebuilt || opened.tree.pages.length > WHOLE_BELOW;
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
      await assembly.pick(tree.pages.slice(from, from + PART), copier, pruner);
      await copier.drain(pace);
      await assembly.finish(print, info);
      return { ...draft.finish(), name: file.name };
    });
  }
}
