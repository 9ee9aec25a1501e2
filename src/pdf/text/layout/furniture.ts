import { entryAt } from '../../../contract/base/present.ts';
import { median } from '../../syntax/arrays.ts';
import { ARTIFACT } from '../content/page-content.ts';
import type { Line } from '../lines/lines.ts';
import { romanOf } from '../lines/list-markers.ts';
import type { TextRegion } from '../tables/region.ts';
import type { PageLayout } from './page-layout.ts';

/** The share of a page's height, at the top and at the bottom, where running heads stand. */
const MARGIN = 0.14;
/** The same line must stand at the same height on so many pages, or on all of a shorter document. */
const LEAST_PAGES = 3;
/** In a document of at most so many pages, a head on two of them suffices: the first often has none, left and right differ. */
const EXCERPT = 4;
/** Lines of one head or foot are no further apart, in em. */
const NEXT = 1.4;
/** Heights that differ by less are equal, in points. */
const STEP = 4;

/**
 * The pages without their running heads, and how many lines were left out. `areTagged`: sound tags tell what is content,
 * so that what is none needs less repetition.
 */
export function withoutFurniture(
  pages: readonly PageLayout[],
  areTagged = false,
): { pages: PageLayout[]; removed: number } {
  const counts = new Map<string, Set<number>>();
  const keys = new Map<Line, readonly Key[]>();
  const margins = pages.map(marginLines);
  for (const [number, page] of pages.entries()) {
    const lines = margins[number] ?? [];
    for (const line of lines) {
      const found = [
        ...keysOf(line, page, Math.max(2, Math.min(LEAST_PAGES, pages.length))),
        ...(isOutermost(line, lines, page) ? edgeKeysOf(line, page, number, pages.length) : []),
      ];
      keys.set(line, found);
      const names = found.map(({ name }) => name);
      for (const name of [...names, withoutNumbers(line)]) entryAt(counts, name, () => new Set()).add(number);
    }
  }
  const repeated = (line: Line) =>
    keys.get(line)?.filter(({ name, least }) => (counts.get(name)?.size ?? 0) >= least) ?? [];
  // Words on pages that have nothing else are their content.
  const beside = new Set<string>();
  for (const [number, page] of pages.entries()) {
    const those = (margins[number] ?? []).filter((line) => repeated(line).length > 0);
    const hasText = hasOther(page, those);
    for (const line of those)
      if (hasText || !/\p{L}{2}/u.test(line.text)) for (const { name } of repeated(line)) beside.add(name);
  }
  let removed = 0;
  const cleaned = pages.map((page, number) => {
    const running = new Set<Line>();
    const areTold = areTagged && hasTaggedText(page);
    const content = areTold ? contentAmong(margins[number] ?? [], counts, page, pages.length) : undefined;
    for (const line of margins[number] ?? []) {
      const isArtifact = line.mark === ARTIFACT && content?.has(line) === false;
      const isRepeated = keys.get(line)?.some(({ name }) => beside.has(name)) === true;
      if (isArtifact || isRepeated) running.add(line);
    }
    if (running.size === 0) return page;
    removed += running.size;
    return { ...page, regions: page.regions.flatMap((region) => without(region, running)) };
  });
  return { pages: cleaned, removed };
}

function hasOther(page: PageLayout, lines: readonly Line[]): boolean {
  return page.regions.some((region) => region.kind !== 'lines' || region.lines.some((line) => !lines.includes(line)));
}

/**
 * A running head has at most so many lines that no other page has, and none in letters larger than the text by this
 * factor. A document of one page without a number has no running head: two lines there name the sender or explain signs.
 */
const [HEAD_LINES, TITLE] = [4, 1.15];
const NUMBER_ALONE = /^(\p{L}+ )?\p{N}+$/u;

