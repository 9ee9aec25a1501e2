// Determines the files of a split: the pages of each, and its name.

import { Failure } from '../contract/base/failure.ts';
import type { Context } from '../contract/base/ports.ts';
import { field, pagesOf, say } from '../contract/base/wording.ts';
import type { PageSpan } from '../contract/field.ts';
import { EXTENSIONS, isDeviceName, PDF } from '../contract/media.ts';
import type { CompleteInputOf } from '../contract/operation.ts';
import type { split } from '../contract/operations/pages/pages.ts';
import type { Source } from '../pdf/file/read/source.ts';
import type { Input } from '../pdf/structure/input.ts';
import { type ListedBookmark, listBookmarks } from '../pdf/text/headings/bookmark-list.ts';
import { MOST_FILES, stemOf } from './frame/names.ts';

type SplitInput = CompleteInputOf<typeof split>;

/** The files of a split, in order. Throws where there are too many, or a page does not exist. */
export async function splitFiles(input: SplitInput, source: Source, whole: Input, ctx: Context) {
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
  // Bookmarks are read only if the names or the cuts need them.
  const bookmarks = level !== undefined || input.name?.includes('{title}') ? listBookmarks(source) : [];
  const titled = (spans: readonly PageSpan[]) => spans.map((span) => ({ span, title: titleAt(bookmarks, span[0]) }));
  if (level !== undefined) return chapters(bookmarks, level, count, file.name);
  if (every !== undefined) {
    const starts = Array.from({ length: Math.ceil(count / every) }, (_, i) => i * every + 1);
    return titled(starts.map((start) => [start, Math.min(start + every - 1, count)]));
  }
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

/** A span from each bookmark of this level or above to the next; pages before the first are a span too. */
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

/** The bookmark that a page belongs to: the last one that leads to it or to a page before it. */
function titleAt(bookmarks: readonly ListedBookmark[], page: number): string | undefined {
  let chapter: ListedBookmark | undefined;
  for (const bookmark of bookmarks) {
    if (bookmark.page > page) continue;
    // Of several bookmarks on one page the first is at its top.
    if (chapter === undefined || bookmark.page > chapter.page) chapter = bookmark;
  }
  return chapter?.title;
}

/** The page ranges of the files: as given, or cut after the named pages, or page by page. */
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

/** For /ID: the same pages of the same file give the same document. */
export function splitId(print: string, places: readonly number[]): string {
  const [start, end] = [(places[0] ?? 0) + 1, (places.at(-1) ?? 0) + 1];
  return print.slice(0, 16) + start.toString(16).padStart(8, '0') + end.toString(16).padStart(8, '0');
}

function tooMany(name: string, count: number): Failure {
  const message = `${name} would become ${count} files: at most ${MOST_FILES} are written at once`;
  return new Failure('unprocessable', message, {
    kind: 'limit',
    hint: say`Cut it into parts first, with ${field('at_pages', MOST_FILES)}, then split those.`,
  });
}

/**
 * Most objects of all files together. What all pages share is copied into each file: a 3 MB document made 9 GB. Files
 * from large documents have some hundred objects each.
 */
const MOST_OBJECTS = 25_000_000;

/** Throws where a split would write too many objects, judged by its first files. */
export function checkObjects(name: string, files: number, objects: number): void {
  if (objects <= MOST_OBJECTS) return;
  const message = `${name}: its pages share so much that the first ${files} files have more than ${MOST_OBJECTS} objects`;
  throw new Failure('unprocessable', message, {
    kind: 'limit',
    hint: say`Cut it into fewer parts, with ${field('at_pages')} or ${field('ranges')}.`,
  });
}

// Names the files of a split: as the service does, or by a pattern.

const ENDING = `.${EXTENSIONS[PDF]?.[0] ?? 'pdf'}`;

interface Segment {
  readonly span: PageSpan;
  readonly title: string | undefined;
}

const WORDS = ['stem', 'n', 'title', 'first', 'last'] as const;
type Word = (typeof WORDS)[number];

/** Bytes of a name: file systems allow 255, and a number may follow. */
const MOST_BYTES = 200;

/** Repeated names get a number: page-001.pdf and page-001-2.pdf. */
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
      // Some file systems treat A.pdf and a.pdf as the same file.
      const key = name.toLowerCase();
      if (taken.has(key)) continue;
      taken.add(key);
      return name;
    }
  });
}

/**
 * The name that the service would give: page-001 (more digits for more pages), or pages-001-003 for a span. In a split
 * with both (`isMixed`) all are named pages-, so that names sort like the pages.
 */
function usualName([start, end]: PageSpan, count: number, isMixed: boolean): string {
  const width = Math.max(3, String(count).length);
  const digits = (page: number): string => String(page).padStart(width, '0');
  return start === end ? `page${isMixed ? 's' : ''}-${digits(start)}` : `pages-${digits(start)}-${digits(end)}`;
}

type Part = string | { readonly word: Word };

/** Parses a pattern. Throws for unknown names in braces. */
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
  // Without a title, the hyphen before it is dropped.
  const name = fileName(text).replace(/[-_ ]+$/, '');
  return name === '' ? `part-${values.n}` : name;
}

/** Makes a text a file name for every system: no folders or controls, limited in length, no dot at either end. */
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
