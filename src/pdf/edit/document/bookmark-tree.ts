// Reads the outline of a document (ISO 32000-1, 12.3.3) as a list, and writes one.
import { present } from '../../../contract/base/present.ts';
import type { Copier } from '../../file/copy/copier.ts';
import { listOf, nameAt, numberAt } from '../../file/read/entries.ts';
import type { Source } from '../../file/read/source.ts';
import { bookmarksOf } from '../../structure/bookmarks.ts';
import { type DestinationPages, destinationsOf } from '../../structure/destination-pages.ts';
import { inputOf } from '../../structure/input.ts';
import { outlineLinks } from '../../structure/outline-links.ts';
import { hexString } from '../../syntax/serialize.ts';
import { encodeText, textOf } from '../../syntax/text-strings.ts';
import { Name, type Value } from '../../syntax/values.ts';
import type { BookmarkItem } from './bookmark-list.ts';

/** Bits of /F. */
const [ITALIC, BOLD] = [1, 2];

/** @throws Damage */
export function readBookmarks(source: Source): BookmarkItem[] {
  const input = inputOf(source);
  const { file } = input;
  const targets = destinationsOf(input);
  const items: BookmarkItem[] = [];
  for (const { dict, depth } of bookmarksOf(input)) {
    const action = file.dict(dict.get('A'));
    const destination = dict.get('Dest') ?? (nameAt(file, action, 'S') === 'GoTo' ? action?.get('D') : undefined);
    const page = targets.pageOf(destination);
    const flags = numberAt(file, dict, 'F') ?? 0;
    const uri = nameAt(file, action, 'S') === 'URI' ? textOf(file.resolve(action?.get('URI'))) : null;
    const top = page === undefined ? undefined : topOf(targets, destination);
    const colour = colourOf(listOf(file, dict.get('C')).map((part) => file.resolve(part)));
    const isSet = (bit: number): true | undefined => (flags & bit) !== 0 || undefined;
    const target = { page: page === undefined ? undefined : page + 1, top, uri: uri ?? undefined };
    const style = { bold: isSet(BOLD), italic: isSet(ITALIC), colour };
    const closed = (numberAt(file, dict, 'Count') ?? 0) < 0 || undefined;
    const title = textOf(file.resolve(dict.get('Title'))) ?? '';
    items.push(present({ level: depth + 1, title, ...target, ...style, closed }));
  }
  return items;
}

function topOf(targets: DestinationPages, destination: Value | undefined): number | undefined {
  const { file } = targets;
  const list = targets.explicit(destination);
  const view = file.resolve(list[1]);
  const place = view instanceof Name ? { XYZ: 3, FitH: 2, FitBH: 2 }[view.value] : undefined;
  const top = place === undefined ? undefined : file.resolve(list[place]);
  return typeof top === 'number' ? top : undefined;
}

function colourOf(parts: readonly Value[]): string | undefined {
  const [red, green, blue] = parts.map((part) => (typeof part === 'number' ? Math.round(part * 255) : -1));
  if (red === undefined || green === undefined || blue === undefined) return undefined;
  const bytes = [red, green, blue];
  if (bytes.some((byte) => byte < 0 || byte > 255) || bytes.every((byte) => byte === 0)) return undefined;
  return `#${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** Writes the outline and returns the number of its root. `pages`: output numbers of the pages, by index; 0 for none. */
export async function writeBookmarks(
  { writer }: Copier,
  items: readonly BookmarkItem[],
  pages: (page: number) => number,
): Promise<number> {
  const root = writer.allocate();
  const nums = new Map(items.map((item) => [item, writer.allocate()]));
  const parents = parentsOf(items);
  const links = outlineLinks(items, (item) => ({ parent: parents.get(item), closed: item.closed }));
  const reference = (key: string, item: BookmarkItem | undefined): string =>
    item === undefined ? '' : `/${key} ${nums.get(item)} 0 R`;
  for (const [item, num] of nums) {
    const link = links.get(item);
    const text = [
      `/Title ${hexString(encodeText(item.title))}`,
      link?.parent === undefined ? `/Parent ${root} 0 R` : reference('Parent', link.parent),
      reference('Prev', link?.previous),
      reference('Next', link?.next),
      reference('First', link?.first),
      reference('Last', link?.last),
      link?.first === undefined ? '' : `/Count ${link.count}`,
      targetOf(item, pages),
      styleOf(item),
    ];
    await writer.object(num, `<<${text.join('')}>>`);
  }
  const top = links.get(undefined);
  const ends = `${reference('First', top?.first)}${reference('Last', top?.last)}`;
  await writer.object(root, `<</Type/Outlines${ends}/Count ${top?.count ?? 0}>>`);
  return root;
}

/** The item above each one, by their levels. */
function parentsOf(items: readonly BookmarkItem[]): Map<BookmarkItem, BookmarkItem | undefined> {
  const path: BookmarkItem[] = [];
  return new Map(
    items.map((item) => {
      path.splice(item.level - 1, path.length, item);
      return [item, path.at(-2)];
    }),
  );
}

function targetOf({ page, top, uri }: BookmarkItem, pages: (page: number) => number): string {
  if (uri !== undefined) return `/A<</S/URI/URI ${hexString(Buffer.from(encodeURI(decoded(uri)), 'latin1'))}>>`;
  const num = page === undefined ? 0 : pages(page);
  if (num <= 0) return '';
  return `/Dest[${num} 0 R/XYZ null ${top === undefined ? 'null' : Math.round(top * 100) / 100} null]`;
}

function decoded(uri: string): string {
  try {
    return decodeURI(uri);
  } catch {
    // It holds a percent sign that begins no escape.
    return uri;
  }
}

function styleOf({ bold, italic, colour }: BookmarkItem): string {
  const flags = (bold === true ? BOLD : 0) | (italic === true ? ITALIC : 0);
  const parts = (colour ?? '')
    .match(/[0-9a-f]{2}/gi)
    ?.map((byte) => Math.round((Number.parseInt(byte, 16) / 255) * 1000) / 1000);
  return `${flags === 0 ? '' : `/F ${flags}`}${parts === undefined ? '' : `/C[${parts.join(' ')}]`}`;
}
