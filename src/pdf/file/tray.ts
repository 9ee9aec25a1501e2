// Owns values as they are written, one behind the other in one array. Knows no file.
import { grown } from '../grown.ts';
import { Parser } from './parse.ts';
import { BEHIND } from './syntax.ts';
import type { Value } from './values.ts';

/** Values have places, from 0. What a writer is to put here it does between `Writer.aside` and `Writer.back`. */
export class Tray {
  bytes: Uint8Array = new Uint8Array(1 << 10);
  /** Where the next value goes. */
  at = 0;
  private count = 0;
  /** Where each value begins and ends. */
  private ends = new Int32Array(1 << 6);

  /** Keeps a copy of what stands in [from, to), its end to be seen (scan.ts), and returns its place. */
  put(buf: Uint8Array, from: number, to: number): number {
    const end = this.at + to - from;
    const needed = end + BEHIND.length;
    if (needed > this.bytes.length) {
      this.bytes = grown(this.bytes, new Uint8Array(Math.max(needed, 2 * this.bytes.length)));
    }
    this.bytes.set(buf.subarray(from, to), this.at);
    this.bytes.set(BEHIND, end);
    const place = this.note(this.at, end);
    this.at = needed;
    return place;
  }

  /** As `put`, one byte a character. */
  text(text: string): number {
    const bytes = Buffer.from(text, 'latin1');
    return this.put(bytes, 0, bytes.length);
  }

  /** The place of what was written from `start` on, up to `end`. */
  note(start: number, end: number): number {
    if (2 * this.count === this.ends.length) this.ends = grown(this.ends, new Int32Array(4 * this.count));
    this.ends[2 * this.count] = start;
    this.ends[2 * this.count + 1] = end;
    return this.count++;
  }

  start(place: number): number {
    return this.ends[2 * place]!;
  }

  end(place: number): number {
    return this.ends[2 * place + 1]!;
  }

  /** The value as an object. */
  parsed(place: number): Value {
    return new Parser(this.bytes, this.start(place), this.end(place) + BEHIND.length).value();
  }
}
