import { file, required, text } from '../../field.ts';
import { PDF } from '../../media.ts';
import { operation } from '../../operation.ts';
import { incremental, made, shown } from '../../shared-entries.ts';

export const bookmarksShow = operation({
  ...shown('bookmarks', 'text'),
  name: 'bookmarks-show',
  group: 'edit',
  summary: 'Show the bookmarks with their pages, as bookmarks set reads them',
  input: { file: file('The PDF', { types: [PDF] }) },
  tools: { pdf_bookmarks: { when: 'Use it to learn where chapters begin.' } },
});

export const bookmarksSet = operation({
  ...made('-bookmarks'),
  name: 'bookmarks-set',
  group: 'edit',
  summary: 'Set the bookmarks of a PDF from a list',
  description:
    'Replaces the bookmarks of a PDF by those of a list. Each line has two spaces per level, the title, a tab and the page. JSON as `bookmarks show` prints it also has colours, styles and places on the page',
  input: {
    file: file('The PDF', { types: [PDF] }),
    bookmarks: required(text('The list; @FILE reads a file', { fromFile: true })),
    incremental,
  },
  tools: { set_pdf_bookmarks: { when: 'Use it to give a PDF a table of contents to click on.' } },
});

export const bookmarksClear = operation({
  ...made('-bookmarks'),
  name: 'bookmarks-clear',
  group: 'edit',
  summary: 'Remove all bookmarks',
  input: { file: file('The PDF', { types: [PDF] }) },
});
