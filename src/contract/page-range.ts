// Parses page ranges: `1-3,7`, `z`, `r2`, `7-`, `!5`, `odd`, `:even`.

import { Failure } from './base/failure.ts';
import { pagesOf } from './base/wording.ts';

/** A page as written: from the front, or from the end (`r1` and `z` are the last). */
interface PageWord {
  readonly number: number;
  readonly fromEnd: boolean;
  readonly at: number;
}

type Pages = 'all' | 'odd' | 'even' | { readonly first: PageWord; readonly last: PageWord };

interface Part {
  readonly text: string;
  readonly at: number;
  readonly pages: Pages;
}

interface Group extends Part {
  readonly without: readonly Part[];
}

/** A parsed page range. Which pages it selects depends on the page count. */
export interface PageRange {
  readonly text: string;
  readonly groups: readonly Group[];
  /** `:odd` or `:even`: every other one of the selected pages. */
  readonly every?: 'odd' | 'even';
}

const HINT =
  'Pages are written as 1-3,7 and 7- (to the end), z (the last), r2 (the last but one), x5 (not 5), odd, :even.';

/** More pages than any document has, so that `1-z,1-z,…` ends. */
const MOST_PAGES = 1_000_000;
const TOO_MANY = `expected at most ${MOST_PAGES} pages`;

/** Throws a usage Failure whose message shows the place. */
export function parsePageRange(text: string): PageRange {
  const [, body = '', colon, every] = /^([^:]*)(:)?(.*)$/s.exec(text) ?? [];
  if (colon !== undefined && every !== 'odd' && every !== 'even') {
    throw wrong(text, body.length, 'expected :odd or :even, and only at the end');
  }
  const groups: (Group & { readonly without: Part[] })[] = [];
  let at = 0;
  for (const piece of body.split(',')) {
    const part = { text: piece.trim(), at: at + (piece.length - piece.trimStart().length) };
    at += piece.length + 1;
    const excluded = /^[!x]/.test(part.text);
    const before = groups.at(-1);
    if (!excluded) {
      // `:odd` alone applies to all pages.
      const all = part.text === '' && body.trim() === '' && colon !== undefined;
      groups.push({ ...part, pages: all ? 'all' : parsePages(text, part.text, part.at), without: [] });
      continue;
    }
    const out = { ...part, pages: parsePages(text, part.text.slice(1), part.at + 1) };
    if (before === undefined) groups.push({ text: 'all', at: out.at, pages: 'all', without: [out] });
    else before.without.push(out);
  }
  return { text, groups, ...(every === 'odd' || every === 'even' ? { every } : {}) };
}

/** The range, or what is wrong with the text, with a hint. */
export function parsePageField(text: string): { range: PageRange } | { issue: string } {
  try {
    return { range: parsePageRange(text) };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    // The hint becomes part of the text: other fields may be wrong too, and all share one hint.
    return { issue: [error.message, error.hint].filter((line) => line).join('\n') };
  }
}

/** The error in a range, with a hint; undefined where the range is valid. */
export function rangeIssue(text: string): string | undefined {
  const read = parsePageField(text);
  return 'issue' in read ? read.issue : undefined;
}

/** The pages, from 1, in the order asked. Throws a usage Failure where one is out of range. */
export function resolvePages(range: PageRange, pageCount: number, name = 'the document'): number[] {
  return resolveGroups(range, pageCount, name).flat();
}

/** As `resolvePages`, separately for each part between commas. */
export function resolveGroups(range: PageRange, pageCount: number, name = 'the document'): number[][] {
  const { text, every } = range;
  const matches: number[][] = [];
  const before = new Set<number>();
  let total = 0;
  for (const group of range.groups) {
    const inside = new Set(listPages(text, group.pages, pageCount, name));
    const left = new Set(inside);
    for (const part of group.without) {
      for (const page of listPages(text, part.pages, pageCount, name)) {
        if (before.has(page) && !inside.has(page)) throw stray(text, part, group, page);
        left.delete(page);
      }
    }
    const pages = [...left];
    total += pages.length;
    if (total > MOST_PAGES) throw wrong(text, group.at, TOO_MANY);
    for (const page of pages) before.add(page);
    matches.push(pages);
  }
  let position = 0;
  const kept = every === undefined ? matches : matches.map((pages) => pages.filter(() => isOf(every, ++position)));
  if (kept.every((pages) => pages.length === 0)) {
    throw wrong(text, 0, `expected at least one page, found none of the ${pagesOf(pageCount)} of ${name}`);
  }
  return kept;
}

/** Whether the range means the same pages whatever the page count. */
export function isFixed({ groups }: PageRange): boolean {
  const fixed = ({ pages }: Part) => typeof pages === 'object' && !pages.first.fromEnd && !pages.last.fromEnd;
  return groups.every((group) => fixed(group) && group.without.every(fixed));
}

