// Owns objects that go into many outputs: their bytes and what a scan found in them, kept from the second copy on.
import type { Block } from './blocks.ts';
import { LENGTH, type Scan } from './scan.ts';

/** Longer values are seldom, and their copying takes longer than their scan. */
const LONGEST = 32 * 1024;
/** Memory for all of them, and what each takes besides its bytes and edits. */
const MOST = 4 << 20;
const EACH = 512;

/** What must be known of a scan to write what was scanned. */
export type Found = Pick<Scan, 'edits' | 'count' | 'lengthRef'>;

/** A value as it was scanned. Places are those in `bytes`. */
export interface Kept extends Found {
  readonly bytes: Uint8Array;
  /** Where the data of a stream stands in the file, and its length; `start` is -1 for what is none. */
  readonly start: number;
  readonly length: number;
  /** What is written in its place, with all that belongs to it. */
  block: Block | undefined;
}

/** The objects that it refers to, those of them twice that it names twice. */
export function refsOf({ edits, count, lengthRef, start }: Kept): number[] {
  const refs: number[] = [];
  for (let i = 2; i < count; i += 3) if (edits[i]! >= 0) refs.push(edits[i]!);
  for (let i = 2; i < count; i += 3) if (edits[i] === LENGTH && start < 0 && lengthRef >= 0) refs.push(lengthRef);
  return refs;
}

export class Replay {
  private readonly met: Uint8Array;
  private readonly kept = new Map<number, Kept>();
  private room = MOST;
  /** What was kept since somebody asked. */
  fresh: number[] = [];

  /** `size`: objects of the file. */
  constructor(size: number) {
    this.met = new Uint8Array(size);
  }

  find(num: number): Kept | undefined {
    return this.met[num] === 2 ? this.kept.get(num) : undefined;
  }

  /** Notes that an object was copied as the scan found it; keeps it where that has been so before. */
  note(
    num: number,
    buf: Uint8Array,
    pos: number,
    { edits, count, end, lengthRef }: Scan,
    start: number,
    length: number,
  ) {
    if (this.met[num] === 0) {
      this.met[num] = 1;
      return;
    }
    if (this.met[num] === 2) return;
    const cost = EACH + end - pos + 4 * count;
    if (end - pos > LONGEST || cost > this.room) return;
    this.room -= cost;
    const own = edits.slice(0, count);
    for (let i = 0; i < count; i += 3) {
      own[i]! -= pos;
      own[i + 1]! -= pos;
    }
    this.met[num] = 2;
    this.kept.set(num, { bytes: buf.slice(pos, end), edits: own, count, lengthRef, start, length, block: undefined });
    this.fresh.push(num);
  }
}
