/** Computes a tool's title, description, annotations and answer schema from its row. */

import type { AnyOperation, Cost, Limits } from '../contract/operation.ts';
import type { RECORDS } from '../contract/records.ts';
import { EXTENSION, recordSchema, type Schema } from '../derive/json-schema.ts';
import { isPriced } from './arguments.ts';
import type { Shape, ToolAnnotations } from './tool.ts';

const WORDS: Readonly<Record<string, string>> = {
  pdf: 'PDF',
  pdfs: 'PDFs',
  json: 'JSON',
  ocr: 'OCR',
  id: 'ID',
  openapi: 'OpenAPI',
  '100kb': '100 KB',
  '200kb': '200 KB',
  '500kb': '500 KB',
  '1mb': '1 MB',
};

/** `compress_pdf_to_100kb` -> `Compress PDF to 100 KB` */
export function titleOf(name: string): string {
  const words = name.split('_').map((word) => WORDS[word] ?? word);
  const title = words.join(' ');
  return title.charAt(0).toUpperCase() + title.slice(1);
}

/** What the tool does, when to use it, and its price; first of all why it cannot be used here. */
export function descriptionOf({ op, tool, engine }: Shape, refusal: string | undefined): string {
  const sentences = [
    refusal === undefined ? undefined : `Not available here: ${sentence(refusal)}`,
    sentence(op.description ?? op.summary),
    tool.when,
    engine === 'local'
      ? 'It works on this machine, sends nothing and costs nothing.'
      : 'It sends the input to the service.',
    engine === 'local' ? undefined : costOf(op.cost),
    engine === 'local' ? undefined : limitsOf(op.limits),
  ];
  return sentences.filter((text) => text !== undefined && text !== '').join(' ');
}

/** A price in words. */
export function costOf(cost: Cost | undefined): string {
  if (cost === undefined) return 'It costs nothing.';
  if ('reserves' in cost) return 'Its credits are set aside when the job is queued; what is not used is returned.';
  if ('credits' in cost) {
    if (cost.credits === 0) return 'It costs nothing.';
    return `It costs ${cost.credits === 1 ? '1 credit' : `${cost.credits} credits`}, charged when it succeeds.`;
  }
  const others = Object.entries(cost.creditsPerMinuteBy ?? {}).map(([format, credits]) => `${credits} as ${format}`);
  const more = others.length === 0 ? '' : `, ${others.join(', ')}`;
  return `It costs ${cost.creditsPerMinute} credits for each minute of sound${more}.`;
}

const LIMIT_WORDS: Readonly<Record<string, string>> = {
  inputBytes: 'bytes of input',
  outputBytes: 'bytes of output',
  pages: 'pages',
  segments: 'segments',
  characters: 'characters',
  minutes: 'minutes',
  activeJobs: 'job at a time',
};

function limitsOf(limits: Limits | undefined): string {
  const bounds = Object.entries(limits ?? {}).flatMap(([name, value]) =>
    typeof value === 'number' ? [`${value} ${LIMIT_WORDS[name] ?? name}`] : [],
  );
  return bounds.length === 0 ? '' : `The service takes at most ${bounds.join(', ')}.`;
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

export function toolAnnotations({ op, engine, overwrite }: Shape): ToolAnnotations {
  const onlyReads = Object.values(op.outputs).every(({ kind }) => kind === 'record') && op.replay !== 'keyed';
  const isCharged = engine === 'remote' && isPriced(op);
  return {
    readOnlyHint: onlyReads && !isCharged,
    destructiveHint: !onlyReads && overwrite,
    idempotentHint: onlyReads && !isCharged,
    openWorldHint: engine === 'remote',
  };
}

const FILE: Schema = {
  path: { type: 'string', description: 'Where the output is' },
  media_type: { type: 'string' },
  bytes: { type: 'integer', minimum: 0 },
  sha256: { type: 'string', pattern: '^[0-9a-f]{64}$' },
  pages: { type: 'integer', minimum: 0 },
};

/** Keys that every answer may have; `ok` is false when the call failed, and `error` says why. */
const ALWAYS: Schema = {
  ok: { type: 'boolean' },
  operation: { type: 'string' },
  engine: { enum: ['local', 'remote'] },
  credits: {
    type: 'object',
    properties: { used: { type: 'number' }, remaining: { type: 'number' } },
    description: 'What the call cost, and what is left on the account',
  },
  warnings: { type: 'array', items: { type: 'string' } },
  notes: { type: 'array', items: { type: 'string' }, description: 'What became of calls that were cancelled' },
  error: {
    type: 'object',
    properties: {
      code: { type: 'string' },
      message: { type: 'string' },
      hint: { type: 'string', description: 'The next step' },
      charged: {
        enum: ['no', 'yes', 'unknown'],
        description: 'Whether the call was charged; unknown: do not repeat it',
      },
    },
    required: ['code', 'message', 'charged'],
  },
};

const FILES: Schema = {
  files: { type: 'array', items: { type: 'object', properties: FILE }, description: 'The files of a folder, in order' },
};

const MEASUREMENT: Schema = {
  measurement: {
    type: 'object',
    properties: {
      original_bytes: { type: 'integer' },
      output_bytes: { type: 'integer' },
      target_bytes: { type: 'integer' },
      target_reached: { type: 'boolean', description: 'Whether the output is at or below target_bytes' },
      mode: { type: 'string' },
    },
  },
};

const JOB: Schema = {
  job_id: { type: 'string', description: 'For job_status and download_audio' },
  status: { type: 'string' },
  credits_estimated: { type: 'number' },
};

/** The schema of an answer. Only `ok` is required: results of several kinds, and failures, share it. */
export function answerSchema(properties: Schema): Schema {
  return { type: 'object', properties: { ...ALWAYS, ...properties, ok: ALWAYS.ok }, required: ['ok'] };
}

export const FILE_ANSWER: Schema = FILE;

export function outputSchema(op: AnyOperation): Schema {
  const outputs = Object.values(op.outputs);
  // A record's keys come last: its `pages` may be a list.
  const properties: Schema = { ...FILE };
  for (const output of outputs) {
    if (output.kind === 'record') properties.preview = PREVIEW;
    if (output.kind === 'parts') Object.assign(properties, FILES);
    if (output.kind === 'bytes' && output.measured === true) Object.assign(properties, MEASUREMENT);
    if (output.kind === 'job') Object.assign(properties, JOB);
  }
  for (const output of outputs) if ('record' in output) Object.assign(properties, recordProperties(output.record));
  return answerSchema(properties);
}

const PREVIEW: Schema = {
  type: 'string',
  description: 'How the text begins, where the whole of it is too long for an answer and is in the file at path',
};

function recordProperties(name: string): Schema {
  // A row names a schema of records.ts.
  const { properties = {} } = recordSchema(name as keyof typeof RECORDS);
  // The marks of our extensions are for the HTTP description.
  return JSON.parse(JSON.stringify(properties, (key, inner) => (Object.hasOwn(EXTENSION, key) ? undefined : inner)));
}
