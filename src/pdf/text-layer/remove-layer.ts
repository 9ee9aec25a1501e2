// Takes text away that is there and not seen (render mode 3): what an earlier run of OCR has left. All else of a page's
// content stays, byte for byte.
import { dictOfPage } from '../read/page-dict.ts';
import type { Page } from '../read/page-tree.ts';
import type { PdfFile } from '../read/pdf-file.ts';
import { Parser } from '../syntax/parser.ts';
import { Dict, Ref, type Value } from '../syntax/values.ts';
import { ContentLexer } from '../text/content/content-lexer.ts';

/** Bytes of content, of a page or a form. */
const CAP = 96 << 20;
const INVISIBLE = 3;

/** An operator as the lexer has it: its bytes as one number, the first one lowest. */
function code(operator: string): number {
  return [...operator].reduce((sum, letter, i) => sum | (letter.charCodeAt(0) << (8 * i)), 0);
}

const SHOWS = new Set(['Tj', 'TJ', "'", '"'].map(code));
/** Operators that leave something to be seen. */
const PAINTS = new Set(['S', 's', 'f', 'F', 'f*', 'B', 'B*', 'b', 'b*', 'sh', 'EI', 'ID', 'Do'].map(code));
const [MODE, SAVE, RESTORE, DRAW, IMAGE] = ['Tr', 'q', 'Q', 'Do', 'ID'].map(code);

/** The page's content without invisible text; undefined where it has none, or cannot be read. */
export function withoutInvisibleText(file: PdfFile, page: Page): Uint8Array | undefined {
  const dict = dictOfPage(file, page);
  const bytes = contentOf(file, dict?.get('Contents'));
  if (bytes === undefined) return undefined;
  const inherited = page.inherited.Resources;
  const resources = file.dict(dict?.get('Resources') ?? (inherited && new Parser(inherited).value()));
  const objects = file.dict(resources?.get('XObject'));
  const isLayer = (name: string): boolean => {
    const value = objects?.get(name);
    if (!(value instanceof Ref)) return false;
    const form = file.object(value.num);
    if (!(form instanceof Dict) || form.name('Subtype') !== 'Form') return false;
    const content = file.streamBytes(value.num, CAP)?.bytes;
    if (content === undefined) return false;
    const { removed, paints } = strip(content, () => false);
    return removed && !paints;
  };
  const { removed, kept } = strip(bytes, isLayer);
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
    if (operator === IMAGE) lexer.skipImage();
    if (operator === MODE) mode = lexer.number;
    else if (operator === SAVE) modes.push(mode);
    else if (operator === RESTORE) mode = modes.pop() ?? mode;
    if ((shows && mode === INVISIBLE) || (operator === DRAW && isLayer(lexer.name))) {
      kept.push(bytes.subarray(keptTo, start));
      keptTo = lexer.position;
      removed = true;
    } else if (shows || PAINTS.has(operator)) paints = true;
    start = lexer.position;
  }
  kept.push(bytes.subarray(keptTo));
  return { kept, removed, paints };
}

function contentOf(file: PdfFile, value: Value | undefined): Uint8Array | undefined {
  const found = file.resolve(value);
  const refs = Array.isArray(found) ? found : [value];
  const parts: Uint8Array[] = [];
  for (const ref of refs) {
    if (!(ref instanceof Ref)) continue;
    const stream = file.streamBytes(ref.num, CAP);
    if (stream === undefined) return undefined;
    parts.push(stream.bytes, Uint8Array.of(0x0a));
  }
  return Buffer.concat(parts);
}
