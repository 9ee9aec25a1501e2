import type { PdfFile } from '../../file/read/pdf-file.ts';
import type { View } from '../../page/view.ts';
import { greatest, least } from '../../syntax/arrays.ts';
import { decodeText } from '../../syntax/text-strings.ts';
import { type Dict, PdfString } from '../../syntax/values.ts';
import { type PageContent, turnBox } from './page-content.ts';

/** Marks the words of a page that lead to an address on the web or to a mailbox. */
export function markLinks(file: PdfFile, page: Dict, view: View, content: PageContent): void {
  const annotations = file.resolve(page.get('Annots'));
  if (!Array.isArray(annotations)) return;
  const [a, b, c, d, e, f] = view.transform;
  for (const item of annotations) {
    const annotation = file.dict(item);
    const url = annotation === undefined ? undefined : addressOf(file, annotation);
    const rect = url === undefined ? undefined : file.resolve(annotation?.get('Rect'));
    if (!Array.isArray(rect) || rect.length !== 4) continue;
    const [left = 0, bottom = 0, right = 0, top = 0] = rect.map((number) => Number(file.resolve(number)));
    const xs = [a * left + c * bottom + e, a * right + c * top + e];
    const ys = [b * left + d * bottom + f, b * right + d * top + f];
    const box = { x0: least(xs), y0: least(ys), x1: greatest(xs), y1: greatest(ys) };
    const area = turnBox(box, content.direction, view.width, view.height);
    for (const word of content.words) {
      const [x, y] = [(word.x0 + word.x1) / 2, word.y - 0.3 * word.size];
      if (url !== undefined && x > area.x0 && x < area.x1 && y > area.y0 && y < area.y1) word.link = url;
    }
  }
}

/** The address of a link; undefined for a link within the document, and for anything but an address. */
function addressOf(file: PdfFile, annotation: Dict): string | undefined {
  if (annotation.name('Subtype') !== 'Link') return undefined;
  const action = file.dict(annotation.get('A'));
  if (action?.name('S') !== 'URI') return undefined;
  const uri = file.resolve(action.get('URI'));
  if (!(uri instanceof PdfString)) return undefined;
  const text = utf8(uri.bytes).trim();
  const whole = /^www\./i.test(text) ? `http://${text}` : text;
  return /^(https?|mailto):/i.test(whole) && URL.canParse(whole) ? new URL(whole).href : undefined;
}

/** Addresses are ASCII by the standard; producers write UTF-8. */
function utf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return decodeText(bytes);
  }
}
