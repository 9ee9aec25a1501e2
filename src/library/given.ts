/** Reads the arguments of a call by the fields of its row. Nothing is opened yet. */
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { Failure } from '../contract/base/failure.ts';
import type { Progress, Values } from '../contract/base/ports.ts';
import type { Field } from '../contract/field.ts';
import { choiceIssues, parseSize } from '../contract/field-text.ts';
import { formatByName } from '../contract/format-by-name.ts';
import { EXTENSIONS } from '../contract/media.ts';
import { nearest } from '../contract/nearest.ts';
import { type AnyOperation, positionalOf } from '../contract/operation.ts';
import { type PagesGiven, type ReadValue, takesPages } from '../contract/page-fields.ts';
import { parsePageField } from '../contract/page-range.ts';
import { camelCase } from '../contract/spelling.ts';
import type { ByteStream } from '../runtime/files/inputs/spool.ts';
import { issueText } from '../wire/form-value.ts';

type Password = string | ((name: string, attempt: number) => string | undefined | Promise<string | undefined>);

/** Options of every function. */
const COMMON = v.object({
  output: v.optional(
    v.union([v.pipe(v.string(), v.nonEmpty()), v.instance(URL)], 'expected the path of a file or folder'),
  ),
  force: v.optional(v.boolean()),
  as: v.optional(v.picklist(['bytes', 'stream'])),
  engine: v.optional(v.picklist(['local', 'remote'])),
  apiKey: v.optional(v.string()),
  baseUrl: v.optional(v.string()),
  maxCredits: v.optional(v.pipe(v.number(), v.minValue(0))),
  timeout: v.optional(v.pipe(v.number(), v.minValue(1))),
  signal: v.optional(v.instance(AbortSignal)),
  onProgress: v.optional(
    v.custom<(step: Progress) => void>((value) => typeof value === 'function', 'expected a function'),
  ),
  password: v.optional(
    v.custom<Password>((value) => ['string', 'function'].includes(typeof value), 'expected text or a function'),
  ),
  salvage: v.optional(v.boolean()),
});

export interface GivenCall extends Omit<v.InferOutput<typeof COMMON>, 'output'> {
  readonly output: string | undefined;
  readonly values: Values;
  readonly pages: Readonly<Record<string, PagesGiven>>;
  /** Files by field; names in `bodies` stand for bytes and streams, all others are paths. */
  readonly files: Readonly<Record<string, readonly string[]>>;
  readonly bodies: ReadonlyMap<string, ByteStream>;
}

/** Reads `(input, options)`, or `(options)` for rows without input. Throws one usage Failure that lists all faults. */
export function readCall(op: AnyOperation, args: readonly unknown[]): GivenCall {
  const [first] = positionalOf(op) ?? [];
  const [input, options = {}] = first === undefined ? [undefined, ...args] : args;
  if (typeof options !== 'object' || options === null) throw new Failure('usage', 'expected an object with options');
  const issues: string[] = [];
  const values: Record<string, unknown> = {};
  const pages: Record<string, PagesGiven> = {};
  const files: Record<string, readonly string[]> = {};
  const bodies = new Map<string, ByteStream>();
  const given: Record<string, unknown> = { ...options };
  const common: Record<string, unknown> = {};
  for (const name of Object.keys(COMMON.entries)) {
    // `password` is an option of every function, and of some rows a field as well.
    common[name] = given[name];
    if (!Object.keys(op.input).some((field) => camelCase(field) === name)) delete given[name];
  }
  if (first !== undefined) given[camelCase(first)] = input;
  for (const [name, field] of Object.entries(op.input)) {
    const property = camelCase(name);
    const value = given[property] ?? (field.spelling === undefined ? undefined : given[field.spelling]);
    for (const known of [property, field.spelling ?? property]) delete given[known];
    if (value === undefined || (field.kind === 'secret' && field.ofFile === true)) {
      if (field.required && !(field.kind === 'secret' && common.password !== undefined)) {
        issues.push(`${property} is missing: ${field.summary}`);
      }
      continue;
    }
    const read = readField(field, property, value, bodies);
    if ('issue' in read) issues.push(`${property}: ${read.issue}`);
    else if ('names' in read) files[name] = read.names;
    else if ('range' in read) pages[name] = { flag: property, range: read.range };
    else values[name] = read.value;
  }
  const isGiven = (name: string) => [values, pages, files].some((read) => read[name] !== undefined);
  issues.push(...unknownIssues(op, Object.keys(given)), ...choiceIssues(op, isGiven, camelCase));
  for (const name of ['apiKey', 'baseUrl']) {
    if (common.engine === 'remote' && !common[name]) issues.push(`${name} is missing, which engine: 'remote' needs`);
  }
  const checked = v.safeParse(COMMON, common);
  if (!checked.success) issues.push(issueText(checked.issues));
  if (issues.length > 0 || !checked.success) throw new Failure('usage', issues.join('\n'));
  const output = checked.output.output === undefined ? undefined : pathOf(checked.output.output);
  const byName = formatByName(op, values, output);
  if ('issue' in byName) throw new Failure('usage', byName.issue);
  return { ...checked.output, output, values: { ...values, ...byName.values }, pages, files, bodies };
}

