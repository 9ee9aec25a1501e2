import type { PageRange } from './page-range.ts';

type Group = PageRange['groups'][number];

/** Explains a page range: a line for each part between commas, and one for what applies to all of them. */
export function describeRange({ groups, every }: PageRange): string[] {
  const lines = groups.map((group) => {
    const without = group.without.map(({ pages }) => chosen(pages)).join(' and ');
    return without === '' ? chosen(group.pages) : `${chosen(group.pages)}, without ${without}`;
  });
  if (every === undefined) return lines;
  const which = every === 'odd' ? 'first, third, fifth' : 'second, fourth, sixth';
  return [...lines, `of these, the ${which} and so on`];
}

function chosen(pages: Group['pages']): string {
  if (typeof pages === 'string') return pages === 'all' ? 'all pages' : `all ${pages} page numbers`;
  const [first, last] = [page(pages.first), page(pages.last)];
  return first === last ? first : `${first} to ${last}`;
}

function page({ number, fromEnd }: Exclude<Group['pages'], string>['first']): string {
  if (!fromEnd) return `page ${number}`;
  return number === 1 ? 'the last page' : `page ${number} from the end`;
}
