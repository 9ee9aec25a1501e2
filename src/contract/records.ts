// The records of SERVICE.md as schemas. Every object is loose: keys that the service adds are kept.
import * as v from 'valibot';

const ok = v.literal(true);
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const pageCount = v.pipe(v.number(), v.integer(), v.minValue(1));
const pageNumber = pageCount;
const textOrNull = v.optional(v.nullable(v.string()));
const list = <const E extends v.ObjectEntries>(entries: E) => v.array(v.looseObject(entries));

const ACCOUNT = v.looseObject({
  ok,
  credits_remaining: v.number(),
  credits_lifetime_used: v.number(),
  free_tier_resets_at: v.optional(v.nullable(v.pipe(v.string(), v.isoTimestamp()))),
  api_key: v.looseObject({ id: v.string(), label: textOrNull }),
  credits_reserved: ours(count, 'Set aside for work under way'),
});

const PDF_INFO = v.looseObject({
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
  /** The service has no such key. */
  details: ours(v.looseObject({}), 'What a careful person wants to know before sending the file on'),
});

const TEXT_RECORD = v.looseObject({
  ok,
  text: v.string(),
  page_count: pageCount,
  ocr_pages: ours(v.array(pageNumber), 'Pages whose words were recognised in pictures'),
});

/** A field that only this program sends. */
function ours<T>(schema: v.GenericSchema<T>, holds: string) {
  return v.optional(v.pipe(schema, v.description(holds), v.metadata({ extension: true })));
}

const CHUNK = v.looseObject({
  chunk_id: v.string(),
  text: v.string(),
  page_number: pageNumber,
  page_anchor: v.string(),
  heading_path: ours(v.array(v.string()), 'The headings above it, outermost first, its own first heading included'),
  kind: ours(v.picklist(['text', 'table', 'code', 'mixed']), 'What it is made of'),
  index: ours(count, 'Its number on its page, from 1'),
  char_start: ours(count, 'Where it begins in the Markdown, in Unicode code points'),
  char_end: ours(count, 'Where it ends in the Markdown, in Unicode code points'),
  char_count: ours(count, 'The length of its text in Unicode code points'),
});

/** One page of a structured Markdown record; the service shows no fields. */
const MARKDOWN_PAGE = v.looseObject({
  page_number: ours(pageNumber, 'From 1'),
  page_anchor: ours(v.string(), 'The id of the anchor where the page begins in the Markdown'),
  char_start: ours(count, 'Where the page begins in the Markdown, in Unicode code points'),
  char_end: ours(count, 'Where it ends'),
  char_count: ours(count, 'The length of its Markdown in Unicode code points'),
  headings: ours(v.array(v.string()), 'The headings that begin on the page'),
  tables: ours(count, 'How many tables begin on the page'),
  chunk_ids: ours(v.array(v.string()), 'The chunks that begin on the page'),
  ocr: ours(v.boolean(), 'Whether its words were recognised in a picture'),
});

/** What the extraction can do; the service shows no fields. */
const CAPABILITIES = v.looseObject({
  extraction_mode: ours(v.string(), 'Where the text comes from'),
  ocr: ours(v.boolean(), 'Whether words were recognised in pictures'),
  images: ours(v.boolean(), 'Whether images are extracted'),
  headings: ours(v.boolean(), 'Whether headings are told from text'),
  lists: ours(v.boolean(), 'Whether lists are told from text'),
  code_blocks: ours(v.boolean(), 'Whether code is fenced'),
  tables: ours(v.boolean(), 'Whether tables are rebuilt; those with spanning cells as HTML'),
  links: ours(v.boolean(), 'Whether links are written'),
  running_heads_removed: ours(v.boolean(), 'Whether running heads and page numbers are left out'),
  chunker: ours(v.string(), 'The way of cutting chunks; another one gives other ids'),
  chunk_target_chars: ours(count, 'Blocks are packed into a chunk up to this length'),
  chunk_max_chars: ours(count, 'No chunk is longer'),
  offsets: ours(v.string(), 'What lengths and places count'),
});

export const STRUCTURED_MARKDOWN = v.looseObject({
  ok,
  markdown: v.string(),
  page_count: pageCount,
  mode: v.picklist(['developer', 'academic', 'rag']),
  pages: v.array(MARKDOWN_PAGE),
  chunks: v.array(CHUNK),
  capabilities: CAPABILITIES,
  warnings: v.array(v.string()),
});

