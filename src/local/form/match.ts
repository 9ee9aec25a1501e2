// Names and values that a person gave, held against the fields that there are.
import { Failure } from '../../contract/failure.ts';
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
import type { PdfFile } from '../../pdf/read/pdf-file.ts';
import type { Values } from './data.ts';

/** The fields with the values they get. Throws one usage Failure that names all that does not fit. */
export function match(file: PdfFile, form: Form, values: Values): Filling[] {
  const issues: string[] = [];
  const fields = form.fields.filter(({ type }) => type !== 'button' && type !== 'signature');
  const byName = new Map<string, FormField[]>();
  for (const field of fields) byName.set(field.name, [...(byName.get(field.name) ?? []), field]);
  const fillings: Filling[] = [];
  for (const [name, value] of values) {
    const found = byName.get(name);
    if (found === undefined) {
      issues.push(unknown(name, form, fields));
      continue;
    }
    for (const field of found) {
      const fitting = fitted(file, field, value);
      if ('issue' in fitting) issues.push(`${name}: ${fitting.issue}`);
      else fillings.push({ field, value: fitting.value });
    }
  }
  if (issues.length === 0) return fillings;
  const more = issues.length > TOLD ? [`and ${issues.length - TOLD} more`] : [];
  throw new Failure('usage', [...issues.slice(0, TOLD), ...more].join('\n'), {
    hint: 'The fields and what they take: pdftool form show FILE.',
  });
}

const TOLD = 20;

function unknown(name: string, form: Form, fields: readonly FormField[]): string {
  const other = form.fields.find((field) => field.name === name);
  if (other !== undefined)
    return `${name} is a ${other.type === 'button' ? 'push button' : 'signature'}, which takes no value`;
  const names = fields.map((field) => field.name);
  // Most people leave out the names above the last one.
  const short = names.filter((each) => each.split('.').at(-1)?.toLowerCase() === name.toLowerCase());
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
  const found: string[] = [];
  for (const text of texts) {
    const option =
      options.find((each) => each.value === text) ??
      options.find((each) => each.shown === text) ??
      options.find((each) => [each.value, each.shown].some((name) => name.toLowerCase() === text.toLowerCase()));
    if (option !== undefined) found.push(option.value);
    else if (free) found.push(text);
    else {
      const shown = options.map((each) => each.shown);
      const list =
        shown.length > TOLD ? `${shown.slice(0, TOLD).join(', ')} and ${shown.length - TOLD} more` : shown.join(', ');
      return { issue: `expected one of ${list}, found ${text}${guess(text, shown)}` };
    }
  }
  return { value: several ? found : (found[0] ?? '') };
}

function guess(text: string, known: readonly string[]): string {
  const meant = nearest(text, known);
  return meant === undefined ? '' : `; did you mean ${meant}?`;
}
