/**
 * The types of the library: a function and its options for each row, in TypeScript. What every function has in common is in
 * PREAMBLE; a call is overloaded by where its output goes and by the field that chooses among outputs.
 */
import { FAILURES } from '../../src/contract/failure.ts';
import type { Field } from '../../src/contract/field.ts';
import { type AnyOperation, type Output, positionalOf, wordsOf } from '../../src/contract/operation.ts';
import { takesPages } from '../../src/contract/page-fields.ts';
import type { RECORDS } from '../../src/contract/records.ts';
import { camelCase } from '../../src/contract/spelling.ts';
import { recordSchema, type Schema } from '../../src/derive/json-schema.ts';

export function libraryTypes(ops: readonly AnyOperation[]): string {
  const records = new Set(ops.flatMap(({ outputs }) => Object.values(outputs).flatMap(recordOf)));
  return [PREAMBLE, ...[...records].map(recordText), ...ops.map(functionText)].join('\n');
}

const PREAMBLE = `// Made by npm run derive from the table of operations.

/** A file that goes in: its path, its bytes or a stream of them. A name is for messages, and for names of outputs. */
export type Input = Data | { readonly name?: string; readonly data: Data };
type Data = string | URL | ArrayBuffer | ArrayBufferView | Blob | AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>;

/** Pages as on the command line, such as "1-3,7-", or as numbers and pairs of first and last page. */
export type Pages = string | number | readonly (number | readonly [first: number, last: number])[];

/** Options of every function. */
export interface Options {
  /** Where it runs; left out, on this machine. */
  readonly engine?: 'local' | 'remote';
  /** Key of the service. */
  readonly apiKey?: string;
  /** Address of the service. */
  readonly baseUrl?: string;
  /** Refuse a call that would cost more credits. */
  readonly maxCredits?: number;
  /** Milliseconds after which a call of the service is given up. */
  readonly timeout?: number;
  /** Ends the call, which leaves nothing behind. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (step: Progress) => void;
  /** Password of the PDFs that need one. */
  readonly password?: string | ((name: string, attempt: number) => string | undefined | Promise<string | undefined>);
  /** Of a damaged PDF that readers disagree on take what is likeliest. */
  readonly salvage?: boolean;
}

export interface Progress {
  readonly phase: string;
  readonly done: number;
  readonly total?: number;
  readonly unit: 'files' | 'pages' | 'bytes' | 'credits' | 'parts' | 'rounds' | 'sentences';
  readonly note?: string;
}

/** The output is written to this path: whole, or not at all. */
export interface ToPath {
  readonly output: string | URL;
  /** Replace what is there. */
  readonly force?: boolean;
  readonly as?: undefined;
}
/** The output is a stream. */
export interface ToStream {
  readonly as: 'stream';
  readonly output?: undefined;
}
/** The output is in memory. */
export interface ToMemory {
  readonly as?: 'bytes';
  readonly output?: undefined;
}

interface Facts {
  readonly warnings: readonly string[];
  readonly credits?: { readonly used?: number; readonly remaining?: number };
  readonly pages?: number;
  readonly measurement?: {
    readonly original_bytes: number;
    readonly output_bytes: number;
    readonly target_bytes?: number;
    readonly target_reached?: boolean;
    readonly mode: string;
  };
  readonly details?: Readonly<Record<string, unknown>>;
}
interface Made extends Facts {
  /** As the command line would call it. */
  readonly name: string;
  readonly mediaType: string;
}
export interface OutputFile extends Made {
  readonly size: number;
  readonly bytes: Uint8Array;
  /** Files that belong beside it, such as subtitles. */
  readonly beside?: readonly { readonly extension: string; readonly bytes: Uint8Array }[];
}
export interface OutputStream extends Made {
  readonly size?: number;
  /** To be read to its end, or cancelled. */
  readonly stream: ReadableStream<Uint8Array>;
}
export interface OutputPart {
  readonly name: string;
  readonly mediaType: string;
  readonly pages?: number;
  readonly size: number;
  readonly bytes: Uint8Array;
}
export interface WrittenFile {
  readonly path: string;
  readonly size: number;
  readonly pages?: number;
  /** The files of a folder. */
  readonly files?: readonly WrittenFile[];
  readonly beside?: readonly WrittenFile[];
}
export interface Written extends WrittenFile, Facts {
  readonly pages?: number;
}

/** All that functions throw. */
export class PdftoolError extends Error {
  private constructor();
  readonly code: ${Object.keys(FAILURES)
    .map((code) => `'${code}'`)
    .join(' | ')};
  /** The next step, as a sentence. */
  readonly hint: string | undefined;
  /** unknown: the answer of a paid call was lost; do not repeat it unseen. */
  readonly charged: 'no' | 'yes' | 'unknown';
  /** What the command line would have ended with. */
  readonly exitCode: number;
  /** What kind of input was refused. */
  readonly kind: string | undefined;
  /** The HTTP status that the service answered with. */
  readonly status: number | undefined;
}
`;

