import { Failure } from '../../contract/base/failure.ts';
import type { ByteSource, BytesResult } from '../../contract/base/ports.ts';
import { field, say } from '../../contract/base/wording.ts';
import { MARKDOWN, NDJSON, ZIP } from '../../contract/media.ts';
import type { markdown } from '../../contract/operations/text.ts';
import { askedPages } from '../../pdf/page/page-names.ts';
import { layOut, type PageLayout } from '../../pdf/text/layout/page-layout.ts';
import { chunksOf, jsonLines } from '../../pdf/text/output/chunks.ts';
import { type Extracted, extractMarkdown, markdownRecord } from '../../pdf/text/output/markdown-record.ts';
import { HINT, noText, pagesNamed, unreadableWarning } from '../../pdf/text/output/no-text.ts';
import { readDocument } from '../../pdf/text/read-document.ts';
import type { Handler } from '../frame/handler.ts';
import { withWords } from './with-words.ts';

export const run: Handler<typeof markdown> = async (
  { file, pages: asked, mode, output_format, no_anchors, ocr, allow_empty },
  ctx,
) => {
  if (output_format === 'source-pack' && mode !== 'rag') {
    throw new Failure('usage', `a source pack needs mode rag, found ${mode}`, {
      hint: say`Add ${field('mode', 'rag')}.`,
    });
  }
  if (output_format === 'source-pack' && no_anchors) {
    throw new Failure('usage', 'a source pack has an anchor where each page begins', {
      hint: say`Leave ${field('no_anchors')} out.`,
    });
  }
  const pages: PageLayout[] = [];
  // Text for retrieval has no links; text for readers keeps them.
  const worded = await withWords(file, ocr, ctx, asked);
  const links = mode !== 'rag';
  const read = await readDocument(worded.file, ctx, (content) => pages.push(layOut(content)), { links });
  ctx.signal.throwIfAborted();
  // Headings and running heads are recognised by comparing all pages, so all are read.
  const numbers = asked === undefined ? undefined : askedPages(file.name, read.pageCount, asked);
  const extracted = extractMarkdown(pages, mode, read.structure(), !no_anchors, numbers);
  const { document, empty } = extracted;
  const unreadable = read.unreadable.filter((page) => numbers?.includes(page) !== false);
  const warnings = [...worded.warnings, ...read.warnings, ...extracted.warnings, ...unreadableWarning(unreadable)];
  if (!allow_empty && empty.length === (numbers?.length ?? read.pageCount)) throw noText(file);
  const result = (name: string, mediaType: string, bytes: Uint8Array): BytesResult => {
    const draft = ctx.temp.create(name);
    draft.write(bytes);
    return { kind: 'bytes', mediaType, body: draft.finish(), warnings };
  };
  const text = new TextEncoder();
  switch (output_format) {
    case 'json': {
      const record = markdownRecord({ ...extracted, warnings, recognised: worded.pages }, mode);
      return { kind: 'record', record, warnings };
    }
    case 'markdown':
      return result('document.md', MARKDOWN, text.encode(document.markdown));
    case 'jsonl':
      return result('chunks.jsonl', NDJSON, text.encode(jsonLines(chunksOf(document))));
    case 'source-pack':
      return result('source-pack.zip', ZIP, await packOf(file, extracted));
  }
};

async function packOf(file: ByteSource, { document, empty }: Extracted): Promise<Uint8Array> {
  if (empty.length > 0) {
    const message = `${file.name} has no text on ${pagesNamed(empty)}: a source pack needs text on every page`;
    throw new Failure('unprocessable', message, { kind: 'no-text', hint: HINT });
  }
  const { sourcePack } = await import('../../pdf/text/source-pack.ts');
  return sourcePack(document.markdown, chunksOf(document), document.pages.length);
}
