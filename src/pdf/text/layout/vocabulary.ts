import { addWords } from '../lines/join-lines.ts';
import type { PageLayout } from './page-layout.ts';

/** The words of these pages in lower case: they tell which hyphens at line ends belong to words. */
export function vocabularyOf(pages: readonly PageLayout[]): Set<string> {
  const vocabulary = new Set<string>();
  for (const region of pages.flatMap(({ regions }) => regions)) {
    if (region.kind === 'lines') for (const { text } of region.lines) addWords(text, vocabulary);
    if (region.kind === 'table')
      for (const { text } of region.table.rows.flat()) for (const line of text.split('\n')) addWords(line, vocabulary);
  }
  return vocabulary;
}
