import type { Sql } from './driver.ts';
import { reserve, settle } from './ledger.ts';
import { countOf, jobOf, stateOf, textOf } from './rows.ts';
import { IDEMPOTENCY, JOBS } from './statements.ts';
import type { Job, NewJob, Store } from './store.ts';

type JobStore = Pick<
  Store,
  | 'createJob'
  | 'activeSpeech'
  | 'job'
  | 'jobByUpload'
  | 'queueJob'
  | 'claimJob'
  | 'takeUpJobs'
  | 'heartbeat'
  | 'handBack'
  | 'finishJob'
  | 'expireJobs'
  | 'jobsWithFiles'
  | 'jobCounts'
>;

export function createJobs(sql: Sql): JobStore {
  const find = (statement: string, id: string): Job | undefined => {
    const row = sql.get(statement, id);
    return row === undefined ? undefined : jobOf(row);
  };
  return {
    createJob: async (job, now) => sql.transact(() => create(sql, job, now)),
    activeSpeech: async (key) => activeSpeech(sql, key),
    job: async (id) => find(JOBS.get, id),
    jobByUpload: async (uploadId) => find(JOBS.byUpload, uploadId),
    // A job in the queue has no end of its own: it runs, and then its result has one.
    queueJob: async (id, now) => sql.run(JOBS.queue, now, Number.MAX_SAFE_INTEGER, id) > 0,
    async claimJob(now, { owner, until }, isLast = false) {
      return sql.transact(() => {
        const next = sql.get(JOBS.next, now, isLast ? 1 : 0);
        if (next === undefined) return undefined;
        const id = textOf(next, 'id');
        sql.run(JOBS.claim, owner, until, now, id);
        sql.run(JOBS.turn, now, id);
        return find(JOBS.get, id);
      });
    },
    takeUpJobs: async (until, now) => sql.run(JOBS.interrupted, now, until),
    heartbeat: async (id, token, now, leaseUntil, progress) =>
      sql.run(JOBS.heartbeat, leaseUntil, JSON.stringify(progress), now, id, token) > 0,
    handBack: async (id, token, uncounted, now) => sql.run(JOBS.handBack, uncounted ? 1 : 0, now, id, token) > 0,
    async finishJob(id, token, outcome, now, expiresAt) {
      return sql.transact(() => {
        const done = outcome.state === 'succeeded';
        const charged = done ? outcome.charged : 0;
        const [code, message] = done ? [null, null] : [outcome.code, outcome.message];
        const result = done ? JSON.stringify(outcome.result) : null;
        const values = [outcome.state, result, charged, code, message, now, expiresAt, id, token] as const;
        if (sql.run(JOBS.finish, ...values) === 0) return false;
        settle(sql, id, charged, now);
        return true;
      });
    },
    async expireJobs(now) {
      return sql.transact(() =>
        sql.all(JOBS.overdue, now).map((row) => {
          const id = textOf(row, 'id');
          sql.run(stateOf(row) === 'succeeded' ? JOBS.forget : JOBS.expire, now, id);
          settle(sql, id, 0, now);
          return { id, uploadId: textOf(row, 'upload_id') };
        }),
      );
    },
    jobsWithFiles: async () =>
      sql.all(JOBS.known).map((row) => ({
        id: textOf(row, 'id'),
        uploadId: textOf(row, 'upload_id'),
        token: countOf(row, 'token'),
        inputBytes: countOf(row, 'input_bytes'),
        state: stateOf(row),
        result: row.name === null ? undefined : textOf(row, 'name'),
      })),
    jobCounts: async () => Object.fromEntries(sql.all(JOBS.counts).map((row) => [stateOf(row), countOf(row, 'jobs')])),
  };
}

function activeSpeech(sql: Sql, key: string): number {
  const row = sql.get(JOBS.activeSpeech, key);
  return row === undefined ? 0 : countOf(row, 'jobs');
}

function create(sql: Sql, job: NewJob, now: number): Awaited<ReturnType<JobStore['createJob']>> {
  const { id, account, uploadId, workflow, options, inputBytes, maxCredits, expiresAt, idempotency, most, alone } = job;
  const before = idempotency === undefined ? undefined : sql.get(IDEMPOTENCY.get, account, idempotency.key);
  if (before !== undefined) {
    if (textOf(before, 'request_hash') !== idempotency?.requestHash) return 'other_request';
    const existing = sql.get(JOBS.get, textOf(before, 'job'));
    if (existing !== undefined) return { existing: jobOf(existing) };
  }
  const open = sql.get(JOBS.open, account);
  if (open !== undefined && most !== undefined) {
    if (countOf(open, 'sessions') >= most.sessions) return 'too_many_sessions';
    if (countOf(open, 'bytes') + inputBytes > most.bytes) return 'too_many_bytes';
  }
  if (alone !== undefined && activeSpeech(sql, alone.key) >= alone.most) return 'busy';
  if (!reserve(sql, account, maxCredits, id, now)) return 'out_of_credits';
  sql.run(
    JOBS.add,
    ...([id, account, uploadId, workflow, JSON.stringify(options), inputBytes, maxCredits] as const),
    ...([now, now, expiresAt] as const),
  );
  if (idempotency !== undefined) sql.run(IDEMPOTENCY.add, account, idempotency.key, idempotency.requestHash, id);
  return 'created';
}
