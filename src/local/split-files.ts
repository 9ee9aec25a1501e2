// Which files a split makes: the pages of each, and its name.

import { Failure } from '../contract/failure.ts';
import type { PageSpan } from '../contract/field.ts';
import { EXTENSIONS, isDeviceName, PDF } from '../contract/media.ts';
import type { CompleteInputOf } from '../contract/operation.ts';
import type { split } from '../contract/operations/pages/pages.ts';
import type { Context } from '../contract/ports.ts';
import { field, pagesOf, say } from '../contract/wording.ts';
import type { Source } from '../pdf/file/read/source.ts';
import type { Input } from '../pdf/structure/input.ts';
import { type ListedBookmark, listBookmarks } from '../pdf/text/headings/bookmark-list.ts';
import { MOST_FILES, stemOf } from './frame/names.ts';

type SplitInput = CompleteInputOf<typeof split>;

interface SplitFile {
  readonly name: string;
  readonly places: readonly number[];
}

/** The files of a split, in their order. Throws where they are too many, or a page is not there. */
export async function splitFiles(input: SplitInput, source: Source, whole: Input, ctx: Context): Promise<SplitFile[]> {
  const { file, tree } = source;
  const count = tree.pages.length;
  const segments = await segmentsOf(input, source, whole, ctx);
  if (segments.length > MOST_FILES) throw tooMany(file.name, segments.length);
  const names = nameFiles(segments, count, file.name, input.name);
  return segments.map(({ span }, i) => ({
    name: names[i] ?? '',
    places: Array.from({ length: span[1] - span[0] + 1 }, (_, at) => span[0] - 1 + at),
  }));
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
  let chapter: ListedBookmark | undefined;
  for (const bookmark of bookmarks) {
    if (bookmark.page > page) continue;
    // Of several on one page the first one is what stands at its top.
    if (chapter === undefined || bookmark.page > chapter.page) chapter = bookmark;
  }
  return chapter?.title;
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
export function splitId(print: string, places: readonly number[]): string {
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

// What the files of a split are called: as the service names them, or as a pattern says.

const ENDING = `.${EXTENSIONS[PDF]?.[0] ?? 'pdf'}`;

interface Segment {
  readonly span: PageSpan;
  readonly title: string | undefined;
}

const WORDS = ['stem', 'n', 'title', 'first', 'last'] as const;
type Word = (typeof WORDS)[number];

/** Bytes of a name; file systems take 255, and a number may come behind it. */
const MOST_BYTES = 200;

/** Names that are asked for twice get a number: page-001.pdf and page-001-2.pdf. */
export function nameFiles(
  segments: readonly Segment[],
  pageCount: number,
  source: string,
  pattern: string | undefined,
): string[] {
  const words = pattern === undefined ? undefined : partsOf(pattern);
  const stem = source === '' || source === '-' ? 'stdin' : stemOf(source);
  const width = String(segments.length).length;
  const isMixed = segments.some(({ span: [first, last] }) => first !== last);
  const taken = new Set<string>();
  return segments.map(({ span, title }, i) => {
    const [first, last] = span;
    const values = { stem, n: String(i + 1).padStart(width, '0'), title: title ?? '', first, last };
    const wanted = words === undefined ? usualName(span, pageCount, isMixed) : patternName(words, values);
    for (let time = 1; ; time++) {
      const name = `${time === 1 ? wanted : `${wanted}-${time}`}${ENDING}`;
      // Some file systems hold A.pdf and a.pdf for one.
      const key = name.toLowerCase();
      if (taken.has(key)) continue;
      taken.add(key);
      return name;
    }
  });
}

/**
 * page-001 as the service names it, with more digits where there are more pages; pages-001-003 for several. Files of a
 * run with both (`isMixed`) are all called pages-, so that names sort as the pages do.
 */
function usualName([start, end]: PageSpan, count: number, isMixed: boolean): string {
  const width = Math.max(3, String(count).length);
  const digits = (page: number): string => String(page).padStart(width, '0');
  return start === end ? `page${isMixed ? 's' : ''}-${digits(start)}` : `pages-${digits(start)}-${digits(end)}`;
}

type Part = string | { readonly word: Word };

/** The pattern, taken apart. Throws for braces around anything else. */
function partsOf(pattern: string): Part[] {
  return pattern
    .replace(/\.pdf$/i, '')
    .split(/(\{[^{}]*\})/)
    .map((part) => {
      if (!/^\{.*\}$/.test(part)) return part;
      const word = WORDS.find((known) => `{${known}}` === part);
      if (word !== undefined) return { word };
      const known = WORDS.map((word) => `{${word}}`).join(', ');
      throw new Failure('usage', say`${field('name')}: ${part} stands for nothing`, { hint: `It may have ${known}.` });
    });
}

function patternName(parts: readonly Part[], values: Readonly<Record<Word, string | number>>): string {
  const text = parts.map((part) => (typeof part === 'string' ? part : String(values[part.word]))).join('');
  // What has no title leaves the hyphen before it.
  const name = fileName(text).replace(/[-_ ]+$/, '');
  return name === '' ? `part-${values.n}` : name;
}

/** A text as a name that every file system takes: no folders, no control characters, not too long, no dot at its ends. */
function fileName(text: string): string {
  const plain = text
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '')
    .replace(/[\\/:*?"<>|]/g, '_')
    .replace(/\s+/g, ' ')
    .replace(/^[. ]+|[. ]+$/g, '');
  let name = '';
  let bytes = 0;
  for (const character of plain) {
    bytes += Buffer.byteLength(character);
    if (bytes > MOST_BYTES) break;
    name += character;
  }
  const trimmed = name.trim();
  return isDeviceName(trimmed) ? `_${trimmed}` : trimmed;
}
