import type { DrawnPage } from '../../contract/base/ports.ts';
import type { Ask } from '../../contract/questions.ts';
import { memorySource } from '../../pdf/file/read/memory-source.ts';
import { Pdfium, type PdfiumDocument } from '../../pdf/render/pdfium.ts';
import { pdfjsTexts } from '../../pdf/text/pdfjs/text-pieces.ts';

/** Answers questions about documents with PDFium and pdf.js. After a question that rejects, ask no more: its state may be broken. */
export function answerQuestions(wasm: () => Uint8Array, signal: AbortSignal): Ask {
  const documents = new Map<number, PdfiumDocument>();
  const bytesOf = new Map<number, Uint8Array>();
  let loaded: Promise<Pdfium> | undefined;
  return async (question) => {
    if (question.ask === 'part') {
      const bytes = bytesOf.get(question.document) ?? new Uint8Array(question.size);
      bytesOf.set(question.document, bytes);
      bytes.set(question.bytes, question.at);
      return undefined;
    }
    const bytes = bytesOf.get(question.document);
    if (bytes === undefined) throw new TypeError('a document that did not come');
    if (question.ask === 'texts') return pdfjsTexts(bytes, signal);
    if (question.ask === 'open') {
      loaded ??= Pdfium.load(wasm());
      const opened = (await loaded).open(memorySource(bytes, 'the document'), undefined);
      documents.set(question.document, opened);
      return opened.pageCount;
    }
    const document = documents.get(question.document);
    if (document === undefined) throw new TypeError('a document that is not open');
    if (question.ask === 'characters') return document.characters(question.page + 1);
    if (question.ask === 'close') {
      document.close();
      documents.delete(question.document);
      bytesOf.delete(question.document);
      return undefined;
    }
    const { page, width, height, scale } = question;
    let drawn: DrawnPage | undefined;
    const drawing = {
      page: page + 1,
      width,
      height,
      colours: 'rgb',
      ...(scale === undefined ? {} : { scale }),
    } as const;
    await document.draw(drawing, [{ top: 0, rows: height }], async (band) => {
      drawn = { ...band, pixels: band.pixels.slice() };
    });
    return drawn;
  };
}
