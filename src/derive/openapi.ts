import { FAILURES } from '../contract/failure.ts';
import type { Fields } from '../contract/field.ts';
import { NDJSON, TEXT } from '../contract/media.ts';
import { type AnyOperation, isOffered, type Output, type ServiceOperation } from '../contract/operation.ts';
import { RECORDS } from '../contract/records.ts';
import { EXTENSION, fieldSchema, recordSchema, type Schema } from './json-schema.ts';
import { OWN_PATHS } from './openapi-own.ts';

/** The document version that SERVICE.md declares. */
const VERSION = '1.0.0';

/** The description of a service that has these rows; those that run on one machine alone are left out. */
export function describeApi(all: readonly AnyOperation[]): Record<string, unknown> {
  const rows = all.filter(isOffered);
  const paths: Record<string, Record<string, unknown>> = {};
  for (const op of rows) {
    for (const [index, path] of [op.path, ...op.pathAliases].entries()) {
      const key = path.replace(/:(\w+)/g, '{$1}');
      const alias = index > 0;
      paths[key] = { ...paths[key], [op.method.toLowerCase()]: operationObject(op, path, alias ? index : 0) };
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Document Processing Service',
      version: VERSION,
      summary: 'PDF tools over HTTP, metered in credits',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    security: [{ bearer: [] }, { apiKey: [] }],
    tags: [...new Set(rows.map(({ group }) => group))].map((name) => ({ name })),
    paths: { ...merged(paths), ...OWN_PATHS },
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'Authorization: Bearer <API_KEY>' },
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
      },
      schemas: Object.fromEntries(
        Object.keys(RECORDS).map((name) => [name, recordSchema(name as keyof typeof RECORDS)]), // its own keys
      ),
      responses: { error: ERROR_RESPONSE },
    },
  };
}

const ERROR_RESPONSE = {
  description: 'It failed; nothing was charged',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/error' } } },
};

/** A template may have one name only: GET and POST of the same path can call their parameter by two. */
function merged(paths: Readonly<Record<string, Record<string, unknown>>>): Record<string, Record<string, unknown>> {
  const shapes = new Map<string, string>();
  const result: Record<string, Record<string, unknown>> = {};
  for (const [path, methods] of Object.entries(paths)) {
    const shape = path.replace(/\{\w+\}/g, '{}');
    const known = shapes.get(shape);
    if (known === undefined) {
      shapes.set(shape, path);
      result[path] = methods;
    } else {
      const [from = '', to = ''] = [path, known].map((each) => /\{(\w+)\}/.exec(each)?.[1]);
      const renamed: unknown = JSON.parse(
        JSON.stringify(methods).replaceAll(`"name":"${from}","in":"path"`, `"name":"${to}","in":"path"`),
      );
      result[known] = { ...result[known], ...(renamed as Record<string, unknown>) };
    }
  }
  return result;
}

function operationObject(op: ServiceOperation, path: string, alias: number): Schema {
  const parameters = [...pathParameters(path), ...headerParameters(op)];
  const body = bodyObject(op);
  return {
    operationId: alias === 0 ? op.name : `${op.name}-${alias + 1}`,
    summary: op.summary,
    tags: [op.group],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: body }),
    responses: responsesOf(op),
    'x-cost': op.cost,
    ...(op.limits === undefined ? {} : { 'x-limits': op.limits }),
    ...(op.disabled === undefined ? {} : { 'x-disabled': op.disabled }),
    ...(op.described && alias === 0 ? {} : EXTENSION),
  };
}

function pathParameters(path: string): Schema[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
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
  const content = Object.fromEntries(outputs.map((output) => [output.mediaType, { schema: outputSchema(output) }]));
  const statuses = [...new Set(op.failures.map((code) => FAILURES[code].status))].sort((a, b) => a - b);
  const headers = { ...CREDIT_HEADERS, ...(outputs.some(isMeasured) ? MEASUREMENT_HEADERS : {}) };
  return {
    [op.success]: { description: op.success === 202 ? 'Accepted as a job' : 'Done', headers, content },
    ...Object.fromEntries(statuses.map((status) => [status, { $ref: '#/components/responses/error' }])),
    default: { $ref: '#/components/responses/error' },
  };
}

function isMeasured(output: Output): boolean {
  return output.kind === 'bytes' && output.measured === true;
}

function outputSchema(output: Output): Schema {
  if ('record' in output) return { $ref: `#/components/schemas/${output.record}` };
  const isText = output.mediaType.startsWith('text/') || output.mediaType === NDJSON || output.mediaType === TEXT;
  return isText ? { type: 'string' } : { type: 'string', contentMediaType: output.mediaType };
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
