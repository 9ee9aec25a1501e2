import type { Values } from '../contract/base/ports.ts';
import { isRecord, present } from '../contract/base/present.ts';

export type Phase = 'queued' | 'running' | 'succeeded' | 'failed';

/** The facts of a status record, and the record itself. */
export interface JobState {
  /** The service's own word; `unknown` where there is none. */
  readonly status: string;
  /** An unknown word counts as running. */
  readonly phase: Phase;
  /** 0 to 100. */
  readonly percent?: number;
  readonly result_url?: string;
  readonly error_code?: string;
  readonly error_message?: string;
  readonly record: Values;
}

const WORDS: Readonly<Record<Phase, readonly string[]>> = {
  queued: ['queued', 'pending', 'waiting', 'accepted', 'created', 'submitted', 'scheduled'],
  running: ['running', 'processing', 'in_progress', 'active', 'started', 'working'],
  succeeded: ['succeeded', 'success', 'successful', 'completed', 'complete', 'done', 'finished', 'ready'],
  failed: [
    'failed',
    'failure',
    'error',
    'errored',
    'cancelled',
    'canceled',
    'expired',
    'rejected',
    'aborted',
    'timed_out',
  ],
};
/** Words for a workflow job that waits for its upload, or for its upload to be finalized. */
const BEFORE_QUEUE =
  /^(created|new|draft|await\w*|(waiting|pending)_(for_)?(upload|finali[sz]e)\w*|upload(ing|ed)?|reserved)$/;

const IDS = { job: ['job_id', 'jobId', 'id'], upload: ['upload_id', 'uploadId'] } as const;

/**
 * Reads a status record. SERVICE.md specifies little but `status`: other keys are searched under several names, and in
 * an inner `job` or `result`.
 */
export function readState(record: Values): JobState {
  const status = firstText(record, ['status', 'state', 'job_status', 'jobStatus']) ?? 'unknown';
  const percent = percentOf(record);
  const result_url = firstText(record, [
    'result_url',
    'resultUrl',
    'download_url',
    'downloadUrl',
    'output_url',
    'outputUrl',
  ]);
  const failure = objectOf(record.error) ?? {};
  const error_code = firstText(record, ['error_code', 'errorCode']) ?? firstText(failure, ['code']);
  const error_message =
    firstText(record, ['error_message', 'errorMessage']) ??
    firstText(failure, ['message']) ??
    firstText(record, ['error']);
  return { status, phase: phaseOf(status), ...present({ percent, result_url, error_code, error_message }), record };
}

export function phaseOf(status: string): Phase {
  const word = normal(status);
  const entry = Object.entries(WORDS).find(([, words]) => words.includes(word));
  return (entry?.[0] as Phase | undefined) ?? 'running'; // keys of WORDS are the phases
}

/** Whether a workflow job with this word has still to be finalized. */
export function isBeforeQueue(status: string): boolean {
  return BEFORE_QUEUE.test(normal(status));
}

/** The id of a job: job_id, jobId or id, else the last part of its status_url. */
export function jobIdOf(record: Values): string | undefined {
  const url = firstText(record, ['status_url', 'statusUrl']);
  return firstText(record, IDS.job) ?? /\/([^/?#]+)\/?(?:[?#].*)?$/.exec(url ?? '')?.[1];
}

/** The ids in a record that also describes an upload, where a bare `id` may mean either. */
export function workflowIdsOf(record: Values): { job_id?: string; upload_id?: string; session_uri?: string } {
  const upload = objectOf(record.upload) ?? {};
  const upload_id = firstText(record, IDS.upload) ?? firstText(upload, [...IDS.upload, 'id']);
  const job_id = firstText(record, upload_id === undefined ? ['job_id', 'jobId'] : IDS.job);
  const session_uri =
    firstText(upload, ['session_uri', 'sessionUri', 'uri', 'url']) ??
    firstText(record, ['session_uri', 'sessionUri', 'upload_url', 'uploadUrl']);
  return present({ job_id, upload_id: upload_id ?? firstText(record, ['id']), session_uri });
}

/** The first text or number under one of these names: in the record, then in objects it may be wrapped in. */
export function firstText(record: Values, names: readonly string[]): string | undefined {
  for (const holder of [record, objectOf(record.job), objectOf(record.data), objectOf(record.result)]) {
    for (const name of names) {
      const value = holder?.[name];
      if (typeof value === 'string' && value !== '') return value;
      if (typeof value === 'number') return String(value);
    }
  }
  return undefined;
}

export function objectOf(value: unknown): Values | undefined {
  return isRecord(value) ? value : undefined;
}

/** `progress` as a share, as a percentage, or as an object with one of them. */
function percentOf(record: Values): number | undefined {
  for (const holder of [record, objectOf(record.job), objectOf(record.progress)]) {
    for (const name of ['percent', 'percentage', 'progress_percent', 'progressPercent']) {
      const value = holder?.[name];
      if (isShare(value, 100)) return Math.round(value);
    }
    const progress = holder?.progress;
    // 1 may mean 1 % or 100 %: taken as 1 %, because a running job is not done.
    if (isShare(progress, 100)) return Math.round(progress < 1 ? progress * 100 : progress);
  }
  return undefined;
}

function isShare(value: unknown, most: number): value is number {
  return typeof value === 'number' && value >= 0 && value <= most;
}

function normal(status: string): string {
  return status
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');
}
