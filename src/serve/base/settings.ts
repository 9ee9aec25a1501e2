import * as v from 'valibot';
import { Failure } from '../../contract/base/failure.ts';
import { isRecord, parsedJson, present } from '../../contract/base/present.ts';
import { GB, LIMITS, MB } from '../../contract/limits.ts';
import type { ServiceOperation } from '../../contract/operation.ts';
import { WORKFLOWS } from '../../contract/operations/service/workflow.ts';

const count = v.pipe(v.number(), v.integer(), v.minValue(1));

/** A whole number above 0 with its default and description. */
const number = (value: number, about: string) => v.pipe(v.optional(count, value), v.description(about));

/** A whole number that is 0 by default. */
const numberOrNone = (about: string) =>
  v.pipe(v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)), 0), v.description(about));

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

/** The keys of the settings file, all optional; help and man page are made from them. */
const KEYS = {
  support: v.pipe(
    v.optional(v.pipe(v.string(), v.nonEmpty(), v.maxLength(200)), 'the operator of this server'),
    v.description('Contact for help, part of every error record.'),
  ),
  public_url: v.pipe(
    v.optional(v.pipe(v.string(), v.url())),
    v.description('The address that clients use, if there is a proxy in front. Other Host headers are then refused.'),
  ),
  hosts: v.pipe(
    v.optional(v.array(v.pipe(v.string(), v.nonEmpty())), []),
    v.description('Other host names than that of public_url that requests may use.'),
  ),
  proxies: v.pipe(
    v.optional(v.array(v.pipe(v.string(), v.ip('expected an address such as 10.0.0.2'))), []),
    v.description('Addresses of proxies in front, whose X-Forwarded-For is trusted.'),
  ),
  admin_host: v.pipe(v.optional(v.string(), '127.0.0.1'), v.description('Address that --admin-port listens on.')),
  metrics_token: v.pipe(
    v.optional(v.pipe(v.string(), v.regex(/^[\x21-\x7e]{16,200}$/, 'expected 16 to 200 letters without spaces'))),
    v.description(
      'Token that /metrics asks for, as Authorization: Bearer <token>; without it /metrics is only on --admin-port.',
    ),
  ),
  key_rate: numberOrNone('Requests a minute of one key; 0 means 600 from other machines, and no limit from this one.'),
  address_rate: numberOrNone('Requests a minute from one address; 0 means the same.'),
  mcp_rate: number(300, 'Messages a minute that one address may send to the tools at /mcp.'),
  storage_endpoint: v.pipe(
    v.optional(v.pipe(v.string(), v.regex(/^https?:\/\//, 'expected http:// or https://'), v.url())),
    v.description('Endpoint of --storage, if it is not Amazon: buckets are paths below it.'),
  ),
  storage_region: v.pipe(v.optional(v.pipe(v.string(), v.nonEmpty()), 'us-east-1'), v.description('Of that storage.')),
  storage_direct: v.pipe(
    v.optional(v.boolean(), false),
    v.description('Clients can reach the storage: they fetch results from it, not through the server.'),
  ),
  workers: number(2, 'Processes for requests.'),
  job_workers: number(2, 'Processes for workflow jobs.'),
  queue: number(64, 'Requests that are read, wait or run at once; more are answered 429.'),
  key_requests: number(16, 'Requests of one account at once; paid ones are counted over all servers.'),
  key_bytes: number(512 * MB, 'Bytes of requests of one account under way.'),
  small_requests: number(16, 'Free requests of up to 4 MiB that are accepted even if the queue is full.'),
  uploads: number(32, 'Uploads of workflow jobs at once.'),
  key_uploads: number(8, 'Uploads of one account at once.'),
  downloads: number(128, 'Results of jobs read at once; each takes a megabyte of memory.'),
  key_downloads: number(16, 'Results of one account read at once.'),
  key_sessions: number(32, 'Jobs of one account that wait for their upload.'),
  key_jobs: number(1_000, 'Waiting and running jobs of one account, on all servers; more are answered 429.'),
  key_running: numberOrNone('Running jobs of one account, of all workers; 0 means no limit.'),
  jobs: number(20_000, 'Waiting jobs of all accounts; more are answered 429.'),
  key_session_bytes: number(4 * GB, 'Bytes that jobs of one account have announced but not uploaded yet.'),
  key_result_bytes: number(
    16 * GB,
    'Bytes of stored results of one account; beyond them its new jobs are answered 429.',
  ),
  upload_bytes: number(256 * MB, 'Largest request of an operation without a limit of its own.'),
  request_seconds: number(120, 'How long a request may run.'),
  job_seconds: number(1_800, 'How long a job may run.'),
  memory_bytes: number(1 * GB, 'What a worker process may hold in memory.'),
  // The readers that verify a redacted document of 256 MiB address nearly 10 GB, and hold less than 2.
  address_bytes: number(12 * GB, 'What a worker process may address.'),
  lease_seconds: number(60, 'A job whose worker is silent for this long goes to another.'),
  job_attempts: number(5, 'Workers that may die during a job before it fails.'),
  upload_session_seconds: number(LIMITS.uploadSessionSeconds, 'How long the upload address of a job is valid.'),
  result_seconds: number(24 * 3_600, 'How long the result of a job is kept.'),
  history_days: number(
    90,
    'Days after which ended jobs and their keys are deleted, and the ledger keeps only monthly sums.',
  ),
  minimum_rate: number(4_096, 'Bytes a second; an upload that is slower from its first seconds on is dropped.'),
  rate_window_seconds: number(20, 'How long a sender that was fast may be silent.'),
  stall_seconds: number(30, 'A client that reads nothing of its answer for this long is dropped.'),
  drain_seconds: numberOrNone(
    'How long a stopping server still takes requests, so that a balancer sees it at /readyz first.',
  ),
  grace_seconds: number(30, 'How long work may continue after a stop was requested.'),
  reserve_disk_bytes: number(256 * MB, 'Bytes that must stay free on the disk.'),
  limits: v.pipe(
    v.optional(v.record(v.string(), ROW_LIMITS), {}),
    v.description('Limits of operations by name, such as {"merge":{"inputBytes":20971520}}.'),
  ),
  workflow_limits: v.pipe(
    v.optional(v.record(v.string(), WORKFLOW_LIMITS), {}),
    v.description('Limits of workflows by name, such as {"compress":{"inputBytes":1048576}}.'),
  ),
};

const SETTINGS = v.strictObject(KEYS);

/** The description of a key of the settings file. */
export interface SettingShape {
  readonly name: string;
  /** The environment variable that overrides the file. */
  readonly variable: string;
  /** The default as JSON; undefined where there is none. */
  readonly value: string | undefined;
  readonly about: string;
}

export function settingShapes(): SettingShape[] {
  return Object.entries(KEYS).map(([name, schema]) => {
    const value: unknown = v.getDefault(schema);
    return {
      name,
      variable: variableOf(name),
      value: value === undefined ? undefined : JSON.stringify(value),
      about: v.getDescription(schema) ?? '',
    };
  });
}

export type ServeSettings = v.InferOutput<typeof SETTINGS>;

/** Reads settings: variables, then the file's text, then defaults. Throws a usage Failure that names all wrong keys. */
export function readServeSettings(
  text: string | undefined,
  name: string,
  variable: (name: string) => string | undefined = () => undefined,
): ServeSettings {
  let given: unknown = {};
  try {
    if (text !== undefined) given = JSON.parse(text);
  } catch (cause) {
    throw new Failure('usage', `${name} is no valid JSON`, { hint: 'Correct it, or remove it.', cause });
  }
  if (!isRecord(given)) {
    throw new Failure('usage', `${name}: expected an object of settings`, { hint: 'Correct it, or remove it.' });
  }
  const set = Object.entries(KEYS).flatMap(([key, schema]) => {
    const word = variable(variableOf(key));
    return word === undefined ? [] : [[key, readWord(word, v.getDefault(schema))] as const];
  });
  const result = v.safeParse(SETTINGS, { ...given, ...Object.fromEntries(set) });
  if (!result.success) {
    const issues = result.issues.map((issue) => {
      const path = v.getDotPath(issue) ?? 'it';
      const [key = ''] = path.split('.');
      return `${set.some(([name]) => name === key) ? variableOf(key) : path}: ${issue.message}`;
    });
    throw new Failure('usage', `${name}: ${issues.join('; ')}`, {
      hint: 'Correct it, or remove it. pdftool serve --help settings tells all of them.',
    });
  }
  return result.output;
}

function variableOf(key: string): string {
  return `PDFTOOL_SERVE_${key.toUpperCase()}`;
}

/** A variable's text as the type of the default; text that does not parse is left to the schema to refuse. */
function readWord(word: string, usual: unknown): unknown {
  if (typeof usual === 'number') return /^\d+$/.test(word) ? Number(word) : word;
  if (Array.isArray(usual)) return word.split(',').map((item) => item.trim());
  if (typeof usual !== 'object' && typeof usual !== 'boolean') return word;
  const value = parsedJson(word);
  return value === undefined ? word : value;
}

/** The rows with the limits of this server. Throws where a limit names no row. */
export function rowsWithLimits(rows: readonly ServiceOperation[], { limits }: ServeSettings): ServiceOperation[] {
  const unknown = Object.keys(limits).find((name) => !rows.some((op) => op.name === name));
  if (unknown !== undefined) throw new Failure('usage', `limits: there is no operation named ${unknown}`);
  return rows.map((op) => {
    const set = Object.fromEntries(Object.entries(limits[op.name] ?? {}).filter(([, value]) => value !== undefined));
    const when = op.limits?.when?.map((bound) => ({ ...bound, ...pick(set, ['inputBytes', 'pages'], bound) }));
    return { ...op, limits: { ...op.limits, ...set, ...(when === undefined ? {} : { when }) } };
  });
}

/** Overrides only those bounds that `bound` already has. */
function pick(set: Record<string, number | undefined>, names: readonly string[], bound: object): object {
  return Object.fromEntries(
    names.flatMap((name) => (name in bound && set[name] !== undefined ? [[name, set[name]]] : [])),
  );
}

/** The limits of a workflow on this server. */
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
      const inputBytes = set.inputBytes ?? row.inputBytes;
      const pages = set.pages ?? ('pages' in row ? row.pages : undefined);
      const files = set.files ?? ('files' in row ? row.files[1] : undefined);
      const { maxCredits: credits, input, output } = row;
      return [name, present({ inputBytes, pages, files, credits, input, output })];
    }),
  );
}
