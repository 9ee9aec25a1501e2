import { memorySource } from '../../memory-source.ts';
import { openDocument } from '../../text/pdfjs/pdfjs.ts';

/** The text of each page by pdf.js, which shares no code with our reader. */
export async function pdfjsTexts(bytes: Uint8Array, signal: AbortSignal): Promise<string[]> {
  const { document, bounded, close } = await openDocument(memorySource(bytes, 'the document'), signal);
  try {
    const texts: string[] = [];
    for (let number = 1; number <= document.numPages; number++) {
      signal.throwIfAborted();
      const page = await document.getPage(number);
      const { items } = await bounded(page.getTextContent());
      texts.push(items.map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : '')).join(''));
      page.cleanup();
    }
    return texts;
  } finally {
    await close();
  }
}
