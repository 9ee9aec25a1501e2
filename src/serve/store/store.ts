/** Amounts are credits. */
export interface Account {
  readonly id: string;
  readonly available: number;
  readonly reserved: number;
  readonly used: number;
  /** When the free credits are filled up again; milliseconds since the epoch, as all times here. */
  readonly resetsAt: number;
}

export interface ApiKey {
  readonly id: string;
  readonly account: string;
  readonly sha256: string;
  readonly label: string | null;
  readonly createdAt: number;
  readonly revokedAt: number | null;
}

export type JobState = 'awaiting_upload' | 'queued' | 'running' | 'succeeded' | 'failed' | 'expired';

/** The verified output of a job, on disk under its final name. */
export interface JobResult {
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly pages?: number;
  readonly measurement?: Readonly<Record<string, unknown>>;
  readonly files?: Readonly<Record<string, number>>;
  readonly warnings?: readonly string[];
  readonly details?: Readonly<Record<string, unknown>>;
}

export interface Job {
  readonly id: string;
  readonly account: string;
  readonly uploadId: string;
  readonly workflow: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly inputBytes: number;
  readonly maxCredits: number;
  readonly state: JobState;
  /** Counts the workers that took it; only the last one may finish it. */
  readonly token: number;
  /** Workers that took it and did not give it back in good order, though their server went on. */
  readonly attempts: number;
  readonly progress: Readonly<Record<string, unknown>> | undefined;
  readonly result: JobResult | undefined;
  readonly charged: number;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly expiresAt: number;
}

export interface NewJob {
  readonly id: string;
  readonly uploadId: string;
  readonly account: string;
  readonly workflow: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly inputBytes: number;
  readonly maxCredits: number;
  readonly expiresAt: number;
  /** What the account may have open at once; `waiting`: the queue of all accounts together. */
  readonly most?:
    | { readonly sessions: number; readonly bytes: number; readonly jobs: number; readonly waiting: number }
    | undefined;
  readonly idempotency?: { readonly key: string; readonly requestHash: string } | undefined;
  /** A speech job of this key, of which so many may be active at a time. */
  readonly alone?: { readonly key: string; readonly most: number };
}

/** Why a job was not made. */
export type Refused = 'out_of_credits' | 'other_request' | 'busy' | TooMany;

/** Which bound of the queue was reached. */
export type TooMany = 'too_many_sessions' | 'too_many_bytes' | 'too_many_jobs' | 'queue_full';

export type Outcome =
  | { readonly state: 'succeeded'; readonly result: JobResult; readonly charged: number }
  | { readonly state: 'failed'; readonly code: string; readonly message: string };

/** What became of an account's ledger; `mismatches` is empty where every balance is the sum of its entries. */
export interface Audit {
  readonly entries: Readonly<Record<'grant' | 'reserve' | 'charge' | 'release', number>>;
  readonly reserved: number;
  readonly mismatches: readonly string[];
}

/** Who holds something, and until when without a word: then it may be taken away. */
export interface Lease {
  readonly owner: string;
  readonly until: number;
}

/** Every method that changes something is one transaction. */
export interface Store {
  /** A value that is made once and kept, such as the key that signs addresses. */
  keep(name: string, value: string): Promise<string>;

  addAccount(id: string, now: number): Promise<void>;
  accounts(): Promise<Account[]>;
  /** Fills up the free credits first where their time has come. */
  account(id: string, now: number): Promise<Account | undefined>;
  addKey(key: Omit<ApiKey, 'revokedAt'>): Promise<void>;
  /** A key and its account where there is no key yet; of servers that ask at the same time one is told true. */
  addFirstKey(key: Omit<ApiKey, 'revokedAt'>): Promise<boolean>;
  keys(): Promise<ApiKey[]>;
  key(id: string): Promise<ApiKey | undefined>;
  /** Whether there was such a key in use. */
  revokeKey(id: string, now: number): Promise<boolean>;

  /** Adds credits once for each `ref`. Whether this call did. */
  grant(account: string, amount: number, ref: string, now: number): Promise<boolean>;
  /**
   * Sets credits aside under `ref`. False where there are not enough. Without a lease they stay until they are settled.
   * `busy` where the account has `most` under leases already.
   */
  reserve(
    account: string,
    amount: number,
    ref: string,
    now: number,
    lease?: Lease,
    most?: number,
  ): Promise<boolean | 'busy'>;
  /** Charges a part of what is set aside and returns the rest; a second call for the same `ref` changes nothing. */
  settle(ref: string, charged: number, now: number): Promise<void>;
  /** Makes leases longer. */
  extendHolds(refs: readonly string[], until: number): Promise<void>;
  /** Returns what is set aside under a lease that ends before `until`. How many there were. */
  releaseHolds(until: number, now: number): Promise<number>;
  audit(): Promise<Audit>;
  /**
   * Forgets jobs that ended before `before`, with their idempotency keys, and puts entries of the ledger that are older into
   * sums by month. How many rows went.
   */
  prune(before: number): Promise<number>;

  /** The job, or the one that the same Idempotency-Key made before. */
  createJob(job: NewJob, now: number): Promise<Refused | 'created' | { existing: Job }>;
  /** Speech jobs of a key that have not ended. */
  activeSpeech(key: string): Promise<number>;
  job(id: string): Promise<Job | undefined>;
  jobByUpload(uploadId: string): Promise<Job | undefined>;
  /** Whether it was waiting for its upload. */
  queueJob(id: string, now: number): Promise<boolean>;
  /** Takes or keeps the right to write a job's upload. False where another server has it. */
  holdUpload(id: string, lease: Lease, now: number): Promise<boolean>;
  /** The next job that is queued or whose lease has run out, with a token of its own; accounts take turns. `isLast`: for the last free worker. `most`: of one account at once. */
  claimJob(now: number, lease: Lease, isLast?: boolean, most?: number): Promise<Job | undefined>;
  /** Back into the queue with jobs whose lease ends before `until`: their server died, which is no attempt of theirs. */
  takeUpJobs(until: number, now: number): Promise<number>;
  /** False where another worker has it now. */
  heartbeat(id: string, token: number, now: number, leaseUntil: number, progress: object): Promise<boolean>;
  /** Back into the queue. `uncounted`: through no fault of the job, so that it is no attempt. */
  handBack(id: string, token: number, uncounted: boolean, now: number): Promise<boolean>;
  /** Ends a job and settles its credits. False where another worker has it: then nothing changed. */
  finishJob(id: string, token: number, outcome: Outcome, now: number, expiresAt: number): Promise<boolean>;
  /** Jobs whose upload or result has outlived its time; their credits are returned. */
  expireJobs(now: number): Promise<{ id: string; uploadId: string }[]>;
  /** Every job that has files: uploads that wait or run, results that can be fetched, with their names. */
  jobsWithFiles(): Promise<
    { id: string; uploadId: string; token: number; inputBytes: number; state: JobState; result: string | undefined }[]
  >;
  jobCounts(): Promise<Readonly<Partial<Record<JobState, number>>>>;
  close(): Promise<void>;
}
