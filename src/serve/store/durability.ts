import type { Store } from './store.ts';

/**
 * Every method of a store, and whether what it changed must be on the disk when it settles. shared: only where the database
 * can end without the server that asked.
 */
export const METHODS = {
  keep: 'durable',
  addAccount: 'durable',
  accounts: 'reads',
  // It may fill up free credits: doing that again changes nothing.
  account: 'soon',
  addKey: 'durable',
  addFirstKey: 'durable',
  keys: 'reads',
  key: 'reads',
  revokeKey: 'durable',
  grant: 'durable',
  // Lost together with the server they go back, which is what becomes of them then in any case.
  reserve: 'shared',
  extendHolds: 'soon',
  settle: 'durable',
  releaseHolds: 'soon',
  audit: 'reads',
  prune: 'soon',
  createJob: 'durable',
  job: 'reads',
  jobByUpload: 'reads',
  queueJob: 'durable',
  // A lease, as that of a job: lost with the power, it is taken again.
  holdUpload: 'soon',
  // A job whose claim is lost is claimed again.
  claimJob: 'soon',
  takeUpJobs: 'soon',
  heartbeat: 'soon',
  handBack: 'soon',
  finishJob: 'durable',
  expireJobs: 'durable',
  jobsWithFiles: 'reads',
  jobCounts: 'reads',
  activeSpeech: 'reads',
} as const satisfies Record<Exclude<keyof Store, 'close'>, 'durable' | 'shared' | 'soon' | 'reads'>;
