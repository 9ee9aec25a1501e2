// Matches the names and values that a person gave to the fields of a form.
import { Failure } from '../../contract/base/failure.ts';
import { nearest } from '../../contract/nearest.ts';
import {
  buttonNames,
  type FieldValue,
  FLAGS,
  type Form,
  type FormField,
  optionsOf,
} from '../../pdf/edit/form/fields.ts';
import { type Filling, mostCharacters } from '../../pdf/edit/form/fill-form.ts';
import type { PdfFile } from '../../pdf/file/read/pdf-file.ts';
import type { FormValues } from './data.ts';

/** The fields with their values. Throws one usage Failure that lists everything that does not fit. */
export function match(file: PdfFile, form: Form, values: FormValues): Filling[] {
  const issues: string[] = [];
  const fields = form.fields.filter(({ type }) => type !== 'button' && type !== 'signature');
  const byName = new Map<string, FormField[]>();
  for (const field of fields) byName.set(field.name, [...(byName.get(field.name) ?? []), field]);
  const fillings: Filling[] = [];
  for (const [name, value] of values) {
    const named = byName.get(name);
    if (named === undefined) {
      issues.push(unknown(name, form, fields));
      continue;
    }
    for (const field of named) {
      const fitting = fitted(file, field, value);
      if ('issue' in fitting) issues.push(`${name}: ${fitting.issue}`);
      else fillings.push({ field, value: fitting.value });
    }
  }
  if (issues.length === 0) return fillings;
  const more = issues.length > MOST_NAMED ? [`and ${issues.length - MOST_NAMED} more`] : [];
  throw new Failure('usage', [...issues.slice(0, MOST_NAMED), ...more].join('\n'), {
    hint: 'The fields and what they take: pdftool form show FILE.',
  });
}

/** Problems or options listed in one message. */
const MOST_NAMED = 20;

function unknown(name: string, form: Form, fields: readonly FormField[]): string {
  const other = form.fields.find((field) => field.name === name);
  if (other !== undefined)
    return `${name} is a ${other.type === 'button' ? 'push button' : 'signature'}, which takes no value`;
  const names = fields.map((field) => field.name);
  // People often give only the last part of a full name.
  const short = names.filter((full) => full.split('.').at(-1)?.toLowerCase() === name.toLowerCase());
  const meant = (short.length === 1 ? short[0] : undefined) ?? nearest(name, names);
  return `there is no field ${name}${meant === undefined ? '' : `; did you mean ${meant}?`}`;
}

type Fitting = { readonly value: FieldValue } | { readonly issue: string };

function fitted(file: PdfFile, field: FormField, value: FieldValue): Fitting {
  switch (field.type) {
    case 'check':
    case 'radio':
      return button(file, field, value);
    case 'choice':
      return chosen(file, field, value);
    default: {
      const text = Array.isArray(value) ? value.join('\n') : String(value);
      const most = mostCharacters(file, field);
      const count = [...text].length;
      if (most !== undefined && count > most) return { issue: `it takes ${most} characters, found ${count}` };
      return { value: text };
    }
  }
}

const YES = ['true', 'yes', 'on', '1', 'x'];
const NO = ['false', 'no', 'off', '0', ''];

function button(file: PdfFile, field: FormField, value: FieldValue): Fitting {
  const names = buttonNames(file, field).map(({ name }) => name);
  if (typeof value === 'boolean' && field.type === 'check') return { value };
  const text = String(value);
  if (names.includes(text)) return { value: text };
  const word = text.toLowerCase();
  const same = names.find((name) => name.toLowerCase() === word);
  if (same !== undefined) return { value: same };
  if (NO.includes(word)) return { value: field.type === 'check' ? false : '' };
  if (field.type === 'check' && YES.includes(word)) return { value: true };
  const takes = field.type === 'check' ? ['true', 'false', ...(names.length > 1 ? names : [])] : [...new Set(names)];
  return { issue: `expected one of ${takes.join(', ')}, found ${text}${guess(text, takes)}` };
}

function chosen(file: PdfFile, field: FormField, value: FieldValue): Fitting {
  const options = optionsOf(file, field);
  const several = (field.flags & FLAGS.multiSelect) !== 0;
  const texts = Array.isArray(value) ? value.map(String) : value === '' ? [] : [String(value)];
  if (texts.length > 1 && !several) return { issue: `it takes one value, found ${texts.length}` };
  const free = (field.flags & FLAGS.combo) !== 0 && (field.flags & FLAGS.edit) !== 0;
  const values: string[] = [];
  for (const text of texts) {
    const option =
      options.find((candidate) => candidate.value === text) ??
      options.find((candidate) => candidate.shown === text) ??
      options.find((candidate) =>
        [candidate.value, candidate.shown].some((name) => name.toLowerCase() === text.toLowerCase()),
      );
    if (option !== undefined) values.push(option.value);
    else if (free) values.push(text);
    else {
      const shown = options.map((option) => option.shown);
      const list =
        shown.length > MOST_NAMED
          ? `${shown.slice(0, MOST_NAMED).join(', ')} and ${shown.length - MOST_NAMED} more`
          : shown.join(', ');
      return { issue: `expected one of ${list}, found ${text}${guess(text, shown)}` };
    }
  }
  return { value: several ? values : (values[0] ?? '') };
}

function guess(text: string, known: readonly string[]): string {
  const meant = nearest(text, known);
  return meant === undefined ? '' : `; did you mean ${meant}?`;
}
