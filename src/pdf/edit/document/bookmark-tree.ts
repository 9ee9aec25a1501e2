// Reads the outline of a document (ISO 32000-1, 12.3.3) as a list, and writes one.
import type { Copier } from '../../file/copy/copier.ts';
import { listOf, nameAt, numberAt } from '../../file/read/entries.ts';
import type { Source } from '../../file/read/source.ts';
import { bookmarksOf } from '../../structure/bookmarks.ts';
import { DestinationPages } from '../../structure/destination-pages.ts';
import { inputOf } from '../../structure/input.ts';
import { nameKey } from '../../structure/name-trees.ts';
import { hexString } from '../../syntax/serialize.ts';
import { encodeText, textOf } from '../../syntax/text-strings.ts';
import { Dict, Name, PdfString, type Value } from '../../syntax/values.ts';
import type { BookmarkItem } from './bookmark-list.ts';

/** Bits of /F. */
const [ITALIC, BOLD] = [1, 2];

/** @throws Damage */
export function readBookmarks(source: Source): BookmarkItem[] {
  const input = inputOf(source);
  const { file } = input;
  const targets = new DestinationPages(input, source.tree.pages);
  const items: BookmarkItem[] = [];
  for (const { dict, depth } of bookmarksOf(input)) {
    const action = file.dict(dict.get('A'));
    const destination = dict.get('Dest') ?? (nameAt(file, action, 'S') === 'GoTo' ? action?.get('D') : undefined);
    const page = targets.pageOf(destination);
    const flags = numberAt(file, dict, 'F') ?? 0;
    const uri = nameAt(file, action, 'S') === 'URI' ? textOf(file.resolve(action?.get('URI'))) : null;
    const top = page === undefined ? undefined : topOf(targets, destination);
    const colour = colourOf(listOf(file, dict.get('C')).map((part) => file.resolve(part)));
    items.push({
      level: depth + 1,
      title: textOf(file.resolve(dict.get('Title'))) ?? '',
      ...(page === undefined ? {} : { page: page + 1 }),
      ...(top === undefined ? {} : { top }),
      ...(uri === null ? {} : { uri }),
      ...((flags & BOLD) !== 0 ? { bold: true } : {}),
      ...((flags & ITALIC) !== 0 ? { italic: true } : {}),
      ...(colour === undefined ? {} : { colour }),
      ...((numberAt(file, dict, 'Count') ?? 0) < 0 ? { closed: true } : {}),
    });
  }
  return items;
}

function topOf({ file, named }: DestinationPages, destination: Value | undefined): number | undefined {
  const given = file.resolve(destination);
  const name = given instanceof PdfString ? nameKey(given) : given instanceof Name ? given.value : undefined;
  const target = name === undefined ? given : file.resolve(named.tree.get(name) ?? named.old.get(name));
  const list = target instanceof Dict ? file.resolve(target.get('D')) : target;
  if (!Array.isArray(list)) return undefined;
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
  const nums = items.map(() => writer.allocate());
  const links = linksOf(items);
  const reference = (key: string, index: number | undefined): string =>
    index === undefined ? '' : `/${key} ${nums[index]} 0 R`;
  for (const [index, item] of items.entries()) {
    const { parent, previous, next, first, last, visible } = links[index] ?? NONE;
    const text = [
      `/Title ${hexString(encodeText(item.title))}`,
      `/Parent ${parent === undefined ? root : nums[parent]} 0 R`,
      reference('Prev', previous),
      reference('Next', next),
      reference('First', first),
      reference('Last', last),
      first === undefined ? '' : `/Count ${item.closed === true ? -visible : visible}`,
      targetOf(item, pages),
      styleOf(item),
    ];
    await writer.object(nums[index] ?? 0, `<<${text.join('')}>>`);
  }
  const tops = links.flatMap(({ parent }, index) => (parent === undefined ? [index] : []));
  const visible = tops.reduce((sum, index) => sum + 1 + shown(items[index], links[index]), 0);
  const ends = `${reference('First', tops[0])}${reference('Last', tops.at(-1))}`;
  await writer.object(root, `<</Type/Outlines${ends}/Count ${visible}>>`);
  return root;
}

interface Links {
  parent?: number;
  previous?: number;
  next?: number;
  first?: number;
  last?: number;
  visible: number;
}

const NONE: Links = { visible: 0 };

function linksOf(items: readonly BookmarkItem[]): Links[] {
  const links: Links[] = items.map(() => ({ visible: 0 }));
  /** The last item of each level so far. */
  const path: number[] = [];
  for (const [index, { level }] of items.entries()) {
    const link = links[index] ?? NONE;
    const previous = path.length >= level ? path[level - 1] : undefined;
    const parent = level === 1 ? undefined : path[level - 2];
    path.length = Math.min(path.length, level - 1);
    path.push(index);
    if (previous !== undefined) {
      link.previous = previous;
      (links[previous] ?? NONE).next = index;
    }
    if (parent === undefined) continue;
    link.parent = parent;
    const above = links[parent] ?? NONE;
    above.first ??= index;
    above.last = index;
  }
  // Backwards, so that an item is counted after those below it.
  for (let index = items.length - 1; index >= 0; index -= 1) {
    const { parent } = links[index] ?? NONE;
    const above = parent === undefined ? undefined : links[parent];
    if (above !== undefined) above.visible += 1 + shown(items[index], links[index]);
  }
  return links;
}

function shown(item: BookmarkItem | undefined, link: Links | undefined): number {
  return item?.closed === true ? 0 : (link?.visible ?? 0);
}

function targetOf({ page, top, uri }: BookmarkItem, pages: (page: number) => number): string {
  if (uri !== undefined) return `/A<</S/URI/URI ${hexString(Buffer.from(encodeURI(decoded(uri)), 'latin1'))}>>`;
  const num = page === undefined ? 0 : pages(page);
  if (num <= 0) return '';
  return `/Dest[${num} 0 R/XYZ null ${top === undefined ? 'null' : Math.round(top * 100) / 100} null]`;
}

/** Decodes a percent-encoded address. */
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
