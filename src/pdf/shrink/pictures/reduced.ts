import type { NewEntries } from '../../file/copy/new-entries.ts';

export type Referring = (num: number) => number;

/** A stream that is written before the one that needs it. `entries`: of its dictionary; `before`: the numbers of parts before it. */
export interface SideStream {
  readonly data: Uint8Array;
  readonly entries: (ref: Referring, before: readonly number[]) => string;
}

/** A picture in its new form. `entries` are given the numbers of the parts. */
export interface Reduced {
  readonly data: Uint8Array;
  readonly parts?: readonly SideStream[];
  /** It takes the place of the original whatever it weighs: half of a pair of equal size, or a drawing made grey. */
  readonly paired: boolean;
  readonly entries: (ref: Referring, parts: readonly number[]) => NewEntries;
}

/** A dictionary and what stands around a stream, about. */
const PART_AROUND = 190;

/** Bytes of a picture in the file, besides its own dictionary. */
export function reducedBytes({ data, parts = [] }: Pick<Reduced, 'data' | 'parts'>): number {
  return parts.reduce((sum, part) => sum + part.data.length + PART_AROUND, data.length);
}