const PDF_JSON = v.looseObject({
  ok,
  page_count: pageCount,
  metadata: v.record(v.string(), v.unknown()),
  pages: list({
    page_number: pageNumber,
    text: v.string(),
    char_count: count,
    ocr: ours(v.boolean(), 'Whether its words were recognised in a picture'),
  }),
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
const SPEECH_JOB_CREATED = v.looseObject({ job_id: v.string(), status_url: v.string() });

/** Only the status is shown; an unknown word counts as running. */
const JOB_STATUS = v.looseObject({
  status: v.string(),
  result_url: v.optional(v.nullable(v.string())),
  error_code: v.optional(v.nullable(v.string())),
  error_message: v.optional(v.nullable(v.string())),
});

/** SERVICE.md does not specify the bodies of workflow calls: nothing is required of them. */
const WORKFLOW_JOB = v.looseObject({});

/** The status of a workflow job on pdftool serve; never required of another service. */
export const SERVED_WORKFLOW_JOB = v.looseObject({
  jobId: ours(v.string(), 'Name of the job'),
  uploadId: ours(v.string(), 'Name of its upload'),
  workflow: ours(v.string(), 'What it does'),
  status: ours(v.string(), 'awaiting_upload, queued, running, succeeded, failed or expired'),
  upload: ours(
    v.looseObject({ session_uri: v.string(), expires_at: v.string() }),
    'Where the bytes are to be PUT, until when; resumable',
  ),
  inputBytes: ours(count, 'Bytes declared'),
  maxCredits: ours(count, 'Budget set aside'),
  credits_charged: ours(count, 'Credits charged so far'),
  credits_remaining: ours(v.number(), 'Credits left on the account'),
  progress: ours(v.looseObject({}), 'How far the work is'),
  result_url: ours(v.string(), 'Where the output is fetched, without a key, for a while'),
  result: ours(v.looseObject({ bytes: count, sha256: v.string(), media_type: v.string() }), 'The output'),
  error_code: ours(v.nullable(v.string()), 'Why it failed'),
  error_message: ours(v.nullable(v.string()), 'The same in words'),
});

const REGION = v.looseObject({
  page: pageNumber,
  x: v.number(),
  y: v.number(),
  w: v.number(),
  h: v.number(),
  kind: v.string(),
  id: v.string(),
});

const ON_A_PAGE = v.looseObject({ page: pageNumber, what: v.string(), count });
/** A reader that does not find on a page what others find. */
const DIFFERENCE = v.looseObject({ page: pageNumber, reader: v.string(), what: v.string(), count });

/** What an inspection found: never the text, its length or a hash of it. */
const REDACTION_REGIONS = v.looseObject({
  reviewed: v.boolean(),
  sourceSha256: v.string(),
  page_count: pageCount,
  regions: v.array(REGION),
  counts: v.record(v.string(), count),
  /** For each search word, in order: how many regions it has, and where it has none. */
  terms: v.optional(list({ regions: count, elsewhere: list({ where: v.string(), count }) })),
  differences: v.optional(v.array(DIFFERENCE)),
  unread: v.optional(v.array(ON_A_PAGE)),
  pages_without_text: v.array(pageNumber),
  pages_to_picture: v.array(pageNumber),
  /** Pages whose words were recognised in pictures. */
  ocr_pages: v.optional(v.array(pageNumber)),
});

/** What can still be read in a document, and what it holds besides its pages. */
const REDACTION_FINDINGS = v.looseObject({
  ok,
  page_count: pageCount,
  readable: v.boolean(),
  /** True if every page was read and nothing that should be gone can be read. */
  passed: v.boolean(),
  leaks: list({
    page: v.optional(pageNumber),
    what: v.string(),
    count,
    by: v.optional(v.array(v.string())),
    where: v.optional(v.string()),
  }),
  /** Hidden text besides what was to be redacted. */
  hidden: v.optional(v.array(ON_A_PAGE)),
  differences: v.optional(v.array(DIFFERENCE)),
  unread: v.optional(v.array(ON_A_PAGE)),
  notes: list({ what: v.string(), count }),
});

const OPENAPI = v.looseObject({ openapi: v.string() });

const PICTURES = v.looseObject({
  ok,
  pictures: list({ page: pageNumber, number: pageNumber, width: count, height: count }),
  table: v.string(),
});

/** Metadata of a document; dates in ISO 8601. */
const METADATA = v.looseObject({
  ok,
  title: textOrNull,
  author: textOrNull,
  subject: textOrNull,
  keywords: textOrNull,
  creator: textOrNull,
  producer: textOrNull,
  created: textOrNull,
  modified: textOrNull,
  custom: v.optional(v.record(v.string(), v.string())),
  xmp: v.boolean(),
  differ: v.optional(v.record(v.string(), v.nullable(v.string()))),
});

/** Bookmarks in display order; `text`: the same as lines, which `bookmarks set` takes. */
const BOOKMARKS = v.looseObject({
  ok,
  bookmarks: list({ level: pageNumber, title: v.string(), page: v.optional(pageNumber) }),
  text: v.string(),
});

/** Page labels, by the first page of each style; `text`: the same as lines, which `labels set` takes. */
const LABELS = v.looseObject({
  ok,
  labels: list({ page: pageNumber, style: textOrNull, prefix: textOrNull, start: pageNumber }),
  text: v.string(),
});

const ATTACHMENTS = v.looseObject({
  ok,
  attachments: list({ name: v.string(), bytes: v.optional(count) }),
  table: v.string(),
});

const FORM_FIELDS = v.looseObject({
  ok,
  fields: list({
    name: v.string(),
    type: v.picklist(['text', 'check', 'radio', 'choice', 'button', 'signature']),
    value: v.union([v.string(), v.boolean(), v.array(v.string())]),
  }),
  values: v.record(v.string(), v.unknown()),
  table: v.string(),
});

const COMPARISON = v.looseObject({
  ok,
  same: v.boolean(),
  pages: v.array(pageCount),
  differences: list({
    page: pageNumber,
    what: v.string(),
    pixels: v.optional(count),
    share: v.optional(v.number()),
    removed: v.array(v.string()),
    added: v.array(v.string()),
  }),
  summary: v.string(),
});

/** Whether all signatures of a document are valid, and what each of them is worth. */
const SIGNATURES = v.looseObject({
  ok,
  valid: v.boolean(),
  signatures: list({
    field: v.string(),
    kind: v.picklist(['signature', 'timestamp']),
    verdict: v.picklist(['valid', 'untrusted', 'changed', 'broken']),
    reasons: v.array(v.string()),
    signer: v.optional(v.string()),
    signing_time: v.optional(v.string()),
    revision: v.optional(count),
    covers_whole_file: v.optional(v.boolean()),
  }),
  summary: v.string(),
});

/** What keeps a document from being PDF/A or PDF/UA. `conforms`: null where a part was checked and no fault found. */
const CONFORMANCE = v.looseObject({
  ok,
  conforms: v.nullable(v.boolean()),
  checked: list({
    standard: v.string(),
    judge: v.string(),
    conforms: v.nullable(v.boolean()),
    rules_looked_at: count,
    rules: count,
    findings: list({ rule: v.string(), what: v.string(), page: v.optional(count), object: v.optional(count) }),
  }),
  lines: v.string(),
});

/** Tables in reading order. Boxes: left, top, right, bottom, in points from the upper left corner of the page. */
const TABLES = v.looseObject({
  ok,
  page_count: pageCount,
  tables: list({
    page: pageNumber,
    number: pageNumber,
    box: v.array(v.number()),
    rows: pageCount,
    columns: pageCount,
    cells: list({
      row: pageNumber,
      column: pageNumber,
      rowspan: pageNumber,
      colspan: pageNumber,
      text: v.string(),
      value: v.optional(v.number()),
      box: v.optional(v.array(v.number())),
    }),
  }),
  warnings: v.array(v.string()),
});

/** An invoice in XML that a PDF holds. `level` is what the XML says, `declared` what the metadata says. */
const INVOICE = v.looseObject({
  ok,
  file: v.string(),
  bytes: count,
  root: v.string(),
  profile: v.optional(v.string()),
  level: v.optional(v.string()),
  declared: v.optional(v.string()),
  text: v.string(),
});

export const RECORDS = {
  account: ACCOUNT,
  'pdf-info': PDF_INFO,
  text: TEXT_RECORD,
  'structured-markdown': STRUCTURED_MARKDOWN,
  'pdf-json': PDF_JSON,
  tables: TABLES,
  error: ERROR,
  'speech-job-created': SPEECH_JOB_CREATED,
  'job-status': JOB_STATUS,
  'workflow-job': WORKFLOW_JOB,
  'redaction-regions': REDACTION_REGIONS,
  'redaction-findings': REDACTION_FINDINGS,
  pictures: PICTURES,
  comparison: COMPARISON,
  signatures: SIGNATURES,
  conformance: CONFORMANCE,
  invoice: INVOICE,
  'form-fields': FORM_FIELDS,
  openapi: OPENAPI,
  metadata: METADATA,
  bookmarks: BOOKMARKS,
  labels: LABELS,
  attachments: ATTACHMENTS,
} as const;
