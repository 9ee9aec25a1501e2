// Fields and records as JSON Schema, draft 2020-12, which is the dialect of OpenAPI 3.1.
import { toJsonSchema } from '@valibot/to-json-schema';
import { isRecord, present } from '../contract/base/present.ts';
import type { Field } from '../contract/field.ts';
import { RECORDS, SERVED_WORKFLOW_JOB } from '../contract/records.ts';

export type Schema = Record<string, unknown>;

/** Marks what this program adds to the service's own description. */
export const EXTENSION = { 'x-pdftool-extension': true } as const;

/** Keys that the service always sends and the local engine leaves out. */
const ALWAYS_SENT: Readonly<Record<string, readonly string[]>> = { 'pdf-info': ['credits_remaining'] };

/** The schema of a record of SERVICE.md; our own fields are marked. */
export function recordSchema(name: keyof typeof RECORDS): Schema {
  const { $schema: _, ...schema } = toJsonSchema(name === 'workflow-job' ? SERVED_WORKFLOW_JOB : RECORDS[name], {
    errorMode: 'throw',
    overrideAction({ valibotAction, jsonSchema }) {
      const metadata: unknown = Reflect.get(valibotAction, 'metadata');
      if (!isRecord(metadata) || metadata.extension !== true) return undefined;
      // The converter copies keys of metadata into the schema; one without x- would be no word of JSON Schema.
      const schema: Schema = { ...jsonSchema, ...EXTENSION };
      delete schema.extension;
      return schema;
    },
  }) as Schema; // a schema is a plain object
  const required = [...((schema.required as string[] | undefined) ?? []), ...(ALWAYS_SENT[name] ?? [])];
  return required.length === 0 ? schema : { ...schema, required };
}

/** The schema of what a tool takes that stands for no row. */
export function argumentsSchema(taken: Parameters<typeof toJsonSchema>[0]): Schema {
  const { $schema: _, ...schema } = toJsonSchema(taken, { typeMode: 'input' }) as Schema; // a schema is a plain object
  return schema;
}

export function fieldSchema(field: Field): Schema {
  const { summary, extension } = field;
  const value = 'default' in field && field.default !== undefined ? { default: field.default } : {};
  return { ...typeOf(field), description: summary, ...value, ...(extension === true ? EXTENSION : {}) };
}

function typeOf(field: Field): Schema {
  switch (field.kind) {
    case 'file':
      return BINARY;
    case 'files':
      return present({ type: 'array', items: BINARY, minItems: field.min, maxItems: field.max });
    case 'choice':
      return { type: typeof field.values[0] === 'number' ? 'integer' : 'string', enum: field.values };
    case 'integer':
    case 'size':
    case 'number': {
      const { min, max } = { max: undefined, ...field };
      return present({ type: field.kind === 'number' ? 'number' : 'integer', minimum: min, maximum: max });
    }
    case 'flag':
      return { type: 'boolean' };
    case 'text':
      return present({ type: 'string', minLength: 1, maxLength: field.maxLength, examples: field.seen });
    case 'secret':
      return { type: 'string', format: 'password', writeOnly: true, minLength: 1, maxLength: 1024 };
    case 'pages':
      return { type: 'string', pattern: '^[1-9][0-9]*( *, *[1-9][0-9]*)*$', examples: ['3,7'] };
    case 'ranges':
      return {
        type: 'array',
        minItems: 1,
        items: { type: 'array', minItems: 2, maxItems: 2, items: { type: 'integer', minimum: 1 } },
        examples: [
          [
            [1, 3],
            [7, 9],
          ],
        ],
      };
    case 'object':
      return { type: 'object', additionalProperties: true };
  }
}

/** `format` is a keyword of OpenAPI 3.0, which generators of clients still read. */
const BINARY: Schema = { type: 'string', format: 'binary', contentMediaType: 'application/octet-stream' };
