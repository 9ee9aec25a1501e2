// Owns links: which words lie in the area of one. Knows nothing of Markdown.
import type { Page, Viewport } from 'pdfjs-dist/legacy/build/pdf.min.mjs';
import { type PageContent, turnBox } from './page-content.ts';

/** Marks the words of a page that lead to an address on the web or to a mailbox. */
export async function markLinks(page: Page, view: Viewport, content: PageContent): Promise<void> {
  const annotations = await page.getAnnotations();
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = view.transform;
  for (const { subtype, url, rect } of annotations) {
    if (subtype !== 'Link' || url === undefined || !/^(https?|mailto):/.test(url) || rect?.length !== 4) continue;
    const [left = 0, bottom = 0, right = 0, top = 0] = rect;
    const xs = [a * left + c * bottom + e, a * right + c * top + e];
    const ys = [b * left + d * bottom + f, b * right + d * top + f];
    const box = { x0: Math.min(...xs), y0: Math.min(...ys), x1: Math.max(...xs), y1: Math.max(...ys) };
    const area = turnBox(box, content.direction, view.width, view.height);
    for (const word of content.words) {
      const [x, y] = [(word.x0 + word.x1) / 2, word.y - 0.3 * word.size];
      if (x > area.x0 && x < area.x1 && y > area.y0 && y < area.y1) word.link = url;
    }
  }
}
