// Owns what may be said of how an output is written, and what holds where nothing is. Knows neither file nor operation.
import type { Staging } from './staging.ts';

/** Objects in an object stream: more compress better and cost less to begin (0.3 ms each), fewer are read faster. */
export const PER_STREAM = 1000;
/** Level 5 takes a merge of manuals 4 % more time for 0.3 % of its bytes, level 6 half as much again for 0.1 to 0.3 %. */
export const LEVEL = 4;

export interface WriterOptions {
  /** Such as 1.7. */
  readonly version: string;
  /** Put what may go there into object streams, with a cross-reference stream. */
  readonly packed: boolean;
  /** Objects in an object stream, where it should not be the usual number. */
  readonly perStream?: number;
  readonly level?: number;
  /** How many objects there will be, about: room for them is made at once, within reason. */
  readonly expected?: number;
  /** Shared with the writers of other outputs, which are written while this one is being compressed. */
  readonly staging?: Staging;
}
