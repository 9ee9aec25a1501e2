import * as v from 'valibot';
import { FAILURES, Failure, type FailureCode } from '../contract/base/failure.ts';
import type { Credits, Measurement, Values } from '../contract/base/ports.ts';
import { isRecord, parsedJson, present } from '../contract/base/present.ts';
import { command, say, setting, type Wording } from '../contract/base/wording.ts';
import { JSON_TYPE, MP3, MP4, NDJSON, PDF, WAV, ZIP } from '../contract/media.ts';
import type { Output } from '../contract/operation.ts';
import { ERROR, RECORDS } from '../contract/records.ts';
import { plain } from './plain.ts';

/** Header names in lower case. */
export type Headers = Readonly<Record<string, string | undefined>>;

/** Other names of the types of SERVICE.md, used by servers and proxies. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  [ZIP]: ['application/x-zip-compressed'],
  [NDJSON]: ['application/ndjson', 'application/jsonl'],
  [MP3]: ['audio/mp3'],
  [WAV]: ['audio/wave', 'audio/x-wav', 'audio/vnd.wave'],
};

/** First bytes of files by type, where known: a proxy may keep the type and replace the body. */
const FIRST_BYTES: Readonly<Record<string, readonly string[]>> = {
  [PDF]: ['%PDF-'],
  [ZIP]: ['PK\u0003\u0004', 'PK\u0005\u0006'],
};

/** The media type without its parameters, in lower case; empty where there is none. */
export function essence(contentType: string | undefined): string {
  return (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** Whether an answer of this type can be the output. Audio of a finished job has the format requested for the job. */
export function isExpected(output: Output, contentType: string | undefined): boolean {
  const received = essence(contentType);
  if (received === output.mediaType || SYNONYMS[output.mediaType]?.includes(received)) return true;
  const isJobSound =
    output.mediaType === MP3 && 'stem' in output && 'fixed' in output.stem && output.stem.fixed === 'audio';
  return isJobSound && (received.startsWith('audio/') || received === MP4 || received === 'application/octet-stream');
}

/** Whether a body of this type may begin with these bytes. `start`: the first eight bytes, or all of a shorter body. */
export function beginsAs(mediaType: string, start: Uint8Array): boolean {
  const allowed = FIRST_BYTES[mediaType];
  const text = String.fromCharCode(...start.subarray(0, 8));
  return allowed === undefined || allowed.some((magic) => text.startsWith(magic));
}

/** The measurement headers; undefined where the sizes are missing or not whole numbers. */
export function measurementOf(headers: Headers): Measurement | undefined {
  const original_bytes = count(headers['x-original-bytes']);
  const output_bytes = count(headers['x-output-bytes']);
  if (original_bytes === undefined || output_bytes === undefined) return undefined;
  const reached = headers['x-target-reached'];
  return present({
    original_bytes,
    output_bytes,
    target_bytes: count(headers['x-target-bytes']),
    target_reached: reached === 'true' || reached === 'false' ? reached === 'true' : undefined,
    mode: plain(headers['x-compression-mode'] ?? 'best_effort_repack'),
  });
}

/** The credits from the headers, otherwise from the record. */
export function creditsOf(headers: Headers, record?: Values): Credits | undefined {
  const used = count(headers['x-credits-used']);
  const told = record?.credits_remaining;
  const remaining = count(headers['x-credits-remaining']) ?? (typeof told === 'number' ? told : undefined);
  return used === undefined && remaining === undefined ? undefined : present({ used, remaining });
}

/** A record from the text of an answer; throws SyntaxError where it is not a JSON object. */
export function parseRecord(text: string): Record<string, unknown> {
  const value: unknown = JSON.parse(text);
  if (!isRecord(value)) throw new SyntaxError('not a JSON object');
  return value;
}

/**
 * The promises of SERVICE.md that a record breaks, one sentence each. They are shown with the answer: it was paid for,
 * and is not discarded for a missing note.
 */
export function recordIssues(output: Output, record: Values): string[] {
  if (!('record' in output)) return [];
  const schema = RECORDS[output.record as keyof typeof RECORDS]; // rows name a key of RECORDS; a contract test compares them
  const result = v.safeParse(schema, record);
  return (result.issues ?? []).slice(0, 3).map((issue) => {
    return plain(`the answer's ${v.getDotPath(issue) ?? 'record'} is not as specified: ${issue.message}`);
  });
}

/** The error record, where the body is one. */
export function errorRecordOf(
  headers: Headers,
  text: string,
): { error: string; meta?: Record<string, unknown> } | undefined {
  if (essence(headers['content-type']) !== JSON_TYPE) return undefined;
  const result = v.safeParse(ERROR, parsedJson(text));
  return result.success ? present({ error: result.output.error, meta: result.output._meta }) : undefined;
}

/**
 * The failure code of a status: the first in the table. The table's first entry for 400 means that nothing was sent, so
 * 400 becomes `refused`.
 */
function codeOfStatus(status: number): FailureCode {
  if (status >= 500) return 'server';
  const row = Object.entries(FAILURES).find(([code, row]) => row.status === status && code !== 'usage');
  return (row?.[0] as FailureCode | undefined) ?? 'refused'; // keys of FAILURES are the codes
}

/**
 * The code of a failure: `_meta.code` if it is known and fits the status (a 422 that an operation does not declare
 * arrives as 400), otherwise by the status. Never `usage`, which means that nothing was sent.
 */
function codeOf(status: number, told: unknown): FailureCode {
  if (typeof told === 'string' && told !== 'usage' && Object.hasOwn(FAILURES, told)) {
    const code = told as FailureCode; // a key of the table: just looked up
    const expected = FAILURES[code].status;
    if (expected === status || (expected === 422 && status === 400)) return code;
  }
  return codeOfStatus(status);
}

const HINTS: Partial<Record<FailureCode, Wording>> = {
  unauthenticated: say`Set a key with: ${command('auth login')}`,
  forbidden: say`Check which key is used with: ${command('auth status')}`,
  out_of_credits: say`See what is left with ${command('account')}, or run it here with ${setting('local')}.`,
  too_large: say`The local engine has no such limit: add ${setting('local')}.`,
  rate_limited: 'Wait a moment and try again',
};

/** The failure of an unsuccessful answer, its message one printable line. `text`: the body, capped by the caller. */
export function refusalOf(name: string, status: number, headers: Headers, text: string): Failure {
  const record = errorRecordOf(headers, text);
  const code = codeOf(status, record?.meta?.code);
  const message =
    record === undefined
      ? `HTTP ${status} with ${describe(headers, text)} instead of an error record`
      : `${plain(record.error)} (HTTP ${status})`;
  return new Failure(code, `${name}: ${message}`, { status, meta: record?.meta, hint: HINTS[code] });
}

function describe(headers: Headers, text: string): string {
  if (text.trim() === '') return 'an empty body';
  const type = essence(headers['content-type']) || 'no content type';
  const title = /<title[^>]*>([^<]{1,200})/i.exec(text)?.[1];
  return title === undefined ? `a body of ${plain(type)}` : `a page titled '${plain(title)}'`;
}

function count(text: string | undefined): number | undefined {
  if (text === undefined || !/^\d{1,15}$/.test(text.trim())) return undefined;
  return Number(text);
}
