import { file, requiredText } from '../field.ts';
import { CREDITS } from '../limits.ts';
import { JSON_TYPE, PDF } from '../media.ts';
import { operation } from '../operation.ts';

export const labelsShow = operation({
  name: 'labels-show',
  family: 'labels',
  group: 'edit',
  method: 'POST',
  path: '/api/v1/labels-show',
  summary: 'Show how pages are labelled, in a form that labels set takes',
  work: 'copy',
  cost: { credits: 0 },
  body: 'multipart',
  input: { file: file('The PDF', { types: [PDF] }) },
  outputs: { record: { kind: 'record', mediaType: JSON_TYPE, record: 'labels', text: 'text' } },
  success: 200,
  failures: ['usage', 'unauthenticated', 'too_large', 'unprocessable'],
  replay: 'free',
  tools: { pdf_page_labels: { when: 'Use it where viewers show other page numbers than one counts.' } },
  local: true,
  extension: true,
});

export const labelsSet = operation({
  name: 'labels-set',
  family: 'labels',
  group: 'edit',
  method: 'POST',
  path: '/api/v1/labels-set',
  summary: 'Set the page labels that viewers show',
  description:
    'Sets the page labels that viewers show, in place of those that there are. A page, a colon, a style (D 1 2 3, r i ii iii, R I II III, a a b c, A A B C, or none), and where they are wanted the first number and a prefix: 1:r,5:D,20:D/1/A-',
  work: 'copy',
  cost: { credits: CREDITS.standard },
  body: 'multipart',
  input: {
    file: file('The PDF', { types: [PDF] }),
    labels: requiredText('Labels, such as 1:r,5:D,20:D/1/A-; @FILE is what a file says', { fromFile: true }),
  },
  outputs: { pdf: { kind: 'bytes', mediaType: PDF, stem: { suffix: '-labels' } } },
  success: 200,
  failures: ['usage', 'unauthenticated', 'out_of_credits', 'too_large', 'unprocessable'],
  replay: 'never',
  tools: { set_pdf_page_labels: { when: 'Use it to have viewers show roman numbers for a preface.' } },
  local: true,
  extension: true,
});

export const labelsClear = operation({
  name: 'labels-clear',
  family: 'labels',
  group: 'edit',
  method: 'POST',
  path: '/api/v1/labels-clear',
  summary: 'Take all page labels off, so that pages are counted from 1',
  work: 'copy',
  cost: { credits: CREDITS.standard },
  body: 'multipart',
  input: { file: file('The PDF', { types: [PDF] }) },
  outputs: { pdf: { kind: 'bytes', mediaType: PDF, stem: { suffix: '-labels' } } },
  success: 200,
  failures: ['usage', 'unauthenticated', 'out_of_credits', 'too_large', 'unprocessable'],
  replay: 'never',
  local: true,
  extension: true,
});
