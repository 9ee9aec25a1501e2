// Owns names of one kind and what each leads to, in order: those of an input, or those of the output. Knows no tree.
import { writeBytes } from '../file/serialize.ts';
import { latin1 } from '../file/syntax.ts';
import { Tray } from '../file/tray.ts';
import type { Writer } from '../file/writer.ts';
import { grown } from '../grown.ts';

/** A name's bytes: [start, end) of `buf`. */
export interface NameBytes {
  readonly buf: Uint8Array;
  readonly start: number;
  readonly end: number;
}

export function wholeName(buf: Uint8Array): NameBytes {
  return { buf, start: 0, end: buf.length };
}

/** Fowler, Noll and Vo's hash, 32 bits. */
const BASIS = 0x811c9dc5 | 0;
const PRIME = 0x01000193;

/** The hash of the name that is [start, end) of `buf`, or goes on there behind what has the hash given. */
export function hashOf(buf: Uint8Array, start: number, end: number, before = BASIS): number {
  let hash = before;
  for (let pos = start; pos < end; pos++) hash = Math.imul(hash ^ buf[pos]!, PRIME);
  return hash;
}

/** Numbers of a row. */
const ROW = 4;

/** Names are bytes in one array: making thousands of strings and clearing them away took half of the time for them. */
export class NameList {
  /** What names lead to that is no reference, as it is written. */
  readonly values = new Tray();
  count = 0;
  /** Where the names are, from `start(i)` to before `end(i)`. */
  bytes: Uint8Array = new Uint8Array(1 << 10);
  private at = 0;
  /**
   * Of each name where it begins and ends, its hash, and an object number, or below 0 a place in `values`, all bits turned
   * over.
   */
  private rows = new Int32Array(ROW << 6);

  start(i: number): number {
    return this.rows[ROW * i]!;
  }

  end(i: number): number {
    return this.rows[ROW * i + 1]!;
  }

  hash(i: number): number {
    return this.rows[ROW * i + 2]!;
  }

  /** A name, one character a byte. */
  text(i: number): string {
    return latin1(this.bytes, this.start(i), this.end(i));
  }

  /** The object that an entry refers to; -1 where it is something else. */
  reference(i: number): number {
    const num = this.rows[ROW * i + 3]!;
    return num < 0 ? -1 : num;
  }

  /** Where in `values` an entry is that is no reference. */
  place(i: number): number {
    return ~this.rows[ROW * i + 3]!;
  }

  /** Adds a reference to an object, under the name that is [start, end) of `buf`. */
  refer(buf: Uint8Array, start: number, end: number, num: number): void {
    const row = ROW * this.count++;
    if (row === this.rows.length) this.rows = grown(this.rows, new Int32Array(2 * row));
    this.reserve(end - start);
    const { bytes, rows } = this;
    let { at } = this;
    rows[row] = at;
    // The hash comes along: for names that are met once, which are nearly all, nothing looks at their bytes again.
    let hash = BASIS;
    for (let pos = start; pos < end; pos++) {
      const byte = buf[pos]!;
      bytes[at++] = byte;
      hash = Math.imul(hash ^ byte, PRIME);
    }
    rows[row + 1] = at;
    rows[row + 2] = hash;
    rows[row + 3] = num;
    this.at = at;
  }

  /** Adds what stands at a place in `values`. */
  hold(buf: Uint8Array, start: number, end: number, place: number): void {
    this.refer(buf, start, end, ~place);
  }

  /** Puts characters behind the name that was added last, each of which is a byte. */
  append(text: string): void {
    this.reserve(text.length);
    const row = ROW * (this.count - 1);
    const from = this.at;
    for (let i = 0; i < text.length; i++) this.bytes[this.at++] = text.charCodeAt(i);
    this.rows[row + 1] = this.at;
    this.rows[row + 2] = hashOf(this.bytes, from, this.at, this.rows[row + 2]);
  }

  private reserve(length: number): void {
    const least = this.at + length;
    if (least > this.bytes.length) this.bytes = grown(this.bytes, new Uint8Array(2 * least));
  }

  /** Writes a name as a string. */
  writeName(writer: Writer, i: number): void {
    writeBytes(writer, this.bytes, this.start(i), this.end(i));
  }

  /** Writes what an entry is. */
  writeValue(writer: Writer, i: number): void {
    const { values } = this;
    const num = this.rows[ROW * i + 3]!;
    if (num < 0) writer.span(values.bytes, values.start(~num), values.end(~num));
    else writer.reference(num);
  }

  /** Leaves out entries. */
  remove(isOut: (i: number) => boolean): void {
    const { rows } = this;
    let kept = 0;
    for (let i = 0; i < this.count; i++) if (!isOut(i)) rows.copyWithin(ROW * kept++, ROW * i, ROW * i + ROW);
    this.count = kept;
  }

  /** Of a name given twice leaves the first one. */
  settle(): void {
    const seen = new Set<string>();
    // In a tree as it should be each name is behind the one before: then none is there twice.
    if (this.runs().length > 1) this.remove((i) => seen.size === seen.add(this.text(i)).size);
  }

  /** The places of all entries, sorted by their names: lists that rise one behind the other are merged. */
  sorted(): Int32Array {
    let runs = this.runs();
    let order = new Int32Array(this.count);
    for (let i = 0; i < this.count; i++) order[i] = i;
    for (let spare = order.slice(); runs.length > 1; runs = runs.filter((_, i) => i % 2 === 0)) {
      for (let i = 0; i < runs.length; i += 2) {
        this.merge(order, spare, runs[i]!, runs[i + 1] ?? this.count, runs[i + 2] ?? this.count);
      }
      [order, spare] = [spare, order];
    }
    return order;
  }

  private merge(order: Int32Array, into: Int32Array, from: number, middle: number, end: number): void {
    let left = from;
    let right = middle;
    for (let at = from; at < end; at++) {
      const first = right >= end || (left < middle && this.compare(order[left]!, order[right]!) <= 0);
      into[at] = first ? order[left++]! : order[right++]!;
    }
  }

  /** Where runs of names begin in which each is behind the one before. */
  private runs(): number[] {
    const runs: number[] = [0];
    for (let at = this.endOfRun(0); at < this.count; at = this.endOfRun(at)) runs.push(at);
    return runs;
  }

  private endOfRun(start: number): number {
    let i = start + 1;
    while (i < this.count && this.compare(i - 1, i) < 0) i++;
    return i;
  }

  /** The order of two names, by their bytes. */
  compare(a: number, b: number): number {
    const { bytes, rows } = this;
    const startA = rows[ROW * a]!;
    const startB = rows[ROW * b]!;
    const lengths = rows[ROW * a + 1]! - startA - (rows[ROW * b + 1]! - startB);
    const behind = lengths < 0 ? rows[ROW * a + 1]! : startA + rows[ROW * b + 1]! - startB;
    for (let pos = startA, other = startB; pos < behind; pos++, other++) {
      if (bytes[pos] !== bytes[other]) return bytes[pos]! - bytes[other]!;
    }
    return lengths;
  }
}

/** Whether all names of the lists have hashes of their own, so that none is there twice. Rather no than yes. */
export function areDistinct(lists: readonly NameList[]): boolean {
  const hashes = new Int32Array(lists.reduce((sum, { count }) => sum + count, 0));
  let count = 0;
  for (const list of lists) for (let i = 0; i < list.count; i++) hashes[count++] = list.hash(i);
  // Sorted by V8 itself, which takes a millisecond for 20,000; looking at their bytes takes five.
  hashes.sort();
  for (let i = 1; i < count; i++) if (hashes[i] === hashes[i - 1]) return false;
  return true;
}
