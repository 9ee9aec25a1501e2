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
