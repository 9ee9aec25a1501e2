// Owns plain text: the lines of a page in reading order, a blank line between blocks. Knows nothing of Markdown.
import type { PageLayout } from './page-layout.ts';

export function plainText(layout: PageLayout): string {
  return layout.regions.map((region) => region.lines.map((line) => line.text).join('\n')).join('\n\n');
}
