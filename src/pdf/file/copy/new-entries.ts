import type { Scan } from '../../syntax/scan.ts';

/** New entries of a copied dictionary: text, a function that writes the value, or undefined to leave the key out. */
export type NewEntries = ReadonlyMap<string, string | (() => void) | undefined>;

export const UNCHANGED: NewEntries = new Map();

/** Producers leave these entries out of appearances, where no viewer needs them; without them Do draws nothing. */
export const FORM_ENTRIES: NewEntries = new Map(Object.entries({ Type: '/XObject', Subtype: '/Form' }));

/** Changes objects while they are copied. Called only for objects that hold a watched name (watched-names.ts). */
export interface ObjectChange {
  readonly names: number;
  /** New entries of the dictionary, a function that writes the whole object, or undefined where nothing changes. */
  change(num: number, object: Scan): NewEntries | (() => void) | undefined;
}
