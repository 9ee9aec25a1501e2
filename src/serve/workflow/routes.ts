import { Failure } from '../../contract/failure.ts';
import type { ServiceOperation } from '../../contract/operation.ts';
import { checkAddress } from '../addresses.ts';
import { authenticate } from '../auth.ts';
import { resultBlob, uploadBlob } from '../blobs/blobs.ts';
import { type Answer, type Exchange, jsonAnswer } from '../http/exchange.ts';
import { HttpFailure } from '../http/http-failure.ts';
import type { Service } from '../service.ts';
import type { Job } from '../store/store.ts';
import { fileNameOf, jobRecord, resultPath } from './record.ts';

/** Queues a job whose bytes are all there. A second time it says what became of it. */
export async function finalizeJob(op: ServiceOperation, exchange: Exchange, service: Service): Promise<Answer> {
  const { store, clock, blobs, wake } = service;
  const job = await ownJob(exchange, service, () => store.jobByUpload(exchange.params.uploadId ?? ''));
  if (job.state === 'expired') throw new Failure('conflict', 'the upload session is over; make a new job');
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

export async function jobStatus(op: ServiceOperation, exchange: Exchange, service: Service): Promise<Answer> {
  const job = await ownJob(exchange, service, async () => {
    const found = await service.store.job(exchange.params.jobId ?? '');
    return found === undefined || isSpeech(found) ? undefined : found;
  });
  return jsonAnswer(op.success, await jobRecord(job, exchange, service));
}

/** Speech jobs are asked for elsewhere; they alone are made by an operation with fields of its own. */
export function isSpeech({ options }: Job): boolean {
  return 'fields' in options;
}

/** The job of the caller's own account; that of another is as unknown as one that never was. */
export async function ownJob(exchange: Exchange, service: Service, find: () => Promise<Job | undefined>): Promise<Job> {
  const key = await authenticate(exchange, service);
  const job = await find();
  if (job === undefined || job.account !== key.account) throw new Failure('not_found', 'there is no such job');
  return job;
}

/** The output, or the part of it that Range asks for; the address is the permission. */
export async function fetchResult(exchange: Exchange, service: Service): Promise<Answer> {
  const { params } = exchange;
  const jobId = params.jobId ?? '';
  checkAddress('GET', resultPath(jobId), exchange, service);
  const job = await service.store.job(jobId);
  if (job === undefined) throw new Failure('not_found', 'this result is over', { status: 410 });
  return sendResult(job, exchange);
}

/** The bytes of a job's result, or the part of them that Range asks for. */
export function sendResult(job: Job, exchange: Exchange, inParts = true): Answer {
  const { headers: asked } = exchange.incoming;
  if (job.result === undefined) throw new Failure('not_found', 'this result is over', { status: 410 });
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
  if (start === undefined) return { status: 200, headers, body: { blob, size: bytes } };
  if (start >= bytes) {
    throw new HttpFailure('usage', `the result has ${bytes} bytes`, 416, { 'Content-Range': `bytes */${bytes}` });
  }
  const range = { 'Content-Range': `bytes ${start}-${bytes - 1}/${bytes}` };
  return { status: 206, headers: { ...headers, ...range }, body: { blob, size: bytes, start } };
}

/** Where to go on. Only the rest of a file is understood; other ranges get all of it, as HTTP allows. */
function startOf(range: string | undefined, ifRange: string | string[] | undefined, etag: string): number | undefined {
  const found = /^bytes=(\d{1,15})-$/.exec(range ?? '')?.[1];
  return found === undefined || (ifRange !== undefined && ifRange !== etag) ? undefined : Number(found);
}
