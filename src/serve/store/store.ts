import type { Account, ApiKey, Job, StoredJobFile, StoredJobState, StoredResult } from './rows.ts';

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

/** Sums of the ledger. `mismatches` is empty when every balance is the sum of its entries. */
export interface Audit {
  readonly entries: Readonly<Record<'grant' | 'reserve' | 'charge' | 'release', number>>;
  readonly reserved: number;
  readonly mismatches: readonly string[];
}

/** `day`: days since the epoch. */
export interface DayOfUse {
  readonly day: number;
  readonly credits: number;
  readonly charges: number;
}

/** The owner of a lease, and its expiry unless renewed. */
export interface Lease {
  readonly owner: string;
  readonly until: number;
}

/** Whose jobs may be claimed. last: by the last free worker. others: those of accounts without a worker. */
export type ClaimScope = 'any' | 'last' | 'others';

/** Every method that changes something is one transaction. */
export interface Store {
  /** Stores a value unless there is one, such as the signing key. Resolves to the stored one. */
  keep(name: string, value: string): Promise<string>;

  addAccount(id: string, now: number): Promise<void>;
  accounts(): Promise<Account[]>;
  /** Refills the free credits first when a new month has begun. */
  account(id: string, now: number): Promise<Account | undefined>;
  addKey(key: Omit<ApiKey, 'revokedAt'>): Promise<void>;
  /** Adds a key and its account if there is no key yet. True for one of several concurrent callers. */
  addFirstKey(key: Omit<ApiKey, 'revokedAt'>): Promise<boolean>;
  keys(): Promise<ApiKey[]>;
  key(id: string): Promise<ApiKey | undefined>;
  /** Returns whether there was such an active key. */
  revokeKey(id: string, now: number): Promise<boolean>;

  /** Adds credits once per `ref`. Returns whether this call did. */
  grant(account: string, amount: number, ref: string, now: number): Promise<boolean>;
  /** Reserves credits under `ref`, for good without a lease. False when too few; `busy` beyond `most` leases. */
  reserve(
    account: string,
    amount: number,
    ref: string,
    now: number,
    lease?: Lease,
    most?: number,
  ): Promise<boolean | 'busy'>;
  /** Charges a part of a reservation and returns the rest. A second call for the same `ref` changes nothing. */
  settle(ref: string, charged: number, now: number): Promise<void>;
  /** Renews leases. */
  extendHolds(refs: readonly string[], until: number): Promise<void>;
  /** Returns reservations whose lease ends before `until`. Resolves to their number. */
  releaseHolds(until: number, now: number): Promise<number>;
  audit(): Promise<Audit>;
  /** Charges of all accounts by day (UTC), the oldest first; days without one are left out. */
  usage(since: number): Promise<DayOfUse[]>;
  /** Deletes ended jobs with their keys and sums up ledger entries, all before `before`. Resolves to their number. */
  prune(before: number): Promise<number>;

  /** Creates a job, or returns the one that the same Idempotency-Key created. */
  createJob(job: NewJob, now: number): Promise<Refused | 'created' | { existing: Job }>;
  /** Speech jobs of a key that have not ended. */
  activeSpeech(key: string): Promise<number>;
  job(id: string): Promise<Job | undefined>;
  jobByUpload(uploadId: string): Promise<Job | undefined>;
  /** Returns whether it was waiting for its upload. */
  queueJob(id: string, now: number): Promise<boolean>;
  /** Takes or renews the lease on a job's upload. False when another server has it. */
  holdUpload(id: string, lease: Lease, now: number): Promise<boolean>;
  /** Claims the next queued or lapsed job with a new token; accounts take turns. `most`: running jobs of one. */
  claimJob(now: number, lease: Lease, scope?: ClaimScope, most?: number): Promise<Job | undefined>;
  /** Requeues jobs whose lease ends before `until`. Their server died, which is not an attempt. */
  takeUpJobs(until: number, now: number): Promise<number>;
  /** False when another worker has the job. */
  heartbeat(id: string, token: number, now: number, leaseUntil: number, progress: object): Promise<boolean>;
  /** Requeues a job. `uncounted`: not counted as an attempt. */
  handBack(id: string, token: number, uncounted: boolean, now: number): Promise<boolean>;
  /** Ends a job and settles its credits. False, and no change, when another worker has the job. */
  finishJob(id: string, token: number, outcome: Outcome, now: number, expiresAt: number): Promise<boolean>;
  /** Cancels an unfinished job and returns its credits. False where it had ended. */
  cancelJob(id: string, now: number): Promise<boolean>;
  /** Ends jobs whose upload or result has expired, and returns their credits. */
  expireJobs(now: number): Promise<{ id: string; uploadId: string }[]>;
  /** Every job with an upload or a result. */
  jobsWithFiles(): Promise<StoredJobFile[]>;
  /** Jobs of all accounts that have not ended, the oldest first. */
  openJobs(most: number): Promise<Job[]>;
  jobCounts(): Promise<Readonly<Partial<Record<StoredJobState, number>>>>;
  close(): Promise<void>;
}
