import { file, requiredText } from '../../field.ts';
import { PDF } from '../../media.ts';
import { operation } from '../../operation.ts';
import { incremental, made, shown } from '../../shared-entries.ts';

export const bookmarksShow = operation({
  ...shown('bookmarks', 'text'),
  name: 'bookmarks-show',
  group: 'edit',
  summary: 'Show the bookmarks with their pages, in a form that bookmarks set takes',
  input: { file: file('The PDF', { types: [PDF] }) },
  tools: { pdf_bookmarks: { when: 'Use it to learn where chapters begin.' } },
});

export const bookmarksSet = operation({
  ...made('-bookmarks'),
  name: 'bookmarks-set',
  group: 'edit',
  summary: 'Give a PDF the bookmarks of a list',
  description:
    'Gives a PDF the bookmarks of a list, in place of those that it has. A line each: two spaces for each level, the title, a tab and the page; or JSON, as `bookmarks show` prints it, with colours, styles and places on the page',
  input: {
    file: file('The PDF', { types: [PDF] }),
    bookmarks: requiredText('The list; @FILE is what a file says', { fromFile: true }),
    incremental,
  },
  tools: { set_pdf_bookmarks: { when: 'Use it to give a PDF a table of contents to click on.' } },
});

export const bookmarksClear = operation({
  ...made('-bookmarks'),
  name: 'bookmarks-clear',
  group: 'edit',
  summary: 'Take all bookmarks off',
  input: { file: file('The PDF', { types: [PDF] }) },
});
