// Objects are read in the order of their places, so that each window is read and each object stream inflated once.
import { COMPRESSED, type XrefTable } from './xref-table.ts';

/** The most objects that are sorted at once. */
export const WAVE = 1 << 16;
/** No file is longer; an object placed beyond is found missing. */
const FARTHEST = 2 ** 36;

/** Sorts objects, WAVE of them at most, by where they stand, those of an object stream by where that stands. */
export function sortByPlace(nums: Int32Array, { kind, place }: XrefTable): void {
  // One exact number (below 2^52) holds an object's place and its index, so that sorting needs no comparison function.
  const keys = new Float64Array(nums.length);
  for (const [i, num] of nums.entries()) {
    const own = place[num] ?? 0;
    const stands = kind[num] === COMPRESSED ? (place[own] ?? 0) : own;
    keys[i] = Math.min(stands, FARTHEST) * WAVE + i;
  }
  keys.sort();
  const before = nums.slice();
  for (const [i, key] of keys.entries()) nums[i] = before[key % WAVE] ?? 0;
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

  private grow(): void {
    const to = this.head > this.nums.length / 2 ? this.nums : new Int32Array(this.nums.length * 2);
    to.set(this.nums.subarray(this.head, this.tail));
    this.nums = to;
    this.tail -= this.head;
    this.head = 0;
  }
}
