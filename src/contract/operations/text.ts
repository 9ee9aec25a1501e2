import { choice, file, flag, pages } from '../field.ts';
import { LIMITS } from '../limits.ts';
import { CSV, JSON_TYPE, MARKDOWN, NDJSON, PDF, XLSX, ZIP } from '../media.ts';
import { operation } from '../operation.ts';
import { PAID } from '../shared-entries.ts';

const ALLOW_EMPTY = flag('Succeed with empty text where a document has no text layer', { extension: true });
export const OCR = flag('Recognise the words of pages without text first, as `pdftool ocr` does', { extension: true });

const PAGES = pages('Pages to read, instead of all, such as 1-3,7', { extension: true });

export const extractText = operation({
  ...PAID,
  name: 'extract-text',
  aliases: ['text'],
  group: 'text',
  summary: 'Extract the text layer as plain text',
  work: 'read',
  input: { file: file('The PDF', { types: [PDF] }), pages: PAGES, ocr: OCR, allow_empty: ALLOW_EMPTY },
  limits: { inputBytes: LIMITS.extractInput },
  outputs: { record: { kind: 'record', mediaType: JSON_TYPE, record: 'text', text: 'text' } },
  failures: ['usage', 'unauthenticated', 'out_of_credits', 'too_large'],
  tools: { extract_text: { when: 'Use it to read a PDF. Scanned pages have no text layer: they need OCR first.' } },
  described: true,
});

export const toJson = operation({
  ...PAID,
  name: 'to-json',
  aliases: ['pdf-to-json'],
  group: 'text',
  path: '/api/v1/pdf-to-json',
  summary: 'Extract the text layer page by page as JSON',
  work: 'read',
  input: { file: file('The PDF', { types: [PDF] }), pages: PAGES, ocr: OCR },
  outputs: { record: { kind: 'record', mediaType: JSON_TYPE, record: 'pdf-json', document: true } },
  failures: ['usage', 'unauthenticated', 'out_of_credits', 'too_large'],
  tools: { pdf_to_json: { when: 'Use it when it matters which page a text stands on.' } },
  described: true,
});

export const markdown = operation({
  ...PAID,
  name: 'markdown',
  aliases: ['pdf-structured-markdown'],
  group: 'text',
  path: '/api/v1/pdf-structured-markdown',
  summary: 'Extract the text layer as structured Markdown',
  work: 'read',
  input: {
    file: file('The PDF', { types: [PDF] }),
    mode: choice('developer: links. academic: a rule between pages too. rag: plain text across pages, for retrieval', {
      values: ['developer', 'academic', 'rag'],
      default: 'developer',
    }),
    output_format: choice('What comes out; source-pack needs mode rag', {
      values: ['json', 'markdown', 'jsonl', 'source-pack'],
      default: 'json',
    }),
    pages: PAGES,
    no_anchors: flag('Leave out the anchors at page starts', { extension: true }),
    ocr: OCR,
    allow_empty: ALLOW_EMPTY,
  },
  limits: {
    inputBytes: LIMITS.markdownInput,
    when: [
      {
        field: 'output_format',
        value: 'source-pack',
        inputBytes: LIMITS.sourcePackInput,
        pages: LIMITS.sourcePackPages,
        derivativeBytes: LIMITS.sourcePackDerivatives,
        requires: { mode: 'rag' },
      },
    ],
  },
  outputs: {
    json: { kind: 'record', mediaType: JSON_TYPE, record: 'structured-markdown', document: true },
    markdown: { kind: 'bytes', mediaType: MARKDOWN, stem: { suffix: '' }, printed: true },
    jsonl: { kind: 'bytes', mediaType: NDJSON, stem: { suffix: '' }, printed: true },
    'source-pack': { kind: 'bytes', mediaType: ZIP, stem: { suffix: '-source-pack' } },
  },
  outputBy: 'output_format',
  commandDefaults: { output_format: 'markdown' },
  tools: {
    pdf_structured_markdown: {
      when: 'Use it when headings, lists and tables matter, or for chunks to search in (mode rag); mind that the default is a record with all of it.',
    },
  },
  described: true,
});

const FORMATS = 'csv: all tables, separated by an empty line. csv-files: one file for each table. xlsx: a workbook';

export const tables = operation({
  ...PAID,
  name: 'tables',
  group: 'text',
  work: 'read',
  summary: 'Extract tables as CSV, a workbook, JSON or Markdown',
  description:
    'Extracts the tables of a document, in reading order. A workbook has a sheet for each table, with numbers as numbers if no digit is lost and their column is clear; JSON has the place and the span of each cell',
  extension: true,
  input: {
    file: file('The PDF', { types: [PDF] }),
    format: choice(FORMATS, { values: ['csv', 'csv-files', 'xlsx', 'json', 'markdown'], default: 'csv' }),
    pages: pages('Pages to read, instead of all, such as 1-3,7'),
    ocr: flag('Recognise the words of pages without text first, as `pdftool ocr` does'),
  },
  limits: { inputBytes: LIMITS.extractInput },
  outputs: {
    csv: { kind: 'bytes', mediaType: CSV, stem: { suffix: '-tables' }, printed: true },
    'csv-files': { kind: 'parts', mediaType: ZIP, partTypes: [CSV], stem: { suffix: '-tables' } },
    xlsx: { kind: 'bytes', mediaType: XLSX, stem: { suffix: '-tables' } },
    json: { kind: 'record', mediaType: JSON_TYPE, record: 'tables', document: true },
    markdown: { kind: 'bytes', mediaType: MARKDOWN, stem: { suffix: '-tables' }, printed: true },
  },
  outputBy: 'format',
  tools: { extract_tables: { when: 'Use it for figures in tables; json tells where each cell stands.' } },
});
