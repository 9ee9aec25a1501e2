// What a transaction does, statement by statement, without saying whether it is waited for: the embedded database answers
// at once and PostgreSQL later, and the rules of credits and jobs are written down once.
import type { Row, Value } from './driver.ts';

export interface Statement {
  readonly text: string;
  readonly values: readonly Value[];
  /** Rows are wanted, rather than how many changed. */
  readonly isQuery: boolean;
}

export interface Answer {
  readonly rows: readonly Row[];
  readonly changes: number;
}

export type Steps<T> = Generator<Statement, T, Answer>;

/** How many rows changed. */
export function* run(text: string, ...values: Value[]): Steps<number> {
  return (yield { text, values, isQuery: false }).changes;
}

export function* all(text: string, ...values: Value[]): Steps<readonly Row[]> {
  return (yield { text, values, isQuery: true }).rows;
}

export function* get(text: string, ...values: Value[]): Steps<Row | undefined> {
  return (yield* all(text, ...values))[0];
}

/** What a store is made on. Every work is one transaction, all of it or nothing, and may be begun again from its beginning. */
export interface Database {
  /** Single statements that change nothing. */
  read<T>(work: () => Steps<T>): Promise<T>;
  /** `isDurable`: on the disk when it settles. */
  write<T>(work: () => Steps<T>, isDurable: boolean): Promise<T>;
  /** All statements see the same state. */
  snapshot<T>(work: () => Steps<T>): Promise<T>;
  close(): Promise<void>;
}
