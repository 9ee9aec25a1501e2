// Owns which entries of the page tree's dictionaries are looked at, and where they stand in one that was scanned. Knows no
// tree.
import { isKey, type Scan } from './scan.ts';
import { HASH, REFERENCE, SLASH, skipSpace, wholeNumber } from './syntax.ts';

/** Attributes a page takes from the nodes above it when it has none of its own (7.7.3.4). */
export const INHERITABLE = ['Resources', 'MediaBox', 'CropBox', 'Rotate'] as const;
export type Inheritable = (typeof INHERITABLE)[number];

/** Keys a walk looks at; the first ones are INHERITABLE. */
const MARKED = [...INHERITABLE, 'Type', 'Parent', 'Kids', 'Count', 'Contents'] as const;
const FIRST = Uint8Array.from(MARKED, (key) => key.charCodeAt(0));
export const RESOURCES = 0;
export const MEDIABOX = 1;
export const ROTATE = 3;
export const TYPE = 4;
export const PARENT = 5;
export const KIDS = 6;
export const COUNT = 7;
export const CONTENTS = 8;

/** Where the values of those keys stand in the dictionary scanned last. */
export class Marks {
  private readonly places = new Int32Array(2 * MARKED.length);

  read(buf: Uint8Array, scan: Scan): void {
    this.places.fill(-1);
    for (let i = 0; i < scan.keyCount; i += 3) {
      const start = scan.keys[i]!;
      const end = scan.keys[i + 1]!;
      // As isKey does it, without a call: nearly all keys are none of these. A # begins a name that is written in another way.
      const first = buf[start + 1]!;
      for (let mark = 0; mark < MARKED.length; mark++) {
        if (first !== FIRST[mark] && first !== HASH) continue;
        if (!isKey(buf, start, end, MARKED[mark]!)) continue;
        this.places[2 * mark] = skipSpace(buf, end, scan.keys[i + 2]!);
        this.places[2 * mark + 1] = scan.keys[i + 2]!;
      }
    }
  }
  has(mark: number): boolean {
    return this.places[2 * mark]! >= 0;
  }
  start(mark: number): number {
    return this.places[2 * mark]!;
  }
  end(mark: number): number {
    return this.places[2 * mark + 1]!;
  }
  /** The object that the value refers to; 0 where it is no reference. */
  reference(buf: Uint8Array, mark: number): number {
    const end = this.end(mark);
    return end > 0 && buf[end - 1] === REFERENCE ? Math.max(wholeNumber(buf, this.start(mark), end), 0) : 0;
  }
  is(buf: Uint8Array, mark: number, name: string): boolean {
    const start = this.start(mark);
    return start >= 0 && buf[start] === SLASH && isKey(buf, start, this.end(mark), name);
  }
}
