import * as v from 'valibot';
import type { Field } from '../contract/field.ts';
import { parseJson } from './json.ts';
import { plain } from './plain.ts';

/** A value, or what is wrong with the text, as a sentence without the field's name. */
export type Decoded = { readonly value: unknown } | { readonly issue: string };

export function decodeFormText(field: Field, text: string): Decoded {
  // Spaces may be part of a password.
  const read = readText(field, field.kind === 'secret' ? text : text.trim());
  return 'issue' in read ? read : decodeValue(field, read.value);
}

/** Checks a value, from JSON or read from text, against the field's schema. */
export function decodeValue(field: Field, value: unknown): Decoded {
  const result = v.safeParse(field.schema, value);
  if (result.success) return { value: result.output };
  return { issue: issueText(result.issues) };
}

/** Issues reported for one value. */
const MOST_ISSUES = 5;

/** What is wrong with a value. Default messages of the schema library are replaced. */
export function issueText(issues: readonly v.BaseIssue<unknown>[]): string {
  const texts = issues.map((issue) => {
    const { message, expected, received } = issue;
    if (!/^Invalid \w+: (?:Expected|Received) /.test(message)) return plain(message);
    const path = plain(v.getDotPath(issue) ?? '');
    if (received === 'undefined') return `${path} is missing`;
    if (expected === 'never') return `${path} is not expected`;
    return plain(
      `${path === '' ? '' : `${path}: `}expected ${expected ?? 'another value'}, found ${received.slice(0, 80)}`,
    );
  });
  return [...new Set(texts)].slice(0, MOST_ISSUES).join('; ');
}

function readText(field: Field, text: string): Decoded {
  switch (field.kind) {
    case 'text':
    case 'secret':
      return { value: text };
    case 'choice': {
      const value = field.values.find((known) => String(known) === text);
      return value === undefined
        ? { issue: `expected one of ${field.values.join(', ')}, found ${quotedStart(text)}` }
        : { value };
    }
    case 'integer':
    case 'size':
      if (/^[+-]?\d{1,16}$/.test(text)) return { value: Number(text) };
      return { issue: `expected a whole number, found ${quotedStart(text)}` };
    case 'number':
      if (/^[+-]?(\d{1,16}\.?\d{0,16}|\.\d{1,16})$/.test(text)) return { value: Number(text) };
      return { issue: `expected a number, found ${quotedStart(text)}` };
    case 'flag':
      if (text === 'true' || text === 'false') return { value: text === 'true' };
      return { issue: `expected true or false, found ${quotedStart(text)}` };
    case 'pages': {
      const pages = text.split(',').map((page) => page.trim());
      const wrong = pages.find((page) => !/^[1-9]\d{0,8}$/.test(page));
      if (wrong === undefined) return { value: pages.map(Number) };
      return { issue: `expected page numbers such as 3,7, found ${quotedStart(wrong)}` };
    }
    case 'ranges':
      return readJson(text, 'a JSON array such as [[1,3],[7,9]]');
    case 'object':
      return readJson(text, 'a JSON object');
    case 'file':
    case 'files':
      return { issue: 'expected a file part, found text; give the part a filename' };
  }
}

function readJson(text: string, expected: string): Decoded {
  try {
    return { value: parseJson(text, 'it') };
  } catch {
    // parseJson throws a usage Failure alone; the issue names what was expected.
    return { issue: `expected ${expected}, found ${quotedStart(text)}` };
  }
}

function quotedStart(text: string): string {
  return text === '' ? 'nothing' : `'${plain(text.slice(0, 80))}'`;
}
