// Objects are read in the order of their places, so that each window is read and each object stream inflated once.
import { COMPRESSED, type XrefTable } from './xref-table.ts';

/** The most objects that are sorted at once. A power of two: a place times this and something below it is exact. */
export const WAVE = 1 << 16;
/** Up to so many are sorted one by one. */
const FEW = 64;
/** No file is so long; what stands there is in none, and will be found missing. */
const FARTHEST = 2 ** 36;

/**
 * Sorts objects, WAVE of them at most, by where they stand, object stream by object stream: each window is read and each
 * stream inflated once.
 */
export function sortByPlace(nums: Int32Array, table: XrefTable): void {
  if (nums.length <= FEW) {
    sortFew(nums, table);
    return;
  }
  const keys = new Float64Array(nums.length);
  if (setKeys(keys, nums, table)) return;
  keys.sort();
  arrange(nums, nums.slice(), keys);
}

// Each loop is a function of its own: V8 optimises one while it runs, and what follows it, which has not run, would undo that.

/** One number each of where it stands and where it was, so that nothing is called to compare two of them. Returns whether they rise. */
function setKeys(keys: Float64Array, nums: Int32Array, { kind, place }: XrefTable): boolean {
  let sorted = true;
  let last = -1;
  for (let i = 0; i < nums.length; i++) {
    const next = standsAt(nums[i]!, kind, place);
    sorted &&= next >= last;
    last = next;
    keys[i] = Math.min(next, FARTHEST) * WAVE + i;
  }
  return sorted;
}

function arrange(nums: Int32Array, from: Int32Array, keys: Float64Array): void {
  for (let i = 0; i < nums.length; i++) nums[i] = from[keys[i]! - Math.floor(keys[i]! / WAVE) * WAVE]!;
}

/** As above, without arrays to be made for it: a page has some objects, and there may be thousands of pages. */
function sortFew(nums: Int32Array, { kind, place }: XrefTable): void {
  for (let i = 1; i < nums.length; i++) {
    const num = nums[i]!;
    const next = standsAt(num, kind, place);
    let at = i;
    for (; at > 0 && standsAt(nums[at - 1]!, kind, place) > next; at--) nums[at] = nums[at - 1]!;
    nums[at] = num;
  }
}

/** Where an object stands in the file, itself or its object stream. */
function standsAt(num: number, kind: Uint8Array, place: Float64Array): number {
  return kind[num] === COMPRESSED ? (place[place[num]! | 0] ?? 0) : place[num]!;
}

/** Object numbers, first in, first out. */
export class Queue {
  private nums = new Int32Array(1024);
  private head = 0;
  private tail = 0;

  get length(): number {
    return this.tail - this.head;
  }

  push(num: number): void {
    if (this.tail === this.nums.length) this.grow();
    this.nums[this.tail++] = num;
  }

  /** Takes `most` numbers, or all there are. */
  take(most: number): Int32Array {
    const taken = this.nums.slice(this.head, Math.min(this.tail, this.head + most));
    this.head += taken.length;
    if (this.head === this.tail) this.head = this.tail = 0;
    return taken;
  }

  /** Makes room where the numbers taken stood, or more of it. */
  private grow(): void {
    const to = this.head > this.nums.length / 2 ? this.nums : new Int32Array(this.nums.length * 2);
    to.set(this.nums.subarray(this.head, this.tail));
    this.nums = to;
    this.tail -= this.head;
    this.head = 0;
  }
}
