import { files, flag, integer, text } from '../../field.ts';
import { OWN_LIMITS } from '../../limits.ts';
import { JSON_TYPE, PDF } from '../../media.ts';
import { operation } from '../../operation.ts';
import { OWN } from '../../shared-entries.ts';

const HTML =
  'Also write a web page with both pages and their differences to this file; a service answers with the page';

export const compare = operation({
  ...OWN,
  name: 'compare',
  aliases: ['diff'],
  group: 'pages',
  path: '/api/v1/compare-pdfs',
  summary: 'Show which pages of two PDFs differ',
  description:
    'Draws the pages of two PDFs, reads their words, and shows which pages differ. It exits with 0 if they are the same and with 1 if they differ, as diff does; any other code means that it could not compare them',
  cost: { credits: 1 },
  input: {
    file: files('Two PDFs', { types: [PDF], min: 2, max: 2 }),
    text: flag('Compare only the words, and draw nothing'),
    dpi: integer('Pixels per inch of the drawn pages', { min: 10, max: 600, default: 96 }),
    tolerance: integer('Difference between pixels that is ignored, 0 to 255', { min: 0, max: 255, default: 8 }),
    html: text(HTML, { output: true, extension: true }),
  },
  exclusive: [['text', 'html']],
  limits: { inputBytes: OWN_LIMITS.toImagesInput, pages: OWN_LIMITS.toImagesPages },
  outputs: { comparison: { kind: 'record', mediaType: JSON_TYPE, record: 'comparison', text: 'summary' } },
  verdict: { key: 'same', exit: 'differ' },
  work: 'render',
  failures: ['usage', 'unauthenticated', 'out_of_credits', 'too_large', 'unprocessable', 'unavailable'],
  replay: 'never',
  tools: { compare_pdfs: { when: 'Use it to check what changed between two versions of a document.' } },
});
