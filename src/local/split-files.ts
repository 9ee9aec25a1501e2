// Which files a split makes: the pages of each, and its name.

import { Failure } from '../contract/failure.ts';
import type { PageSpan } from '../contract/field.ts';
import type { CompleteInputOf } from '../contract/operation.ts';
import type { split } from '../contract/operations/pages.ts';
import { pagesOf } from '../contract/page-range.ts';
import type { Context } from '../contract/ports.ts';
import { field, say } from '../contract/wording.ts';
import type { Source } from '../pdf/file/read/source.ts';
import type { Input } from '../pdf/structure/input.ts';
import { type ListedBookmark, listBookmarks } from '../pdf/text/headings/bookmark-list.ts';
import { MOST_FILES } from './frame/names.ts';
import { nameFiles, type Segment } from './split-names.ts';

type SplitInput = CompleteInputOf<typeof split>;

export interface SplitFile {
  readonly name: string;
  readonly places: readonly number[];
}

/** The files of a split, in their order. Throws where they are too many, or a page is not there. */
export async function filesOf(input: SplitInput, source: Source, whole: Input, ctx: Context): Promise<SplitFile[]> {
  const { file, tree } = source;
  const count = tree.pages.length;
  const segments = await segmentsOf(input, source, whole, ctx);
  if (segments.length > MOST_FILES) throw tooMany(file.name, segments.length);
  const names = nameFiles(segments, count, file.name, input.name);
  return segments.map(({ span }, i) => ({ name: names[i] ?? '', places: placesOf(span) }));
}

function placesOf([start, end]: PageSpan): number[] {
  return Array.from({ length: end - start + 1 }, (_, at) => start - 1 + at);
}

async function segmentsOf(input: SplitInput, source: Source, whole: Input, ctx: Context): Promise<Segment[]> {
  const { file, tree } = source;
  const count = tree.pages.length;
  const { every, by_bookmark: level, max_size: most, blank } = input;
  // Only names and cuts that speak of bookmarks look for them.
  const bookmarks = level !== undefined || input.name?.includes('{title}') ? listBookmarks(source) : [];
  const titled = (spans: readonly PageSpan[]) => spans.map((span) => ({ span, title: titleAt(bookmarks, span[0]) }));
  if (level !== undefined) return chapters(bookmarks, level, count, file.name);
  if (every !== undefined) return titled(everySo(every, count));
  if (most !== undefined) {
    const { cutBySize } = await import('./split-size.ts');
    return titled(await cutBySize(whole, most, ctx));
  }
  if (blank) {
    const { cutAtBlank } = await import('./split-blank.ts');
    return titled(await cutAtBlank(input.file, source, ctx));
  }
  return titled(rangesOf(input, count, file.name));
}

/** As many pages to a file, the last one perhaps fewer. */
function everySo(every: number, count: number): PageSpan[] {
  return Array.from({ length: Math.ceil(count / every) }, (_, i) => [i * every + 1, Math.min((i + 1) * every, count)]);
}

/** A file from each bookmark of the level or above to the next one; what comes before the first is a file too. */
function chapters(bookmarks: readonly ListedBookmark[], level: number, count: number, name: string): Segment[] {
  const begins = new Map<number, string>();
  for (const { title, page, depth } of bookmarks) if (depth < level && !begins.has(page)) begins.set(page, title);
  if (begins.size === 0) {
    const which = bookmarks.length === 0 ? 'no bookmarks' : `no bookmarks of level ${level}`;
    throw new Failure('unprocessable', `${name} has ${which} that lead to a page`, {
      hint: say`Cut it with ${field('every')}, ${field('at_pages')} or ${field('ranges')}.`,
    });
  }
  const starts = [...begins.keys()].sort((a, b) => a - b);
  if (starts[0] !== 1) starts.unshift(1);
  return starts.map((start, i) => ({ span: [start, (starts[i + 1] ?? count + 1) - 1], title: begins.get(start) }));
}

/** The bookmark that a page stands under: the last one that leads to it or to one before it. */
function titleAt(bookmarks: readonly ListedBookmark[], page: number): string | undefined {
  let found: ListedBookmark | undefined;
  for (const each of bookmarks) {
    if (each.page > page) continue;
    // Of several on one page the first one is what stands at its top.
    if (found === undefined || each.page > found.page) found = each;
  }
  return found?.title;
}

/** One range a file: as asked, or cut after the pages named, or every page for itself. */
function rangesOf({ at_pages, ranges }: SplitInput, count: number, name: string): readonly PageSpan[] {
  const beyond = (at_pages ?? ranges?.flat() ?? []).find((page) => page > count);
  if (beyond !== undefined) {
    throw new Failure('usage', `${name} has ${pagesOf(count)}; there is no page ${beyond}`, {
      hint: `Give pages from 1 to ${count}.`,
    });
  }
  if (ranges !== undefined) return ranges;
  if (at_pages === undefined) return Array.from({ length: count }, (_, i) => [i + 1, i + 1] as const);
  const cuts = [...new Set([...at_pages, count])].sort((a, b) => a - b);
  return cuts.map((end, i) => [(cuts[i - 1] ?? 0) + 1, end] as const);
}

/** For /ID: the same pages of the same file are the same document. */
export function idOf(print: string, places: readonly number[]): string {
  const [start, end] = [(places[0] ?? 0) + 1, (places.at(-1) ?? 0) + 1];
  return print.slice(0, 16) + start.toString(16).padStart(8, '0') + end.toString(16).padStart(8, '0');
}

function tooMany(name: string, count: number): Failure {
  return new Failure(
    'unprocessable',
    `${name} would become ${count} files: at most ${MOST_FILES} are written at once`,
    {
      kind: 'limit',
      hint: say`Cut it into parts first, with ${field('at_pages', MOST_FILES)}, then split those.`,
    },
  );
}

/** What all pages share is in each file: 3 MB of it made 9 GB. Files of large documents have some hundred objects each. */
const MOST_OBJECTS = 25_000_000;

/** Throws where the first files of a split have more objects than all files of any. */
export function checkObjects(name: string, files: number, objects: number): void {
  if (objects <= MOST_OBJECTS) return;
  const message = `${name}: its pages share so much that the first ${files} files have more than ${MOST_OBJECTS} objects`;
  throw new Failure('unprocessable', message, {
    kind: 'limit',
    hint: say`Cut it into fewer parts, with ${field('at_pages')} or ${field('ranges')}.`,
  });
}
