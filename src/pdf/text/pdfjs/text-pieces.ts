import type { TextItem } from 'pdfjs-dist/types/src/display/api.js';
import type { TextPiece } from '../../../contract/base/ports.ts';
import { memorySource } from '../../file/read/memory-source.ts';
import { openDocument } from './pdfjs.ts';

/** The text of each page by pdf.js, which shares no code with our reader. */
export async function pdfjsTexts(bytes: Uint8Array, signal: AbortSignal): Promise<TextPiece[][]> {
  const { document, bounded, close } = await openDocument(memorySource(bytes, 'the document'), signal);
  try {
    const pages: TextPiece[][] = [];
    for (let number = 1; number <= document.numPages; number++) {
      signal.throwIfAborted();
      const page = await document.getPage(number);
      const { items, styles } = await bounded(page.getTextContent());
      const pieces = items.filter((item): item is TextItem => 'str' in item);
      pages.push(pieces.map((item) => pieceOf(item, styles[item.fontName]?.vertical === true)));
      page.cleanup();
    }
    return pages;
  } finally {
    await close();
  }
}

function pieceOf({ str, dir, transform, width, height, hasEOL }: TextItem, vertical: boolean): TextPiece {
  const [a = 1, b = 0, c = 0, d = 1, x = 0, y = 0] = transform;
  const unit = (dx: number, dy: number, length: number): [number, number] => {
    const size = Math.hypot(dx, dy) || 1;
    return [(dx / size) * length, (dy / size) * length];
  };
  const base = { text: str, ends: hasEOL };
  if (vertical) {
    const [half, along] = [unit(a, b, width / 2), unit(-c, -d, height)];
    return { ...base, at: [x - half[0], y - half[1]], along, up: [half[0] * 2, half[1] * 2] };
  }
  const [along, up] = [unit(a, b, width), unit(c, d, Math.hypot(c, d) || height)];
  // A right-to-left piece is in reading order.
  if (dir === 'rtl') return { ...base, at: [x + along[0], y + along[1]], along: [-along[0], -along[1]], up };
  return { ...base, at: [x, y], along, up };
}
