import type { LeftOut } from '../content/page-content.ts';
import type { DeclaredStructure } from '../headings/declared-structure.ts';
import { structureOf } from '../headings/structure.ts';
import type { PageLayout } from '../layout/page-layout.ts';
import { vocabularyOf } from '../layout/vocabulary.ts';
import { BOUND, CHUNKER, chunksOf, TARGET } from './chunks.ts';
import { type MarkdownDocument, type Mode, pageAnchor, writeDocument } from './markdown-document.ts';
import { leftOutWarnings, noteOnPages } from './no-text.ts';

export interface Extracted {
  readonly document: MarkdownDocument;
  readonly pageCount: number;
  readonly empty: readonly number[];
  readonly warnings: readonly string[];
  readonly recognised?: readonly number[];
}

/** The features of extraction; in the record so that programs can query them. */
const CAPABILITIES = {
  extraction_mode: 'pdfjs_text_layer',
  ocr: false,
  images: false,
  headings: true,
  lists: true,
  code_blocks: true,
  tables: true,
  running_heads_removed: true,
  chunker: CHUNKER,
  chunk_target_chars: TARGET,
  chunk_max_chars: BOUND,
  offsets: 'unicode_code_points',
} as const;

/** Empties `pages`, so that a long document is not held twice. `wanted`: numbers of pages to write, rising, or all. */
export function extractMarkdown(
  pages: PageLayout[],
  mode: Mode,
  structure: DeclaredStructure,
  anchors = true,
  wanted: readonly number[] = pages.map((_, i) => i + 1),
): Extracted {
  const pageCount = pages.length;
  const written = new Set(wanted);
  const shown = pages.filter((_, i) => written.has(i + 1));
  const leftOut = shown.map((page) => page.leftOut);
  const empty = pages.flatMap((page, i) => (hasText(page) || !written.has(i + 1) ? [] : [i + 1]));
  const vocabulary = vocabularyOf(pages);
  const { blocks, removed } = structureOf(pages, structure);
  const kept = blocks.filter(({ page }) => written.has(page));
  const document = writeDocument(kept, wanted, mode, vocabulary, anchors);
  return { document, pageCount, empty, warnings: warningsOn(wanted.length, empty, removed, leftOut) };
}

export function markdownRecord(
  { document, pageCount, warnings, recognised = [] }: Extracted,
  mode: Mode,
): Record<string, unknown> {
  const chunks = chunksOf(document);
  const headings = document.blocks.filter(({ block }) => block.kind === 'heading');
  const pages = document.pages.map(({ number, start, end }) => ({
    page_number: number,
    page_anchor: pageAnchor(number),
    char_start: start,
    char_end: end,
    char_count: end - start,
    headings: headings.filter(({ block }) => block.page === number).map(({ text }) => text.replace(/^#+ /, '')),
    tables: document.blocks.filter(({ block }) => block.kind === 'table' && block.page === number).length,
    chunk_ids: chunks.filter((chunk) => chunk.page_number === number).map((chunk) => chunk.chunk_id),
    ...(recognised.includes(number) ? { ocr: true } : {}),
  }));
  return {
    ok: true,
    markdown: document.markdown,
    page_count: pageCount,
    mode,
    pages,
    chunks,
    // Text for retrieval is plain: links are left out.
    capabilities: { ...CAPABILITIES, ocr: recognised.length > 0, links: mode !== 'rag' },
    warnings,
  };
}

function hasText(page: PageLayout): boolean {
  return page.regions.some(
    (region) =>
      region.kind === 'table' ||
      (region.kind === 'lines' && region.lines.some((line) => /[\p{L}\p{N}]/u.test(line.text))),
  );
}

function warningsOn(count: number, empty: readonly number[], removed: number, leftOut: LeftOut[]): string[] {
  const warnings: string[] = [];
  const note = noteOnPages(empty, count);
  if (note !== undefined) warnings.push(note);
  if (removed > 0)
    warnings.push(`Left out ${removed} running ${removed === 1 ? 'head or foot' : 'heads, feet and page numbers'}.`);
  return [...warnings, ...leftOutWarnings(leftOut)];
}
