import type { Source } from '../../file/read/source.ts';
import { unlessRefusedLater } from '../../syntax/damage.ts';
import { Dict, Ref } from '../../syntax/values.ts';
import { openBytes, type Tools } from '../output/plain-copy.ts';
import { closing } from '../probe/page-probe.ts';
import type { Match, SearchQuery } from '../words/detectors.ts';
import { stringAsSeen } from '../words/seen-text.ts';
import { findBesidePages, streamBytes, textOfStream } from './beside-pages.ts';
import { termHits } from './page-search.ts';
import { openReaders, searchPage } from './readers.ts';

/** Nesting of attached documents that is searched. */
const MOST_DEPTH = 2;

export interface AttachedHits {
  /** Occurrences in attached files, by term. */
  readonly counts: readonly number[];
  /** Files that could not be searched: other formats, encrypted or damaged documents, those nested too deep. */
  readonly unread: number;
}

/** Searches attached files: text as it is, a PDF like the document itself. */
export async function findAttached(
  source: Source,
  wanted: SearchQuery,
  match: Match,
  tools: Tools,
  depth = MOST_DEPTH,
): Promise<AttachedHits> {
  const counts = wanted.terms.map(() => 0);
  let unread = 0;
  const add = (term: number | undefined, count = 1) => {
    if (term !== undefined) counts[term] = (counts[term] ?? 0) + count;
  };
  for (const num of attachedStreams(source)) {
    await tools.yieldNow();
    const bytes = streamBytes(source.file, num);
    const text = bytes === undefined ? undefined : textOfStream(bytes);
    const head = Buffer.from(bytes?.subarray(0, 1024) ?? []).toString('latin1');
    // Undefined for one that is encrypted or cannot be read.
    const open = () => openBytes(bytes ?? new Uint8Array(0), 'an attached file');
    const inner = head.includes('%PDF-') && depth > 0 ? await unlessRefusedLater(undefined, open) : undefined;
    if (inner === undefined) {
      if (text === undefined || head.includes('%PDF-')) unread++;
      else for (const { term } of termHits(wanted.terms, stringAsSeen(text))) add(term);
      continue;
    }
    await closing(await openReaders(inner, tools), async (readers) => {
      for (let page = 0; page < inner.tree.pages.length; page++) {
        const hits = await searchPage(readers, page, wanted, match);
        for (const { term } of [...hits.shown, ...hits.stored]) add(term);
        for (const [term, count] of hits.inPatterns.entries()) add(term, count);
        if (hits.isBlind || !hits.hasText) unread++;
      }
    });
    for (const { term, count } of findBesidePages(inner, wanted, match)) add(term, count);
    const below = await findAttached(inner, wanted, match, tools, depth - 1);
    for (const [term, count] of below.counts.entries()) add(term, count);
    unread += below.unread;
  }
  return { counts, unread };
}

/** Streams that file specifications name, wherever these stand (ISO 32000-1, 7.11.4). */
function attachedStreams({ file }: Source): Set<number> {
  const streams = new Set<number>();
  for (let num = 1; num < file.xref.size; num++) {
    const dict = file.has(num) ? file.dict(new Ref(num, 0)) : undefined;
    const specifications = [dict, file.dict(dict?.get('FS'))];
    for (const specification of specifications)
      for (const value of file.dict(specification?.get('EF'))?.values() ?? [])
        if (value instanceof Ref && file.dict(value) instanceof Dict) streams.add(value.num);
  }
  return streams;
}
