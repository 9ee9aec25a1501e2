import { EXTENSIONS } from '../../contract/media.ts';
import { resultBlob } from '../blobs/blobs.ts';
import { baseAddress, signedAddress } from '../http/addresses.ts';
import type { Exchange } from '../http/exchange.ts';
import { isoTime } from '../service/operator.ts';
import type { Service } from '../service/service.ts';
import type { Job } from '../store/rows.ts';

/** Seconds for which the address of a result is valid. */
const RESULT_ADDRESS = 3_600;

export const uploadPath = (uploadId: string): string => `/uploads/${uploadId}`;
export const resultPath = (jobId: string): string => `/results/${jobId}`;

export async function jobRecord(job: Job, exchange: Exchange, service: Service): Promise<object> {
  const { store, clock } = service;
  const account = await store.account(job.account, clock.now());
  return {
    ok: true,
    jobId: job.id,
    uploadId: job.uploadId,
    workflow: job.workflow,
    status: job.state,
    inputBytes: job.inputBytes,
    maxCredits: job.maxCredits,
    credits_charged: job.charged,
    credits_remaining: account?.available,
    created_at: isoTime(job.createdAt),
    updated_at: isoTime(job.updatedAt),
    ...uploadOf(job, exchange, service),
    progress: job.state === 'running' ? job.progress : undefined,
    ...(await resultOf(job, exchange, service)),
    error_code: job.errorCode ?? undefined,
    error_message: job.errorMessage ?? undefined,
  };
}

function uploadOf(job: Job, exchange: Exchange, service: Service): object {
  if (job.state !== 'awaiting_upload') return {};
  // Clients of Google's resumable uploads expect these.
  const shown = { uploadType: 'resumable', upload_id: job.uploadId };
  const expires = Math.floor(job.expiresAt / 1000);
  const address = signedAddress({ verb: 'PUT', path: uploadPath(job.uploadId), expires, shown }, service.sign);
  const session_uri = `${baseAddress(exchange, service)}${address}`;
  return { upload: { session_uri, method: 'PUT', bytes: job.inputBytes, expires_at: isoTime(job.expiresAt) } };
}

export async function resultOf(job: Job, exchange: Exchange, service: Service): Promise<object> {
  if (job.state !== 'succeeded') return {};
  if (job.result === undefined) return { result_expired: true };
  const { name, mediaType, bytes, sha256, pages, measurement, files, warnings } = job.result;
  const now = service.clock.now();
  const expires = Math.floor(Math.min(job.expiresAt, now + RESULT_ADDRESS * 1000) / 1000);
  const seconds = Math.max(1, expires - Math.floor(now / 1000));
  const shown = { mediaType, fileName: fileNameOf(job) };
  const direct = await service.blobs.address(resultBlob(name), bytes, seconds, shown);
  const address = signedAddress({ verb: 'GET', path: resultPath(job.id), expires }, service.sign);
  return {
    result_url: direct ?? `${baseAddress(exchange, service)}${address}`,
    result: { name, media_type: mediaType, bytes, sha256, pages, ...measurement, files, warnings },
    expires_at: isoTime(job.expiresAt),
  };
}

/** The file name of a result in Content-Disposition. */
export function fileNameOf({ workflow, result }: Job): string {
  return `${workflow}.${EXTENSIONS[result?.mediaType ?? '']?.[0] ?? 'bin'}`;
}
