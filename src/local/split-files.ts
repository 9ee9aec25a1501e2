// Which files a split makes: the pages of each, and its name as the service gives it.
import { Failure } from '../contract/failure.ts';
import type { PageSpan } from '../contract/field.ts';
import { EXTENSIONS, PDF } from '../contract/media.ts';
import type { InputOf } from '../contract/operation.ts';
import type { split } from '../contract/operations/pages.ts';
import { pagesOf } from '../contract/page-range.ts';
import type { Source } from '../pdf/read/source.ts';

/** A file that a split makes. */
export interface SplitFile {
  readonly name: string;
  /** Its pages, by their places from 0. */
  readonly places: readonly number[];
}

/** The files of a split, in their order. Throws where they are too many, or a page is not there. */
export function filesOf(input: InputOf<typeof split>, { file, tree }: Source): SplitFile[] {
  const count = tree.pages.length;
  const spans = rangesOf(input, count, file.name);
  if (spans.length > MOST_FILES) throw tooMany(file.name, spans.length);
  const names = fileNames(spans, count);
  return spans.map(([start, end], i) => ({
    name: names[i] ?? '',
    places: Array.from({ length: end - start + 1 }, (_, at) => start - 1 + at),
  }));
}

/** One range a file: as asked, or cut after the pages named, or every page for itself. */
function rangesOf({ at_pages, ranges }: InputOf<typeof split>, count: number, name: string): readonly PageSpan[] {
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

/** Pages that are asked for twice are two files: page-001.pdf and page-001-2.pdf. */
function fileNames(spans: readonly PageSpan[], count: number): string[] {
  const times = new Map<string, number>();
  return spans.map((span) => {
    const name = nameOf(span, count);
    const time = (times.get(name) ?? 0) + 1;
    times.set(name, time);
    return time === 1 ? name : name.replace('.', `-${time}.`);
  });
}

/** page-001.pdf as the service names it, with more digits where there are more pages; pages-001-003.pdf for several. */
function nameOf([start, end]: PageSpan, count: number): string {
  const width = Math.max(3, String(count).length);
  const digits = (page: number): string => String(page).padStart(width, '0');
  const stem = start === end ? `page-${digits(start)}` : `pages-${digits(start)}-${digits(end)}`;
  return `${stem}.${EXTENSIONS[PDF]?.[0]}`;
}

/** For /ID: the same pages of the same file are the same document. */
export function idOf(print: string, places: readonly number[]): string {
  const [start, end] = [(places[0] ?? 0) + 1, (places.at(-1) ?? 0) + 1];
  return print.slice(0, 16) + start.toString(16).padStart(8, '0') + end.toString(16).padStart(8, '0');
}

/** Each file has to reach the disk: so many take up to half a minute. A file of 1 KB can name a page 100,000 times. */
const MOST_FILES = 20_000;

function tooMany(name: string, count: number): Failure {
  return new Failure(
    'unprocessable',
    `${name} would become ${count} files: at most ${MOST_FILES} are written at once`,
    {
      kind: 'limit',
      hint: `Cut it into parts first, with --at-pages ${MOST_FILES}, then split those.`,
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
    hint: 'Cut it into fewer parts, with --at-pages or --ranges.',
  });
}
