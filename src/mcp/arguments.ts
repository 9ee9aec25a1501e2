/** The arguments of a tool that stands for a row: their schema, and how they become the row's input. */
import * as v from 'valibot';
import { Failure } from '../contract/base/failure.ts';
import type { Field } from '../contract/field.ts';
import { choiceIssues } from '../contract/field-text.ts';
import { PDF } from '../contract/media.ts';
import type { AnyOperation } from '../contract/operation.ts';
import { type PagesGiven, type ReadValue, takesPages } from '../contract/page-fields.ts';
import { parsePageField } from '../contract/page-range.ts';
import { fieldSchema, type Schema } from '../derive/json-schema.ts';
import { issueText } from '../wire/form-value.ts';
import { plain } from '../wire/plain.ts';
import type { Shape, ToolArguments } from './tool.ts';

/** The checked arguments of one call. Files are named but not opened, pages not counted. */
export interface ReadArguments {
  readonly values: Readonly<Record<string, unknown>>;
  readonly pages: Readonly<Record<string, PagesGiven>>;
  readonly files: Readonly<Record<string, readonly string[]>>;
  readonly output: string | undefined;
  readonly overwrite: boolean;
  readonly password: string | undefined;
  readonly most: number | undefined;
}

const OUTPUT = 'output';
const OVERWRITE = 'overwrite';
const PASSWORD = 'file_password';
const MOST = 'max_credits';

const OWN: Readonly<Record<string, { schema: Schema; check: v.GenericSchema; when: (shape: Shape) => boolean }>> = {
  [OUTPUT]: {
    schema: {
      type: 'string',
      minLength: 1,
      description: 'Name or path of the output; left out, a free name in the folder for outputs. No file is replaced.',
    },
    check: v.pipe(
      v.string('expected text'),
      v.nonEmpty('expected a name'),
      v.check(
        (path) => nameIssue(path) === undefined,
        ({ input }) => nameIssue(input) ?? '',
      ),
    ),
    when: ({ op }) =>
      Object.values(op.outputs).some(({ kind }) => kind !== 'record') || Object.values(op.input).some(readsPdf),
  },
  [OVERWRITE]: {
    schema: { type: 'boolean', default: false, description: 'Replace the file that output names, if it is there' },
    check: v.boolean('expected true or false'),
    when: (shape) => shape.overwrite && OWN[OUTPUT]?.when(shape) === true,
  },
  [PASSWORD]: {
    schema: {
      type: 'string',
      minLength: 1,
      description: 'Password, where the PDF needs one; used on this machine and sent nowhere',
    },
    check: v.pipe(v.string('expected text'), v.maxLength(1024, 'expected at most 1024 characters')),
    when: ({ op, engine }) => engine === 'local' && Object.values(op.input).some(readsPdf),
  },
  [MOST]: {
    schema: { type: 'integer', minimum: 0, description: 'Refuse the call if it would cost more credits than this' },
    check: v.pipe(v.number('expected a number'), v.integer('expected a whole number'), v.minValue(0)),
    when: ({ op, engine }) => engine === 'remote' && isPriced(op),
  },
};

export function inputSchema(shape: Shape): Schema {
  const { op, tool } = shape;
  const fields = fieldsOf(shape);
  const properties = Object.fromEntries([
    ...fields.map(([name, field]) => [argumentOf(name, field), argumentSchema(field, shape)]),
    ...ownOf(shape).map((name) => [name, OWN[name]?.schema]),
  ]);
  const required = fields
    .filter(([name, field]) => field.required || tool.required?.includes(name) === true)
    .map(([name, field]) => argumentOf(name, field));
  const offered = new Set(fields.map(([name]) => name));
  const exclusive = (op.exclusive ?? [])
    .map((names) => names.filter((name) => offered.has(name)).map((name) => argumentOf(name, op.input[name])))
    .filter((names) => names.length > 1);
  const rules = exclusive.map((names) => `Give ${names.join(' or ')}, not both.`);
  const needed = op.needsOneOf?.map((name) => argumentOf(name, op.input[name]));
  if (needed !== undefined) rules.push(`Give at least one of ${needed.join(', ')}.`);
  return {
    type: 'object',
    properties,
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
    ...(rules.length === 0 ? {} : { description: rules.join(' ') }),
  };
}

/** Throws one usage Failure that names everything that is wrong. */
export function readArguments(shape: Shape, given: ToolArguments): ReadArguments {
  const { op, tool } = shape;
  const issues: string[] = [];
  const values: Record<string, unknown> = {};
  const pages: Record<string, PagesGiven> = {};
  const files: Record<string, readonly string[]> = {};
  const fields = fieldsOf(shape);
  const names = [...fields.map(([name, field]) => argumentOf(name, field)), ...ownOf(shape)];
  for (const name of Object.keys(given)) {
    if (!names.includes(name))
      issues.push(`there is no argument ${plain(name.slice(0, 80))}; there are ${names.join(', ')}`);
  }
  for (const [name, field] of fields) {
    const argument = argumentOf(name, field);
    const value = given[argument] ?? undefined;
    if (value === undefined) {
      if (field.required || tool.required?.includes(name) === true)
        issues.push(`${argument} is missing: ${field.summary}`);
      continue;
    }
    const read = readField(field, argument, value);
    if ('issue' in read) issues.push(`${argument}: ${read.issue}`);
    else if ('names' in read) files[name] = read.names;
    else if ('range' in read) pages[name] = { flag: argument, range: read.range };
    else values[name] = read.value;
  }
  const isGiven = (name: string) => [values, pages, files].some((read) => read[name] !== undefined);
  issues.push(...choiceIssues(op, isGiven, (name) => argumentOf(name, op.input[name])));
  for (const name of ownOf(shape)) {
    const checked = v.safeParse(v.optional(OWN[name]?.check ?? v.unknown()), given[name] ?? undefined);
    if (!checked.success) issues.push(`${name}: ${issueText(checked.issues)}`);
  }
  if (issues.length > 0) throw new Failure('usage', issues.join('\n'));
  const { [OUTPUT]: output, [OVERWRITE]: overwrite, [PASSWORD]: password, [MOST]: most } = given;
  return {
    values: { ...values, ...tool.preset },
    pages,
    files,
    output: typeof output === 'string' ? output : undefined,
    overwrite: overwrite === true,
    password: typeof password === 'string' ? password : undefined,
    most: typeof most === 'number' ? most : undefined,
  };
}

