import { Failure } from '../contract/base/failure.ts';
import type { Values } from '../contract/base/ports.ts';
import { isRecord } from '../contract/base/present.ts';
import { choiceIssues } from '../contract/field-text.ts';
import type { AnyOperation } from '../contract/operation.ts';
import { type Decoded, decodeFormText, decodeValue } from './form-value.ts';
import { parseJson } from './json.ts';
import { plain } from './plain.ts';

/** A text part or a JSON member. Names may repeat, so that repetition can be reported. */
export interface GivenField {
  readonly name: string;
  readonly value: unknown;
  /** Whether the value is the text of a form part; a JSON member is typed already. */
  readonly isText: boolean;
}

/** The content of a request: its fields, and the number of file parts of each name. */
export interface ReceivedParts {
  readonly fields: readonly GivenField[];
  readonly files: ReadonlyMap<string, number>;
}

/** The values of a row's fields except files. Throws one usage Failure that lists all problems. */
export function decodeFields(op: AnyOperation, given: ReceivedParts): Record<string, unknown> {
  const issues = unknownIssues('field', given.fields, op.input);
  const values: Record<string, unknown> = {};
  for (const { name, value, isText } of given.fields) {
    const field = Object.hasOwn(op.input, name) ? op.input[name] : undefined;
    if (field === undefined) continue;
    if (values[name] !== undefined) {
      issues.push(`${name} is given twice`);
      continue;
    }
    const decoded: Decoded = isText ? decodeFormText(field, String(value)) : decodeValue(field, value);
    if ('issue' in decoded) issues.push(`${name}: ${decoded.issue}`);
    else values[name] = decoded.value;
  }
  const isGiven = (name: string) => given.files.has(name) || (values[name] ?? false) !== false;
  issues.push(
    ...fileIssues(op, given.files),
    ...missingIssues(op, given),
    ...choiceIssues(op, isGiven, (name) => name),
  );
  if (issues.length > 0) throw new Failure('usage', `${op.name}: ${issueList(issues)}`);
  return values;
}

/** At most one issue: a body of a megabyte can have a hundred thousand unknown names, and listing them takes a second. */
export function unknownIssues(what: string, given: readonly { readonly name: string }[], known: Values): string[] {
  const unknown = given.filter(({ name }) => !Object.hasOwn(known, name));
  if (unknown.length === 0) return [];
  const names = unknown.slice(0, MOST_NAMES).map(({ name }) => `'${plain(name)}'`);
  const more = unknown.length > names.length ? ` and ${unknown.length - names.length} more` : '';
  const expected = Object.keys(known).join(', ') || 'none';
  return [`unknown ${what}${unknown.length > 1 ? 's' : ''} ${names.join(', ')}${more}; expected ${expected}`];
}

/** Unknown names listed in a message. */
const MOST_NAMES = 5;

/** Issues in one failure. */
const MOST_ISSUES = 10;

export function issueList(issues: readonly string[]): string {
  const rest = issues.length - MOST_ISSUES;
  return `${issues.slice(0, MOST_ISSUES).join('; ')}${rest > 0 ? `; and ${rest} more` : ''}`;
}

function fileIssues(op: AnyOperation, files: ReceivedParts['files']): string[] {
  return [...files].flatMap(([name, count]) => {
    const field = Object.hasOwn(op.input, name) ? op.input[name] : undefined;
    if (field?.kind === 'files') {
      const { min, max = Number.POSITIVE_INFINITY } = field;
      const bounded = max === min ? String(min) : `${min} to ${max}`;
      const limit = max === Number.POSITIVE_INFINITY ? `at least ${min}` : bounded;
      return count >= min && count <= max ? [] : [`expected ${limit} parts named ${name}, found ${count}`];
    }
    if (field?.kind === 'file') return count === 1 ? [] : [`expected one part named ${name}, found ${count}`];
    return [`the file part '${plain(name)}' is not expected; file parts are named file`];
  });
}

function missingIssues(op: AnyOperation, { fields, files }: ReceivedParts): string[] {
  return Object.entries(op.input).flatMap(([name, field]) => {
    if (!field.required || files.has(name) || fields.some((received) => received.name === name)) return [];
    if (field.kind === 'choice') return [`${name} is missing: one of ${field.values.join(', ')}`];
    if (field.kind === 'files') return [`expected at least ${field.min} file parts named ${name}, found none`];
    return [field.kind === 'file' ? `the file part named ${name} is missing` : `${name} is missing`];
  });
}

/** The members of a JSON body. Throws a usage Failure where it is no JSON object. */
export function jsonFields(op: AnyOperation, text: string): GivenField[] {
  const body = parseJson(text, `${op.name}: the body`);
  if (!isRecord(body)) throw new Failure('usage', `${op.name}: expected a JSON object as the body`);
  return Object.entries(body)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => ({ name, value, isText: false }));
}
