import { WORKFLOWS } from '../../contract/operations/service/workflow.ts';
import { type Lease, reserve, settle } from './ledger.ts';
import { countColumn, type Job, jobOf, type StoredJobState, type StoredResult, stateOf, textColumn } from './rows.ts';
import { ACCOUNTS, HELD, IDEMPOTENCY, JOBS, OPEN } from './statements.ts';
import { all, execute, get, insert, type Named, readOne, type Steps, update } from './steps.ts';

export interface NewJob
  extends Pick<
    Job,
    'id' | 'uploadId' | 'account' | 'workflow' | 'options' | 'inputBytes' | 'maxCredits' | 'expiresAt'
  > {
  /** Limits on the account's unfinished jobs. `waiting`: of the queue of all accounts. `kept`: bytes of its results. */
  readonly most?:
    | {
        readonly sessions: number;
        readonly bytes: number;
        readonly jobs: number;
        readonly waiting: number;
        readonly kept: number;
      }
    | undefined;
  readonly idempotency?: { readonly key: string; readonly requestHash: string } | undefined;
  /** Its upload is stored already, so the job is queued at once. */
  readonly isUploaded?: boolean;
  /** The key whose jobs are counted. */
  readonly keyId?: string;
  /** Jobs of that key that may be active at once. */
  readonly mostOfKey?: number;
}

/** Why a job was not made. */
export type Refused = 'out_of_credits' | 'other_request' | 'busy' | TooMany;

/** The limit of the queue that was reached. */
export type TooMany = 'too_many_sessions' | 'too_many_bytes' | 'too_many_jobs' | 'too_many_results' | 'queue_full';

export type Outcome =
  | { readonly state: 'succeeded'; readonly result: StoredResult; readonly charged: number }
  | { readonly state: 'failed'; readonly code: string; readonly message: string };

/** Whose jobs may be claimed. last: by the last free worker. others: those of accounts without a worker. */
export type ClaimScope = 'any' | 'last' | 'others';

/** The error of a cancelled job. */
export const CANCELLED = { errorCode: 'cancelled', errorMessage: 'the job was cancelled' } as const;

/** A queued job has no expiry; its result will. */
export const QUEUED = { state: 'queued', expiresAt: Number.MAX_SAFE_INTEGER } as const;

/** Creates a job, or returns the one that the same Idempotency-Key created. */
export function* createJob(job: NewJob, now: number): Steps<Refused | 'created' | { existing: Job }> {
  const { idempotency, most, isUploaded = false, mostOfKey, keyId = null, ...columns } = job;
  const { id, account, inputBytes, maxCredits } = columns;
  // Jobs of one account are created one after the other, so that the counts below are exact.
  yield* execute(ACCOUNTS.lock, { account });
  const before = idempotency === undefined ? undefined : yield* get(IDEMPOTENCY.get, { account, key: idempotency.key });
  if (before !== undefined) {
    if (textColumn(before, 'request_hash') !== idempotency?.requestHash) return 'other_request';
    const existing = yield* readOne(JOBS.get, { id: textColumn(before, 'job') }, jobOf);
    if (existing !== undefined) return { existing };
  }
  const open = yield* get(JOBS.open, { account });
  if (open !== undefined && most !== undefined) {
    if (countColumn(open, 'sessions') >= most.sessions) return 'too_many_sessions';
    if (countColumn(open, 'bytes') + inputBytes > most.bytes) return 'too_many_bytes';
    if (countColumn(open, 'jobs') >= most.jobs) return 'too_many_jobs';
    const kept = yield* get(JOBS.kept, { account });
    if (kept !== undefined && countColumn(kept, 'bytes') + inputBytes > most.kept) return 'too_many_results';
    if ((yield* count(JOBS.waiting, { most: most.waiting })) >= most.waiting) return 'queue_full';
  }
  if (keyId !== null && mostOfKey !== undefined && (yield* activeSpeech(keyId)) >= mostOfKey) return 'busy';
  if ((yield* reserve(account, maxCredits, id, now)) !== true) return 'out_of_credits';
  const state = isUploaded ? QUEUED : { state: 'awaiting_upload' };
  yield* insert('jobs', [{ ...columns, ...state, keyId, createdAt: now, updatedAt: now }]);
  if (idempotency !== undefined) yield* insert('idempotency', [{ ...idempotency, account, job: id }]);
  return 'created';
}

