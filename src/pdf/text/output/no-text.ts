import { Failure } from '../../../contract/base/failure.ts';
import type { ByteSource } from '../../../contract/base/ports.ts';
import { field, operationNamed, say } from '../../../contract/base/wording.ts';
import { rangesText } from '../../page/page-names.ts';

import type { LeftOut } from '../content/page-content.ts';

/** The hint for pages without text. */
export const HINT = say`Run OCR first: ${operationNamed('ocr')}, or ${field('ocr', true)} here.`;

/** The same in a record, whose notes are text that no surface spells. */
const ADVICE = 'Run OCR first: the operation ocr, or the option ocr here.';

/** The failure of an operation that needs text when a document has none. */
export function noText(source: ByteSource): Failure {
  return new Failure('unprocessable', `${source.name} has no text layer`, { kind: 'no-text', hint: HINT });
}

/** One sentence about the pages without text; undefined when every page has text. Pages count from 1. */
export function noteOnPages(empty: readonly number[], total: number): string | undefined {
  if (empty.length === 0) return undefined;
  if (empty.length === total) return `No page has a text layer. ${ADVICE}`;
  return `No text layer on ${pagesNamed(empty)}. ${ADVICE}`;
}

/** A warning for pages whose text layer is unreadable. */
export function unreadableWarning(pages: readonly number[]): string[] {
  return pages.length === 0 ? [] : [`${pagesNamed(pages)}: the text layer is unreadable; try OCR`];
}

/** Warnings for words that were left out of pages. */
export function leftOutWarnings(pages: readonly LeftOut[]): string[] {
  const warnings: string[] = [];
  const outside = pages.reduce((sum, page) => sum + page.outside, 0);
  const hidden = pages.reduce((sum, page) => sum + page.hidden, 0);
  if (outside > 0)
    warnings.push(`Left out ${outside} ${outside === 1 ? 'word that stands' : 'words that stand'} outside the page.`);
  if (hidden > 0)
    warnings.push(
      `Left out ${hidden} invisible ${hidden === 1 ? 'word that stands' : 'words that stand'} on no picture.`,
    );
  return warnings;
}

export function pagesNamed(pages: readonly number[]): string {
  return `${pages.length === 1 ? 'page' : 'pages'} ${rangesText(pages)}`;
}
