import { file, requiredText } from '../../field.ts';
import { PDF } from '../../media.ts';
import { operation } from '../../operation.ts';
import { incremental, made, shown } from '../../shared-entries.ts';

export const labelsShow = operation({
  ...shown('labels', 'text'),
  name: 'labels-show',
  group: 'edit',
  summary: 'Show how pages are labelled, in a form that labels set takes',
  input: { file: file('The PDF', { types: [PDF] }) },
  tools: { pdf_page_labels: { when: 'Use it where viewers show other page numbers than one counts.' } },
});

export const labelsSet = operation({
  ...made('-labels'),
  name: 'labels-set',
  group: 'edit',
  summary: 'Set the page labels that viewers show',
  description:
    'Sets the page labels that viewers show, in place of those that there are. A page, a colon, a style (D 1 2 3, r i ii iii, R I II III, a a b c, A A B C, or none), and where they are wanted the first number and a prefix: 1:r,5:D,20:D/1/A-',
  input: {
    file: file('The PDF', { types: [PDF] }),
    labels: requiredText('Labels, such as 1:r,5:D,20:D/1/A-; @FILE is what a file says', { fromFile: true }),
    incremental,
  },
  tools: { set_pdf_page_labels: { when: 'Use it to have viewers show roman numbers for a preface.' } },
});

export const labelsClear = operation({
  ...made('-labels'),
  name: 'labels-clear',
  group: 'edit',
  summary: 'Take all page labels off, so that pages are counted from 1',
  input: { file: file('The PDF', { types: [PDF] }) },
});
