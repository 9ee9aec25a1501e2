// Owns names of one kind and what each leads to, in order: those of an input, or those of the output. Knows no tree.
import { grown } from '../grown.ts';
import type { NameTable } from './name-table.ts';

/** `T`: what a name leads to where it is no reference. */
export class NameList<T> {
  readonly table: NameTable;
  count = 0;
  private ids = new Int32Array(1 << 6);
  /** Object numbers, or below 0 places in `others`, from the last bit up. */
  private nums = new Int32Array(1 << 6);
  private readonly others: T[] = [];
  private readonly number: number;

  constructor(table: NameTable) {
    this.table = table;
    this.number = ++table.lists;
  }

  /** The name of an entry, by its number in the table. */
  id(i: number): number {
    return this.ids[i]!;
  }

  /** The object that an entry refers to; -1 where it is something else. */
  reference(i: number): number {
    const num = this.nums[i]!;
    return num < 0 ? -1 : num;
  }

  /** What an entry is that is no reference. */
  other(i: number): T {
    return this.others[~this.nums[i]!]!;
  }

  /** Adds a reference to an object, or below 0 a place in `others`. */
  refer(id: number, num: number): void {
    const { count } = this;
    if (count === this.ids.length) {
      this.ids = grown(this.ids, new Int32Array(2 * count));
      this.nums = grown(this.nums, new Int32Array(2 * count));
    }
    this.ids[count] = id;
    this.nums[count] = num;
    this.count = count + 1;
  }

  /** Adds what is no reference. */
  add(id: number, value: T): void {
    this.refer(id, ~(this.others.push(value) - 1));
  }

  /** Whether a name is not in the list yet; to be asked once of each before it is added, while no other list is filled. */
  isNew(id: number): boolean {
    return this.table.note(id, this.number);
  }

  /** Leaves out entries. */
  remove(isOut: (i: number) => boolean): void {
    let kept = 0;
    for (let i = 0; i < this.count; i++) {
      if (isOut(i)) continue;
      this.ids[kept] = this.ids[i]!;
      this.nums[kept++] = this.nums[i]!;
    }
    this.count = kept;
  }

  /** The places of all entries, sorted by the bytes of their names. */
  sorted(): number[] {
    const { ids, table } = this;
    const places: number[] = [];
    for (let i = 0; i < this.count; i++) places.push(i);
    return places.sort((a, b) => table.compare(ids[a]!, ids[b]!));
  }
}
