// Bookmarks as people write them: a list in display order, each with its level.

import { Failure } from '../../../contract/base/failure.ts';
import { isRecord, parsedJson, present } from '../../../contract/base/present.ts';
import { operationNamed, say } from '../../../contract/base/wording.ts';

export interface BookmarkItem {
  readonly level: number;
  readonly title: string;
  readonly page?: number;
  /** Points from the bottom of the page to the top of the view. */
  readonly top?: number;
  readonly uri?: string;
  readonly bold?: true;
  readonly italic?: true;
  /** Such as #cc0000. */
  readonly colour?: string;
  readonly closed?: true;
}

/** Spaces of a level. */
const INDENT = 2;

/** A line for each: two spaces a level, the title, a tab and the page. */
export function formatBookmarks(items: readonly BookmarkItem[]): string {
  return items
    .map(({ level, title, page }) => {
      const indent = ' '.repeat(INDENT * (level - 1));
      return `${indent}${title.replace(/\s+/g, ' ').trim()}${page === undefined ? '' : `\t${page}`}\n`;
    })
    .join('');
}

/** Parses the lines of `formatBookmarks`, or JSON (a list of bookmarks, or a record with one). Throws a usage Failure. */
export function parseBookmarks(text: string): BookmarkItem[] {
  const plain = text.replace(/^\ufeff/, '');
  const list = /^\s*[[{]/.test(plain) ? parsedJson(plain) : undefined;
  const items = list === undefined ? fromLines(plain) : fromJson(list);
  if (items.length === 0) throw new Failure('usage', 'there are no bookmarks in it', { hint: FORMS });
  if (/^\S+\.(txt|json)$/i.test(plain)) {
    throw new Failure('usage', `the list is one bookmark without a page, '${plain}'`, {
      hint: `The list that a file holds is @${plain}.`,
    });
  }
  let before = 0;
  for (const [index, { level, title }] of items.entries()) {
    if (level > before + 1) {
      throw new Failure('usage', `bookmark ${index + 1}, '${title}', is of level ${level} below one of ${before}`, {
        hint: 'Each level is two spaces deeper than the one above it.',
      });
    }
    before = level;
  }
  return items;
}

const FORMS = say`Write a bookmark a line: two spaces for each level, the title, a tab and the page; or the JSON of ${operationNamed('bookmarks-show')}.`;

function fromLines(text: string): BookmarkItem[] {
  return text.split(/\r?\n/).flatMap((line, index): BookmarkItem[] => {
    if (line.trim() === '') return [];
    const { indent = '', rest = '' } = /^(?<indent>[ \t]*)(?<rest>.*)$/.exec(line)?.groups ?? {};
    const spaces = indent.replaceAll('\t', ' '.repeat(INDENT)).length;
    if (spaces % INDENT !== 0) {
      throw new Failure('usage', `line ${index + 1} of the bookmarks begins with ${spaces} spaces`, { hint: FORMS });
    }
    // A page stands behind a tab or several spaces: a title may end with a number of its own.
    const { title, page } = /^(?<title>.*?)(?:\t\s*| {2,})(?<page>\d{1,9})\s*$/.exec(rest)?.groups ?? { title: rest };
    const level = spaces / INDENT + 1;
    return [{ level, title: (title ?? rest).trim(), ...(page === undefined ? {} : { page: Number(page) }) }];
  });
}

function fromJson(value: unknown): BookmarkItem[] {
  const list = isRecord(value) ? value.bookmarks : value;
  if (!Array.isArray(list)) throw new Failure('usage', 'the JSON holds no list of bookmarks', { hint: FORMS });
  return list.map((item: unknown, index) => {
    if (!isRecord(item)) throw wrong(index, 'is no object');
    const { level = 1, title, page, top, uri, bold, italic, colour, closed } = item;
    if (typeof title !== 'string') throw wrong(index, 'has no title');
    if (!isCount(level)) throw wrong(index, 'has no level from 1 on');
    if (page !== undefined && !isCount(page)) throw wrong(index, 'has no page from 1 on');
    if (top !== undefined && (typeof top !== 'number' || !Number.isFinite(top)))
      throw wrong(index, 'has a top that is no number');
    if (uri !== undefined && typeof uri !== 'string') throw wrong(index, 'has a uri that is no text');
    if (colour !== undefined && !(typeof colour === 'string' && /^#[0-9a-f]{6}$/i.test(colour))) {
      throw wrong(index, 'has a colour that is not written as #cc0000');
    }
    const style = { bold: bold === true || undefined, italic: italic === true || undefined, colour };
    return present({ level, title, page, top, uri, ...style, closed: closed === true || undefined });
  });
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1;
}

function wrong(index: number, what: string): Failure {
  return new Failure('usage', `bookmark ${index + 1} ${what}`, { hint: FORMS });
}
