import type { Store } from './store.ts';

/** Which store methods must sync to disk. shared: only where the database can die without the server. */
export const METHODS = {
  keep: 'durable',
  addAccount: 'durable',
  accounts: 'reads',
  // It may refill free credits, which can be repeated.
  account: 'soon',
  addKey: 'durable',
  addFirstKey: 'durable',
  keys: 'reads',
  key: 'reads',
  revokeKey: 'durable',
  grant: 'durable',
  // A reservation lost together with its server would have been returned anyway.
  reserve: 'shared',
  extendHolds: 'soon',
  settle: 'durable',
  releaseHolds: 'soon',
  audit: 'reads',
  usage: 'reads',
  prune: 'soon',
  createJob: 'durable',
  job: 'reads',
  jobByUpload: 'reads',
  queueJob: 'durable',
  // A lost lease is taken again.
  holdUpload: 'soon',
  // A job whose claim was lost is claimed again.
  claimJob: 'soon',
  takeUpJobs: 'soon',
  heartbeat: 'soon',
  handBack: 'soon',
  finishJob: 'durable',
  cancelJob: 'durable',
  expireJobs: 'durable',
  jobsWithFiles: 'reads',
  openJobs: 'reads',
  jobCounts: 'reads',
  activeSpeech: 'reads',
} as const satisfies Record<Exclude<keyof Store, 'close'>, 'durable' | 'shared' | 'soon' | 'reads'>;
