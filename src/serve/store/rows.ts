import * as v from 'valibot';
import type { Row } from './driver.ts';
import type { Account, ApiKey, Job, JobState } from './store.ts';

const time = v.number();
const json = v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.unknown()));

const ACCOUNT = v.object({
  id: v.string(),
  available: v.number(),
  reserved: v.number(),
  used: v.number(),
  resets_at: time,
});
const KEY = v.object({
  id: v.string(),
  account: v.string(),
  sha256: v.string(),
  label: v.nullable(v.string()),
  created_at: time,
  revoked_at: v.nullable(time),
});
const RESULT = v.pipe(
  v.string(),
  v.parseJson(),
  v.looseObject({ name: v.string(), mediaType: v.string(), bytes: v.number(), sha256: v.string() }),
);
const STATE = v.picklist([
  'awaiting_upload',
  'queued',
  'running',
  'succeeded',
  'failed',
  'expired',
] satisfies JobState[]);
const JOB = v.object({
  id: v.string(),
  account: v.string(),
  upload_id: v.string(),
  workflow: v.string(),
  options: json,
  input_bytes: v.number(),
  max_credits: v.number(),
  state: STATE,
  token: v.number(),
  attempts: v.number(),
  progress: v.nullable(json),
  result: v.nullable(RESULT),
  charged: v.number(),
  error_code: v.nullable(v.string()),
  error_message: v.nullable(v.string()),
  created_at: time,
  updated_at: time,
  expires_at: time,
});

export function accountOf(row: Row): Account {
  const { resets_at: resetsAt, ...rest } = v.parse(ACCOUNT, row);
  return { ...rest, resetsAt };
}

export function keyOf(row: Row): ApiKey {
  const { created_at: createdAt, revoked_at: revokedAt, ...rest } = v.parse(KEY, row);
  return { ...rest, createdAt, revokedAt };
}

export function jobOf(row: Row): Job {
  const each = v.parse(JOB, row);
  return {
    id: each.id,
    account: each.account,
    uploadId: each.upload_id,
    workflow: each.workflow,
    options: each.options,
    inputBytes: each.input_bytes,
    maxCredits: each.max_credits,
    state: each.state,
    token: each.token,
    attempts: each.attempts,
    progress: each.progress ?? undefined,
    result: each.result ?? undefined,
    charged: each.charged,
    errorCode: each.error_code,
    errorMessage: each.error_message,
    createdAt: each.created_at,
    updatedAt: each.updated_at,
    expiresAt: each.expires_at,
  };
}

export function optionsOf(row: Row): Job['options'] {
  return v.parse(json, row.options);
}

export function stateOf(row: Row): JobState {
  return v.parse(STATE, row.state);
}

export function textOf(row: Row, column: string): string {
  return v.parse(v.string(), row[column]);
}

export function countOf(row: Row, column: string): number {
  return v.parse(v.number(), row[column]);
}
