// The values of names, above all destinations (ISO 32000-1, 12.3.2).
import type { Copier } from '../file/copy/copier.ts';
import { readable } from '../file/read/entries.ts';
import type { Pace } from '../file/read/pace.ts';
import type { PdfFile } from '../file/read/pdf-file.ts';
import { NAMES } from '../syntax/scan.ts';
import { Dict, Ref, type Value } from '../syntax/values.ts';
import { WATCHED } from '../syntax/watched-names.ts';

/** The most bytes of an object that comes to stand in the tree. A destination has 40; a lookup reads a leaf of them whole. */
const MOST_INLINE = 128;

/** The text of a small object that is to stand where it is referred to; undefined where it is to stay an object. */
function inlineText(num: number, copier: Copier, most = MOST_INLINE): string | undefined {
  const { file } = copier;
  if (copier.map[num] !== 0 || !readable(file, num)) return undefined;
  const value = file.scanObject(num, NAMES);
  const short = value !== undefined && value.end - value.start <= most;
  // Behind the page stands only a place on it.
  return short && !value.isStream && (value.names & ~WATCHED.XYZ) === 0 ? copier.text(value) : undefined;
}

/**
 * The texts of small objects that a single name refers to and nothing that was copied: they stand in the tree itself. A
 * manual has 18,000 of them, which as objects take more time and space than they are worth.
 */
export async function inlineTexts(
  names: ReadonlyMap<string, Value>,
  copier: Copier,
  pace: Pace,
): Promise<ReadonlyMap<number, string>> {
  const users = new Map<number, number>();
  for (const value of names.values()) {
    if (value instanceof Ref && copier.map[value.num] === 0) users.set(value.num, (users.get(value.num) ?? 0) + 1);
  }
  const nums = [...users].filter(([num, count]) => count === 1 && copier.file.has(num)).map(([num]) => num);
  const texts = new Map<number, string>();
  for (const num of nums.sort((a, b) => a - b)) {
    const text = inlineText(num, copier);
    if (text !== undefined) texts.set(num, text);
    if (pace.isOver()) await pace.yield();
  }
  return texts;
}

/**
 * Removes destinations whose page is null: pages cut out of a larger document bring along the names of all of it (a
 * page of a manual had 1,500).
 */
export function dropDead(file: PdfFile, destinations: Map<string, Value>): void {
  const dead = new Map<number, boolean>();
  const isDead = (value: Value): boolean => {
    const found = file.resolve(value);
    const list = found instanceof Dict ? file.resolve(found.get('D')) : found;
    const page = Array.isArray(list) ? list[0] : undefined;
    if (!(page instanceof Ref)) return page === null;
    const gone = dead.get(page.num) ?? file.object(page.num) === null;
    dead.set(page.num, gone);
    return gone;
  };
  for (const [name, value] of destinations) if (isDead(value)) destinations.delete(name);
}