function recordOf(output: Output): (keyof typeof RECORDS)[] {
  // Rows name records of this table; a test holds that.
  return output.kind === 'record' ? [output.record as keyof typeof RECORDS] : [];
}

function recordText(name: keyof typeof RECORDS): string {
  return `export interface ${recordName(name)} ${typeText(recordSchema(name), '')}\n`;
}

function recordName(name: string): string {
  return `${pascalCase(name)}Record`;
}

function pascalCase(name: string): string {
  return camelCase(name).replace(/^./, (letter) => letter.toUpperCase());
}

/** A type for a JSON Schema of records.ts. */
function typeText(schema: Schema, indent: string): string {
  const { type, anyOf, enum: values, const: constant, items, properties, additionalProperties } = schema;
  if (Array.isArray(anyOf)) return [...new Set(anyOf.map((each) => typeText(each, indent)))].join(' | ');
  if (constant !== undefined) return JSON.stringify(constant);
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(' | ');
  if (type === 'array') return `readonly ${bracketed(typeText((items ?? {}) as Schema, indent))}[]`;
  if (type === 'integer') return 'number';
  if (type !== 'object') return typeof type === 'string' ? type : 'unknown';
  const required = (schema.required ?? []) as readonly string[];
  const entries = Object.entries((properties ?? {}) as Readonly<Record<string, Schema>>);
  if (entries.length === 0) {
    const value =
      typeof additionalProperties === 'object' ? typeText(additionalProperties as Schema, indent) : 'unknown';
    return `Readonly<Record<string, ${value}>>`;
  }
  const lines = entries.flatMap(([key, value]) => [
    ...commented(value.description, `${indent}  `),
    `${indent}  readonly ${key}${required.includes(key) ? '' : '?'}: ${typeText(value, `${indent}  `)};`,
  ]);
  return `{\n${lines.join('\n')}\n${indent}}`;
}

function bracketed(type: string): string {
  return type.includes(' | ') || type.startsWith('readonly ') ? `(${type})` : type;
}

function commented(text: unknown, indent: string): string[] {
  return typeof text === 'string' ? [`${indent}/** ${text.replaceAll('*/', '*\\/')}. */`] : [];
}

