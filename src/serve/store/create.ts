import { METHODS } from './durability.ts';
import * as jobs from './jobs.ts';
import { audit, find, grant, openAccount, refill, releaseOver, reserve, settle, total } from './ledger.ts';
import { accountOf, keyOf, textOf } from './rows.ts';
import { ACCOUNTS, HOLDS, JOBS, KEYS, META } from './statements.ts';
import { all, type Database, get, run, type Steps } from './steps.ts';
import type { Store } from './store.ts';

/** The store on a database whose tables are those of this version. */
export function storeOn(database: Database): Store {
  const read = <T>(work: () => Steps<T>) => database.read(work);
  const write = <T>(method: keyof typeof METHODS, work: () => Steps<T>) =>
    database.write(work, METHODS[method] === 'durable' || METHODS[method] === 'shared');
  return {
    keep: (name, value) =>
      write('keep', function* () {
        yield* run(META.put, name, value);
        const row = yield* get(META.get, name);
        return row === undefined ? value : textOf(row, 'value');
      }),

    addAccount: (id, now) => write('addAccount', () => openAccount(id, now)),
    accounts: () =>
      read(function* () {
        return (yield* all(ACCOUNTS.all)).map(accountOf);
      }),
    async account(id, now) {
      const account = await read(() => find(id));
      return account === undefined || now < account.resetsAt ? account : write('account', () => refill(id, now));
    },
    addKey: ({ id, account, sha256, label, createdAt }) =>
      write('addKey', function* () {
        yield* run(KEYS.add, id, account, sha256, label, createdAt);
      }),
    addFirstKey: ({ id, account, sha256, label, createdAt }) =>
      write('addFirstKey', function* () {
        yield* get(KEYS.lock);
        if ((yield* all(KEYS.all)).length > 0) return false;
        yield* openAccount(account, createdAt);
        yield* run(KEYS.add, id, account, sha256, label, createdAt);
        return true;
      }),
    keys: () =>
      read(function* () {
        return (yield* all(KEYS.all)).map(keyOf);
      }),
    key: (id) =>
      read(function* () {
        const row = yield* get(KEYS.get, id);
        return row === undefined ? undefined : keyOf(row);
      }),
    revokeKey: (id, now) => write('revokeKey', () => changes(KEYS.revoke, now, id)),

    grant: (account, amount, ref, now) => write('grant', () => grant(account, amount, ref, now)),
    reserve: (...args) => write('reserve', () => reserve(...args)),
    settle: (ref, charged, now) => write('settle', () => settle(ref, charged, now)),
    extendHolds: (refs, until) =>
      write('extendHolds', function* () {
        for (const ref of refs) yield* run(HOLDS.extend, until, ref);
      }),
    releaseHolds: (until, now) => write('releaseHolds', () => releaseOver(until, now)),
    audit: () => database.snapshot(audit),
    prune: (before) =>
      database.snapshot(function* () {
        const entries = yield* total(before);
        const keys = yield* run(JOBS.forgetKeys, before);
        return entries + keys + (yield* run(JOBS.prune, before));
      }),

    createJob: (job, now) => write('createJob', () => jobs.createJob(job, now)),
    activeSpeech: (key) => read(() => jobs.activeSpeech(key)),
    job: (id) => read(() => jobs.findJob(JOBS.get, id)),
    jobByUpload: (uploadId) => read(() => jobs.findJob(JOBS.byUpload, uploadId)),
    // A job in the queue has no end of its own: it runs, and then its result has one.
    queueJob: (id, now) => write('queueJob', () => changes(JOBS.queue, now, Number.MAX_SAFE_INTEGER, id)),
    holdUpload: (id, { owner, until }, now) => write('holdUpload', () => changes(JOBS.writer, owner, until, id, now)),
    claimJob: (now, lease, isLast = false, most = Number.MAX_SAFE_INTEGER) =>
      write('claimJob', () => jobs.claimJob(now, lease, isLast, most)),
    takeUpJobs: (until, now) => write('takeUpJobs', () => run(JOBS.interrupted, now, until)),
    heartbeat: (id, token, now, leaseUntil, progress) =>
      write('heartbeat', () => changes(JOBS.heartbeat, leaseUntil, JSON.stringify(progress), now, id, token)),
    handBack: (id, token, uncounted, now) =>
      write('handBack', () => changes(JOBS.handBack, uncounted ? 1 : 0, now, id, token)),
    finishJob: (id, token, outcome, now, expiresAt) =>
      write('finishJob', () => jobs.finishJob(id, token, outcome, now, expiresAt)),
    expireJobs: (now) => write('expireJobs', () => jobs.expireJobs(now)),
    jobsWithFiles: () => read(jobs.jobsWithFiles),
    jobCounts: () => read(jobs.jobCounts),
    close: () => database.close(),
  };
}

/** Whether a row was changed. */
function* changes(text: string, ...values: Parameters<typeof run>[1][]): Steps<boolean> {
  return (yield* run(text, ...values)) > 0;
}
