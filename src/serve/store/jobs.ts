import { WORKFLOWS } from '../../contract/operations/workflow.ts';
import { reserve, settle } from './ledger.ts';
import { countOf, jobOf, optionsOf, stateOf, textOf } from './rows.ts';
import { ACCOUNTS, IDEMPOTENCY, JOBS } from './statements.ts';
import { all, get, run, type Steps } from './steps.ts';
import type { Job, Lease, NewJob, Outcome, Refused, Store } from './store.ts';

export function* findJob(statement: string, id: string): Steps<Job | undefined> {
  const row = yield* get(statement, id);
  return row === undefined ? undefined : jobOf(row);
}

export function* createJob(job: NewJob, now: number): Steps<Refused | 'created' | { existing: Job }> {
  const { id, account, uploadId, workflow, options, inputBytes, maxCredits, expiresAt, idempotency, most, alone } = job;
  // What is counted and looked for below is the account's own: another job of it waits until this one is made.
  yield* run(ACCOUNTS.lock, account);
  const before = idempotency === undefined ? undefined : yield* get(IDEMPOTENCY.get, account, idempotency.key);
  if (before !== undefined) {
    if (textOf(before, 'request_hash') !== idempotency?.requestHash) return 'other_request';
    const existing = yield* findJob(JOBS.get, textOf(before, 'job'));
    if (existing !== undefined) return { existing };
  }
  const open = yield* get(JOBS.open, account);
  if (open !== undefined && most !== undefined) {
    if (countOf(open, 'sessions') >= most.sessions) return 'too_many_sessions';
    if (countOf(open, 'bytes') + inputBytes > most.bytes) return 'too_many_bytes';
    if (countOf(open, 'jobs') >= most.jobs) return 'too_many_jobs';
    if ((yield* count(JOBS.waiting, most.waiting)) >= most.waiting) return 'queue_full';
  }
  if (alone !== undefined && (yield* activeSpeech(alone.key)) >= alone.most) return 'busy';
  if ((yield* reserve(account, maxCredits, id, now)) !== true) return 'out_of_credits';
  yield* run(
    JOBS.add,
    ...([id, account, uploadId, workflow, JSON.stringify(options), inputBytes, maxCredits] as const),
    ...([now, now, expiresAt] as const),
  );
  if (idempotency !== undefined) yield* run(IDEMPOTENCY.add, account, idempotency.key, idempotency.requestHash, id);
  return 'created';
}

export function* activeSpeech(key: string): Steps<number> {
  return yield* count(JOBS.activeSpeech, key);
}

function* count(statement: string, value: string | number): Steps<number> {
  const row = yield* get(statement, value);
  return row === undefined ? 0 : countOf(row, 'jobs');
}

/** Accounts whose waiting jobs others took away meanwhile, before it is left to the next look. */
const TRIES = 3;

export function* claimJob(now: number, { owner, until }: Lease, isLast: boolean, most: number): Steps<Job | undefined> {
  yield* run(JOBS.lapsed, owner, now);
  for (let tries = 0; tries < TRIES; tries += 1) {
    const account = yield* get(JOBS.nextAccount, now, isLast ? 1 : 0, most);
    if (account === undefined) return undefined;
    const id = textOf(account, 'id');
    if (most < Number.MAX_SAFE_INTEGER) {
      // Another server may have begun one of its jobs meanwhile: none does any more.
      yield* run(ACCOUNTS.lock, id);
      if ((yield* count(JOBS.running, id)) >= most) continue;
    }
    const next = yield* get(JOBS.nextJob, id);
    if (next === undefined) continue;
    yield* run(JOBS.turn, now, id);
    const row = yield* get(JOBS.claim, owner, until, now, textOf(next, 'id'));
    return row === undefined ? undefined : jobOf(row);
  }
  return undefined;
}

export function* finishJob(
  id: string,
  token: number,
  outcome: Outcome,
  now: number,
  expiresAt: number,
): Steps<boolean> {
  const done = outcome.state === 'succeeded';
  const charged = done ? outcome.charged : 0;
  const [code, message] = done ? [null, null] : [outcome.code, outcome.message];
  const result = done ? JSON.stringify(outcome.result) : null;
  const values = [outcome.state, result, charged, code, message, now, expiresAt, id, token] as const;
  if ((yield* run(JOBS.finish, ...values)) === 0) return false;
  yield* forgetSecrets(id, (yield* findJob(JOBS.get, id))?.options ?? {});
  yield* settle(id, charged, now);
  return true;
}

/** What a redaction looks for is kept no longer than the job needs it. */
function* forgetSecrets(id: string, options: Job['options']): Steps<void> {
  const names: readonly string[] = WORKFLOWS.redaction.secret;
  const kept = Object.entries(options).filter(([name]) => !names.includes(name));
  if (kept.length < Object.keys(options).length) {
    yield* run(JOBS.forgetSecrets, JSON.stringify(Object.fromEntries(kept)), id);
  }
}

export function* expireJobs(now: number): Steps<{ id: string; uploadId: string }[]> {
  const expired = [];
  for (const row of yield* all(JOBS.overdue, now)) {
    const id = textOf(row, 'id');
    yield* run(stateOf(row) === 'succeeded' ? JOBS.forget : JOBS.expire, now, id);
    yield* forgetSecrets(id, optionsOf(row));
    yield* settle(id, 0, now);
    expired.push({ id, uploadId: textOf(row, 'upload_id') });
  }
  return expired;
}

export function* jobsWithFiles(): Steps<Awaited<ReturnType<Store['jobsWithFiles']>>> {
  return (yield* all(JOBS.known)).map((row) => ({
    id: textOf(row, 'id'),
    uploadId: textOf(row, 'upload_id'),
    token: countOf(row, 'token'),
    inputBytes: countOf(row, 'input_bytes'),
    state: stateOf(row),
    result: row.name === null ? undefined : textOf(row, 'name'),
  }));
}

export function* jobCounts(): Steps<Awaited<ReturnType<Store['jobCounts']>>> {
  return Object.fromEntries((yield* all(JOBS.counts)).map((row) => [stateOf(row), countOf(row, 'jobs')]));
}
