import { Failure } from '../../contract/base/failure.ts';
import type { ServiceOperation } from '../../contract/operation.ts';
import { HttpFailure } from '../base/http-failure.ts';
import { resultBlob, uploadBlob } from '../blobs/blobs.ts';
import { checkAddress } from '../http/addresses.ts';
import { jobOfCaller } from '../http/auth.ts';
import { type Exchange, type HttpAnswer, jsonAnswer } from '../http/exchange.ts';
import type { Service } from '../service/service.ts';
import { CANCELLED } from '../store/jobs.ts';
import type { Job } from '../store/rows.ts';
import { fileNameOf, jobRecord, resultPath } from './record.ts';

/** Queues a job whose upload is complete. Idempotent. */
export async function finalizeJob(op: ServiceOperation, exchange: Exchange, service: Service): Promise<HttpAnswer> {
  const { store, clock, blobs, wake } = service;
  const job = await jobOfCaller(exchange, service, () => store.jobByUpload(exchange.params.uploadId ?? ''));
  if (job.state === 'expired') throw new Failure('conflict', 'the upload session has expired; create a new job');
  if (job.state === 'awaiting_upload') {
    const have = await blobs.size(uploadBlob(job.uploadId));
    if (have !== job.inputBytes) {
      const message = `${have} of the declared ${job.inputBytes} bytes were uploaded`;
      throw new Failure('conflict', message, { meta: { uploaded_bytes: have, declared_bytes: job.inputBytes } });
    }
    if (await store.queueJob(job.id, clock.now())) wake();
  }
  const now = (await store.job(job.id)) ?? job;
  return jsonAnswer(op.success, await jobRecord(now, exchange, service));
}

export async function workflowStatus(op: ServiceOperation, exchange: Exchange, service: Service): Promise<HttpAnswer> {
  const job = await jobOfCaller(exchange, service, async () => {
    const row = await service.store.job(exchange.params.jobId ?? '');
    return row === undefined || isSpeech(row) ? undefined : row;
  });
  return jsonAnswer(op.success, await jobRecord(job, exchange, service));
}

/** Cancels a job of either kind. Idempotent. */
export async function cancelJob(op: ServiceOperation, exchange: Exchange, service: Service): Promise<HttpAnswer> {
  const { store, clock } = service;
  const { id } = await jobOfCaller(exchange, service, () => store.job(exchange.params.id ?? ''));
  const isCancelled = await store.cancelJob(id, clock.now());
  const job = await store.job(id);
  if (!isCancelled && job?.errorCode !== CANCELLED.errorCode) {
    throw new Failure('conflict', `the job has ended already: it is ${job?.state ?? 'gone'}`);
  }
  const { errorCode: error_code, errorMessage: error_message } = CANCELLED;
  return jsonAnswer(op.success, { ok: true, job_id: id, status: 'failed', error_code, error_message });
}

/** Speech jobs have their own paths. They alone store the fields of an operation. */
export function isSpeech({ options }: Job): boolean {
  return 'fields' in options;
}

/** The result, or the rest of it that Range asks for. Whoever has the signed address may read it. */
export async function fetchResult(exchange: Exchange, service: Service): Promise<HttpAnswer> {
  const jobId = exchange.params.jobId ?? '';
  checkAddress('GET', resultPath(jobId), exchange, service);
  const job = await service.store.job(jobId);
  if (job === undefined) throw new Failure('not_found', 'this result has expired', { status: 410 });
  return sendResult(job, exchange, service);
}

/** The result, or the rest of it that Range asks for. */
export function sendResult(job: Job, exchange: Exchange, { downloadGate }: Service, inParts = true): HttpAnswer {
  const { headers: asked } = exchange.incoming;
  if (job.result === undefined) throw new Failure('not_found', 'this result has expired', { status: 410 });
  const { name, bytes, mediaType, sha256 } = job.result;
  const etag = `"${sha256}"`;
  const blob = resultBlob(name);
  const headers = {
    'Content-Type': mediaType,
    'Content-Disposition': `attachment; filename="${fileNameOf(job)}"`,
    'Accept-Ranges': inParts ? 'bytes' : 'none',
    ETag: etag,
  };
  const start = inParts ? startOf(asked.range, asked['if-range'], etag) : undefined;
  if (start !== undefined && start >= bytes) {
    throw new HttpFailure('usage', `the result has ${bytes} bytes`, 416, { 'Content-Range': `bytes */${bytes}` });
  }
  const leave = downloadGate.enter({ account: job.account, bytes: 0 });
  const after = async () => leave();
  if (start === undefined) return { status: 200, headers, body: { blob, size: bytes }, after };
  const range = { 'Content-Range': `bytes ${start}-${bytes - 1}/${bytes}` };
  return { status: 206, headers: { ...headers, ...range }, body: { blob, size: bytes, start }, after };
}

/** The start of `bytes=N-`. Other ranges are ignored, and the whole result is sent (RFC 9110, 14.2). */
function startOf(range: string | undefined, ifRange: string | string[] | undefined, etag: string): number | undefined {
  const start = /^bytes=(\d{1,15})-$/.exec(range ?? '')?.[1];
  return start === undefined || (ifRange !== undefined && ifRange !== etag) ? undefined : Number(start);
}