/** Speech jobs of a key that have not ended. */
export function activeSpeech(key: string): Steps<number> {
  return count(JOBS.activeSpeech, { key });
}

function* count(statement: string, values: Named): Steps<number> {
  return (yield* readOne(statement, values, (row) => countColumn(row, 'jobs'))) ?? 0;
}

/** How many accounts are tried when other servers have just taken their jobs. */
const TRIES = 3;

/** Claims the next queued or lapsed job with a new token; accounts take turns. `most`: running jobs of one. */
export function* claimJob(
  now: number,
  { owner, until }: Lease,
  scope: ClaimScope = 'any',
  most: number = Number.MAX_SAFE_INTEGER,
): Steps<Job | undefined> {
  yield* execute(JOBS.lapsed, { owner, now });
  for (let tries = 0; tries < TRIES; tries += 1) {
    const next = yield* get(JOBS.nextAccount, { now, turn: scope, most });
    if (next === undefined) return undefined;
    const account = textColumn(next, 'id');
    if (most < Number.MAX_SAFE_INTEGER) {
      // With the lock no other server starts a job of the account; one may have since the last statement.
      yield* execute(ACCOUNTS.lock, { account });
      if ((yield* count(JOBS.running, { account })) >= most) continue;
    }
    const waiting = yield* get(JOBS.nextJob, { account });
    if (waiting === undefined) continue;
    yield* update('accounts', { jobAt: now }, 'id = :account', { account });
    return yield* readOne(JOBS.claim, { owner, until, now, id: textColumn(waiting, 'id') }, jobOf);
  }
  return undefined;
}

/** Ends a job and settles its credits. False, and no change, when another worker has the job. */
export function* finishJob(
  id: string,
  token: number,
  outcome: Outcome,
  now: number,
  expiresAt: number,
): Steps<boolean> {
  const charged = outcome.state === 'succeeded' ? outcome.charged : 0;
  const ended =
    outcome.state === 'succeeded'
      ? { result: outcome.result, errorCode: null, errorMessage: null }
      : { result: null, errorCode: outcome.code, errorMessage: outcome.message };
  const { name: resultName = null, bytes: resultBytes = null } = ended.result ?? {};
  const { state } = outcome;
  const columns = { ...ended, resultName, resultBytes, state, charged, leaseUntil: null, updatedAt: now, expiresAt };
  if (!(yield* update('jobs', columns, HELD, { id, token }))) return false;
  yield* forgetSecrets(id);
  yield* settle(id, charged, now);
  return true;
}

/**
 * Cancels an unfinished job and returns its credits; false where it had ended. A worker running it learns that from its
 * next heartbeat.
 */
export function* cancelJob(id: string, now: number): Steps<boolean> {
  const ended = { state: 'failed', ...CANCELLED, leaseUntil: null, updatedAt: now };
  if (!(yield* update('jobs', ended, `id = :id AND ${OPEN}`, { id }))) return false;
  yield* forgetSecrets(id);
  yield* settle(id, 0, now);
  return true;
}

/** Removes the terms of a redaction, which are secret and no longer needed. */
function* forgetSecrets(id: string): Steps<void> {
  const names: readonly string[] = WORKFLOWS.redaction.secret;
  const { workflow, options = {} } = (yield* readOne(JOBS.get, { id }, jobOf)) ?? {};
  if (workflow !== 'redaction') return;
  const kept = Object.entries(options).filter(([name]) => !names.includes(name));
  yield* execute(JOBS.keepOptions, { options: Object.fromEntries(kept), id });
}

/** Ends jobs whose upload or result has expired, and returns their credits. */
export function* expireJobs(now: number): Steps<{ id: string; uploadId: string }[]> {
  const expired = [];
  for (const row of yield* all(JOBS.overdue, { now })) {
    const [id, state] = [textColumn(row, 'id'), stateOf(row)];
    const change = state === 'succeeded' ? { result: null, resultName: null } : { state: 'expired' };
    yield* update('jobs', { ...change, updatedAt: now }, 'id = :id', { id });
    yield* forgetSecrets(id);
    yield* settle(id, 0, now);
    expired.push({ id, uploadId: textColumn(row, 'upload_id') });
  }
  return expired;
}

export function* jobCounts(): Steps<Readonly<Partial<Record<StoredJobState, number>>>> {
  return Object.fromEntries((yield* all(JOBS.counts)).map((row) => [stateOf(row), countColumn(row, 'jobs')]));
}
