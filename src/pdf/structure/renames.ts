// Owns new names for those of lists where several inputs have one, found by their bytes. Knows nothing of what is named.
import { NameList } from './name-list.ts';
import { NameTable } from './name-table.ts';
import { tailBehind } from './unique.ts';

/** New names of an input's: the old ones with something behind them. */
export class Renames {
  private readonly places: NameTable;
  /** What comes behind; nearly always the same. */
  private readonly tails: string[] = [];

  constructor(most: number) {
    this.places = new NameTable(most);
  }

  get size(): number {
    return this.places.size;
  }

  /** The new name, one character a byte; undefined where a name stays. */
  get(name: string): string | undefined {
    const bytes = Buffer.from(name, 'latin1');
    const tail = this.tail(bytes, 0, bytes.length);
    return tail === undefined ? undefined : name + tail;
  }

  /** What comes behind the name that is [start, end) of `buf`; undefined where it stays. */
  tail(buf: Uint8Array, start: number, end: number, hash?: number): string | undefined {
    const place = this.places.get(buf, start, end, hash);
    return place < 0 ? undefined : this.tails[place];
  }

  set(list: NameList, i: number, tail: string): void {
    if (this.tails.at(-1) !== tail) this.tails.push(tail);
    this.places.add(list, i, this.tails.length - 1);
  }
}

/**
 * New names for those that an earlier input has, by input. No new name takes one that any input has. `lists`: the names of
 * each input, none of which is in a list twice.
 */
export function renamesOf(lists: ReadonlyMap<number, readonly NameList[]>): ReadonlyMap<number, Renames> {
  const total = [...lists.values()].flat().reduce((sum, { count }) => sum + count, 0);
  // Each may get a new name.
  const owners = new NameTable(2 * total);
  const late: Late[] = [];
  for (const [index, own] of lists) {
    for (const list of own) late.push({ index, list, places: placesOfLate(list, index, owners) });
  }
  const found = new Map<number, Renames>();
  for (const { index, list, places } of late) {
    if (places.length === 0) continue;
    const renames = found.get(index) ?? new Renames(lists.get(index)!.reduce((sum, { count }) => sum + count, 0));
    found.set(index, renames);
    rename(list, places, index + 1, owners, renames);
  }
  return found;
}

/** Names of a list that an earlier input has. */
interface Late {
  readonly index: number;
  readonly list: NameList;
  readonly places: Int32Array;
}

/** Notes whose the names of a list are, the first input's that has them, and returns the places of those of others. */
function placesOfLate(list: NameList, index: number, owners: NameTable): Int32Array {
  const places = new Int32Array(list.count);
  let count = 0;
  for (let i = 0; i < places.length; i++) {
    const owner = owners.add(list, i, index);
    if (owner >= 0 && owner !== index) places[count++] = i;
  }
  return places.subarray(0, count);
}

/** `first`: the number behind a name that is tried first, its input's place from 1. */
function rename(list: NameList, places: Int32Array, first: number, owners: NameTable, renames: Renames): void {
  const { bytes } = list;
  const fresh = new NameList();
  // No name is twice in one list: only the other list of the same input may have brought one along.
  const mayHave = renames.size > 0;
  const usual = `-${first}`;
  for (let at = 0; at < places.length; at++) {
    const i = places[at]!;
    const start = list.start(i);
    const end = list.end(i);
    if (mayHave && renames.tail(bytes, start, end, list.hash(i)) !== undefined) continue;
    for (let number = first; ; number++) {
      const ascii = number === first ? usual : `-${number}`;
      const tail = end - start < 2 ? ascii : tailBehind(bytes[start]!, bytes[start + 1]!, ascii);
      fresh.refer(bytes, start, end, 0);
      fresh.append(tail);
      if (owners.add(fresh, fresh.count - 1, first - 1) >= 0) continue;
      renames.set(list, i, tail);
      break;
    }
  }
}
