import { file, required, text } from '../../field.ts';
import { PDF } from '../../media.ts';
import { operation } from '../../operation.ts';
import { incremental, made, shown } from '../../shared-entries.ts';

export const labelsShow = operation({
  ...shown('labels', 'text'),
  name: 'labels-show',
  group: 'edit',
  summary: 'Show how pages are labelled, as labels set reads it',
  input: { file: file('The PDF', { types: [PDF] }) },
  tools: { pdf_page_labels: { when: 'Use it where viewers show other page numbers than one counts.' } },
});

export const labelsSet = operation({
  ...made('-labels'),
  name: 'labels-set',
  group: 'edit',
  summary: 'Set the page labels that viewers show',
  description:
    'Replaces the page labels that viewers show. Each has a page, a colon, a style (D 1 2 3, r i ii iii, R I II III, a a b c, A A B C, or none), and optionally the first number and a prefix: 1:r,5:D,20:D/1/A-',
  input: {
    file: file('The PDF', { types: [PDF] }),
    labels: required(text('Labels, such as 1:r,5:D,20:D/1/A-; @FILE reads a file', { fromFile: true })),
    incremental,
  },
  tools: { set_pdf_page_labels: { when: 'Use it to have viewers show roman numbers for a preface.' } },
});

export const labelsClear = operation({
  ...made('-labels'),
  name: 'labels-clear',
  group: 'edit',
  summary: 'Remove all page labels, so that pages count from 1',
  input: { file: file('The PDF', { types: [PDF] }) },
});
