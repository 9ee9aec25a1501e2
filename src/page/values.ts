// Converts form input to the texts of a request.
import { Failure } from '../contract/base/failure.ts';
import type { Field } from '../contract/field.ts';
import { choiceIssues, parseSize, parseValue } from '../contract/field-text.ts';
import type { ServiceOperation } from '../contract/operation.ts';
import { takesPages } from '../contract/page-fields.ts';
import { formatPages, parsePageRange, resolveGroups, resolvePages, spansOf } from '../contract/page-range.ts';
import { describeRange } from '../contract/page-range-words.ts';
import { isPages, labelOf, type Typed } from './lines.ts';
import { isFile } from './rows.ts';

export interface Checked {
  /** The texts to send, by field. */
  readonly values: Readonly<Record<string, string>>;
  /** Error messages by field. */
  readonly issues: Readonly<Record<string, string>>;
}

/** Checks every field against its row, for a document of `pageCount` pages. */
export function checkFields(op: ServiceOperation, typed: Typed, pageCount: number | undefined): Checked {
  const values: Record<string, string> = {};
  const issues: Record<string, string> = {};
  for (const [name, field] of Object.entries(op.input)) {
    const value = typed[name];
    if (isFile(field)) continue;
    if (value === undefined || value === '') {
      if (field.required) issues[name] = 'this is needed';
      continue;
    }
    const result = sent(field, value as string | true, pageCount);
    if ('issue' in result) issues[name] = result.issue;
    else values[name] = result.text;
  }
  const isGiven = (name: string) => name in values || (typed[name] ?? '') !== '';
  const [together] = choiceIssues(op, isGiven, labelOf);
  const [first = ''] = [...(op.exclusive ?? []), op.needsOneOf ?? []].flat();
  if (together !== undefined) issues[first] ??= together;
  return { values, issues };
}

function sent(field: Field, value: string | true, pageCount: number | undefined): { text: string } | { issue: string } {
  try {
    if (field.kind === 'flag') return { text: String(field.default !== true) };
    const text = String(value);
    if (takesPages(field)) return { text: pagesText(field, text, pageCount) };
    const parsed = field.kind === 'secret' ? { value: text } : parseValue(field, text);
    if ('issue' in parsed) return parsed;
    return { text: typeof parsed.value === 'object' ? JSON.stringify(parsed.value) : String(parsed.value) };
  } catch (error) {
    if (error instanceof Failure) return { issue: error.message };
    throw error;
  }
}

/** A page range resolved to numbers, in the syntax of the field. */
function pagesText(field: Field, text: string, pageCount: number | undefined): string {
  const range = parsePageRange(text);
  const count = pageCount ?? Number.MAX_SAFE_INTEGER;
  if (field.kind === 'ranges') return JSON.stringify(resolveGroups(range, count).flatMap((pages) => spansOf(pages)));
  const pages = [...new Set(resolvePages(range, count))].sort((a, b) => a - b);
  return field.kind === 'pages' ? pages.join(',') : formatPages(pages);
}

/** A size in readable units. */
export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  if (bytes < 1024 ** 2) return `${Math.round(bytes / 1024)} KB`;
  return `${(bytes / 1024 ** 2).toFixed(1)} MB`;
}

/** A page range or a size in words; undefined for other fields. */
export function meaning(field: Field, text: string, pageCount: number | undefined): string | undefined {
  if (field.kind === 'size') {
    const size = parseSize(text);
    return 'value' in size ? sizeText(Number(size.value)) : undefined;
  }
  if (!isPages(field) || text.trim() === '') return undefined;
  try {
    const range = parsePageRange(text);
    const words = describeRange(range).join('; ');
    if (pageCount === undefined) return words;
    const { length } = resolvePages(range, pageCount);
    return `${words}: ${length} of ${pageCount} ${pageCount === 1 ? 'page' : 'pages'}`;
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
