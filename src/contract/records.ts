// Owns the records of SERVICE.md as schemas. Every object is loose: what the service adds is kept.
import * as v from 'valibot';

const ok = v.literal(true);
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const pageCount = v.pipe(v.number(), v.integer(), v.minValue(1));
const pageNumber = pageCount;
const textOrNull = v.optional(v.nullable(v.string()));

export const ACCOUNT = v.looseObject({
  ok,
  credits_remaining: v.number(),
  credits_lifetime_used: v.number(),
  free_tier_resets_at: v.optional(v.nullable(v.pipe(v.string(), v.isoTimestamp()))),
  api_key: v.looseObject({ id: v.string(), label: textOrNull }),
});

export const PDF_INFO = v.looseObject({
  ok,
  page_count: pageCount,
  title: textOrNull,
  author: textOrNull,
  subject: textOrNull,
  keywords: textOrNull,
  producer: textOrNull,
  creator: textOrNull,
  /** The local engine has no credits and leaves it out; the service always sends it. */
  credits_remaining: v.optional(v.number()),
  /** Ours: what a careful person wants to know before sending the file on. The service has no such key. */
  details: v.optional(v.looseObject({})),
});

export const TEXT_RECORD = v.looseObject({ ok, text: v.string(), page_count: pageCount });

export const CHUNK = v.looseObject({
  chunk_id: v.string(),
  text: v.string(),
  page_number: pageNumber,
  page_anchor: v.string(),
});

export const STRUCTURED_MARKDOWN = v.looseObject({
  ok,
  markdown: v.string(),
  page_count: pageCount,
  mode: v.picklist(['developer', 'academic', 'rag']),
  pages: v.array(v.looseObject({})),
  chunks: v.array(CHUNK),
  capabilities: v.looseObject({}),
  warnings: v.array(v.string()),
});

export const PDF_JSON = v.looseObject({
  ok,
  page_count: pageCount,
  metadata: v.record(v.string(), v.unknown()),
  pages: v.array(v.looseObject({ page_number: pageNumber, text: v.string(), char_count: count })),
  text: v.string(),
  extraction_mode: v.literal('pdfjs_text_layer'),
  note: v.optional(v.string()),
});

export const ERROR = v.looseObject({
  ok: v.literal(false),
  error: v.string(),
  _meta: v.optional(v.record(v.string(), v.unknown())),
});

/** SERVICE.md shows job_id and status_url; ids under other names are understood where the answer is read. */
export const SPEECH_JOB_CREATED = v.looseObject({ job_id: v.string(), status_url: v.string() });

/** Only the status is shown; an unknown word counts as running. */
export const JOB_STATUS = v.looseObject({
  status: v.string(),
  result_url: v.optional(v.nullable(v.string())),
  error_code: v.optional(v.nullable(v.string())),
  error_message: v.optional(v.nullable(v.string())),
});

/** Response bodies of the workflow calls are not shown. */
export const WORKFLOW_JOB = v.looseObject({});

export const OPENAPI = v.looseObject({ openapi: v.string() });

export const RECORDS = {
  account: ACCOUNT,
  'pdf-info': PDF_INFO,
  text: TEXT_RECORD,
  'structured-markdown': STRUCTURED_MARKDOWN,
  'pdf-json': PDF_JSON,
  error: ERROR,
  'speech-job-created': SPEECH_JOB_CREATED,
  'job-status': JOB_STATUS,
  'workflow-job': WORKFLOW_JOB,
  openapi: OPENAPI,
} as const;
