import { file, flag } from '../../field.ts';
import { PDF } from '../../media.ts';
import { operation } from '../../operation.ts';
import { edited } from '../../shared-entries.ts';

export const optimize = operation({
  ...edited('-optimized'),
  name: 'optimize',
  group: 'size',
  path: '/api/v1/optimize-pdf',
  summary: 'Optimise a PDF for the web',
  description:
    'Arranges a PDF so that a browser shows the first page while it loads the rest (linearized, "fast web view")',
  input: {
    file: file('The PDF', { types: [PDF] }),
    linearize: flag('Put the first page first'),
  },
  needsOneOf: ['linearize'],
  tools: { optimize_pdf: { when: 'Use it for PDFs that are put on the web; compress makes them smaller.' } },
});
