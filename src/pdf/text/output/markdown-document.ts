import { codePoints } from '../../fonts/characters.ts';
import type { Block } from '../layout/blocks.ts';
import { joinAcrossBreaks } from '../layout/flow.ts';
import { writeBlock } from './write-markdown.ts';

export type Mode = 'developer' | 'academic' | 'rag';

/** A block as it is written. Offsets count code points from the start of the document. */
export interface WrittenBlock {
  readonly block: Block;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export interface MarkdownDocument {
  readonly markdown: string;
  readonly blocks: readonly WrittenBlock[];
  readonly pages: readonly { readonly number: number; readonly start: number; readonly end: number }[];
}

export function pageAnchor(page: number): string {
  return `page-${page}`;
}

/**
 * @param pages the numbers of those that are written, rising.
 * @param vocabulary the words of the document, to tell broken words from hyphenated ones.
 * A document of one page has no page marks; others have an anchor where each page begins, unless they are not wanted, and a
 * rule above it in academic mode.
 */
export function writeDocument(
  blocks: readonly Block[],
  pages: readonly number[],
  mode: Mode,
  vocabulary: ReadonlySet<string>,
  anchors: boolean,
): MarkdownDocument {
  const parts: string[] = [];
  const written: WrittenBlock[] = [];
  const starts: number[] = [];
  let at = 0;
  const put = (text: string, separator: string) => {
    if (parts.length > 0) {
      parts.push(separator);
      at += separator.length;
    }
    parts.push(text);
    const start = at;
    at += codePoints(text);
    return start;
  };
  const pageMarks = (until: number) => {
    for (let page = pages[starts.length]; page !== undefined && page <= until; page = pages[starts.length]) {
      const rule = mode === 'academic' && starts.length > 0 ? put('---', '\n\n') : undefined;
      const anchor = anchors && pages.length > 1 ? put(`<a id="${pageAnchor(page)}"></a>`, '\n\n') : undefined;
      starts.push(rule ?? anchor ?? at);
    }
  };
  let last: Block | undefined;
  for (const block of mode === 'rag' ? joinAcrossBreaks(blocks) : blocks) {
    const text = writeBlock(block, mode === 'rag', vocabulary);
    if (text.trim() === '') continue;
    const onPage = last?.page === block.page;
    pageMarks(block.page);
    const start = put(text, onPage && last?.kind === 'item' && block.kind === 'item' ? '\n' : '\n\n');
    written.push({ block, text, start, end: at });
    last = block;
  }
  pageMarks(pages.at(-1) ?? 0);
  parts.push('\n');
  const places = starts.map((start, i) => ({ number: pages[i] ?? 0, start, end: starts[i + 1] ?? at + 1 }));
  return { markdown: parts.join(''), blocks: written, pages: places };
}