function unknownIssues(op: AnyOperation, names: readonly string[]): string[] {
  const known = [...Object.keys(op.input).map(camelCase), ...Object.keys(COMMON.entries)];
  return names.map((name) => {
    const meant = nearest(name, known);
    return `there is no option ${name}${meant === undefined ? '' : `; did you mean ${meant}?`}`;
  });
}

function readField(field: Field, property: string, value: unknown, bodies: Map<string, ByteStream>): ReadValue {
  if (takesPages(field)) {
    const text = Array.isArray(value)
      ? value.map((part) => (Array.isArray(part) ? part.join('-') : part)).join(',')
      : value;
    if (typeof text === 'string' || typeof text === 'number') return parsePageField(String(text));
    return { issue: 'expected pages as text or numbers, such as "1-3,7" or [1, 2, 3, 7]' };
  }
  if (field.kind === 'file' || field.kind === 'files') {
    const inputs = field.kind === 'file' ? [value] : Array.isArray(value) ? value : undefined;
    if (inputs === undefined) return { issue: 'expected a list of files' };
    if (field.kind === 'files' && inputs.length < field.min) {
      return { issue: `expected at least ${field.min} files, found ${inputs.length}` };
    }
    const [type = ''] = field.types;
    const names = inputs.map((body, at) =>
      nameInput(body, `${property}-${at + 1}.${EXTENSIONS[type]?.[0] ?? 'bin'}`, bodies),
    );
    const wrong = names.indexOf(undefined);
    if (wrong === -1) return { names: names.filter((name) => name !== undefined) };
    return { issue: 'expected a path, bytes, a Blob, a stream, or { name, data } with one of them' };
  }
  if (field.kind === 'size' && typeof value === 'string') return parseSize(value);
  const given = field.kind === 'text' && field.grammar === 'ranges' && Array.isArray(value) ? value.join(';') : value;
  const checked = v.safeParse(field.schema(), given);
  return checked.success ? { value: checked.output } : { issue: issueText(checked.issues) || 'cannot be used' };
}

/** The name of an input; bytes and streams are entered into `bodies`. Undefined where it is no input. */
function nameInput(input: unknown, usual: string, bodies: Map<string, ByteStream>): string | undefined {
  if (typeof input === 'string' && input !== '') return pathOf(input);
  if (input instanceof URL) return input.protocol === 'file:' ? pathOf(input) : undefined;
  const named = isNamed(input)
    ? input
    : { data: input, name: input instanceof Blob ? Reflect.get(input, 'name') : usual };
  const body = bodyOf(named.data);
  if (body === undefined) return undefined;
  const name = typeof named.name === 'string' && named.name !== '' ? named.name : usual;
  const free = bodies.has(name) ? `${name} (${bodies.size + 1})` : name;
  bodies.set(free, body);
  return free;
}

/** A path; `-` is a file of that name, not standard input. */
function pathOf(path: string | URL): string {
  if (path instanceof URL) return fileURLToPath(path);
  return path === '-' ? './-' : path;
}

function isNamed(input: unknown): input is { readonly name?: unknown; readonly data: unknown } {
  return typeof input === 'object' && input !== null && 'data' in input && !ArrayBuffer.isView(input);
}

function bodyOf(data: unknown): ByteStream | undefined {
  if (data instanceof ArrayBuffer) return once(new Uint8Array(data));
  if (ArrayBuffer.isView(data)) return once(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
  if (data instanceof Blob) return streamed(data.stream());
  const isStream = typeof data === 'object' && data !== null && Symbol.asyncIterator in data;
  return isStream ? streamed(data as AsyncIterable<unknown>) : undefined; // just checked
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** `destroy` stops reading a stream that is silent. */
function streamed(source: AsyncIterable<unknown>): ByteStream {
  let destroy = () => {};
  const destroyed = new Promise<never>((_, reject) => {
    destroy = () => reject(new Error('the stream was left'));
  });
  // Rejected also when nobody waits for it.
  destroyed.catch(() => {});
  return {
    destroy: () => destroy(),
    async *[Symbol.asyncIterator]() {
      const chunks = source[Symbol.asyncIterator]();
      try {
        for (;;) {
          const { done, value } = await Promise.race([chunks.next(), destroyed]);
          if (done === true) return;
          if (!ArrayBuffer.isView(value)) throw new Failure('usage', 'a stream gave text or objects, expected bytes');
          yield new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
        }
      } finally {
        // A silent stream may never answer.
        Promise.resolve(chunks.return?.()).catch(() => {});
      }
    },
  };
}
