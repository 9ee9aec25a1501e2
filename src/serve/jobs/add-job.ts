// Adds jobs to the store, within bounds in total and per account. The store counts, so they hold across servers.
import { Failure } from '../../contract/base/failure.ts';
import type { ServiceOperation } from '../../contract/operation.ts';
import type { ServeSettings } from '../base/settings.ts';
import type { Service } from '../service/service.ts';
import type { NewJob, TooMany } from '../store/jobs.ts';
import type { Job } from '../store/rows.ts';

/** The stored job; the earlier one where its Idempotency-Key is repeated. `estimate`: how its price was found, for a message. */
export async function addJob(
  op: ServiceOperation,
  job: Omit<NewJob, 'most' | 'expiresAt'>,
  service: Service,
  estimate = '',
): Promise<Job> {
  const { store, settings, disk, clock } = service;
  const now = clock.now();
  const most = {
    sessions: settings.key_sessions,
    bytes: settings.key_session_bytes,
    jobs: settings.key_jobs,
    waiting: settings.jobs,
    kept: settings.key_result_bytes,
  };
  const made = await store.createJob({ ...job, most, expiresAt: now + settings.upload_session_seconds * 1000 }, now);
  disk.invalidate();
  if (made === 'out_of_credits') {
    const { available = 0 } = (await store.account(job.account, now)) ?? {};
    const message = `${op.name} ${estimate}sets aside ${job.maxCredits} credits, ${available} are left`;
    throw new Failure('out_of_credits', message, { meta: { credits_remaining: available } });
  }
  if (made === 'busy') throw tooManyOfKey(op);
  if (made === 'other_request') {
    throw new Failure('unprocessable', 'this Idempotency-Key was used for another request; use a new one');
  }
  if (typeof made === 'string' && made !== 'created') throw tooManyJobs(made, settings);
  const row = made === 'created' ? await store.job(job.id) : made.existing;
  if (row === undefined) throw new TypeError('a job that was made has no row');
  return row;
}

export function tooManyOfKey(op: ServiceOperation): Failure {
  const most = op.limits?.activeJobs ?? 1;
  return new Failure('conflict', `${op.name}: ${most} audio job of this key at a time, and one is active`, {
    hint: 'Wait for it to end, then try again.',
  });
}

function tooManyJobs(bound: TooMany, settings: ServeSettings): Failure {
  const messages: Readonly<Record<TooMany, string>> = {
    too_many_sessions: `${settings.key_sessions} jobs of this account wait for their upload, the most for one account`,
    too_many_bytes: `the unfinished jobs of one account may have ${settings.key_session_bytes} bytes together`,
    too_many_jobs: `${settings.key_jobs} jobs of this account wait or run, the most for one account`,
    too_many_results: `the results that are kept for one account may have ${settings.key_result_bytes} bytes together; each is removed ${settings.result_seconds} s after its job ended`,
    queue_full: `${settings.jobs} jobs wait for a worker, the most this service takes`,
  };
  return new Failure('rate_limited', messages[bound]);
}
