// Owns names as bytes: each once, found by its hash, with a number. Knows nothing of what is named.

import { hexString, isPlain } from '../file/serialize.ts';
import { latin1, PAREN_CLOSE, PAREN_OPEN } from '../file/syntax.ts';
import type { Writer } from '../file/writer.ts';
import { grown } from '../grown.ts';

/** Places looked at for a name before it goes to the crowd: names can be made that all have one hash. */
const MOST_STEPS = 64;

/** Names are numbered from 0 as they come. As strings in maps those of two manuals took three times as long. */
export class NameTable {
  size = 0;
  /** How many lists of these names there are. */
  lists = 0;
  private bytes = new Uint8Array(1 << 12);
  /** Where each name begins, and with it where the one before it ends. */
  private starts = new Int32Array(1 << 8);
  private hashes = new Int32Array(1 << 8);
  /** The list that had each name last. */
  private noted = new Int32Array(1 << 8);
  /** Numbers of names, each one more, at places that hashes decide; 0 is empty. */
  private slots = new Int32Array(1 << 9);
  /** Names that found no place near theirs. */
  private readonly crowd = new Map<string, number>();

  /** The number of the name in [start, end); -1 where it is not known. */
  find(buf: Uint8Array, start: number, end: number): number {
    const slot = this.look(buf, start, end, hashOf(buf, start, end));
    return slot < 0 ? this.inCrowd(buf, start, end) : this.slots[slot]! - 1;
  }

  findText(text: string): number {
    return this.find(bytesOf(text), 0, text.length);
  }

  /** The number of the name in [start, end), which is known from now on. */
  add(buf: Uint8Array, start: number, end: number): number {
    this.reserve(end - start);
    const hash = hashOf(buf, start, end);
    const slot = this.look(buf, start, end, hash);
    const known = slot < 0 ? this.inCrowd(buf, start, end) : this.slots[slot]! - 1;
    if (known >= 0) return known;
    const num = this.size++;
    const { bytes, starts } = this;
    let at = starts[num]!;
    for (let pos = start; pos < end; pos++) bytes[at++] = buf[pos]!;
    starts[num + 1] = at;
    this.hashes[num] = hash;
    if (slot < 0) this.crowd.set(this.text(num), num);
    else this.slots[slot] = num + 1;
    return num;
  }

  addText(text: string): number {
    return this.add(bytesOf(text), 0, text.length);
  }

  /** Notes that a list has the name; false where it had it before. */
  note(num: number, list: number): boolean {
    if (this.noted[num] === list) return false;
    this.noted[num] = list;
    return true;
  }

  bytesOf(num: number): Uint8Array {
    return this.bytes.subarray(this.starts[num]!, this.starts[num + 1]!);
  }

  /** The name, one character a byte. */
  text(num: number): string {
    return latin1(this.bytes, this.starts[num]!, this.starts[num + 1]!);
  }

  /** Below 0 where the first comes before the second, byte by byte. */
  compare(one: number, other: number): number {
    const { bytes, starts } = this;
    let a = starts[one]!;
    let b = starts[other]!;
    const lengths = starts[one + 1]! - a - (starts[other + 1]! - b);
    for (const end = a + Math.min(starts[one + 1]! - a, starts[other + 1]! - b); a < end; a++, b++) {
      if (bytes[a] !== bytes[b]) return bytes[a]! - bytes[b]!;
    }
    return lengths;
  }

  /** Writes the name as a string object, as `stringText` (serialize.ts) would. */
  write(writer: Writer, num: number): void {
    const { bytes } = this;
    const start = this.starts[num]!;
    const end = this.starts[num + 1]!;
    if (!isPlain(bytes, start, end)) {
      writer.text(hexString(bytes.subarray(start, end)));
      return;
    }
    writer.reserve(2 + end - start);
    writer.out[writer.at++] = PAREN_OPEN;
    writer.span(bytes, start, end);
    writer.out[writer.at++] = PAREN_CLOSE;
  }

  /** The slot that has the name or would have it; -1 where it may be in the crowd. */
  private look(buf: Uint8Array, start: number, end: number, hash: number): number {
    const { slots, hashes, bytes, starts } = this;
    const mask = slots.length - 1;
    for (let step = 0, slot = hash & mask; step < MOST_STEPS; step++, slot = (slot + 1) & mask) {
      const num = slots[slot]! - 1;
      if (num < 0) return slot;
      if (hashes[num] !== hash) continue;
      let at = starts[num]!;
      let pos = starts[num + 1]! - at === end - start ? start : end + 1;
      while (pos < end && buf[pos] === bytes[at++]) pos++;
      if (pos === end) return slot;
    }
    return -1;
  }

  private inCrowd(buf: Uint8Array, start: number, end: number): number {
    return this.crowd.get(latin1(buf, start, end)) ?? -1;
  }

  private place(num: number): void {
    const { slots } = this;
    const mask = slots.length - 1;
    for (let step = 0, slot = this.hashes[num]! & mask; step < MOST_STEPS; step++, slot = (slot + 1) & mask) {
      if (slots[slot] !== 0) continue;
      slots[slot] = num + 1;
      return;
    }
    this.crowd.set(this.text(num), num);
  }

  /** Makes room for one more name, of so many bytes. */
  private reserve(length: number): void {
    const needed = this.starts[this.size]! + length;
    if (needed > this.bytes.length)
      this.bytes = grown(this.bytes, new Uint8Array(Math.max(needed, 2 * this.bytes.length)));
    if (this.size + 2 <= this.starts.length) return;
    this.starts = grown(this.starts, new Int32Array(2 * this.starts.length));
    this.hashes = grown(this.hashes, new Int32Array(2 * this.hashes.length));
    this.noted = grown(this.noted, new Int32Array(2 * this.noted.length));
    this.slots = new Int32Array(2 * this.slots.length);
    this.crowd.clear();
    for (let num = 0; num < this.size; num++) this.place(num);
  }
}

/** Not a Buffer: a loop over arrays of two kinds is compiled twice, and is slow until then. */
function bytesOf(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

function hashOf(buf: Uint8Array, start: number, end: number): number {
  let hash = 0;
  for (let pos = start; pos < end; pos++) hash = (Math.imul(hash, 31) + buf[pos]!) | 0;
  // Places are told by the low bits, which the last characters would decide.
  return hash ^ (hash >>> 15);
}
