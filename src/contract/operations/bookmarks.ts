import { file, requiredText } from '../field.ts';
import { CREDITS } from '../limits.ts';
import { JSON_TYPE, PDF } from '../media.ts';
import { operation } from '../operation.ts';

export const bookmarksShow = operation({
  name: 'bookmarks-show',
  family: 'bookmarks',
  group: 'edit',
  method: 'POST',
  path: '/api/v1/bookmarks-show',
  summary: 'Show the bookmarks with their pages, in a form that bookmarks set takes',
  work: 'copy',
  cost: { credits: 0 },
  body: 'multipart',
  input: { file: file('The PDF', { types: [PDF] }) },
  outputs: { record: { kind: 'record', mediaType: JSON_TYPE, record: 'bookmarks', text: 'text' } },
  success: 200,
  failures: ['usage', 'unauthenticated', 'too_large', 'unprocessable'],
  replay: 'free',
  tools: { pdf_bookmarks: { when: 'Use it to learn where chapters begin.' } },
  local: true,
  extension: true,
});

export const bookmarksSet = operation({
  name: 'bookmarks-set',
  family: 'bookmarks',
  group: 'edit',
  method: 'POST',
  path: '/api/v1/bookmarks-set',
  summary: 'Give a PDF the bookmarks of a list',
  description:
    'Gives a PDF the bookmarks of a list, in place of those that it has. A line each: two spaces for each level, the title, a tab and the page; or JSON, as bookmarks show --json prints it, with colours, styles and places on the page',
  work: 'copy',
  cost: { credits: CREDITS.standard },
  body: 'multipart',
  input: {
    file: file('The PDF', { types: [PDF] }),
    bookmarks: requiredText('The list; @FILE is what a file says', { fromFile: true }),
  },
  outputs: { pdf: { kind: 'bytes', mediaType: PDF, stem: { suffix: '-bookmarks' } } },
  success: 200,
  failures: ['usage', 'unauthenticated', 'out_of_credits', 'too_large', 'unprocessable'],
  replay: 'never',
  tools: { set_pdf_bookmarks: { when: 'Use it to give a PDF a table of contents to click on.' } },
  local: true,
  extension: true,
});

export const bookmarksClear = operation({
  name: 'bookmarks-clear',
  family: 'bookmarks',
  group: 'edit',
  method: 'POST',
  path: '/api/v1/bookmarks-clear',
  summary: 'Take all bookmarks off',
  work: 'copy',
  cost: { credits: CREDITS.standard },
  body: 'multipart',
  input: { file: file('The PDF', { types: [PDF] }) },
  outputs: { pdf: { kind: 'bytes', mediaType: PDF, stem: { suffix: '-bookmarks' } } },
  success: 200,
  failures: ['usage', 'unauthenticated', 'out_of_credits', 'too_large', 'unprocessable'],
  replay: 'never',
  local: true,
  extension: true,
});
