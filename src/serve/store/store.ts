// The store: its methods as steps, which run alike on every database.

import * as jobs from './jobs.ts';
import * as ledger from './ledger.ts';
import { type ApiKey, accountOf, jobFileOf, jobOf, keyOf, textColumn } from './rows.ts';
import { ACCOUNTS, API_KEYS, HELD, JOBS, META } from './statements.ts';
import { all, type Database, execute, get, insert, readAll, readOne, type Steps, update } from './steps.ts';

/**
 * Whether a method must be synced to disk before it settles. shared: only where the database can die without the server.
 * reads: it changes nothing.
 */
type Kind = 'durable' | 'shared' | 'soon' | 'reads';

/** `isSnapshot`: all statements see one state of the database. */
const method =
  (kind: Kind, isSnapshot = false) =>
  <Args extends readonly unknown[], T>(steps: (...args: Args) => Steps<T>) => ({ kind, isSnapshot, steps });

const durable = method('durable');
const shared = method('shared');
const soon = method('soon');
const reads = method('reads');

/** Every method that changes something is one transaction. */
export const METHODS = {
  /** Stores a value unless there is one, such as the signing key. Resolves to the stored one. */
  keep: durable(function* (name: string, value: string) {
    yield* execute(META.put, { name, value });
    return (yield* readOne(META.get, { name }, (row) => textColumn(row, 'value'))) ?? value;
  }),

  addAccount: durable(ledger.openAccount),
  accounts: reads(() => readAll(ACCOUNTS.all, {}, accountOf)),
  /** Refills the free credits first when a new month has begun, which can be repeated. */
  account: soon(ledger.refill),
  addKey: durable((key: Omit<ApiKey, 'revokedAt'>) => insert('api_keys', [key])),
  /** Adds a key and its account if there is no key yet. True for one of several concurrent callers. */
  addFirstKey: durable(function* (key: Omit<ApiKey, 'revokedAt'>) {
    yield* get(API_KEYS.lock);
    if ((yield* all(API_KEYS.all)).length > 0) return false;
    yield* ledger.openAccount(key.account, key.createdAt);
    yield* insert('api_keys', [key]);
    return true;
  }),
  keys: reads(() => readAll(API_KEYS.all, {}, keyOf)),
  key: reads((id: string) => readOne(API_KEYS.get, { id }, keyOf)),
  /** Returns whether there was such an active key. */
  revokeKey: durable((id: string, now: number) =>
    update('api_keys', { revokedAt: now }, 'id = :id AND revoked_at IS NULL', { id }),
  ),

  grant: durable(ledger.grant),
  // A reservation lost together with its server would have been returned anyway.
  reserve: shared(ledger.reserve),
  settle: durable(ledger.settle),
  /** Renews leases. */
  extendHolds: soon(function* (refs: readonly string[], until: number) {
    for (const ref of refs) yield* update('holds', { leaseUntil: until }, 'ref = :ref', { ref });
  }),
  releaseHolds: soon(ledger.releaseOver),
  audit: method('reads', true)(ledger.audit),
  usage: reads(ledger.usage),
  /** Deletes ended jobs with their keys and sums up ledger entries, all before `before`. Resolves to their number. */
  prune: method(
    'soon',
    true,
  )(function* (before: number) {
    const entries = yield* ledger.total(before);
    const keys = yield* execute(JOBS.forgetKeys, { before });
    return entries + keys + (yield* execute(JOBS.prune, { before }));
  }),

  createJob: durable(jobs.createJob),
  activeSpeech: reads(jobs.activeSpeech),
  job: reads((id: string) => readOne(JOBS.get, { id }, jobOf)),
  jobByUpload: reads((uploadId: string) => readOne(JOBS.byUpload, { id: uploadId }, jobOf)),
  /** Returns whether it was waiting for its upload. */
  queueJob: durable((id: string, now: number) =>
    update('jobs', { ...jobs.QUEUED, updatedAt: now }, `id = :id AND state = 'awaiting_upload'`, { id }),
  ),
  /** Takes or renews the lease on a job's upload; a lost one is taken again. False when another server has it. */
  holdUpload: soon((id: string, { owner, until }: ledger.Lease, now: number) => {
    const isFree = 'writer IS NULL OR writer = :writer OR writer_until < :now';
    return update('jobs', { writer: owner, writerUntil: until }, `id = :id AND (${isFree})`, { id, now });
  }),
  // A job whose claim was lost is claimed again.
  claimJob: soon(jobs.claimJob),
  /** Requeues jobs whose lease ends before `until`. Their server died, which is not an attempt. */
  takeUpJobs: soon((until: number, now: number) => execute(JOBS.interrupted, { now, until })),
  /** False when another worker has the job. */
  heartbeat: soon((id: string, token: number, now: number, leaseUntil: number, progress: object) =>
    update('jobs', { leaseUntil, progress, updatedAt: now }, HELD, { id, token }),
  ),
  /** Requeues a job. `uncounted`: not counted as an attempt. */
  handBack: soon(function* (id: string, token: number, uncounted: boolean, now: number) {
    return (yield* execute(JOBS.handBack, { uncounted: uncounted ? 1 : 0, now, id, token })) > 0;
  }),
  finishJob: durable(jobs.finishJob),
  cancelJob: durable(jobs.cancelJob),
  expireJobs: durable(jobs.expireJobs),
  /** Every job with an upload or a result. */
  jobsWithFiles: reads(() => readAll(JOBS.known, {}, jobFileOf)),
  /** Jobs of all accounts that have not ended, the oldest first. */
  openJobs: reads((most: number) => readAll(JOBS.allOpen, { most }, jobOf)),
  jobCounts: reads(jobs.jobCounts),
};

type Calls<Steps_> = Steps_ extends (...args: infer Args) => Steps<infer T> ? (...args: Args) => Promise<T> : never;

export type Store = { readonly [Name in keyof typeof METHODS]: Calls<(typeof METHODS)[Name]['steps']> } & {
  close(): Promise<void>;
};

/** The store on a database whose tables are those of this version. */
export function storeOn(database: Database): Store {
  const calls = Object.entries(METHODS).map(([name, { kind, isSnapshot, steps }]) => {
    const run = steps as (...args: readonly unknown[]) => Steps<unknown>;
    const call = (...args: readonly unknown[]) => {
      if (isSnapshot) return database.snapshot(() => run(...args));
      if (kind === 'reads') return database.read(() => run(...args));
      return database.write(() => run(...args), kind !== 'soon');
    };
    return [name, call];
  });
  const store = { ...Object.fromEntries(calls), close: () => database.close() } as Store; // as its type is made
  return {
    ...store,
    // Most accounts need no refill, and reading one waits for no lock.
    async account(id, now) {
      const account = await database.read(() => ledger.find(id));
      return account === undefined || now < account.resetsAt ? account : store.account(id, now);
    },
  };
}
