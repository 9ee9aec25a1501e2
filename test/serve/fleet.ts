// Servers and workers as processes of their own, on one PostgreSQL and one storage.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { systemClock } from '../../src/runtime/clock.ts';
import type { Blobs } from '../../src/serve/blobs/blobs.ts';
import { folderBlobs } from '../../src/serve/blobs/folder.ts';
import { openS3 } from '../../src/serve/blobs/s3.ts';
import type { Store } from '../../src/serve/store/store.ts';
import { CLEAN, type Folder, folder, PROGRAM, pdftool } from '../e2e/pdftool.ts';
import type { PostgresServer } from './postgres.ts';
import { until } from './rig.ts';
import { BUCKET, KEY, REGION, type S3Server, startS3 } from './s3.ts';

const SETTINGS = { PDFTOOL_SERVE_LEASE_SECONDS: '2', PDFTOOL_SERVE_WORKERS: '1', PDFTOOL_SERVE_JOB_WORKERS: '1' };

export interface Place {
  readonly here: Folder;
  readonly database: string;
  /** Settings that only this test has. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Errors that servers and workers logged, also those that have ended since. */
export const errors: string[] = [];

export interface Process {
  readonly child: ChildProcess;
  readonly url: string;
  readonly key: string | undefined;
  readonly admin: string;
  readonly log: () => string;
}

const FLEET = `s3://${BUCKET}/fleet`;

/** The first key, where this process made it. */
export const keyIn = (path: string | undefined) => (path === undefined ? undefined : readFileSync(path, 'utf8').trim());

const started = new Set<ChildProcess>();

export function killFleet(): void {
  for (const child of started) child.kill('SIGKILL');
  started.clear();
}

/** `serve --no-workers` or `work`, ready. `program`: of another version. */
export async function start(
  { here, database, env }: Place,
  words: readonly string[],
  program = PROGRAM,
): Promise<Process> {
  const args = [program, ...words, '--data', here.at('data'), '--json', '--admin-port', '0'];
  const all = { ...CLEAN, ...SETTINGS, PDFTOOL_SERVE_DATABASE: database, ...env };
  const child = spawn(process.execPath, args, { env: all, stdio: ['ignore', 'pipe', 'pipe'] });
  started.add(child);
  let [said, log] = ['', ''];
  child.stdout.on('data', (chunk) => (said += String(chunk)));
  child.stderr.on('data', (chunk) => {
    log += String(chunk);
    errors.push(
      ...String(chunk)
        .split('\n')
        .filter((line) => line.includes('"level":"error"')),
    );
  });
  const admin = await until(() => {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`it ended: ${log}`);
    return said === '' ? undefined : /"event":"for operators".*"port":(\d+)/.exec(log)?.[1];
  }, 60_000);
  const told = JSON.parse(said) as { url?: string; api_key_file?: string };
  return {
    child,
    url: told.url ?? '',
    key: keyIn(told.api_key_file),
    admin: `http://127.0.0.1:${admin}`,
    log: () => log,
  };
}

/** A folder and a migrated database, for one test. */
export async function place(postgres: PostgresServer, env: Readonly<Record<string, string>> = {}): Promise<Place> {
  const here = folder();
  const database = await postgres.database();
  const migrated = await pdftool(['serve', 'migrate', '--json'], {
    env: { ...CLEAN, PDFTOOL_SERVE_DATABASE: database },
  });
  expect(migrated).toMatchObject({ exitCode: 0 });
  return { here, database, env };
}

/** A command of an operator. */
export const run = ({ here, database }: Place, ...args: string[]) =>
  pdftool([...args, '--data', here.at('data')], { env: { ...CLEAN, PDFTOOL_SERVE_DATABASE: database } });

export interface JobTold {
  readonly jobId: string;
  readonly uploadId: string;
  readonly status: string;
  readonly result_url?: string;
  readonly result?: { readonly sha256: string };
  readonly upload?: { readonly session_uri: string };
}

export const headers = (key: string | undefined) => ({ 'X-API-Key': String(key) });

/** Asks for a compression of so many bytes. */
export async function askForJob(url: string, key: string | undefined, bytes: number, once?: string): Promise<Response> {
  return fetch(`${url}/api/v1/workflow-jobs`, {
    method: 'POST',
    headers: {
      ...headers(key),
      'Content-Type': 'application/json',
      ...(once === undefined ? {} : { 'Idempotency-Key': once }),
    },
    body: JSON.stringify({ workflow: 'compress', inputBytes: bytes, options: {}, maxCredits: 1 }),
  });
}

export async function create(url: string, key: string | undefined, bytes: number): Promise<JobTold> {
  const answer = await askForJob(url, key, bytes);
  expect(answer.status).toBe(200);
  return (await answer.json()) as JobTold;
}

/** The same address on another server. */
export const at = (address: string | undefined, url: string) => String(address).replace(/^http:\/\/[^/]+/, url);

/** Where uploads and results are, and how to make it refuse. */
export interface Storage {
  /** What servers and workers are told of it. */
  readonly env: Readonly<Record<string, string>>;
  refuse(): void | Promise<void>;
  allow(): void | Promise<void>;
  /** As one more server has them. */
  open(store: Store): Promise<Blobs>;
  /** Names of what is there. */
  list(kind: 'uploads' | 'results'): string[];
  remove(): Promise<void>;
}

/** A folder refuses when a file stands in its place: nothing can be opened, made or moved below it. */
export function folderStorage(data: string): Storage {
  const kinds = ['uploads', 'results'] as const;
  const path = (kind: string) => join(data, kind);
  return {
    env: {},
    refuse() {
      for (const kind of kinds) {
        renameSync(path(kind), path(`${kind}.away`));
        writeFileSync(path(kind), '');
      }
    },
    allow() {
      for (const kind of kinds) {
        if (!existsSync(path(`${kind}.away`))) continue;
        rmSync(path(kind), { recursive: true });
        renameSync(path(`${kind}.away`), path(kind));
      }
    },
    open: async () => folderBlobs(data),
    list: (kind) => readdirSync(path(kind)).sort(),
    async remove() {},
  };
}

/** What servers and workers are told of a bucket. */
export function bucketEnv({ endpoint }: S3Server): Record<string, string> {
  const [id = '', secret = ''] = KEY.split(':');
  return {
    ...{ PDFTOOL_SERVE_STORAGE: FLEET, PDFTOOL_SERVE_STORAGE_ENDPOINT: endpoint },
    ...{ PDFTOOL_SERVE_STORAGE_REGION: REGION, AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: secret },
  };
}

/** A bucket refuses by turns with 503, and by not being there at all. */
export async function bucketStorage(): Promise<Storage> {
  const s3 = await startS3();
  const place = { address: FLEET, key: KEY, endpoint: s3.endpoint, region: REGION, isDirect: false };
  let refusals = 0;
  return {
    env: bucketEnv(s3),
    async refuse() {
      refusals += 1;
      if (refusals % 2 === 0) await s3.stop();
      else s3.refuse();
    },
    async allow() {
      if (refusals % 2 === 0) await s3.start();
      else s3.accept();
    },
    open: async (store) => openS3(place, await store.keep('store id', ''), systemClock),
    list: (kind) =>
      s3.objects().flatMap((name) => {
        const [, of, blob = ''] = name.split('/');
        return of === kind ? [blob] : [];
      }),
    remove: () => s3.remove(),
  };
}
