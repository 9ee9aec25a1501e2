import { Failure } from '../../contract/base/failure.ts';
import { lastOf, runsOf } from '../syntax/arrays.ts';

/** Rising page numbers as people write them: 1-3, 7. */
export function rangesText(pages: readonly number[]): string {
  const runs = runsOf(pages, (page, run) => page === lastOf(run) + 1);
  return runs.map((run) => (run.length === 1 ? `${run[0]}` : `${run[0]}-${lastOf(run)}`)).join(', ');
}

import { pagesOf } from '../../contract/base/wording.ts';

/** The requested pages, or all. Throws a usage Failure for one that does not exist. */
export function askedPages(name: string, count: number, asked: readonly number[] | undefined): readonly number[] {
  const numbers = asked ?? Array.from({ length: count }, (_, i) => i + 1);
  const beyond = numbers.find((page) => page > count);
  if (beyond === undefined) return numbers;

  throw new Failure('usage', `${name} has ${pagesOf(count)}; there is no page ${beyond}`, {
    hint: `Give pages from 1 to ${count}.`,
  });
}

/** page-001.png and so on, like split; a repeated page is page-001-2.png. */
export function pageNames(numbers: readonly number[], count: number, extension: string): string[] {
  const width = Math.max(3, String(count).length);
  const times = new Map<number, number>();
  return numbers.map((page) => {
    const time = (times.get(page) ?? 0) + 1;
    times.set(page, time);
    return `page-${String(page).padStart(width, '0')}${time === 1 ? '' : `-${time}`}.${extension}`;
  });
}
