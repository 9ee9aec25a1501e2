// Owns names of one kind and what each leads to, in order: those of an input, or those of the output. Knows no tree.
import { Tray } from '../file/tray.ts';
import type { Writer } from '../file/writer.ts';

/** Names are strings of one character a byte, so that their order is that of the bytes. */
export class NameList {
  readonly names: string[] = [];
  /** What names lead to that is no reference, as it is written. */
  readonly values = new Tray();
  /** Object numbers, or below 0 places in `values`, all bits turned over. */
  private readonly nums: number[] = [];

  get count(): number {
    return this.names.length;
  }

  /** The object that an entry refers to; -1 where it is something else. */
  reference(i: number): number {
    const num = this.nums[i]!;
    return num < 0 ? -1 : num;
  }

  /** Where in `values` an entry is that is no reference. */
  place(i: number): number {
    return ~this.nums[i]!;
  }

  /** Adds a reference to an object. */
  refer(name: string, num: number): void {
    this.names.push(name);
    this.nums.push(num);
  }

  /** Adds what stands at a place in `values`. */
  hold(name: string, place: number): void {
    this.refer(name, ~place);
  }

  /** Writes what an entry is. */
  write(writer: Writer, i: number): void {
    const { values } = this;
    const num = this.nums[i]!;
    if (num < 0) writer.span(values.bytes, values.start(~num), values.end(~num));
    else writer.reference(num);
  }

  /** Leaves out entries. */
  remove(isOut: (i: number) => boolean): void {
    const { names, nums } = this;
    let kept = 0;
    for (let i = 0; i < names.length; i++) {
      if (isOut(i)) continue;
      names[kept] = names[i]!;
      nums[kept++] = nums[i]!;
    }
    names.length = kept;
    nums.length = kept;
  }

  /** Of a name given twice leaves the first one. */
  settle(): void {
    // In a tree as it should be each name is behind the one before: then none is there twice.
    if (this.names.every((name, i) => i === 0 || name > this.names[i - 1]!)) return;
    const seen = new Set<string>();
    this.remove((i) => seen.size === seen.add(this.names[i]!).size);
  }

  /** The places of all entries, sorted by their names. */
  sorted(): number[] {
    const { names } = this;
    return names.map((_, i) => i).sort((a, b) => (names[a]! < names[b]! ? -1 : 1));
  }
}
