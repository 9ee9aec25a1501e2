// An inspection and a check in words: pages and counts, never the text that was found.
import type { Check, Leak } from '../../../pdf/redact/check-document.ts';
import type { TermCount } from '../../../pdf/redact/inspect-document.ts';
import { count } from '../../../runtime/terminal/units.ts';

export type Values = Readonly<Record<string, unknown>>;

/** The number of regions on each page, in the order of pages. */
export function placesByPage(record: Values): { readonly page: number; readonly count: number }[] {
  const pages = new Map<number, number>();
  for (const { page } of (record.regions ?? []) as readonly { page: number }[]) // our own engine's record
    pages.set(page, (pages.get(page) ?? 0) + 1);
  return [...pages].sort(([a], [b]) => a - b).map(([page, found]) => ({ page, count: found }));
}

export function foundLine(record: Values): string {
  const pages = placesByPage(record);
  const all = pages.reduce((sum, page) => sum + page.count, 0);
  return all === 0 ? 'no region was found' : `${count(all, 'region')} on ${count(pages.length, 'page')}`;
}

export function pageTable(record: Values): string {
  const rows = placesByPage(record).map(({ page, count: found }) => [String(page), String(found)]);
  return [['page', 'regions'], ...rows]
    .map(([page = '', found = '']) => `${page.padStart(6)}  ${found.padStart(7)}\n`)
    .join('');
}

/** Searched words without a region, in case another spelling was meant. */
export function notFound(record: Values, find: unknown): string | undefined {
  const { terms } = record;
  if (!Array.isArray(terms) || !Array.isArray(find)) return undefined;
  const counted = terms as readonly TermCount[]; // our own engine's record
  const lines = counted.flatMap(({ regions, elsewhere }, i) => {
    if (regions > 0) return [];
    const places = elsewhere.map((each) => `${each.where} (${each.count})`).join(', ');
    if (places === '') return [`"${find[i]}" was found nowhere`];
    return [
      `"${find[i]}" was found only where no region can be drawn: ${places}; redact apply leaves that out, or see pdftool meta, bookmarks and attach`,
    ];
  });
  return lines.length === 0 ? undefined : lines.join('; ');
}

export function checkInWords(name: string, record: Values): string {
  const { leaks, hidden = [], unread = [], notes } = record as unknown as Check; // our own engine's record
  const lines: string[] = [];
  const list = (title: string, items: readonly string[]) => {
    if (items.length > 0) lines.push(title, ...items.map((item) => `  ${item}`));
  };
  const pages = count(Number(record.page_count), 'page');
  if (leaks.length === 0) lines.push(`${name}: nothing that should be gone was found, ${pages} looked at`);
  list(`${name}: something can still be read or seen, ${pages} looked at:`, leaks.map(leakInWords));
  list('Hidden text beside what was redacted:', hidden.map(leakInWords));
  list(
    'Not read, so look for yourself or install tesseract:',
    unread.map(({ page, what }) => `page ${page}: ${what === 'no text' ? 'no text' : `${what} that may hold words`}`),
  );
  list(
    'Besides its pages the file has:',
    notes.map(({ what, count: found }) => `${what} (${found})`),
  );
  return `${lines.join('\n')}\n`;
}

function leakInWords({ page, what, count: found, by, where }: Leak): string {
  const place = page === undefined ? (where ?? 'the file') : `page ${page}`;
  const readers = by === undefined || by.length === 0 ? '' : `, by ${by.join(', ')}`;
  return `${place}: ${what}${found > 1 ? `, ${found} times` : ''}${readers}`;
}
