// The value of a field from text that a person typed, at a terminal or on the page; and which fields go together.

import * as v from 'valibot';
import { parsedJson } from './base/present.ts';
import type { Field } from './field.ts';
import { GB, KB, MB } from './limits.ts';
import { nearest } from './nearest.ts';
import { type AnyOperation, wordsOf } from './operation.ts';

/** A value, or what is wrong with the text: a sentence without the flag's name. */
export type Parsed = { readonly value: unknown } | { readonly issue: string };

/** The value of a field from the text of its flag. A flag without text comes as `true`. */
export function parseValue(field: Field, text: string | boolean): Parsed {
  const parsed = typeof text === 'boolean' ? { value: text } : read(field, text);
  if ('issue' in parsed) return parsed;
  const checked = v.safeParse(field.schema(), parsed.value);
  if (checked.success) return { value: checked.output };
  return { issue: checked.issues.map((issue) => issue.message).join('; ') };
}

function read(field: Field, text: string): Parsed {
  switch (field.kind) {
    case 'text':
      return { value: text };
    case 'choice': {
      const value = field.values.find((known) => String(known) === text);
      if (value !== undefined) return { value };
      const meant = nearest(text, field.values.map(String));
      const question = meant === undefined ? '' : `; did you mean ${meant}?`;
      return { issue: `expected one of ${field.values.join(', ')}, found ${text}${question}` };
    }
    case 'integer':
      return parseInteger(text);
    case 'number':
      if (/^[+-]?(\d+\.?\d*|\.\d+)$/.test(text)) return { value: Number(text) };
      return { issue: `expected a number, found ${text}` };
    case 'size':
      return parseSize(text);
    case 'object':
      return parseObject(text);
    case 'pages':
    case 'ranges':
      throw new TypeError('pages are known when their file is: see page-fields.ts');
    case 'secret':
      throw new TypeError('a secret is never on the line: a file holds it');
    case 'flag':
    case 'file':
    case 'files':
      throw new TypeError(`a ${field.kind} field has no text`);
  }
}

function parseInteger(text: string): Parsed {
  const value = Number(text);
  if (/^[+-]?\d+$/.test(text) && Number.isSafeInteger(value)) return { value };
  return { issue: `expected a whole number, found ${text}` };
}

const UNITS: Record<string, number> = { '': 1, B: 1, K: KB, KB, KIB: KB, M: MB, MB, MIB: MB, G: GB, GB, GIB: GB };

/** `204800`, `200KB`, `1.5 MB`: KB is 1024 bytes, as in the service's examples. Parts of a byte are cut off. */
export function parseSize(text: string): Parsed {
  const match = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(text.trim());
  const unit = UNITS[match?.[2]?.toUpperCase() ?? ''];
  const value = match === null || unit === undefined ? Number.NaN : Math.floor(Number(match[1]) * unit);
  if (Number.isSafeInteger(value)) return { value };
  return { issue: `expected a size such as 204800, 200KB or 1MB, found ${text}` };
}

function parseObject(text: string): Parsed {
  const value = parsedJson(text);
  if (value === undefined) return { issue: `expected a JSON object, found ${text === '' ? 'nothing' : `"${text}"`}` };
  return { value };
}

/** Breaches of the row's `exclusive` and `needsOneOf`, as sentences. `nameOf`: what the caller calls a field. */
export function choiceIssues(
  op: AnyOperation,
  isGiven: (name: string) => boolean,
  nameOf: (name: string) => string,
): string[] {
  const issues = (op.exclusive ?? []).flatMap((names) => {
    const used = names.filter(isGiven);
    return used.length > 1 ? [`${used.map(nameOf).join(' and ')} exclude each other`] : [];
  });
  const { needsOneOf = [] } = op;
  if (needsOneOf.length > 0 && !needsOneOf.some(isGiven)) {
    issues.push(`${wordsOf(op)} needs at least one of ${needsOneOf.map(nameOf).join(', ')}`);
  }
  return issues;
}