/** `1-3,7`: the shortest spelling of pages in their order, understood by everything that takes page ranges. */
export function formatPages(pages: readonly number[]): string {
  return spansOf(pages)
    .map(([first, last]) => (first === last ? String(first) : `${first}-${last}`))
    .join(',');
}

/** Runs of consecutive pages. */
export function spansOf(pages: readonly number[]): (readonly [first: number, last: number])[] {
  const spans: (readonly [number, number])[] = [];
  for (const page of pages) {
    const span = spans.at(-1);
    if (span !== undefined && span[1] + 1 === page) spans[spans.length - 1] = [span[0], page];
    else spans.push([page, page]);
  }
  return spans;
}

function parsePages(text: string, word: string, at: number): Pages {
  if (word === 'odd' || word === 'even' || word === 'all') return word;
  const [which] = /(?:odd|even)$/.exec(word) ?? [];
  const before = word.slice(0, -(which?.length ?? 0));
  if (which !== undefined && /\d|^(?:z|last|end)$/.test(before)) throw gluedSuffix(text, at, before, which);
  const dash = word.indexOf('-');
  if (dash === -1) {
    const page = parsePage(text, word, at);
    return { first: page, last: page };
  }
  const [from, to] = [word.slice(0, dash).trim(), word.slice(dash + 1).trim()];
  if (from === '' && to === '') throw wrong(text, at, 'expected a page before or after -');
  return {
    first: from === '' ? { number: 1, fromEnd: false, at } : parsePage(text, from, at),
    last: to === '' ? { number: 1, fromEnd: true, at } : parsePage(text, to, at + word.indexOf(to, dash + 1)),
  };
}

function parsePage(text: string, word: string, at: number): PageWord {
  if (word === 'z' || word === 'last' || word === 'end') return { number: 1, fromEnd: true, at };
  const [, r, digits] = /^(r?)(\d{1,9})$/.exec(word) ?? [];
  const number = Number(digits);
  if (number === 0) throw wrong(text, at, 'pages count from 1');
  if (digits !== undefined) return { number, fromEnd: r === 'r', at };
  const shown = word === '' ? 'nothing' : `'${word.slice(0, 60)}'`;
  throw wrong(text, at, `expected pages such as 7, 1-3, z (the last), r2, odd or x5, found ${shown}`);
}

function listPages(text: string, pages: Pages, pageCount: number, name: string): number[] {
  if (typeof pages === 'string') {
    const all = Array.from({ length: pageCount }, (_, index) => index + 1);
    return pages === 'all' ? all : all.filter((page) => isOf(pages, page));
  }
  const [first, last] = [pages.first, pages.last].map((word) => pageOf(text, word, pageCount, name));
  if (first === undefined || last === undefined) throw new TypeError('a range has two ends');
  if (Math.abs(last - first) >= MOST_PAGES) throw wrong(text, pages.first.at, TOO_MANY);
  const step = first <= last ? 1 : -1;
  return Array.from({ length: Math.abs(last - first) + 1 }, (_, index) => first + index * step);
}

function pageOf(text: string, { number, fromEnd, at }: PageWord, pageCount: number, name: string): number {
  if (number <= pageCount) return fromEnd ? pageCount + 1 - number : number;
  const page = fromEnd ? `page r${number}` : `page ${number}`;
  throw wrong(text, at, `${name} has ${pagesOf(pageCount)}; there is no ${page}`, {
    hint: `Give pages from 1 to ${pageCount}.`,
  });
}

function isOf(which: 'odd' | 'even', number: number): boolean {
  return number % 2 === (which === 'odd' ? 1 : 0);
}

/** Refused as ambiguous: in pdftk `odd` means page numbers, in qpdf positions. */
function gluedSuffix(text: string, at: number, before: string, which: string): Failure {
  const other = which === 'odd' ? 'even' : 'odd';
  return wrong(text, at, `'${before}${which}' may mean two things`, {
    hint: `Write ${before},x${other} for the ${which} page numbers, or ${before}:${which} at the end for every other page.`,
  });
}

/** Refused where ambiguous: qpdf excludes pages from the part before alone, pdfcpu from all parts. */
function stray(text: string, part: Part, group: Group, page: number): Failure {
  const message = `${part.text} belongs to ${group.text}, and page ${page} was chosen by a range before it`;
  return wrong(text, part.at, message, {
    hint: `Write ${part.text} right behind the range that it is to be left out of.`,
  });
}

/** The message, with the range below it and a mark at the place. */
function wrong(text: string, at: number, message: string, { hint = HINT } = {}): Failure {
  if (text.trim() === '') return new Failure('usage', message, { hint });
  // Long ranges are cut, so that the mark stays below its place on a terminal.
  const from = Math.max(0, at - 30);
  const shown = text.slice(from, from + 60).replace(/[^\x20-\x7e]/g, '?');
  return new Failure('usage', `${message}\n  ${shown}\n  ${' '.repeat(at - from)}^`, { hint });
}
