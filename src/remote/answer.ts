import { Failure } from '../contract/base/failure.ts';
import type { Context, Draft, RandomAccess, Result, Values } from '../contract/base/ports.ts';
import { present } from '../contract/base/present.ts';
import { EXTENSIONS, PDF } from '../contract/media.ts';
import { type AnyOperation, type Output, outputOf } from '../contract/operation.ts';
import { plain } from '../wire/plain.ts';
import {
  beginsAs,
  creditsOf,
  essence,
  isExpected,
  measurementOf,
  parseRecord,
  recordIssues,
} from '../wire/response.ts';
import { CAPS, lengthOf, readInto, readReply, ShortBody } from './receive.ts';
import { retryAfter } from './replay.ts';
import type { Reply } from './transport.ts';

/** The part of a download that arrived before it was cut off; shared by all tries of a call. */
export interface Partial {
  draft?: Draft;
  /** The strong ETag of the bytes in the draft. */
  etag?: string;
}

/** Request headers that ask for the rest of a download, where a first part and its ETag are known. */
export function resumeHeaders(partial: Partial): Record<string, string> {
  const { draft, etag } = partial;
  if (draft === undefined || etag === undefined || draft.size === 0) return {};
  return { range: `bytes=${draft.size}-`, 'if-range': etag };
}

/**
 * The result of a 2xx answer. Throws ShortBody where the body broke off, Failure where it is not the expected output.
 * Output files are finished drafts of `ctx.temp`.
 */
export async function readAnswer(
  op: AnyOperation,
  input: Values,
  reply: Reply,
  partial: Partial,
  ctx: Context,
): Promise<Result> {
  const { output } = outputOf(op, input);
  const { headers } = reply;
  if (!isExpected(output, headers['content-type']) || !isIdentity(headers['content-encoding'])) {
    reply.discard();
    throw unexpected(op, output, headers['content-type'], headers['content-encoding']);
  }
  if (output.kind === 'record' || output.kind === 'job') return takeRecord(op, output, reply, ctx);
  const body = await takeFile(op, output, reply, partial, ctx);
  const credits = creditsOf(headers);
  const outcome = present({ credits });
  if (output.kind === 'parts') return takeParts(op, output.partTypes, body, outcome, ctx);
  const measurement = output.measured === true ? measurementOf(headers) : undefined;
  const missing = output.measured === true && measurement === undefined;
  return {
    kind: 'bytes',
    mediaType: essence(headers['content-type']),
    body,
    ...present({ measurement, warnings: missing ? ['the service sent no measurement headers'] : undefined, credits }),
  };
}

async function takeRecord(op: AnyOperation, output: Output, reply: Reply, ctx: Context): Promise<Result> {
  const text = await readReply(reply, CAPS.record);
  let record: Record<string, unknown>;
  try {
    record = parseRecord(text);
  } catch (cause) {
    throw new Failure('server', `${op.name}: the answer is no JSON object`, { status: reply.status, cause });
  }
  // The record of a failed job is a valid answer.
  const tellsOfJob = output.kind === 'record' && /^(job-status|workflow-job)$/.test(output.record);
  if (record.ok === false && !tellsOfJob) {
    const message = typeof record.error === 'string' ? plain(record.error) : 'no reason given';
    throw new Failure('server', `${op.name}: HTTP ${reply.status}, but the record says it failed: ${message}`, {
      status: reply.status,
    });
  }
  const issues = output.kind === 'record' ? recordIssues(output, record) : [];
  const textKey = output.kind === 'record' ? output.text : undefined;
  if (textKey !== undefined && typeof record[textKey] !== 'string') {
    throw new Failure('server', `${op.name}: the answer has no ${textKey}`, { status: reply.status });
  }
  const credits = creditsOf(reply.headers, record);
  const asked = retryAfter(reply.headers['retry-after'], ctx.clock.now());
  return {
    kind: output.kind === 'job' ? 'job' : 'record',
    record,
    ...present({ retryAfter: asked, warnings: issues.length === 0 ? undefined : issues, credits }),
  };
}

