// Owns what an operator may set and what holds unless they do; limits default to those of the rows. Reads no file.
import * as v from 'valibot';
import { Failure } from '../contract/failure.ts';
import { GB, LIMITS, MB } from '../contract/limits.ts';
import type { AnyOperation } from '../contract/operation.ts';
import { WORKFLOWS } from '../contract/operations/workflow.ts';

const count = v.pipe(v.number(), v.integer(), v.minValue(1));
const orDefault = (value: number) => v.optional(count, value);

const ROW_LIMITS = v.strictObject({
  inputBytes: v.optional(count),
  outputBytes: v.optional(count),
  pages: v.optional(count),
  segments: v.optional(count),
});

const WORKFLOW_LIMITS = v.strictObject({
  inputBytes: v.optional(count),
  pages: v.optional(count),
  files: v.optional(count),
});

/** The settings file: every key may be left out. Sizes in bytes, times in seconds. */
const SETTINGS = v.strictObject({
  /** Whom to ask: part of every error record. */
  support: v.optional(v.pipe(v.string(), v.nonEmpty(), v.maxLength(200)), 'the operator of this server'),
  /** The address that clients use, where it is not the one they connect to (a proxy in front). */
  public_url: v.optional(v.pipe(v.string(), v.url())),
  /** Names beside that of public_url under which requests may come: those of the Host header. */
  hosts: v.optional(v.array(v.pipe(v.string(), v.nonEmpty())), []),
  /** Processes for requests, and for workflow jobs. */
  workers: orDefault(2),
  job_workers: orDefault(2),
  /** Requests that may be read, wait or run at once; more are answered 429. */
  queue: orDefault(64),
  /** Uploads of workflow jobs at once. */
  uploads: orDefault(32),
  /** The most that a request may bring where SERVICE.md names no limit. */
  upload_bytes: orDefault(256 * MB),
  request_seconds: orDefault(120),
  job_seconds: orDefault(1_800),
  /** What a worker process may hold in memory, and what it may address. */
  memory_bytes: orDefault(1 * GB),
  address_bytes: orDefault(6 * GB),
  /** A job whose worker says nothing for as long is given to another. */
  lease_seconds: orDefault(60),
  job_attempts: orDefault(5),
  upload_session_seconds: orDefault(LIMITS.uploadSessionSeconds),
  result_seconds: orDefault(24 * 3_600),
  /** An upload that is slower, over the window, is given up: bytes a second. */
  minimum_rate: orDefault(1_024),
  rate_window_seconds: orDefault(30),
  /** A client that takes nothing of its answer for as long is given up. */
  stall_seconds: orDefault(30),
  /** How long work may go on after a stop was asked for. */
  grace_seconds: orDefault(30),
  /** Bytes that must stay free on the disk. */
  reserve_disk_bytes: orDefault(256 * MB),
  limits: v.optional(v.record(v.string(), ROW_LIMITS), {}),
  workflow_limits: v.optional(v.record(v.string(), WORKFLOW_LIMITS), {}),
});

export type ServeSettings = v.InferOutput<typeof SETTINGS>;

/** The settings of a file's text; the defaults where there is none. Throws a usage Failure that names every wrong key. */
export function readServeSettings(text: string | undefined, name: string): ServeSettings {
  let given: unknown = {};
  try {
    if (text !== undefined) given = JSON.parse(text);
  } catch (cause) {
    throw new Failure('usage', `${name} is no valid JSON`, { hint: 'Correct it, or remove it.', cause });
  }
  const result = v.safeParse(SETTINGS, given);
  if (!result.success) {
    const issues = result.issues.map((issue) => `${v.getDotPath(issue) ?? 'it'}: ${issue.message}`);
    throw new Failure('usage', `${name}: ${issues.join('; ')}`, { hint: 'Correct it, or remove it.' });
  }
  return result.output;
}

/** The rows with the limits of this server. Throws where a limit is set for no row. */
export function rowsWithLimits(rows: readonly AnyOperation[], { limits }: ServeSettings): AnyOperation[] {
  const unknown = Object.keys(limits).find((name) => !rows.some((op) => op.name === name));
  if (unknown !== undefined) throw new Failure('usage', `limits: there is no operation named ${unknown}`);
  return rows.map((op) => {
    const set = Object.fromEntries(Object.entries(limits[op.name] ?? {}).filter(([, value]) => value !== undefined));
    const when = op.limits?.when?.map((bound) => ({ ...bound, ...pick(set, ['inputBytes', 'pages'], bound) }));
    return { ...op, limits: { ...op.limits, ...set, ...(when === undefined ? {} : { when }) } };
  });
}

/** A bound for one value of a field follows only where it is the same kind of bound. */
function pick(set: Record<string, number | undefined>, names: readonly string[], bound: object): object {
  return Object.fromEntries(
    names.flatMap((name) => (name in bound && set[name] !== undefined ? [[name, set[name]]] : [])),
  );
}

/** What one workflow takes on this server. */
export interface WorkflowBounds {
  readonly inputBytes: number;
  readonly pages?: number;
  readonly files?: number;
  readonly credits: readonly [least: number, most: number];
  readonly input: string;
  readonly output: string;
}

/** The workflows of the contract by name, with the limits of this server. */
export function workflowBounds({ workflow_limits }: ServeSettings): Readonly<Record<string, WorkflowBounds>> {
  return Object.fromEntries(
    Object.entries(WORKFLOWS).map(([name, row]) => {
      const set = workflow_limits[name] ?? {};
      const pages = set.pages ?? ('pages' in row ? row.pages : undefined);
      const files = set.files ?? ('files' in row ? row.files[1] : undefined);
      return [
        name,
        {
          inputBytes: set.inputBytes ?? row.inputBytes,
          ...(pages === undefined ? {} : { pages }),
          ...(files === undefined ? {} : { files }),
          credits: row.maxCredits,
          input: row.input,
          output: row.output,
        },
      ];
    }),
  );
}
