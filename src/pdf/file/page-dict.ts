// Owns a page's dictionary as a value, wherever it stands. Knows nothing of what is in it.
import type { Page } from './pages.ts';
import { Parser } from './parse.ts';
import type { PdfFile } from './reader.ts';
import { Dict } from './values.ts';

/** Without what the page inherits; undefined where there is none. */
export function dictOfPage(file: PdfFile, { num, direct }: Pick<Page, 'num' | 'direct'>): Dict | undefined {
  const found = direct === undefined ? file.object(num) : new Parser(direct).value();
  return found instanceof Dict ? found : undefined;
}
