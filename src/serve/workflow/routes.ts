// Owns the addresses of workflow jobs besides creation and upload: finalize, poll, fetch. Knows no worker.
import { Failure } from '../../contract/failure.ts';
import { PDF } from '../../contract/media.ts';
import type { ServiceOperation } from '../../contract/operation.ts';
import { joinPath, sizeOf } from '../../runtime/blobs.ts';
import { checkAddress } from '../addresses.ts';
import { authenticate } from '../auth.ts';
import { type Answer, type Exchange, jsonAnswer } from '../exchange.ts';
import { HttpFailure } from '../http-failure.ts';
import type { Service } from '../service.ts';
import type { Job } from '../store/store.ts';
import { jobRecord, resultPath } from './record.ts';

/** Queues a job whose bytes are all there. A second time it says what became of it. */
export async function finalizeJob(op: ServiceOperation, exchange: Exchange, service: Service): Promise<Answer> {
  const { store, clock, folders, wake } = service;
  const job = await ownJob(exchange, service, () => store.jobByUpload(exchange.params.uploadId ?? ''));
  if (job.state === 'expired') throw new Failure('conflict', 'the upload session is over; make a new job');
  if (job.state === 'awaiting_upload') {
    const have = (await sizeOf(joinPath(folders.uploads, job.uploadId))) ?? 0;
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
  const job = await ownJob(exchange, service, () => service.store.job(exchange.params.jobId ?? ''));
  return jsonAnswer(op.success, await jobRecord(job, exchange, service));
}

/** No audio job can be here: there is no engine that makes one. */
export async function noSuchJob(exchange: Exchange, service: Service): Promise<Answer> {
  await ownJob(exchange, service, async () => undefined);
  throw new TypeError('not reached: ownJob throws where there is no job');
}

/** The job of the caller's own account; that of another is as unknown as one that never was. */
async function ownJob(exchange: Exchange, service: Service, find: () => Promise<Job | undefined>): Promise<Job> {
  const key = await authenticate(exchange, service);
  const job = await find();
  if (job === undefined || job.account !== key.account) throw new Failure('not_found', 'there is no such job');
  return job;
}

/** The output, or the part of it that Range asks for; the address is the permission. */
export async function fetchResult(exchange: Exchange, service: Service): Promise<Answer> {
  const { params, incoming } = exchange;
  const jobId = params.jobId ?? '';
  checkAddress('GET', resultPath(jobId), exchange, service);
  const job = await service.store.job(jobId);
  if (job?.result === undefined) throw new Failure('not_found', 'this result is over', { status: 410 });
  const { name, bytes, mediaType, sha256 } = job.result;
  const etag = `"${sha256}"`;
  const file = joinPath(service.folders.results, name);
  const headers = {
    'Content-Type': mediaType,
    'Content-Disposition': `attachment; filename="${job.workflow}.${mediaType === PDF ? 'pdf' : 'zip'}"`,
    'Accept-Ranges': 'bytes',
    ETag: etag,
  };
  const start = startOf(incoming.headers.range, incoming.headers['if-range'], etag);
  if (start === undefined) return { status: 200, headers, body: { file, size: bytes } };
  if (start >= bytes) {
    throw new HttpFailure('usage', `the result has ${bytes} bytes`, 416, { 'Content-Range': `bytes */${bytes}` });
  }
  const range = { 'Content-Range': `bytes ${start}-${bytes - 1}/${bytes}` };
  return { status: 206, headers: { ...headers, ...range }, body: { file, size: bytes, start } };
}

/** Where to go on. Only the rest of a file is understood; other ranges get all of it, as HTTP allows. */
function startOf(range: string | undefined, ifRange: string | string[] | undefined, etag: string): number | undefined {
  const found = /^bytes=(\d{1,15})-$/.exec(range ?? '')?.[1];
  return found === undefined || (ifRange !== undefined && ifRange !== etag) ? undefined : Number(found);
}
