// Operations that choose and order pages of one PDF; bookmarks, links and form fields of the pages follow them.
import { file, range, required } from '../../field.ts';
import { LIMITS } from '../../limits.ts';
import { PDF } from '../../media.ts';
import { operation } from '../../operation.ts';
import { made } from '../../shared-entries.ts';

const pdf = file('The PDF', { types: [PDF] });

/** Entries shared by these rows. */
const shared = {
  group: 'pages',
  limits: { inputBytes: LIMITS.mergeInput, outputBytes: LIMITS.mergeOutput },
} as const;

const FOLLOWS = 'Bookmarks, links, forms, labels, layers and tags follow the pages';

export const pagesTake = operation({
  ...made('-pages'),
  ...shared,
  name: 'pages-take',
  summary: 'Write some pages to a new PDF',
  description: `Writes pages to a new PDF, in the given order; a page may appear twice. ${FOLLOWS}`,
  input: { file: pdf, pages: required(range('Pages to take, such as 3,1-2 or r2-', { last: true })) },
  tools: { pages_take: { when: 'Use it to get one PDF of some pages, in any order.' } },
});

export const pagesDrop = operation({
  ...made('-dropped'),
  ...shared,
  name: 'pages-drop',
  summary: 'Leave pages out',
  description: `Leaves pages out and keeps all others. ${FOLLOWS}`,
  input: { file: pdf, pages: required(range('Pages to leave out, such as 1,7-9', { last: true })) },
  tools: { pages_drop: { when: 'Use it to delete pages.' } },
});

export const pagesReverse = operation({
  ...made('-reversed'),
  ...shared,
  name: 'pages-reverse',
  summary: 'Reverse the order of pages',
  description: `Reverses the order of all pages, or of some pages among their places. ${FOLLOWS}`,
  input: { file: pdf, pages: range('Pages to reverse, instead of all', { last: true }) },
  tools: { pages_reverse: { when: 'Use it when a scanner began with the last page.' } },
});

export const pagesOrder = operation({
  ...made('-ordered'),
  ...shared,
  name: 'pages-order',
  summary: 'Put pages in another order',
  description: `Puts the given pages first, in the given order; all others follow in theirs. ${FOLLOWS}`,
  input: { file: pdf, pages: required(range('Pages that come first, in their order, such as 3,1-2', { last: true })) },
  tools: { pages_order: { when: 'Use it to move pages; those that are not named stay behind them in their order.' } },
});
