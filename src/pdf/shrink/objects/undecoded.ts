// Streams that cannot be decoded are copied as they are: readers may show what there is of them. People are told which.

import type { PdfFile } from '../../file/read/pdf-file.ts';
import type { Source } from '../../file/read/source.ts';
import { pushAll } from '../../syntax/arrays.ts';
import { Damage } from '../../syntax/damage.ts';

/** Streams that are named one by one before the rest is only counted. */
const NAMED = 8;

/** A warning that names each object and the first page that leads to it; none where there are no such objects. */
export function undecodedWarning({ file, tree }: Source, undecoded: ReadonlySet<number>): string[] {
  if (undecoded.size === 0) return [];
  const pages = firstPages(file, tree, undecoded);
  const named = [...undecoded].slice(0, NAMED).map((num) => {
    const page = pages.get(num);
    return `object ${num}${page === undefined ? '' : ` of page ${page}`}`;
  });
  const more = undecoded.size - named.length;
  const what = undecoded.size === 1 ? 'a stream that cannot be decoded was' : 'streams that cannot be decoded were';
  return [`${file.name}: ${what} copied as found: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`];
}

/** The first page, from 1, that leads to each of these objects. Each object is visited once. */
function firstPages(file: PdfFile, { pages, nodes }: Source['tree'], wanted: ReadonlySet<number>): Map<number, number> {
  const found = new Map<number, number>();
  // Neither up the tree nor from one page to another.
  const seen = new Set([...nodes, ...pages.map(({ num }) => num)]);
  for (const [i, { num, resources }] of pages.entries()) {
    const todo = [...referencesOf(file, num), ...(resources > 0 ? [resources] : [])];
    for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
      if (seen.has(next)) continue;
      seen.add(next);
      if (wanted.has(next)) found.set(next, i + 1);
      pushAll(todo, referencesOf(file, next));
    }
    if (found.size === wanted.size) break;
  }
  return found;
}

function referencesOf(file: PdfFile, num: number): readonly number[] {
  try {
    return num > 0 && file.has(num) ? [...(file.scanObject(num)?.references() ?? [])] : [];
  } catch (error) {
    if (error instanceof Damage) return [];
    throw error;
  }
}
