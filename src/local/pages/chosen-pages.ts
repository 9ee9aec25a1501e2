import { parsePageRange, resolvePages } from '../../contract/page-range.ts';
import type { Source } from '../../pdf/file/open.ts';

/** The pages of a range, in the order given. Throws for pages that do not exist. */
export function pagesIn(range: string, { file, tree }: Source): number[] {
  return resolvePages(parsePageRange(range), tree.pages.length, file.name);
}

/** All pages from 1. */
export function allPages({ tree }: Source): number[] {
  return tree.pages.map((_, place) => place + 1);
}
