import type { NewEntries } from '../../file/copy/new-entries.ts';

export type Referring = (num: number) => number;

/** A stream written before the one that needs it. `entries`: its dictionary; `before`: numbers of the parts before it. */
export interface SideStream {
  readonly data: Uint8Array;
  readonly entries: (ref: Referring, before: readonly number[]) => string;
}

/** A reduced picture. `entries` gets the numbers of its parts. */
export interface Reduced {
  readonly data: Uint8Array;
  readonly parts?: readonly SideStream[];
  /** It replaces the original whatever its size: half of a pair of equal size, or a drawing made grey. */
  readonly paired: boolean;
  readonly entries: (ref: Referring, parts: readonly number[]) => NewEntries;
}

/** Bytes of a dictionary and the keywords around a stream, approximately. */
const PART_AROUND = 190;

/** Bytes of a picture in the file, besides its own dictionary. */
export function reducedBytes({ data, parts = [] }: Pick<Reduced, 'data' | 'parts'>): number {
  return parts.reduce((sum, part) => sum + part.data.length + PART_AROUND, data.length);
}
