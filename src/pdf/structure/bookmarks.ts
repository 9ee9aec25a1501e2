// Lists the bookmarks of a document (ISO 32000-1, 12.3.3) in display order.
import { type Dict, Ref, type Value } from '../syntax/values.ts';
import { checkCount, type Input } from './input.ts';

export interface Bookmark {
  readonly num: number;
  readonly dict: Dict;
  /** The index of its parent; -1 for a top item. */
  readonly parent: number;
  readonly depth: number;
}

/** Each bookmark once, even in a circle. @throws Damage, and Failure of kind `limit` for too many. */
export function* bookmarksOf({ file, catalog }: Input): Generator<Bookmark> {
  const seen = new Set<number>();
  const todo: { readonly value: Value | undefined; readonly parent: number; readonly depth: number }[] = [];
  todo.push({ value: file.dict(catalog.get('Outlines'))?.get('First'), parent: -1, depth: 0 });
  let place = 0;
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    const { value, parent, depth } = next;
    if (!(value instanceof Ref) || seen.has(value.num)) continue;
    seen.add(value.num);
    const dict = file.dict(value);
    if (dict === undefined) continue;
    checkCount(file, place + 1, 'bookmarks');
    yield { num: value.num, dict, parent, depth };
    todo.push({ value: dict.get('Next'), parent, depth });
    todo.push({ value: dict.get('First'), parent: place, depth: depth + 1 });
    place += 1;
  }
}
