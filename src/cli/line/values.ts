import * as v from 'valibot';
import type { Field } from '../../contract/field.ts';
import { GB, KB, MB } from '../../contract/limits.ts';
import { nearest } from '../../contract/nearest.ts';

/** A value, or what is wrong with the text: a sentence without the flag's name. */
type Parsed = { readonly value: unknown } | { readonly issue: string };

/** The value of a field from the text of its flag. A flag without text comes as `true`. */
export function parseValue(field: Field, text: string | boolean): Parsed {
  const parsed = typeof text === 'boolean' ? { value: text } : read(field, text);
  if ('issue' in parsed) return parsed;
  const checked = v.safeParse(field.schema, parsed.value);
  return checked.success ? { value: checked.output } : { issue: checked.issues.map((each) => each.message).join('; ') };
}

function read(field: Field, text: string): Parsed {
  switch (field.kind) {
    case 'text':
      return { value: text };
    case 'choice': {
      const value = field.values.find((each) => String(each) === text);
      if (value !== undefined) return { value };
      const meant = nearest(text, field.values.map(String));
      const question = meant === undefined ? '' : `; did you mean ${meant}?`;
      return { issue: `expected one of ${field.values.join(', ')}, found ${text}${question}` };
    }
    case 'integer':
      return parseInteger(text);
    case 'number':
      return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(text)
        ? { value: Number(text) }
        : { issue: `expected a number, found ${text}` };
    case 'size':
      return parseSize(text);
    case 'object':
      return parseObject(text);
    case 'pages':
    case 'ranges':
      throw new TypeError('pages are known when their file is: see contract/page-fields.ts');
    case 'secret':
      throw new TypeError('a secret is never on the line: see secret-fields.ts');
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

/** `30` (seconds), `500ms`, `30s`, `10m`, `2h`, in milliseconds. */
export function parseDuration(text: string): Parsed {
  const match = /^(\d+(?:\.\d+)?)\s*(ms|s|m|min|h)?$/.exec(text.trim());
  const unit = { ms: 1, s: 1000, m: 60_000, min: 60_000, h: 3_600_000 }[match?.[2] ?? 's'];
  const value = match === null || unit === undefined ? 0 : Math.round(Number(match[1]) * unit);
  if (value > 0 && Number.isSafeInteger(value)) return { value };
  return { issue: `expected a duration such as 30s or 10m, found ${text}` };
}

function parseObject(text: string): Parsed {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { issue: `expected a JSON object, found ${text === '' ? 'nothing' : `"${text}"`}` };
  }
}
