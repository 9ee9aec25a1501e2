import { choice, file, object } from '../../field.ts';
import { HTML, JSON_TYPE, PDF } from '../../media.ts';
import { localOperation } from '../../operation.ts';

const pdf = file('The PDF', { types: [PDF] });

/** Redaction on this machine. On a service inspect and apply are options of the redaction workflow. */
export const redactInspect = localOperation({
  name: 'redact-inspect',
  surface: 'internal',
  group: 'edit',
  summary: 'Find what to black out',
  work: 'render',
  input: { file: pdf, options: object('find, regex, kinds, ocr', { default: {} }) },
  outputs: { regions: { kind: 'record', mediaType: JSON_TYPE, record: 'redaction-regions', document: true } },
});

export const redactReview = localOperation({
  name: 'redact-review',
  surface: 'internal',
  group: 'edit',
  summary: 'Show the regions, on a page that edits them or in a PDF',
  work: 'render',
  input: {
    file: pdf,
    options: object('regions, sourceSha256', { default: {} }),
    format: choice('What to write', { values: ['pdf', 'html'], default: 'pdf' }),
  },
  outputs: {
    pdf: { kind: 'bytes', mediaType: PDF, stem: { suffix: '-review' } },
    html: { kind: 'bytes', mediaType: HTML, stem: { suffix: '-review' } },
  },
  outputBy: 'format',
});

export const redactApply = localOperation({
  name: 'redact-apply',
  surface: 'internal',
  group: 'edit',
  summary: 'Remove the regions, and check the output',
  work: 'render',
  input: {
    file: pdf,
    options: object('regions, sourceSha256, reviewed, label, fill, strict, raster, clean', { default: {} }),
  },
  outputs: { pdf: { kind: 'bytes', mediaType: PDF, stem: { suffix: '-redacted' } } },
});

export const redactCheck = localOperation({
  name: 'redact-check',
  surface: 'internal',
  group: 'edit',
  summary: 'Look for what can still be read in a redacted PDF',
  work: 'render',
  input: { file: pdf, options: object('regions, find', { default: {} }) },
  outputs: { findings: { kind: 'record', mediaType: JSON_TYPE, record: 'redaction-findings', document: true } },
});
