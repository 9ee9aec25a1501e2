import { Parser } from '../syntax/parser.ts';
import { Dict } from '../syntax/values.ts';
import type { Page } from './page-tree.ts';
import type { PdfFile } from './pdf-file.ts';

/** Without what the page inherits; undefined where there is none. */
export function dictOfPage(file: PdfFile, { num, direct }: Pick<Page, 'num' | 'direct'>): Dict | undefined {
  const found = direct === undefined ? file.object(num) : new Parser(direct).value();
  return found instanceof Dict ? found : undefined;
}
