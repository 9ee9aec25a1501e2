// Warnings about a search: pages, readers and counts, never the text that was found.

import type { Difference } from '../../pdf/redact/find/page-search.ts';
import type { Unread } from '../../pdf/redact/find/pictures-of-words.ts';
import { listAt } from '../../pdf/syntax/arrays.ts';
import { pagesNamed } from '../../pdf/text/output/no-text.ts';

const UNREAD: Readonly<Record<Unread['what'], string>> = {
  'no text': 'no text that could be searched',
  pictures: 'pictures that may hold words',
  outlines: 'outlines that may be words',
  patterns: 'patterns that may hold words',
};

/** One line for each kind of content that no reader could search. */
export function unreadTold(name: string, unread: readonly Unread[]): string[] {
  return [...byKey(unread, ({ what }) => what)].map(([what, items]) => {
    const pages = pagesNamed(items.map(({ page }) => page));
    const has = items.length === 1 ? 'has' : 'have';
    return `${name}: ${pages} ${has} ${UNREAD[what]}: install tesseract and have OCR read them, or look and draw boxes by hand on the page of redact review`;
  });
}

/** One line for each reader that disagrees with the others. */
export function differencesTold(name: string, differences: readonly Difference[]): string[] {
  return [...byKey(differences, ({ reader, what }) => `${reader} ${what}` as const)].map(
    ([said, items]) => `${name}: ${pagesNamed(items.map(({ page }) => page))}: ${said}`,
  );
}

function byKey<T, K extends string>(items: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) listAt(groups, keyOf(item)).push(item);
  return groups;
}
