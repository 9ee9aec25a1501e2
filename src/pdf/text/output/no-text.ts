import { Failure } from '../../../contract/failure.ts';
import type { ByteSource } from '../../../contract/ports.ts';

/** What to do about it. */
export const HINT = 'Run OCR first: pdftool ocr, or --ocr here.';

/** The failure of an operation that needs text where a document has none at all. */
export function noText(source: ByteSource): Failure {
  return new Failure('unprocessable', `${source.name} has no text layer`, { kind: 'no-text', hint: HINT });
}

/** One sentence about the pages without text, or nothing where there is none. Pages count from 1. */
export function noteOnPages(empty: readonly number[], total: number): string | undefined {
  if (empty.length === 0) return undefined;
  if (empty.length === total) return `No page has a text layer. ${HINT}`;
  return `No text layer on ${pagesNamed(empty)}. ${HINT}`;
}

/** As in `page 4` and `pages 1-3, 7`. */
export function pagesNamed(pages: readonly number[]): string {
  return `${pages.length === 1 ? 'page' : 'pages'} ${ranges(pages)}`;
}

/** Page numbers in rising order as a person writes them: 1-3, 7. */
export function ranges(pages: readonly number[]): string {
  const parts: string[] = [];
  for (let i = 0; i < pages.length; ) {
    let end = i;
    while (pages[end + 1] === pages[end]! + 1) end++;
    parts.push(end === i ? `${pages[i]}` : `${pages[i]}-${pages[end]}`);
    i = end + 1;
  }
  return parts.join(', ');
}
