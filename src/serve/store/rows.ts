// Schemas of the columns. The types of accounts, keys and jobs derive from them.
import * as v from 'valibot';
import type { SqlRow } from './driver.ts';

/** Milliseconds since the epoch. */
const time = v.number();
const members = v.record(v.string(), v.unknown());
const json = v.pipe(v.string(), v.parseJson(), members);

/** Amounts are credits. */
const ACCOUNT = v.object({
  id: v.string(),
  available: v.number(),
  reserved: v.number(),
  used: v.number(),
  /** When the free credits are refilled. */
  resets_at: time,
});

const KEY = v.object({
  id: v.string(),
  account: v.string(),
  sha256: v.string(),
  label: v.nullable(v.string()),
  created_at: time,
  revoked_at: v.nullable(time),
});

const STATE = v.picklist(['awaiting_upload', 'queued', 'running', 'succeeded', 'failed', 'expired']);

/** The output of a job, stored under its final name. */
const RESULT = v.object({
  name: v.string(),
  mediaType: v.string(),
  bytes: v.number(),
  sha256: v.string(),
  pages: v.optional(v.number()),
  measurement: v.optional(members),
  files: v.optional(v.record(v.string(), v.number())),
  warnings: v.optional(v.pipe(v.array(v.string()), v.readonly())),
  details: v.optional(members),
});

/** Every column of a job that the program reads. A new one also needs a migration of both databases. */
const JOB = v.object({
  id: v.string(),
  account: v.string(),
  upload_id: v.string(),
  workflow: v.string(),
  options: json,
  /** The API key that created it, where jobs per key are limited. */
  key_id: optional(v.string()),
  input_bytes: v.number(),
  max_credits: v.number(),
  state: STATE,
  /** The number of claims. Only the worker with the last token may finish it. */
  token: v.number(),
  /** Claims that failed although their server lived on. */
  attempts: v.number(),
  progress: optional(json),
  result: optional(v.pipe(v.string(), v.parseJson(), RESULT)),
  charged: v.number(),
  error_code: optional(v.string()),
  error_message: optional(v.string()),
  created_at: time,
  updated_at: time,
  expires_at: time,
});

/** The columns that determine the blobs of a job. */
const JOB_FILE = v.object({
  ...v.pick(JOB, ['id', 'upload_id', 'token', 'input_bytes', 'state']).entries,
  result_name: optional(v.string()),
});
export const JOB_FILE_COLUMNS = Object.keys(JOB_FILE.entries);

type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name;
type Members<Columns> = { readonly [Column in keyof Columns & string as Camel<Column>]: Columns[Column] };

export type Account = Members<v.InferOutput<typeof ACCOUNT>>;
export type ApiKey = Members<v.InferOutput<typeof KEY>>;
export type Job = Members<v.InferOutput<typeof JOB>>;
export type StoredJobFile = Members<v.InferOutput<typeof JOB_FILE>>;
export type StoredJobState = v.InferOutput<typeof STATE>;
export type StoredResult = Readonly<v.InferOutput<typeof RESULT>>;

export const accountOf = (row: SqlRow): Account => membersOf(v.parse(ACCOUNT, row));
export const keyOf = (row: SqlRow): ApiKey => membersOf(v.parse(KEY, row));
export const jobOf = (row: SqlRow): Job => membersOf(v.parse(JOB, row));
export const jobFileOf = (row: SqlRow): StoredJobFile => membersOf(v.parse(JOB_FILE, row));

/** `input_bytes` -> `inputBytes` */
function membersOf<const Columns extends object>(columns: Columns): Members<Columns> {
  const members = Object.entries(columns).map(([column, value]) => [
    column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    value,
  ]);
  return Object.fromEntries(members) as Members<Columns>; // the same change of names, in the type
}

/** A nullable column; NULL is read as undefined. */
function optional<const S extends v.GenericSchema>(schema: S) {
  return v.pipe(
    v.nullable(schema),
    v.transform((value) => value ?? undefined),
  );
}

export function stateOf(row: SqlRow): StoredJobState {
  return v.parse(STATE, row.state);
}

export function textColumn(row: SqlRow, column: string): string {
  return v.parse(v.string(), row[column]);
}

export function countColumn(row: SqlRow, column: string): number {
  return v.parse(v.number(), row[column]);
}