async function takeFile(
  op: AnyOperation,
  output: Output,
  reply: Reply,
  partial: Partial,
  ctx: Context,
): Promise<RandomAccess> {
  const body = await takeBody(op.name, reply, partial, ctx);
  const start = new Uint8Array(Math.min(8, body.size));
  body.read(start, 0);
  if (!beginsAs(output.mediaType, start)) {
    const message = `${op.name}: the answer is called ${output.mediaType} and does not begin as one`;
    throw new Failure('server', message, { remains: body });
  }
  if (output.mediaType === PDF && !endsAsPdf(body)) {
    throw new ShortBody(`the answer of ${body.size} bytes is cut: a PDF ends with %%EOF`, { body });
  }
  return body;
}

/** `%%EOF` stands within this many bytes of the end of a PDF (ISO 32000-1, Annex H, implementation note 18). */
const PDF_END = 1024;

function endsAsPdf(body: RandomAccess): boolean {
  const end = Buffer.alloc(Math.min(PDF_END, body.size));
  body.read(end, body.size - end.length);
  return end.includes('%%EOF');
}

/** Reads a body into a finished draft and checks its length; a 206 is appended to the draft. */
export async function takeBody(name: string, reply: Reply, partial: Partial, ctx: Context): Promise<RandomAccess> {
  const { headers } = reply;
  if (reply.status !== 206 || partial.draft === undefined || !continues(headers['content-range'], partial.draft.size)) {
    if (reply.status === 206) {
      reply.discard();
      throw new Failure('server', `${name}: the service sent another part of the file than was asked for`);
    }
    partial.draft?.discard();
    partial.draft = ctx.temp.create('answer');
    const { etag } = headers;
    if (etag?.startsWith('"')) partial.etag = etag;
    else delete partial.etag;
  }
  const { draft } = partial;
  await readInto(reply, draft, ctx);
  const announced = headers['x-output-bytes'];
  if (announced !== undefined && /^\d{1,15}$/.test(announced) && Number(announced) !== draft.size) {
    throw new ShortBody(`the answer has ${draft.size} bytes where X-Output-Bytes says ${announced}`);
  }
  if (draft.size === 0) throw new ShortBody('the answer is empty');
  const body = draft.finish();
  delete partial.draft;
  if (lengthOf(headers) === undefined && headers['transfer-encoding'] === undefined) {
    ctx.detail('the answer came without a length: that it is whole could not be checked');
  }
  return body;
}

/** For rows that limit neither pages nor segments. */
const MOST_PARTS = 20_000;

async function takeParts(
  op: AnyOperation,
  types: readonly string[],
  archive: RandomAccess,
  outcome: object,
  ctx: Context,
): Promise<Result> {
  const { unpack, ArchiveError } = await import('../wire/archive.ts');
  const { pages = 0, segments = 0 } = op.limits ?? {};
  const most = Math.max(pages, segments) || MOST_PARTS;
  const kinds = types.map((type) => EXTENSIONS[type]?.[0]?.toUpperCase() ?? type).join(' or ');
  try {
    const { files, skipped } = await unpack(archive, types, ctx.temp, most, ctx.signal);
    if (files.length === 0) throw new ArchiveError(`it holds no ${kinds}`);
    const warnings = skipped.map((name) => `the archive also holds '${name}', which is no ${kinds} and was left out`);
    return { kind: 'parts', parts: files, archive, ...(warnings.length === 0 ? {} : { warnings }), ...outcome };
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    throw new Failure('server', `${op.name}: the archive that came cannot be used: ${error.message}`, { cause: error });
  }
}

function isIdentity(encoding: string | undefined): boolean {
  return encoding === undefined || encoding.trim() === '' || encoding.trim().toLowerCase() === 'identity';
}

/** Whether `bytes 100-199/200` begins where the draft ends. */
function continues(contentRange: string | undefined, size: number): boolean {
  return contentRange !== undefined && new RegExp(`^bytes ${size}-\\d+/(\\d+|\\*)$`).test(contentRange.trim());
}

function unexpected(op: AnyOperation, output: Output, type: string | undefined, encoding: string | undefined): Failure {
  const received =
    (plain(type ?? '') || 'no content type') + (isIdentity(encoding) ? '' : ` encoded as ${plain(encoding ?? '')}`);
  const hint = 'Something between here and the service (a proxy, a login page) may have answered in its place.';
  return new Failure('server', `${op.name}: expected ${output.mediaType}, found ${received}`, { hint });
}
