// Bounds of the job queue, in total and per account. The store counts, so they hold across servers.
import { Failure } from '../../contract/failure.ts';
import type { ServeSettings } from '../base/settings.ts';
import type { NewJob, TooMany } from '../store/store.ts';

export function mostJobs(settings: ServeSettings): NonNullable<NewJob['most']> {
  return {
    sessions: settings.key_sessions,
    bytes: settings.key_session_bytes,
    jobs: settings.key_jobs,
    waiting: settings.jobs,
    kept: settings.key_result_bytes,
  };
}

export function tooManyJobs(bound: TooMany, settings: ServeSettings): Failure {
  const messages: Readonly<Record<TooMany, string>> = {
    too_many_sessions: `${settings.key_sessions} jobs of this account wait for their upload, the most for one account`,
    too_many_bytes: `the unfinished jobs of one account may have ${settings.key_session_bytes} bytes together`,
    too_many_jobs: `${settings.key_jobs} jobs of this account wait or run, the most for one account`,
    too_many_results: `the results that are kept for one account may have ${settings.key_result_bytes} bytes together; each is removed ${settings.result_seconds} s after its job ended`,
    queue_full: `${settings.jobs} jobs wait for a worker, the most this service takes`,
  };
  return new Failure('rate_limited', messages[bound]);
}
