// Transactions as generators of statements, so that SQLite can answer at once and PostgreSQL later.
import { madeWellFormed } from '../../contract/base/text.ts';
import type { SqlRow, SqlValue } from './driver.ts';

interface Statement {
  readonly text: string;
  readonly values: readonly SqlValue[];
  /** Whether it returns rows rather than a count of changes. */
  readonly isQuery: boolean;
}

export type Steps<T> = Generator<Statement, T, { readonly rows: readonly SqlRow[]; readonly changes: number }>;

/** Text, a number, or an object that is stored as JSON. */
type Storable = SqlValue | object;
/** Values of a statement by their names in it: `:now` is `now`. */
export type Named = Readonly<Record<string, Storable>>;

/** Returns the number of changed rows. */
export function* execute(text: string, values: Named = {}): Steps<number> {
  return (yield { ...bound(text, values), isQuery: false }).changes;
}

export function* all(text: string, values: Named = {}): Steps<readonly SqlRow[]> {
  return (yield { ...bound(text, values), isQuery: true }).rows;
}

export function* get(text: string, values?: Named): Steps<SqlRow | undefined> {
  return (yield* all(text, values))[0];
}

/** The row of a statement, read by `of`. */
export function* readOne<T>(text: string, values: Named, of: (row: SqlRow) => T): Steps<T | undefined> {
  const row = yield* get(text, values);
  return row === undefined ? undefined : of(row);
}

/** All rows of a statement, each read by `of`. */
export function* readAll<T>(text: string, values: Named, of: (row: SqlRow) => T): Steps<T[]> {
  return (yield* all(text, values)).map(of);
}

/** Inserts rows of one shape; camel-case members name the columns. `conflict`: the ON CONFLICT clause. */
export function* insert(table: string, rows: readonly Named[], conflict = ''): Steps<number> {
  const members = Object.keys(rows[0] ?? {});
  const places = rows.map((_, row) => `(${members.map((_, at) => `?${row * members.length + at + 1}`).join(', ')})`);
  const text = `INSERT INTO ${table} (${members.map(columnOf).join(', ')}) VALUES ${places.join(', ')} ${conflict}`;
  const values = rows.flatMap((row) => members.map((member) => storable(row[member] ?? null)));
  return (yield { text, values, isQuery: false }).changes;
}

/** Updates rows that meet a condition; camel-case members name the columns. Returns whether there was one. */
export function* update(table: string, set: Named, condition: string, values: Named): Steps<boolean> {
  const columns = Object.keys(set).map((member) => `${columnOf(member)} = :${member}`);
  return (yield* execute(`UPDATE ${table} SET ${columns.join(', ')} WHERE ${condition}`, { ...set, ...values })) > 0;
}

/** The statement with numbered placeholders, as both databases take it, and its values in order. */
export function bound(text: string, values: Named): Pick<Statement, 'text' | 'values'> {
  const names: string[] = [];
  const numbered = text.replace(/:([a-z]\w*)/gi, (_, name: string) => {
    if (!names.includes(name)) names.push(name);
    return `?${names.indexOf(name) + 1}`;
  });
  return {
    text: numbered,
    values: names.map((name) => {
      const value = values[name];
      if (value === undefined) throw new TypeError(`the statement has no value for :${name}`);
      return storable(value);
    }),
  };
}

/** `inputBytes` -> `input_bytes` */
function columnOf(member: string): string {
  return member.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** All text enters here. PostgreSQL refuses U+0000, its JSON functions lone surrogates too: both are replaced. */
function storable(value: Storable): SqlValue {
  if (typeof value === 'string') return madeWellFormed(value);
  if (typeof value !== 'object' || value === null) return value;
  return JSON.stringify(value, (_, member: unknown) => {
    if (typeof member === 'string') return madeWellFormed(member);
    if (typeof member !== 'object' || member === null || Array.isArray(member)) return member;
    return Object.fromEntries(Object.entries(member).map(([name, inner]) => [madeWellFormed(name), inner]));
  });
}

/** The database under a store. Each `work` is one transaction and may be restarted from its beginning. */
export interface Database {
  /** Runs single statements that change nothing. */
  read<T>(work: () => Steps<T>): Promise<T>;
  /** `isDurable`: synced to disk when it settles. */
  write<T>(work: () => Steps<T>, isDurable: boolean): Promise<T>;
  /** Runs all statements on one snapshot. */
  snapshot<T>(work: () => Steps<T>): Promise<T>;
  close(): Promise<void>;
}
