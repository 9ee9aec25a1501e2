import { codePoints } from '../../fonts/characters.ts';
import type { Block } from '../layout/blocks.ts';
import { joinAcrossBreaks } from '../layout/flow.ts';
import { joinLines } from '../lines/join-lines.ts';
import { type Cell, joinedCells, type Table } from '../tables/tables.ts';
import { emphasised, isNote, type Style, stylesOf } from './emphasis.ts';

export type Mode = 'developer' | 'academic' | 'rag';

/** A written block. Offsets count code points from the start of the document. */
export interface WrittenBlock {
  readonly block: Block;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export interface MarkdownDocument {
  readonly markdown: string;
  readonly blocks: readonly WrittenBlock[];
  /** The start and end of each page, in order. */
  readonly pages: readonly { readonly number: number; readonly start: number; readonly end: number }[];
}

export function pageAnchor(page: number): string {
  return `page-${page}`;
}

/**
 * @param pages numbers of the pages to write, rising. @param vocabulary the words of the document, to tell broken words
 * from hyphenated ones. A document of one page has no page marks; others have an anchor where each page begins, unless
 * disabled, and a rule above it in academic mode.
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
  // Text for retrieval is plain.
  const styles = mode === 'rag' ? undefined : stylesOf(blocks);
  let last: Block | undefined;
  for (const block of mode === 'rag' ? joinAcrossBreaks(blocks) : blocks) {
    const text = writeBlock(block, vocabulary, styles);
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

/**
 * Markdown of one block. Lines of a paragraph are joined, and broken words made whole. `styles`: those in which words
 * of paragraphs and items are emphasised; undefined for plain text.
 */
export function writeBlock(block: Block, vocabulary: ReadonlySet<string>, styles?: readonly Style[]): string {
  switch (block.kind) {
    case 'heading':
      return `${'#'.repeat(block.level)} ${joinLines(block.lines, vocabulary)}`;
    case 'paragraph':
    case 'item': {
      const text = styles === undefined ? joinLines(block.lines, vocabulary) : emphasised(block, vocabulary, styles);
      if (block.kind === 'paragraph') return text.replace(/^(#{1,6} |>|```|~~~|<!--|<\/?[a-z])/i, '\\$1');
      // Of a note that begins with a point its mark is left.
      return isNote(block.spans) && styles !== undefined ? text : `${'  '.repeat(block.depth)}${block.mark} ${text}`;
    }
    case 'code': {
      const fence = block.lines.some((line) => line.includes('```')) ? '````' : '```';
      return `${fence}\n${block.lines.join('\n')}\n${fence}`;
    }
    case 'table':
      return writeTable(joinedCells(block.table, vocabulary));
  }
}

function writeTable({ rows, columns }: Table): string {
  const spans = rows.some((row) => row.some((cell) => cell.colspan > 1 || cell.rowspan > 1));
  if (spans) return writeHtml(rows);
  const line = (cells: readonly Cell[]) => {
    const texts = cells.map((cell) => cell.text.replaceAll('|', '\\|'));
    while (texts.length < columns) texts.push('');
    return `| ${texts.join(' | ')} |`;
  };
  const [head = [], ...body] = rows;
  return [line(head), `|${' --- |'.repeat(columns)}`, ...body.map(line)].join('\n');
}

/** Markdown tables cannot express cells that span others. */
function writeHtml(rows: readonly (readonly Cell[])[]): string {
  const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const lines = rows.map((row, i) => {
    const tag = i === 0 ? 'th' : 'td';
    const cells = row.map(({ text, colspan, rowspan }) => {
      const spans = `${colspan > 1 ? ` colspan="${colspan}"` : ''}${rowspan > 1 ? ` rowspan="${rowspan}"` : ''}`;
      return `<${tag}${spans}>${escaped(text)}</${tag}>`;
    });
    return `<tr>${cells.join('')}</tr>`;
  });
  return ['<table>', ...lines, '</table>'].join('\n');
}
