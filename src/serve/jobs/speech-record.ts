// The record of a speech job, and the download of its sound.
import { Failure } from '../../contract/base/failure.ts';
import type { ServiceOperation } from '../../contract/operation.ts';
import { baseAddress } from '../http/addresses.ts';
import { jobOfCaller } from '../http/auth.ts';
import { type Exchange, type HttpAnswer, jsonAnswer } from '../http/exchange.ts';
import type { Service } from '../service/service.ts';
import type { Job } from '../store/rows.ts';
import { resultOf } from './record.ts';
import { isSpeech, sendResult } from './routes.ts';

export function jobAddress(id: string, exchange: Exchange, service: Service): string {
  return `${baseAddress(exchange, service)}/api/v1/jobs/${id}`;
}

async function speechJob(exchange: Exchange, service: Service): Promise<Job> {
  return jobOfCaller(exchange, service, async () => {
    const job = await service.store.job(exchange.params.id ?? '');
    return job !== undefined && isSpeech(job) ? job : undefined;
  });
}

export async function speechStatus(op: ServiceOperation, exchange: Exchange, service: Service): Promise<HttpAnswer> {
  const job = await speechJob(exchange, service);
  const { id, workflow, state, maxCredits, charged, progress, errorCode, errorMessage, createdAt, updatedAt } = job;
  const account = await service.store.account(job.account, service.clock.now());
  return jsonAnswer(op.success, {
    ok: true,
    job_id: id,
    operation: workflow,
    // Earlier versions queued a speech job in a second step.
    status: state === 'awaiting_upload' ? 'queued' : state === 'expired' ? 'failed' : state,
    status_url: jobAddress(id, exchange, service),
    created_at: new Date(createdAt).toISOString(),
    updated_at: new Date(updatedAt).toISOString(),
    credits_reserved: state === 'queued' || state === 'running' ? maxCredits : undefined,
    credits_charged: charged,
    credits_remaining: account?.available,
    progress: state === 'running' ? withPercent(progress) : undefined,
    ...(await resultOf(job, exchange, service)),
    ...job.result?.details,
    error_code: errorCode ?? (state === 'expired' ? 'expired' : undefined),
    error_message: errorMessage ?? undefined,
  });
}

function withPercent(progress: Job['progress']): object | undefined {
  if (progress === undefined) return undefined;
  const { done, total } = progress;
  if (typeof done !== 'number' || typeof total !== 'number' || total <= 0) return progress;
  return { ...progress, percent: Math.min(100, Math.floor((100 * done) / total)) };
}

/** The whole sound. Ranges of it are served at result_url. */
export async function speechDownload(exchange: Exchange, service: Service): Promise<HttpAnswer> {
  const job = await speechJob(exchange, service);
  if (job.state === 'failed') {
    throw new Failure('conflict', `the job failed: ${job.errorMessage ?? job.errorCode ?? 'no reason is known'}`);
  }
  if (job.state !== 'succeeded') throw new Failure('conflict', `the job is ${job.state}: its sound is not there yet`);
  return sendResult(job, exchange, service, false);
}
