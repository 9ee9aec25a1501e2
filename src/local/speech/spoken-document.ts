// Reads a PDF for speech: its blocks in reading order, the pages asked for, chapters, title and author.

import { Failure } from '../../contract/base/failure.ts';
import type { ByteSource, Context } from '../../contract/base/ports.ts';
import { parsePageRange, resolvePages } from '../../contract/page-range.ts';
import { rangesText } from '../../pdf/page/page-names.ts';
import { structureOf } from '../../pdf/text/headings/structure.ts';
import type { Block } from '../../pdf/text/layout/blocks.ts';
import { joinAcrossBreaks } from '../../pdf/text/layout/flow.ts';
import { layOut, type PageLayout } from '../../pdf/text/layout/page-layout.ts';
import { vocabularyOf } from '../../pdf/text/layout/vocabulary.ts';
import { joinLines } from '../../pdf/text/lines/join-lines.ts';
import { HINT, pagesNamed, unreadableWarning } from '../../pdf/text/output/no-text.ts';
import { readDocument } from '../../pdf/text/read-document.ts';
import { joinedCells } from '../../pdf/text/tables/tables.ts';
import type { SpokenBlock } from '../../speech/text/script.ts';
import { stemOf } from '../frame/names.ts';

export interface SpokenDocument {
  readonly blocks: readonly SpokenBlock[];
  /** The requested pages, in rising order. */
  readonly pages: readonly number[];
  /** Those of them without text. */
  readonly empty: readonly number[];
  /** Where chapters begin according to the outline. */
  readonly marks: readonly { readonly page: number; readonly title: string }[];
  readonly title: string;
  readonly author: string | undefined;
  /** The language that the document says it is in. */
  readonly language: string | undefined;
  readonly warnings: readonly string[];
}

/** `apart`: paragraphs that cross pages stay in two parts, because each page is a slide. */
export async function readSpoken(
  file: ByteSource,
  page_range: string | undefined,
  apart: boolean,
  ctx: Context,
): Promise<SpokenDocument> {
  const range = page_range === undefined ? undefined : parsePageRange(page_range);
  const layouts: PageLayout[] = [];
  // All pages are read, because running heads are recognised by their repetition.
  const read = await readDocument(file, ctx, (content) => layouts.push(layOut(content)));
  const asked = range === undefined ? undefined : resolvePages(range, read.pageCount, file.name);
  const all = Array.from({ length: read.pageCount }, (_, i) => i + 1);
  const pages = asked === undefined ? all : [...new Set(asked)].sort((a, b) => a - b);
  const vocabulary = vocabularyOf(layouts);
  const { blocks } = structureOf(layouts, read.structure());
  const wanted = new Set(pages);
  const unreadable = read.unreadable.filter((page) => wanted.has(page));
  const chosen = blocks.filter(({ page }) => wanted.has(page) && !unreadable.includes(page));
  const joined = apart ? chosen : joinAcrossBreaks(chosen);
  const spoken = withoutPageNumbers(joined.map((block) => spokenBlock(block, vocabulary)));
  const spokenPages = new Set(chosen.filter(hasWords).map(({ page }) => page));
  const empty = pages.filter((page) => !spokenPages.has(page));
  if (empty.length === pages.length) throw nothingToSay(file, pages, read.pageCount, unreadable.length);
  const { title, author } = read.info;
  return {
    blocks: spoken,
    pages,
    empty,
    marks: marksOf(read.bookmarks().filter(({ page }) => wanted.has(page))),
    title: titleOf(title, file.name),
    author: author?.trim() || undefined,
    language: read.language,
    warnings: [...read.warnings, ...unreadableWarning(unreadable)],
  };
}

/** The title, unless a program made it up; otherwise the file name. */
function titleOf(stored: string | null | undefined, name: string): string {
  const title = stored?.trim() ?? '';
  if (title !== '' && !/^(untitled|microsoft (word|powerpoint) - )|\.(docx?|pptx?|tex|dvi|indd|pdf)$/i.test(title))
    return title;
  return stemOf(name);
}

/** The bookmarks of the highest level that has more than one. */
function marksOf(bookmarks: readonly { title: string; page: number; depth: number }[]) {
  const depths = [...new Set(bookmarks.map(({ depth }) => depth))].sort((a, b) => a - b);
  for (const depth of depths) {
    const marks = bookmarks.filter((bookmark) => bookmark.depth === depth);
    if (marks.length >= 2) return marks;
  }
  return bookmarks;
}

function spokenBlock(block: Block, vocabulary: ReadonlySet<string>): SpokenBlock {
  const { page } = block;
  switch (block.kind) {
    case 'heading':
      return { page, kind: 'heading', level: block.level, text: joinLines(block.lines, vocabulary) };
    case 'table':
    case 'code':
      return { page, kind: block.kind, text: textOf(block, vocabulary) };
    case 'item': {
      // Numbers of list items are spoken, bullets are not.
      const mark = /[\p{L}\p{N}]/u.test(block.mark) ? `${block.mark} ` : '';
      return { page, kind: 'item', text: mark + joinLines(block.lines, vocabulary) };
    }
    default:
      return { page, kind: 'text', text: joinLines(block.lines, vocabulary) };
  }
}

function hasWords(block: Block): boolean {
  const texts = block.kind === 'table' ? block.table.rows.flat().map(({ text }) => text) : block.lines;
  return texts.some((text) => /[\p{L}\p{N}]/u.test(text));
}

function textOf(block: Block, vocabulary: ReadonlySet<string>): string {
  if (block.kind !== 'table') return block.lines.join('\n');
  return joinedCells(block.table, vocabulary)
    .rows.map((row) =>
      row
        .map(({ text }) => text)
        .filter(Boolean)
        .join(', '),
    )
    .join('.\n');
}

/** Removes page numbers: lone numbers at the top or bottom of a page. */
function withoutPageNumbers(blocks: readonly SpokenBlock[]): SpokenBlock[] {
  return blocks.filter(({ page, kind, text }, i) => {
    const isEdge = blocks[i - 1]?.page !== page || blocks[i + 1]?.page !== page;
    const isNumber = /^[-–—\s]*(?:page\s+)?(?:\d{1,4}|[ivxlc]{1,7})(?:\s*(?:\/|of)\s*\d{1,4})?[-–—\s]*$/i.test(text);
    return kind === 'table' || !(isEdge && isNumber);
  });
}

function nothingToSay(file: ByteSource, pages: readonly number[], pageCount: number, unreadable: number): Failure {
  const where = pages.length === pageCount ? `any of its pages (${rangesText(pages)})` : pagesNamed(pages);
  const message = `${file.name} has no ${unreadable > 0 ? 'readable ' : ''}text on ${where}, so there is nothing to speak`;
  return new Failure('unprocessable', message, { kind: 'no-text', hint: HINT });
}
