import type { IncomingMessage } from 'node:http';
import { atEnd } from '../../contract/base/closing.ts';
import { Failure } from '../../contract/base/failure.ts';
import { plain } from '../../wire/plain.ts';
import { type BlobName, uploadBlob } from '../blobs/blobs.ts';
import { checkAddress } from '../http/addresses.ts';
import { bodyChunks } from '../http/body.ts';
import { askForBody, type Exchange, type HttpAnswer, jsonAnswer } from '../http/exchange.ts';
import type { Service } from '../service/service.ts';
import type { Job } from '../store/rows.ts';
import { uploadPath } from './record.ts';
import { holdUpload } from './upload-lease.ts';

/** Uploads being written: a reconnecting client replaces its old connection. */
export type Writing = Map<string, { readonly stop: (reason: unknown) => void; readonly ended: Promise<void> }>;

export async function takeUpload(exchange: Exchange, service: Service, writing: Writing): Promise<HttpAnswer> {
  const { incoming, params } = exchange;
  const uploadId = params.uploadId ?? '';
  checkAddress('PUT', uploadPath(uploadId), exchange, service);
  const job = await service.store.jobByUpload(uploadId);
  if (job === undefined || job.state === 'expired') {
    throw new Failure('not_found', 'this upload session has expired; create a new job', { status: 410 });
  }
  exchange.facts.account = job.account;
  const start = startOf(incoming, job);
  const blob = uploadBlob(uploadId);
  if (job.state !== 'awaiting_upload') {
    // A client that lost the last answer asks what was received.
    if (start === undefined) return received(job, job.inputBytes);
    throw new Failure('conflict', 'the upload was finalized: its job has the bytes already');
  }
  if (start === undefined) return received(job, await service.blobs.size(blob));
  using _place = atEnd(service.uploadGate.enter({ account: job.account, bytes: job.inputBytes }));
  await takeOver(uploadId, writing);
  await using hold = await holdUpload(job, service);
  return await append(job, blob, start, exchange, service, writing, hold.lost);
}

/** Closes the earlier connection, which belongs to the same client. */
async function takeOver(uploadId: string, writing: Writing): Promise<void> {
  for (let other = writing.get(uploadId); other !== undefined; other = writing.get(uploadId)) {
    other.stop(new Failure('conflict', 'another request has resumed this upload'));
    await other.ended;
  }
}

async function append(
  job: Job,
  blob: BlobName,
  start: number,
  exchange: Exchange,
  service: Service,
  writing: Writing,
  lost: AbortSignal,
): Promise<HttpAnswer> {
  const { blobs } = service;
  const stopped = new AbortController();
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  writing.set(job.uploadId, { stop: (reason) => stopped.abort(reason), ended });
  using _ = atEnd(() => {
    writing.delete(job.uploadId);
    end();
  });
  const have = await blobs.size(blob);
  if (start !== have) return received(job, have);
  askForBody(exchange);
  const either = AbortSignal.any([exchange.signal, stopped.signal, lost]);
  try {
    // After a cut the bytes received stay.
    await blobs.append(blob, have, upTo(job.inputBytes - have, bodyChunks(exchange, service, either)));
  } catch (error) {
    throw either.aborted ? either.reason : error;
  }
  const size = await blobs.size(blob);
  if (size === job.inputBytes) await blobs.seal(blob);
  return received(job, size);
}

async function* upTo(room: number, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let taken = 0;
  for await (const chunk of chunks) {
    taken += chunk.length;
    if (taken > room) throw new Failure('too_large', 'more bytes were sent than declared', { kind: 'limit' });
    yield chunk;
  }
}

/** 200 when the upload is complete, else 308 with the bytes received, as Google Cloud Storage answers. */
function received(job: Job, have: number): HttpAnswer {
  if (have >= job.inputBytes) {
    return jsonAnswer(200, { ok: true, uploadId: job.uploadId, bytes: have, complete: true });
  }
  return { status: 308, headers: have === 0 ? {} : { Range: `bytes=0-${have - 1}` } };
}

/** Where the body of a PUT begins, by its Content-Range; undefined for a query for the bytes received. */
function startOf(incoming: IncomingMessage, job: Job): number | undefined {
  const range = incoming.headers['content-range'];
  const length = incoming.headers['content-length'];
  const total = job.inputBytes;
  if (range === undefined) {
    if (length === undefined) throw new Failure('usage', `expected a Content-Length of ${total}`);
    assertTotal(Number(length), total);
    return 0;
  }
  const parts = /^bytes (?:\*|(\d{1,15})-(\d{1,15}))\/(\d{1,15})$/.exec(range.trim());
  if (parts === null) {
    throw new Failure('usage', `expected Content-Range such as bytes 0-99/100 or bytes */100, found '${plain(range)}'`);
  }
  assertTotal(Number(parts[3]), total);
  if (parts[1] === undefined) return undefined;
  const [start, last] = [Number(parts[1]), Number(parts[2])];
  if (last < start || last >= total || (length !== undefined && Number(length) !== last - start + 1)) {
    throw new Failure('usage', `Content-Range ${plain(range)} does not fit the body or the declared ${total} bytes`);
  }
  return start;
}

function assertTotal(sent: number, declared: number): void {
  if (sent === declared) return;
  const message = `expected exactly the declared ${declared} bytes, found ${sent}`;
  throw sent > declared ? new Failure('too_large', message, { kind: 'limit' }) : new Failure('usage', message);
}
