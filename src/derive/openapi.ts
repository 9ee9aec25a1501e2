import { FAILURES } from '../contract/base/failure.ts';
import { present } from '../contract/base/present.ts';
import type { Fields } from '../contract/field.ts';
import { HTML, NDJSON, TEXT } from '../contract/media.ts';
import { type AnyOperation, isOffered, type Output, pageField, type ServiceOperation } from '../contract/operation.ts';
import { OPERATIONS, SERVICE_OPERATIONS } from '../contract/operations/all.ts';
import { RECORDS } from '../contract/records.ts';
import { EXTENSION, fieldSchema, recordSchema, type Schema } from './json-schema.ts';
import { OWN_PATHS } from './openapi-own.ts';

/** The document version that SERVICE.md declares. */
const VERSION = '1.0.0';

const CHARGES = [
  'A synchronous operation sets its price aside before it works. The charge becomes final when the last byte of the',
  'answer was taken by the connection; when the client leaves before, or the server dies, the credits go back: by',
  'themselves when the server starts again, and at the latest five minutes later. A job sets its budget aside when it is',
  'created, and is charged with the transaction that makes its result available; the result can be fetched again until',
  'it expires. Requests without an Idempotency-Key are never recognised as repeated.',
].join(' ');

/** Describes a service with these rows; those that run on one machine alone are left out. */
export function describeApi(all: readonly AnyOperation[]): Record<string, unknown> {
  const rows = all.filter(isOffered);
  const paths: Record<string, Record<string, unknown>> = {};
  const templates = templatesOf(rows);
  for (const op of rows) {
    for (const [index, path] of [op.path, ...op.pathAliases].entries()) {
      const key = templates.get(shapeOf(path)) ?? path;
      paths[key] = { ...paths[key], [op.method.toLowerCase()]: operationObject(op, path, key, index) };
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Document Processing Service',
      version: VERSION,
      summary: 'PDF tools over HTTP, metered in credits',
      description: CHARGES,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    security: [{ bearer: [] }, { apiKey: [] }],
    // Without a server the document is relative to its own address.
    servers: [{ url: '/' }],
    tags: [...new Set(rows.map(({ group }) => group))].map((name) => ({ name, description: TAGS[name] })),
    paths: { ...paths, ...OWN_PATHS },
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'Authorization: Bearer <API_KEY>' },
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
      },
      schemas: recordSchemas(),
      responses: RESPONSES,
    },
  };
}

function recordSchemas(): Record<string, unknown> {
  const names = Object.keys(RECORDS) as (keyof typeof RECORDS)[]; // its own keys
  return Object.fromEntries(names.filter((name) => !LOCAL_RECORDS.has(name)).map((name) => [name, recordSchema(name)]));
}

const recordsOf = (rows: readonly AnyOperation[]) =>
  rows
    .flatMap(({ outputs }) => Object.values(outputs))
    .flatMap((output) => ('record' in output ? [output.record] : []));
const SERVED = new Set(recordsOf(SERVICE_OPERATIONS));
const LOCAL_RECORDS = new Set(recordsOf(OPERATIONS).filter((name) => !SERVED.has(name)));

const TAGS: Readonly<Record<ServiceOperation['group'], string>> = {
  pages: 'Pages put together, taken apart, turned',
  pictures: 'Pictures of pages, and those in a document',
  edit: 'Documents changed',
  size: 'Files made smaller',
  text: 'Text taken out',
  speech: 'Text read out',
  service: 'The account, jobs and the description',
};

const ERROR_CONTENT = { 'application/json': { schema: { $ref: '#/components/schemas/error' } } };
const COME_BACK = {
  'Retry-After': { description: 'Seconds to wait', schema: { type: 'string', pattern: '^[0-9]+$' } },
};

/** Responses that all operations share; those that SERVICE.md does not declare are marked. */
const RESPONSES = {
  error: { description: 'It failed; nothing was charged', content: ERROR_CONTENT },
  rate_limited: {
    description: 'Too much is under way, of this key or of all; nothing was charged',
    headers: COME_BACK,
    content: ERROR_CONTENT,
    ...EXTENSION,
  },
  unavailable: { description: 'This server has no engine for it', content: ERROR_CONTENT, ...EXTENSION },
  busy: {
    description: 'The server is stopping or has no room now; nothing was charged',
    headers: COME_BACK,
    content: ERROR_CONTENT,
    ...EXTENSION,
  },
};

function shapeOf(path: string): string {
  return path.replace(/:\w+/g, '{}');
}

/** One template for each shape of a path: two that differ only in parameter names would be the same path. */
function templatesOf(rows: readonly ServiceOperation[]): Map<string, string> {
  const templates = new Map<string, string>();
  for (const path of rows.flatMap((op) => [op.path, ...op.pathAliases])) {
    const [shape, named] = [shapeOf(path), path.replace(/:(\w+)/g, '{$1}')];
    const known = templates.get(shape);
    templates.set(shape, known === undefined || known === named ? named : shape.replaceAll('{}', '{id}'));
  }
  return templates;
}