function functionText(op: AnyOperation): string {
  const name = camelCase(op.name);
  const options = `${pascalCase(op.name)}Options`;
  const [first, input] = positionalOf(op) ?? [];
  const rest = Object.entries(op.input).filter(
    ([key, field]) => key !== first && !(field.kind === 'secret' && field.ofFile === true),
  );
  const fields = rest.flatMap(([key, field]) => fieldLines(key, field));
  const must = rest.some(([, field]) => field.required);
  const argument = first === undefined || input === undefined ? '' : `${camelCase(first)}: ${fieldType(input)}, `;
  const overloads = formsOf(op).flatMap(({ when, forms }) =>
    forms.map(([to, result]) => {
      const type = [options, ...(to === '' ? [] : [to]), ...(when === '' ? [] : [when])].join(' & ');
      const isOptional = !must && to !== 'ToPath' && to !== 'ToStream' && !/^\{ \w+:/.test(when);
      return `export function ${name}(${argument}options${isOptional ? '?' : ''}: ${type}): ${result};`;
    }),
  );
  const summary = `${op.description ?? op.summary}: \`pdftool ${wordsOf(op)}\`.`;
  const heading = `export interface ${options} extends Options {`;
  const declared = fields.length === 0 ? [`${heading}}`] : [heading, ...fields, '}'];
  return [...declared, `/** ${summary} */`, ...overloads, ''].join('\n');
}

function fieldLines(name: string, field: Field): string[] {
  const value = 'default' in field && field.default !== undefined ? `; left out: ${JSON.stringify(field.default)}` : '';
  const here = field.extension === true ? '; on this machine only' : '';
  const names = [camelCase(name), ...(field.spelling === undefined ? [] : [field.spelling])];
  const summary = commented(`${field.summary}${value}${here}`, '  ');
  return names.flatMap((each) => [...summary, `  readonly ${each}${field.required ? '' : '?'}: ${fieldType(field)};`]);
}

function fieldType(field: Field): string {
  if (takesPages(field)) return 'Pages';
  switch (field.kind) {
    case 'file':
      return 'Input';
    case 'files':
      return 'readonly Input[]';
    case 'choice':
      return field.values.map((value) => JSON.stringify(value)).join(' | ');
    case 'integer':
    case 'number':
      return 'number';
    case 'size':
      return 'number | string';
    case 'flag':
      return 'boolean';
    case 'object':
      return 'Readonly<Record<string, unknown>>';
    case 'text':
      return field.grammar === 'ranges' ? 'string | readonly string[]' : 'string';
    default:
      return 'string';
  }
}

type Form = readonly [to: '' | 'ToPath' | 'ToStream' | 'ToMemory', result: string];

/** What a call answers with, by the value of the field that chooses among outputs. */
function formsOf({
  outputs,
  outputBy,
  input,
}: AnyOperation): { readonly when: string; readonly forms: readonly Form[] }[] {
  const byForm = new Map<string, string[]>();
  for (const [name, output] of Object.entries(outputs)) {
    const key = JSON.stringify(formsOfOutput(output));
    byForm.set(key, [...(byForm.get(key) ?? []), name]);
  }
  const usual = outputBy === undefined ? undefined : (input[outputBy]?.default ?? Object.keys(outputs)[0]);
  // The usual one last: its field may be left out.
  const groups = [...byForm].sort(
    ([, a], [, b]) => Number(a.includes(String(usual))) - Number(b.includes(String(usual))),
  );
  return groups.map(([key, names]) => {
    const forms = JSON.parse(key) as readonly Form[]; // written above
    if (groups.length === 1 || outputBy === undefined) return { when: '', forms };
    const isFlag = input[outputBy]?.kind === 'flag';
    const values = isFlag ? String(names.includes(outputBy)) : names.map((name) => JSON.stringify(name)).join(' | ');
    return { when: `{ ${camelCase(outputBy)}${names.includes(String(usual)) ? '?' : ''}: ${values} }`, forms };
  });
}

function formsOfOutput(output: Output): readonly Form[] {
  switch (output.kind) {
    case 'record':
      return [
        ['ToPath', 'Promise<Written>'],
        ['ToMemory', `Promise<${recordName(output.record)}>`],
      ];
    case 'parts':
      return [
        ['ToPath', 'Promise<Written>'],
        ['ToMemory', 'AsyncGenerator<OutputPart, void, void>'],
      ];
    default:
      return [
        ['ToPath', 'Promise<Written>'],
        ['ToStream', 'Promise<OutputStream>'],
        ['ToMemory', 'Promise<OutputFile>'],
      ];
  }
}
