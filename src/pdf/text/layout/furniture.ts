import type { Line } from '../lines/lines.ts';
import type { TextRegion } from '../tables/region.ts';
import type { PageLayout } from './page-layout.ts';

/** The share of a page's height, at the top and at the bottom, where running heads stand. */
const MARGIN = 0.14;
/** The same line must stand at the same height on so many pages, or on all of a shorter document. */
const LEAST_PAGES = 3;
/** Heights that differ by less are equal, in points. */
const STEP = 4;

/** The pages without their running heads, and how many lines were left out. */
export function withoutFurniture(pages: readonly PageLayout[]): { pages: PageLayout[]; removed: number } {
  if (pages.length < 2) return { pages: [...pages], removed: 0 };
  const counts = new Map<string, Set<number>>();
  pages.forEach((page, number) => {
    for (const line of marginLines(page)) {
      for (const key of keysOf(line, page)) {
        const count = counts.get(key);
        if (count === undefined) counts.set(key, new Set([number]));
        else count.add(number);
      }
    }
  });
  const least = Math.min(LEAST_PAGES, pages.length);
  let removed = 0;
  const cleaned = pages.map((page) => {
    const running = new Set<Line>();
    for (const line of marginLines(page)) {
      if (keysOf(line, page).some((key) => (counts.get(key)?.size ?? 0) >= least)) running.add(line);
    }
    if (running.size === 0 || isAllOf(page, running)) return page;
    removed += running.size;
    return { ...page, regions: page.regions.flatMap((region) => without(region, running)) };
  });
  return { pages: cleaned, removed };
}

/** Whether a page has nothing but running heads: then they are its content, except for a page number. */
function isAllOf(page: PageLayout, running: ReadonlySet<Line>): boolean {
  const rest = page.regions.some(
    (region) => region.kind !== 'lines' || region.lines.some((line) => !running.has(line)),
  );
  return !rest && [...running].some(({ text }) => /\p{L}{2}/u.test(text));
}

function without(region: TextRegion, running: ReadonlySet<Line>): TextRegion[] {
  if (region.kind !== 'lines' || !region.lines.some((line) => running.has(line))) return [region];
  const lines = region.lines.filter((line) => !running.has(line));
  return lines.length === 0 ? [] : [{ kind: 'lines', lines }];
}

function marginLines(page: PageLayout): Line[] {
  const [top, bottom] = [MARGIN * page.height, (1 - MARGIN) * page.height];
  return page.regions.flatMap((region) =>
    region.kind === 'lines' ? region.lines.filter((line) => line.y < top || line.y > bottom) : [],
  );
}

/** Keys of a line: its text without numbers, with its height rounded both ways; page numbers have only their height. */
function keysOf(line: Line, page: PageLayout): string[] {
  const text = line.text.replace(/\d+/g, '#').replace(/^[ivxlcdm]+$/i, '#');
  const height = line.y < page.height / 2 ? line.y : line.y - page.height;
  const step = Math.floor(height / STEP);
  return [`${step} ${text}`, `${Math.floor(height / STEP + 0.5)}+ ${text}`];
}
