import { FAILURES, type Failure } from '../contract/base/failure.ts';
import type { Credits, Measurement } from '../contract/base/ports.ts';
import { present } from '../contract/base/present.ts';
import type { ServiceOperation } from '../contract/operation.ts';

/** The credit headers; unknown numbers are left out. */
export function creditHeaders({ used, remaining }: Credits): Record<string, string> {
  return {
    ...(remaining === undefined ? {} : { 'X-Credits-Remaining': String(remaining) }),
    ...(used === undefined ? {} : { 'X-Credits-Used': String(used) }),
  };
}

/** The measurement headers of SERVICE.md, as text; missing values are left out. */
export function measurementHeaders(measurement: Measurement): Record<string, string> {
  const { original_bytes, output_bytes, target_bytes, target_reached, mode } = measurement;
  return {
    'X-Original-Bytes': String(original_bytes),
    'X-Output-Bytes': String(output_bytes),
    ...(target_bytes === undefined ? {} : { 'X-Target-Bytes': String(target_bytes) }),
    ...(target_reached === undefined ? {} : { 'X-Target-Reached': String(target_reached) }),
    'X-Compression-Mode': mode,
  };
}

/** For statuses about the request that a row does not declare: the nearest one that it may declare. */
const NEAREST: Readonly<Record<number, number>> = { 422: 400, 403: 401 };

/** The HTTP status of a failure; about the request, only statuses that the row declares. */
export function statusOf({ code, status }: Failure, op?: ServiceOperation): number {
  // The engine runs in this server: 502 would blame an upstream that does not exist.
  const sent = status ?? (FAILURES[code].status === 502 ? 500 : FAILURES[code].status);
  const nearest = NEAREST[sent];
  if (op === undefined || nearest === undefined) return sent;
  return op.failures.some((failure) => FAILURES[failure].status === sent) ? sent : nearest;
}

/** The error record. An unexpected failure shows no details: its request id is in the log. */
export function errorRecord(failure: Failure, facts: { request_id: string; support: string }): Record<string, unknown> {
  const { code, kind, message } = failure;
  const meta = { code, kind, ...facts, credits_charged: 0, ...failure.meta };
  return {
    ok: false,
    error: code === 'internal' ? 'unexpected failure on the server; nothing was charged' : message,
    _meta: present(meta),
  };
}
