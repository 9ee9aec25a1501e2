// Removes text that nobody sees (render mode 3), such as an earlier run of OCR left. All else stays byte for byte.

import { ContentLexer } from '../content/lexer.ts';
import { SHOWS } from '../content/operators.ts';
import { wholeDictOfPage } from '../file/read/page-dict.ts';
import type { Page } from '../file/read/page-tree.ts';
import type { PdfFile } from '../file/read/pdf-file.ts';
import { contentStream, pageContent } from '../page/contents.ts';
import { Dict, Ref } from '../syntax/values.ts';

const INVISIBLE = 3;

/** Operators that leave something to be seen. */
const PAINTS = new Set(['S', 's', 'f', 'F', 'f*', 'B', 'B*', 'b', 'b*', 'sh', 'EI', 'Do']);

/** The page's content without invisible text; undefined where it has none, or cannot be read. */
export function withoutInvisibleText(file: PdfFile, page: Page): Uint8Array | undefined {
  const dict = wholeDictOfPage(file, page);
  const resources = file.dict(dict.get('Resources'));
  const objects = file.dict(resources?.get('XObject'));
  const isLayer = (name: string): boolean => {
    const value = objects?.get(name);
    if (!(value instanceof Ref)) return false;
    const form = file.object(value.num);
    if (!(form instanceof Dict) || form.name('Subtype') !== 'Form') return false;
    const { removed, paints } = strip(contentStream(file, value.num), () => false);
    return removed && !paints;
  };
  const { removed, kept } = strip(pageContent(file, dict), isLayer);
  return removed ? Buffer.concat(kept) : undefined;
}

/** `isLayer`: whether a form shows nothing but invisible text. */
function strip(bytes: Uint8Array, isLayer: (name: string) => boolean) {
  const lexer = new ContentLexer(bytes);
  const kept: Uint8Array[] = [];
  const modes: number[] = [];
  let mode = 0;
  let removed = false;
  let paints = false;
  let keptTo = 0;
  let start = 0;
  for (let token = lexer.next(); token !== 'end'; token = lexer.next()) {
    if (token !== 'operator') continue;
    const { operator } = lexer;
    const shows = SHOWS.has(operator);
    if (operator === 'Tr') mode = lexer.number;
    else if (operator === 'q') modes.push(mode);
    else if (operator === 'Q') mode = modes.pop() ?? mode;
    if ((shows && mode === INVISIBLE) || (operator === 'Do' && isLayer(lexer.name))) {
      kept.push(bytes.subarray(keptTo, start));
      keptTo = lexer.position;
      removed = true;
    } else if (shows || PAINTS.has(operator)) paints = true;
    start = lexer.position;
  }
  kept.push(bytes.subarray(keptTo));
  return { kept, removed, paints };
}