function operationObject(op: ServiceOperation, path: string, template: string, alias: number): Schema {
  const parameters = [...pathParameters(op, path, template), ...headerParameters(op)];
  return present({
    operationId: alias === 0 ? op.name : `${op.name}-${alias + 1}`,
    summary: op.summary,
    tags: [op.group],
    parameters: parameters.length === 0 ? undefined : parameters,
    requestBody: bodyObject(op),
    responses: responsesOf(op),
    'x-cost': op.cost,
    'x-limits': op.limits,
    'x-disabled': op.disabled,
    ...(op.described && alias === 0 ? {} : EXTENSION),
  });
}

/** Path parameters by their names in the template, with the schemas of the row. */
function pathParameters(op: ServiceOperation, path: string, template: string): Schema[] {
  const parameters = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  return [...template.matchAll(/\{(\w+)\}/g)].map(([, name], index) => {
    const description = op.input[parameters[index] ?? '']?.summary;
    return present({ name, in: 'path', required: true, description, schema: { type: 'string' } });
  });
}

function headerParameters(op: ServiceOperation): Schema[] {
  return Object.entries(op.headers ?? {}).map(([name, field]) => ({
    name,
    in: 'header',
    required: field.required,
    schema: fieldSchema(field),
  }));
}

function bodyObject(op: ServiceOperation): Schema | undefined {
  if (op.body === 'none') return undefined;
  const schema = objectSchema(op.input);
  const types = {
    json: ['application/json'],
    multipart: ['multipart/form-data'],
    'json-or-multipart': ['application/json', 'multipart/form-data'],
  }[op.body];
  return { required: true, content: Object.fromEntries(types.map((type) => [type, { schema }])) };
}

function objectSchema(fields: Fields): Schema {
  const entries = Object.entries(fields);
  const required = entries.filter(([, field]) => field.required).map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, field]) => [name, fieldSchema(field)])),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

function responsesOf(op: ServiceOperation): Schema {
  const outputs = Object.values(op.outputs);
  const content = {
    ...Object.fromEntries(outputs.map((output) => [output.mediaType, { schema: outputSchema(output) }])),
    ...(pageField(op) === undefined ? {} : { [HTML]: { schema: { type: 'string' } } }),
  };
  const statuses = [...new Set(op.failures.map((code) => FAILURES[code].status))].sort((a, b) => a - b);
  const headers = {
    ...(tellsCredits(op) ? CREDIT_HEADERS : {}),
    ...(outputs.some((output) => output.kind === 'bytes' && output.measured === true) ? MEASUREMENT_HEADERS : {}),
  };
  const shared = (name: keyof typeof RESPONSES) => ({ $ref: `#/components/responses/${name}` });
  // A row without a body reports on a job that another row made.
  const isMissing = op.body !== 'none' && (op.local !== true || op.disabled !== undefined);
  return {
    [op.success]: {
      description: op.success === 202 ? 'Accepted as a job' : 'Done',
      ...(Object.keys(headers).length === 0 ? {} : { headers }),
      content,
    },
    ...Object.fromEntries(statuses.map((status) => [status, shared('error')])),
    ...(op.path.startsWith('/api/') ? { 429: shared('rate_limited') } : {}),
    ...(isMissing ? { 501: shared('unavailable') } : {}),
    ...(op.body === 'none' ? {} : { 503: shared('busy') }),
    default: shared('error'),
  };
}

/** Headers of answers that are charged at once. */
function tellsCredits({ cost, body, success }: ServiceOperation): boolean {
  return 'credits' in cost && body !== 'none' && success === 200;
}

function outputSchema(output: Output): Schema {
  if ('record' in output) return { $ref: `#/components/schemas/${output.record}` };
  const isText = output.mediaType.startsWith('text/') || output.mediaType === NDJSON || output.mediaType === TEXT;
  return isText ? { type: 'string' } : { type: 'string', format: 'binary', contentMediaType: output.mediaType };
}

const whole = { type: 'string', pattern: '^[0-9]+$' };
const header = (description: string, schema: Schema) => ({ description, schema });

const CREDIT_HEADERS = {
  'X-Credits-Remaining': header('Credits left after the output', whole),
  'X-Credits-Used': header('Credits consumed', whole),
};

const MEASUREMENT_HEADERS = {
  'X-Original-Bytes': header('Total input bytes', whole),
  'X-Output-Bytes': header('Output PDF bytes', whole),
  'X-Target-Bytes': header('Requested target_bytes, present when provided', whole),
  'X-Target-Reached': header('Output is at or below target_bytes', { enum: ['true', 'false'] }),
  'X-Compression-Mode': header('How it was made smaller', { enum: ['best_effort_repack'] }),
};
