// Owns what may be said of an object that is about to be copied, and keeping it by number. Knows no file.
import type { Scan } from './scan.ts';

/** Replaces values of a dictionary while it is copied: text, a step that writes the value, or undefined for a key left out. */
export type Overrides = ReadonlyMap<string, string | (() => void) | undefined>;

/** What is done to objects on their way: asked only about those that hold one of its marks (marks.ts). */
export interface Retouch {
  readonly marks: number;
  /**
   * A step that writes the object, where it is one of a kind that is quickly seen through, or null where nothing in it
   * changes; undefined: it must be looked at. `scan` is a pass without keys.
   */
  quick?(scan: Scan): (() => void) | null | undefined;
  /** Set when `change` has read other objects of the file. */
  strayed: boolean;
  /**
   * New values for the dictionary, or a step that writes the whole object; undefined: nothing changes. `scan` is the pass
   * over the object at the file's `buf`, with its keys.
   */
  change(num: number, scan: Scan): Overrides | (() => void) | undefined;
}

/** What is to be replaced in which objects, by number. */
export class Plans {
  private readonly plans = new Map<number, Overrides>();
  /** 1 for those that have a plan, of tens of thousands a few: a map takes longer to say that there is none. */
  private planned = new Uint8Array(0);
  private readonly most: number;

  /** `most`: numbers are below it. */
  constructor(most: number) {
    this.most = most;
  }

  get size(): number {
    return this.plans.size;
  }

  get(num: number): Overrides | undefined {
    return this.planned[num] === 1 ? this.plans.get(num) : undefined;
  }

  set(num: number, values: Overrides): void {
    if (this.planned.length === 0) this.planned = new Uint8Array(this.most);
    this.planned[num] = 1;
    this.plans.set(num, values);
  }

  clear(): void {
    if (this.plans.size > 0) this.planned.fill(0);
    this.plans.clear();
  }
}