/** Fields that a call may give: neither those that the tool presets nor those that the service would not understand. */
function fieldsOf({ op, tool, engine }: Shape): [string, Field][] {
  return Object.entries(op.input).filter(
    ([name, field]) =>
      tool.preset?.[name] === undefined &&
      // The local engine takes the password of a PDF as an argument.
      (engine === 'local' ? !(field.kind === 'secret' && field.ofFile === true) : field.extension !== true),
  );
}

function ownOf(shape: Shape): string[] {
  // A row's own field of that name takes precedence.
  return Object.keys(OWN).filter((name) => OWN[name]?.when(shape) === true && !(name in shape.op.input));
}

/** `file` -> `path`, `jobId` -> `job_id`: the words of SERVICE.md for tools. */
export function argumentOf(name: string, field: Field | undefined): string {
  if (field?.kind === 'files') return name === 'file' ? 'paths' : `${name}_paths`;
  if (field?.kind === 'file') return name === 'file' ? 'path' : `${name}_path`;
  if (name === 'id') return 'job_id';
  return name.replaceAll('-', '_').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

const PAGES = 'pages as 1-3,7 and 7- (to the end), z (the last), r2 (the last but one), x5 (not 5), odd, even';

function argumentSchema(field: Field, { engine }: Shape): Schema {
  const { summary } = field;
  const name = { type: 'string', minLength: 1 } as const;
  switch (field.kind) {
    case 'file':
      return { ...name, description: `${summary}: path of the file` };
    case 'files': {
      // The largest number is a limit of the service, which does not bind local runs.
      const most = engine === 'local' || field.max === undefined ? {} : { maxItems: field.max };
      return {
        type: 'array',
        items: name,
        minItems: field.min,
        ...most,
        description: `${summary}: paths of the files`,
      };
    }
    case 'pages':
    case 'ranges':
      return { ...name, description: `${summary}; ${PAGES}`, examples: [field.kind === 'pages' ? '3,7' : '1-3,7-9'] };
    case 'text':
      if (field.grammar !== undefined) {
        const example = field.grammar === 'ranges' ? '1-3;z-1' : '1-5';
        return { ...name, description: `${summary}; ${PAGES}`, examples: [example] };
      }
      break;
    case 'number':
    case 'choice':
    case 'integer':
    case 'size':
    case 'flag':
    case 'object':
      break;
    default:
      return { ...name, description: summary };
  }
  const { 'x-pdftool-extension': _, ...schema } = fieldSchema(field);
  return schema;
}

function readField(field: Field, argument: string, value: unknown): ReadValue {
  if (takesPages(field)) {
    const isRange = typeof value === 'string' || typeof value === 'number';
    return isRange ? parsePageField(String(value)) : { issue: 'expected pages as text, such as 1-3,7' };
  }
  switch (field.kind) {
    case 'file':
      return typeof value === 'string' ? namesOf([value]) : { issue: 'expected the path of a file, as text' };
    case 'files':
      if (!Array.isArray(value) || !value.every((name) => typeof name === 'string')) {
        return { issue: 'expected a list of paths' };
      }
      if (value.length < field.min) return { issue: `expected at least ${field.min} files, found ${value.length}` };
      return namesOf(value);
    default:
  }
  const checked = v.safeParse(field.schema(), value);
  if (checked.success) return { value: checked.output };
  return { issue: issueText(checked.issues) || `${argument} cannot be used` };
}

/** The longest file name and path of file systems, in bytes. */
const LONGEST = { name: 255, path: 4_095 };

function namesOf(names: readonly string[]): ReadValue {
  const issue = names.map(nameIssue).find((text) => text !== undefined);
  return issue === undefined ? { names } : { issue };
}

/** What is wrong with a path. Control characters would reach terminals and logs. */
function nameIssue(path: string): string | undefined {
  if (/[\u0000-\u001f\u007f-\u009f]/.test(path))
    return 'a name of a file has no line ends, NUL or other control characters';
  const longest = Math.max(...path.split('/').map((name) => Buffer.byteLength(name)));
  if (longest > LONGEST.name) return `a name of a file has at most ${LONGEST.name} bytes, found ${longest}`;
  const bytes = Buffer.byteLength(path);
  return bytes > LONGEST.path ? `a path has at most ${LONGEST.path} bytes, found ${bytes}` : undefined;
}

function readsPdf(field: Field): boolean {
  return (field.kind === 'file' || field.kind === 'files') && field.types.includes(PDF);
}

export function isPriced({ cost }: Pick<AnyOperation, 'cost'>): boolean {
  return cost !== undefined && !('credits' in cost && cost.credits === 0);
}

/** The arguments of a tool that has a schema of its own. Throws one usage Failure that names everything that is wrong. */
export function readToolArguments<T>(schema: v.GenericSchema<unknown, T>, given: ToolArguments): T {
  const read = v.safeParse(schema, given);
  if (read.success) return read.output;
  const issues = read.issues.map((issue) => `${v.getDotPath(issue) ?? 'arguments'}: ${issue.message}`);
  throw new Failure('usage', issues.join('\n'));
}
