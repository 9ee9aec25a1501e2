// Which files a split makes: the pages of each, and its name as the service gives it.
import { Failure } from '../contract/failure.ts';
import type { PageSpan } from '../contract/field.ts';
import { EXTENSIONS, PDF } from '../contract/media.ts';
import type { InputOf } from '../contract/operation.ts';
import type { split } from '../contract/operations/pages.ts';
import { pagesOf } from '../contract/page-range.ts';

/** One range a file: as asked, or cut after the pages named, or every page for itself. */
export function rangesOf(
  { at_pages, ranges }: InputOf<typeof split>,
  count: number,
  name: string,
): readonly PageSpan[] {
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
export function fileNames(spans: readonly PageSpan[], count: number): string[] {
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