/** Artifacts that are content: titles in the head of a form or flyer, which word processors call so, and long imprints. */
function contentAmong(
  lines: readonly Line[],
  counts: ReadonlyMap<string, ReadonlySet<number>>,
  page: PageLayout,
  pageCount: number,
): Set<Line> {
  const single = lines.filter(
    (line) =>
      line.mark === ARTIFACT && /\p{L}{2}/u.test(line.text) && (counts.get(withoutNumbers(line))?.size ?? 0) < 2,
  );
  const isSheet = pageCount === 1 && !lines.some(({ mark, text }) => mark === ARTIFACT && NUMBER_ALONE.test(text));
  if (single.length > (isSheet ? 1 : HEAD_LINES)) return new Set(single);
  const text = page.regions.flatMap((region) => (region.kind === 'lines' ? region.lines : []));
  const size = median(text.filter(({ mark }) => mark >= 0).map((line) => line.size)) ?? Infinity;
  return new Set(single.filter((line) => line.size > TITLE * size));
}

/** Some producers mark as artifacts whatever they do not tag. */
function hasTaggedText(page: PageLayout): boolean {
  return page.regions.some((region) => region.kind === 'lines' && region.lines.some(({ mark }) => mark >= 0));
}

function without(region: TextRegion, running: ReadonlySet<Line>): TextRegion[] {
  if (region.kind !== 'lines' || !region.lines.some((line) => running.has(line))) return [region];
  const lines = region.lines.filter((line) => !running.has(line));
  return lines.length === 0 ? [] : [{ kind: 'lines', lines }];
}

/** The lines in the margins. One that is next to such a line belongs to the same head or foot. */
function marginLines(page: PageLayout): Line[] {
  const lines = page.regions.flatMap((region) => (region.kind === 'lines' ? region.lines : []));
  const [top, bottom] = [MARGIN * page.height, (1 - MARGIN) * page.height];
  const isWithin = ({ y }: Line) => y < top || y > bottom;
  const within = lines.filter(isWithin);
  const isNext = (line: Line) =>
    (line.y < top + 2 * line.size || line.y > bottom - 2 * line.size) &&
    within.some(({ y, size }) => Math.abs(line.y - y) < NEXT * size);
  return lines.filter((line) => isWithin(line) || isNext(line));
}

/** A property that running heads share, and the number of pages that must have it. */
interface Key {
  readonly name: string;
  readonly least: number;
}

/** Keys of a line: its text without numbers, with its height; page numbers have only their height. */
function keysOf(line: Line, page: PageLayout, least: number): Key[] {
  return heightsOf(line, page).map((height) => ({ name: `${height} ${withoutNumbers(line)}`, least }));
}

function withoutNumbers({ text }: Line): string {
  return text.replace(/\d+/g, '#').replace(/^[ivxlcdm]+(?= |$)|(?<= )[ivxlcdm]+$/gi, '#');
}

/** A number at an end of a line, whose other words may change with the chapter: "4 Chapter 1. Methods". */
const PAGE_NUMBER = /^(?:\d{1,4}|[ivxl]+)(?= |$)|(?<= )(?:\d{1,4}|[ivxl]+)$/gi;

/** Keys of the line next to an edge: two pages suffice for numbers that count them, and for the heads of an excerpt. */
function edgeKeysOf(line: Line, page: PageLayout, number: number, pageCount: number): Key[] {
  const counted = (line.text.match(PAGE_NUMBER) ?? []).flatMap((text) => {
    const [count, least] = [/\d/.test(text) ? Number(text) : romanOf(text), text === line.text ? 2 : LEAST_PAGES];
    return heightsOf(line, page).map((height): Key => ({ name: `${height} from ${count - number}`, least }));
  });
  if (pageCount > EXCERPT || !/\p{L}{2}/u.test(line.text)) return counted;
  return [...counted, ...keysOf(line, page, 2).map((key) => ({ ...key, name: `edge ${key.name}` }))];
}

function isOutermost({ y }: Line, lines: readonly Line[], { height }: PageLayout): boolean {
  return lines.every((line) => (y < height / 2 ? line.y > y - STEP : line.y < y + STEP));
}

/** Its height from the nearer edge, rounded both ways. */
function heightsOf({ y }: Line, page: PageLayout): string[] {
  const height = y < page.height / 2 ? y : y - page.height;
  return [`${Math.floor(height / STEP)}`, `${Math.floor(height / STEP + 0.5)}+`];
}
