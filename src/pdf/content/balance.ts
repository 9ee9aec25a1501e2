import type { PdfFile } from '../file/read/pdf-file.ts';
import { pageContent } from '../page/contents.ts';
import type { Dict } from '../syntax/values.ts';
import { ContentLexer } from './lexer.ts';

/** No producer nests deeper: more states are meant to slow readers down. */
const MOST = 10_000;

/**
 * How many graphics states a page's content leaves open, and how many it closes without having opened them: content
 * appended to the page must not inherit its coordinates. Streams that cannot be decoded are not drawn, and not counted.
 */
export function balanceOf(file: PdfFile, page: Dict): { open: number; closed: number } {
  const lexer = new ContentLexer(pageContent(file, page, 'readable'));
  let depth = 0;
  let lowest = 0;
  for (let token = lexer.next(); token !== 'end'; token = lexer.next()) {
    if (token !== 'operator') continue;
    if (lexer.operator === 'q') depth += 1;
    else if (lexer.operator === 'Q') lowest = Math.min(lowest, --depth);
  }
  return { open: Math.min(MOST, depth - lowest), closed: Math.min(MOST, -lowest) };
}
