// Owns the order in which objects are read: as they were met, and best by their place. Reads none.
import { PACKED, type XrefTable } from './xref.ts';

/** Sorts objects by where they stand, object stream by object stream: each window is read and each stream inflated once. */
export function sortByPlace(nums: Int32Array, { kind, place }: XrefTable): void {
  const key = (num: number): number => (kind[num] === PACKED ? place[place[num]!]! : place[num]!);
  let sorted = true;
  for (let i = 1, last = key(nums[0]!); i < nums.length && sorted; i++) {
    const next = key(nums[i]!);
    sorted = next >= last;
    last = next;
  }
  if (!sorted) nums.sort((a, b) => key(a) - key(b));
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
