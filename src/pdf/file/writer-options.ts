// Owns what may be said of an output before it is written, what holds where nothing is, and what may be put into it
// ready-made. Knows neither file nor operation.
import type { Staging } from './staging.ts';
import type { Entries } from './xref-rows.ts';

/** Objects in an object stream: more compress better and cost less to begin (0.3 ms each), fewer are read faster. */
export const PER_STREAM = 1000;
/** Level 5 takes a merge of manuals 4 % more time for 0.3 % of its bytes, level 6 half as much again for 0.1 to 0.3 %. */
export const LEVEL = 4;

export interface WriterOptions {
  /** Such as 1.7; undefined for what is not a file of its own. */
  readonly version: string | undefined;
  /** Put what may go there into object streams, with a cross-reference stream. */
  readonly packed: boolean;
  /** Objects in an object stream, where it should not be the usual number. */
  readonly perStream?: number;
  readonly level?: number;
  /** How many objects there will be, about: room for them is made at once, within reason. */
  readonly expected?: number;
  /** Numbers from 1 on that are for objects of fragments: `allocate` gives those behind them. */
  readonly reserved?: number;
  /** Shared with the writers of other outputs, which are written while this one is being compressed. */
  readonly staging?: Staging;
}

/** Objects that were written before, for many files: their bytes, and where in these each of them stands. */
export interface Fragment {
  readonly bytes: Uint8Array;
  readonly nums: Int32Array;
  /** In the order of `nums`; places of what is PLAIN are those in `bytes`. */
  readonly entries: Entries;
}
