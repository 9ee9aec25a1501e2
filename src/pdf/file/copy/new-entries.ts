import type { Scan } from '../../syntax/scan.ts';

/** New values of a dictionary that is copied: text, a step that writes the value, or undefined for a key left out. */
export type NewEntries = ReadonlyMap<string, string | (() => void) | undefined>;

/** Changes objects while they are copied. Called only for objects that hold a watched name (watched-names.ts). */
export interface ObjectChange {
  readonly names: number;
  /** New entries of the dictionary, or a step that writes the whole object; undefined: nothing changes. */
  change(num: number, object: Scan): NewEntries | (() => void) | undefined;
}
