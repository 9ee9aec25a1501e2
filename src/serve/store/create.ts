import { METHODS } from './durability.ts';
import * as jobs from './jobs.ts';
import { audit, find, grant, openAccount, refill, releaseOver, reserve, settle, total, usage } from './ledger.ts';
import { accountOf, jobFileOf, jobOf, keyOf, textColumn } from './rows.ts';
import { ACCOUNTS, API_KEYS, HELD, JOBS, META } from './statements.ts';
import { all, type Database, execute, get, insert, readAll, readOne, type Steps, update } from './steps.ts';
import type { Store } from './store.ts';

/** The store on a database whose tables are those of this version. */
export function storeOn(database: Database): Store {
  const read = <T>(work: () => Steps<T>) => database.read(work);
  const write = <T>(method: keyof typeof METHODS, work: () => Steps<T>) =>
    database.write(work, METHODS[method] === 'durable' || METHODS[method] === 'shared');
  return {
    keep: (name, value) =>
      write('keep', function* () {
        yield* execute(META.put, { name, value });
        return (yield* readOne(META.get, { name }, (row) => textColumn(row, 'value'))) ?? value;
      }),

    addAccount: (id, now) => write('addAccount', () => openAccount(id, now)),
    accounts: () => read(() => readAll(ACCOUNTS.all, {}, accountOf)),
    async account(id, now) {
      const account = await read(() => find(id));
      return account === undefined || now < account.resetsAt ? account : write('account', () => refill(id, now));
    },
    addKey: (key) =>
      write('addKey', function* () {
        yield* insert('api_keys', [key]);
      }),
    addFirstKey: (key) =>
      write('addFirstKey', function* () {
        yield* get(API_KEYS.lock);
        if ((yield* all(API_KEYS.all)).length > 0) return false;
        yield* openAccount(key.account, key.createdAt);
        yield* insert('api_keys', [key]);
        return true;
      }),
    keys: () => read(() => readAll(API_KEYS.all, {}, keyOf)),
    key: (id) => read(() => readOne(API_KEYS.get, { id }, keyOf)),
    revokeKey: (id, now) =>
      write('revokeKey', () => update('api_keys', { revokedAt: now }, 'id = :id AND revoked_at IS NULL', { id })),

    grant: (account, amount, ref, now) => write('grant', () => grant(account, amount, ref, now)),
    reserve: (...args) => write('reserve', () => reserve(...args)),
    settle: (ref, charged, now) => write('settle', () => settle(ref, charged, now)),
    extendHolds: (refs, until) =>
      write('extendHolds', function* () {
        for (const ref of refs) yield* update('holds', { leaseUntil: until }, 'ref = :ref', { ref });
      }),
    releaseHolds: (until, now) => write('releaseHolds', () => releaseOver(until, now)),
    audit: () => database.snapshot(audit),
    usage: (since) => read(() => usage(since)),
    prune: (before) =>
      database.snapshot(function* () {
        const entries = yield* total(before);
        const keys = yield* execute(JOBS.forgetKeys, { before });
        return entries + keys + (yield* execute(JOBS.prune, { before }));
      }),

    createJob: (job, now) => write('createJob', () => jobs.createJob(job, now)),
    activeSpeech: (key) => read(() => jobs.activeSpeech(key)),
    job: (id) => read(() => readOne(JOBS.get, { id }, jobOf)),
    jobByUpload: (uploadId) => read(() => readOne(JOBS.byUpload, { id: uploadId }, jobOf)),
    queueJob: (id, now) =>
      write('queueJob', () =>
        update('jobs', { ...jobs.QUEUED, updatedAt: now }, `id = :id AND state = 'awaiting_upload'`, { id }),
      ),
    holdUpload: (id, { owner, until }, now) =>
      write('holdUpload', () => {
        const isFree = 'writer IS NULL OR writer = :writer OR writer_until < :now';
        return update('jobs', { writer: owner, writerUntil: until }, `id = :id AND (${isFree})`, { id, now });
      }),
    claimJob: (now, lease, scope = 'any', most = Number.MAX_SAFE_INTEGER) =>
      write('claimJob', () => jobs.claimJob(now, lease, scope, most)),
    takeUpJobs: (until, now) => write('takeUpJobs', () => execute(JOBS.interrupted, { now, until })),
    heartbeat: (id, token, now, leaseUntil, progress) =>
      write('heartbeat', () => update('jobs', { leaseUntil, progress, updatedAt: now }, HELD, { id, token })),
    handBack: (id, token, uncounted, now) =>
      write('handBack', function* () {
        return (yield* execute(JOBS.handBack, { uncounted: uncounted ? 1 : 0, now, id, token })) > 0;
      }),
    finishJob: (id, token, outcome, now, expiresAt) =>
      write('finishJob', () => jobs.finishJob(id, token, outcome, now, expiresAt)),
    cancelJob: (id, now) => write('cancelJob', () => jobs.cancelJob(id, now)),
    expireJobs: (now) => write('expireJobs', () => jobs.expireJobs(now)),
    jobsWithFiles: () => read(() => readAll(JOBS.known, {}, jobFileOf)),
    openJobs: (most) => read(() => readAll(JOBS.allOpen, { most }, jobOf)),
    jobCounts: () => read(jobs.jobCounts),
    close: () => database.close(),
  };
}
