// Owns finding the names of lists by their bytes, and a number that is kept with each. Knows not what it says.
import { latin1 } from '../file/syntax.ts';
import { hashOf, type NameList } from './name-list.ts';

/** Slots that are looked into for a name. Only names that were made to have one hash need more. */
const MOST_STEPS = 64;
const NONE = -1;

export class NameTable {
  /** One more than the number of a name, in the slot that its hash says or behind it; 0 in those that are free. */
  private readonly slots: Int32Array;
  /** Of each name: its hash, its place in its list, and what is kept with it. */
  private readonly hashes: Int32Array;
  private readonly places: Int32Array;
  private readonly kept: Int32Array;
  private readonly lists: NameList[] = [];
  /** Names that found no slot. There is no file that could be made for a map's hashes. */
  private readonly strays = new Map<string, number>();
  /** The slot where the name that was looked for last is or would go; NONE where it would find none. */
  private slot = NONE;

  /** `most`: there will be no more names. */
  constructor(most: number) {
    // At least two slots for each name, and a power of two.
    this.slots = new Int32Array(2 << (32 - Math.clz32(most)));
    this.hashes = new Int32Array(most);
    this.places = new Int32Array(most);
    this.kept = new Int32Array(most);
  }

  get size(): number {
    return this.lists.length + this.strays.size;
  }

  /** The number kept with the name that is [start, end) of `buf`; -1 where there is none. */
  get(buf: Uint8Array, start: number, end: number, hash = hashOf(buf, start, end)): number {
    const { slots, hashes } = this;
    const mask = slots.length - 1;
    for (let step = 0; step < MOST_STEPS; step++) {
      const slot = (hash + step) & mask;
      const found = slots[slot]! - 1;
      if (found >= 0 && (hashes[found] !== hash || !this.is(found, buf, start, end))) continue;
      this.slot = slot;
      return found >= 0 ? this.kept[found]! : this.stray(buf, start, end);
    }
    this.slot = NONE;
    return this.stray(buf, start, end);
  }

  /** Keeps a number with a name of a list, where none is kept; returns the one that is, or -1. */
  add(list: NameList, i: number, num: number): number {
    const known = this.get(list.bytes, list.start(i), list.end(i), list.hash(i));
    if (known >= 0) return known;
    if (this.slot === NONE) {
      this.strays.set(list.text(i), num);
      return NONE;
    }
    const count = this.lists.push(list);
    this.hashes[count - 1] = list.hash(i);
    this.places[count - 1] = i;
    this.kept[count - 1] = num;
    this.slots[this.slot] = count;
    return NONE;
  }

  private stray(buf: Uint8Array, start: number, end: number): number {
    return this.strays.size === 0 ? NONE : (this.strays.get(latin1(buf, start, end)) ?? NONE);
  }

  private is(found: number, buf: Uint8Array, start: number, end: number): boolean {
    const list = this.lists[found]!;
    const { bytes } = list;
    let at = list.start(this.places[found]!);
    if (list.end(this.places[found]!) - at !== end - start) return false;
    for (let pos = start; pos < end; pos++) if (bytes[at++] !== buf[pos]) return false;
    return true;
  }
}
