// Reads the fields of a form (ISO 32000-1, 12.7) with what they inherit, and their widgets.
import { catalogOf, listOf, nameAt, numberAt } from '../../file/read/entries.ts';
import type { PdfFile } from '../../file/read/pdf-file.ts';
import type { Source } from '../../file/read/source.ts';
import { checkCount } from '../../structure/input.ts';
import { decodeTextString, textOf } from '../../syntax/text-strings.ts';
import { Dict, Name, PdfString, Ref, type Value } from '../../syntax/values.ts';

type FieldType = 'text' | 'check' | 'radio' | 'choice' | 'button' | 'signature';

export interface Widget {
  /** Its object; 0 for a direct object. */
  readonly num: number;
  readonly dict: Dict;
}

export interface FormField {
  /** The full name: all partial names from the top, with periods between them. */
  readonly name: string;
  readonly type: FieldType;
  readonly num: number;
  /** With inherited entries. */
  readonly dict: Dict;
  readonly flags: number;
  readonly widgets: readonly Widget[];
}

export interface Form {
  readonly dict: Dict;
  readonly fields: readonly FormField[];
}

/** Bits of /Ff. */
export const FLAGS = {
  readOnly: 1,
  required: 1 << 1,
  multiline: 1 << 12,
  password: 1 << 13,
  radio: 1 << 15,
  button: 1 << 16,
  combo: 1 << 17,
  edit: 1 << 18,
  fileSelect: 1 << 20,
  multiSelect: 1 << 21,
  comb: 1 << 24,
} as const;

/** Inheritable entries. */
const INHERITED = ['FT', 'Ff', 'V', 'DV', 'DA', 'Q', 'Opt', 'MaxLen'];
/** No form nests names deeper. */
const MOST_DEPTH = 64;

export function readForm({ file }: Source): Form | undefined {
  const dict = file.dict(catalogOf(file).get('AcroForm'));
  if (dict === undefined) return undefined;
  const fields: FormField[] = [];
  const seen = new Set<number>();
  const top = new Dict([...dict].filter(([key]) => key === 'DA' || key === 'Q'));
  const visit = (item: Value, above: Dict, names: readonly string[]): void => {
    if (item instanceof Ref) {
      if (seen.has(item.num)) return;
      seen.add(item.num);
    }
    const dict = file.dict(item);
    if (dict === undefined || names.length > MOST_DEPTH) return;
    const whole = new Dict([...[...above].filter(([key]) => INHERITED.includes(key)), ...dict]);
    const title = textOf(file.resolve(dict.get('T')));
    const path = title === null ? names : [...names, title];
    const kids = listOf(file, dict.get('Kids'));
    const named = kids.filter((kid) => file.dict(kid)?.has('T') === true);
    for (const kid of named) visit(kid, whole, path);
    const type = named.length > 0 ? undefined : typeOf(file, whole);
    if (type === undefined || path.length === 0) return;
    const widgets = kids.length === 0 ? [item] : kids;
    fields.push({
      name: path.join('.'),
      type,
      num: numOf(item),
      dict: whole,
      flags: numberAt(file, whole, 'Ff') ?? 0,
      widgets: widgets.flatMap((kid) => {
        const widget = file.dict(kid);
        return widget === undefined ? [] : [{ num: numOf(kid), dict: widget }];
      }),
    });
    checkCount(file, fields.length, 'form fields');
  };
  for (const item of listOf(file, dict.get('Fields'))) visit(item, top, []);
  return { dict, fields };
}

function numOf(value: Value): number {
  return value instanceof Ref ? value.num : 0;
}

function typeOf(file: PdfFile, dict: Dict): FieldType | undefined {
  const flags = numberAt(file, dict, 'Ff') ?? 0;
  const button = (flags & FLAGS.button) !== 0 ? 'button' : (flags & FLAGS.radio) !== 0 ? 'radio' : 'check';
  const types = new Map<string | undefined, FieldType>(Object.entries({ ...TYPES, Btn: button }));
  return types.get(nameAt(file, dict, 'FT'));
}

const TYPES = { Tx: 'text', Ch: 'choice', Sig: 'signature' } as const;

/** The name of the state in which a box is ticked; undefined where it has no such appearance. */
export function onState(file: PdfFile, { dict }: Widget): string | undefined {
  const states = file.dict(file.dict(dict.get('AP'))?.get('N'));
  if (states === undefined || states.has('BBox')) return undefined;
  return [...states.keys()].find((key) => key !== 'Off');
}

/** The options of a choice: the stored value, and the text shown. */
export function optionsOf(file: PdfFile, field: FormField) {
  return listOf(file, field.dict.get('Opt')).flatMap((item) => {
    const option = file.resolve(item);
    if (Array.isArray(option)) {
      const [value, shown] = option.map((item) => textOf(file.resolve(item)));
      return value == null ? [] : [{ value, shown: shown ?? value }];
    }
    const text = textOf(option);
    return text === null ? [] : [{ value: text, shown: text }];
  });
}

/** The name of a button of a group in form data: its export value in /Opt, else its state. */
export function buttonNames(file: PdfFile, field: FormField): { readonly state: string; readonly name: string }[] {
  const exported = optionsOf(file, field);
  return field.widgets.flatMap((widget, i) => {
    const state = onState(file, widget);
    return state === undefined ? [] : [{ state, name: exported[i]?.value ?? latinToText(state) }];
  });
}

/** Names are bytes; beyond ASCII mostly UTF-8 (7.9.2). */
function latinToText(name: string): string {
  const bytes = Buffer.from(name, 'latin1');
  const text = bytes.toString('utf8');
  return text.includes('\ufffd') ? decodeTextString(bytes) : text;
}

export type FieldValue = string | boolean | readonly string[];

/** The value; an empty text if there is none. */
export function filledIn(file: PdfFile, field: FormField): FieldValue {
  const value = file.resolve(field.dict.get('V'));
  if (field.type === 'check' || field.type === 'radio') {
    const state = value instanceof Name ? value.value : 'Off';
    if (field.type === 'check' && buttonNames(file, field).length < 2) return state !== 'Off';
    return buttonNames(file, field).find((button) => button.state === state)?.name ?? '';
  }
  if (field.type === 'choice' && Array.isArray(value)) return value.map((item) => textOf(file.resolve(item)) ?? '');
  if (value instanceof Dict) return '';
  return value instanceof PdfString || value === null
    ? (textOf(value) ?? '')
    : value instanceof Name
      ? value.value
      : '';
}
