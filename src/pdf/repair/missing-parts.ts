// What a repaired file no longer has: pages, their content, fonts and pictures. People are told.
import { numberAt } from '../read/entries.ts';
import type { Source } from '../read/opened.ts';
import type { Page } from '../read/page-tree.ts';
import type { PdfFile } from '../read/pdf-file.ts';
import { padded } from '../syntax/characters.ts';
import { Parser } from '../syntax/parser.ts';
import { Dict, Ref, type Value } from '../syntax/values.ts';

/** Numbers that are named one by one before the rest is only counted. */
const NAMED = 12;

/** What is missing of a file, a phrase each, so that nobody takes a salvaged file for a whole one. */
export function missingParts({ file, tree }: Pick<Source, 'file' | 'tree'>): string[] {
  const phrases: string[] = [];
  const said = numberAt(file, file.dict(file.dict(file.xref.trailer.get('Root'))?.get('Pages')), 'Count');
  const found = tree.pages.length;
  if (said !== undefined && said > found) phrases.push(`it says that it has ${said} pages; found: ${found}`);
  const lost = { content: new Set<number>(), fonts: new Set<number>(), pictures: new Set<number>() };
  const broken = { content: new Set<number>(), fonts: new Set<number>(), pictures: new Set<number>() };
  const note = (what: keyof typeof lost, value: Value | undefined, number: number): void => {
    if (gone(file, value)) lost[what].add(number);
    if (value instanceof Ref && file.mended.has(value.num)) broken[what].add(number);
  };
  for (const [i, page] of tree.pages.entries()) {
    const dict = page.num > 0 ? file.dict(new Ref(page.num, 0)) : undefined;
    const contents = file.resolve(dict?.get('Contents'));
    for (const value of [dict?.get('Contents'), ...(Array.isArray(contents) ? contents : [])])
      note('content', value, i + 1);
    const resources = resourcesOf(file, page, dict);
    for (const value of entriesOf(file, resources, 'Font')) note('fonts', value, i + 1);
    for (const value of entriesOf(file, resources, 'XObject')) note('pictures', value, i + 1);
  }
  for (const [what, pages] of Object.entries(lost)) {
    if (pages.size > 0) phrases.push(`${what} of ${listed([...pages])} ${what === 'content' ? 'is' : 'are'} missing`);
  }
  const halves = tree.pages.flatMap(({ num }, i) => (file.mended.has(num) ? [i + 1] : []));
  if (halves.length > 0) phrases.push(`${listed(halves)} ${halves.length === 1 ? 'is' : 'are'} not whole`);
  for (const [what, pages] of Object.entries(broken)) {
    if (pages.size > 0) phrases.push(`${what} of ${listed([...pages])} ${what === 'content' ? 'is' : 'are'} not whole`);
  }
  return phrases;
}

function resourcesOf(file: PdfFile, page: Page, dict: Dict | undefined): Dict | undefined {
  const own = file.dict(dict?.get('Resources'));
  const above = page.inherited.Resources;
  return own ?? (above === undefined ? undefined : file.dict(new Parser(padded(above)).value()));
}

function entriesOf(file: PdfFile, resources: Dict | undefined, kind: string): Value[] {
  return [...(file.dict(resources?.get(kind)) ?? new Dict()).values()];
}

function gone(file: PdfFile, value: Value | undefined): boolean {
  return value instanceof Ref && !file.has(value.num);
}

/** `page 2`, or `pages 2, 3 and 40 more`. */
export function listed(numbers: readonly number[], what = 'page'): string {
  if (numbers.length === 1) return `${what} ${numbers[0]}`;
  const more = numbers.length - NAMED;
  return `${what}s ${numbers.slice(0, NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
