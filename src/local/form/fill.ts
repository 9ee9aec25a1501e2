import { Failure } from '../../contract/failure.ts';
import { PDF } from '../../contract/media.ts';
import type { InputOf, ResultOf } from '../../contract/operation.ts';
import type { formFill } from '../../contract/operations/forms.ts';
import type { Context, Part } from '../../contract/ports.ts';
import type { Form, FormField } from '../../pdf/edit/form/fields.ts';
import { signatureWarning } from '../../pdf/read/signature.ts';
import { type Source, withSources } from '../../pdf/read/source.ts';
import { listOf } from '../../pdf/structure/input.ts';
import { Ref } from '../../pdf/syntax/values.ts';
import { readFont } from '../edit/text-options.ts';
import { readData, type Values, valuesOf } from './data.ts';
import { filledPdf, formOf } from './filled.ts';
import { match } from './match.ts';

/** Each file has to reach the disk. */
const MOST_FILES = 20_000;

export async function run(input: InputOf<typeof formFill>, ctx: Context): Promise<ResultOf<typeof formFill>> {
  const { file, data, values, each = false, name = '{n}', flatten = false, font_file } = input;
  const sets = data === undefined ? [] : readData(data);
  const given = values === undefined ? undefined : valuesOf(values, 'values');
  if (sets.length > MOST_FILES)
    throw new Failure('usage', `expected at most ${MOST_FILES} sets of values, found ${sets.length}`);
  if (!each && sets.length > 1) {
    throw new Failure('usage', `${data?.name} has ${sets.length} sets of values for one PDF`, {
      hint: 'Add --each, and name a folder: one PDF for each of them.',
    });
  }
  return withSources([file], ctx, async (sources, temp) => {
    const [source] = sources as [Source];
    const form = formOf(source);
    const pages = source.tree.pages.length;
    const named = new Set([...sets, ...(given === undefined ? [] : [given])].flatMap((set) => [...set.keys()]));
    const warnings = [...signatureWarning(source.file), ...notes(source, form, named)];
    // A font keeps what it is asked for: each PDF has its own.
    const font = async () => (font_file === undefined ? undefined : readFont({ font_file }));
    if (!each) {
      const all: Values = new Map([...(sets[0] ?? []), ...(given ?? [])]);
      const wish = { fillings: match(source.file, form, all), flatten, font: await font(), name: 'filled.pdf' };
      const body = await filledPdf(source, form, wish, { ...ctx, temp });
      return { kind: 'bytes', mediaType: PDF, body, pages, warnings };
    }
    // All are held against the form before the first one is written.
    const fillings = sets.map((set, i) => {
      try {
        return match(source.file, form, set);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        throw new Failure(error.code, `set ${i + 1} of ${sets.length}: ${error.message}`, { hint: error.hint });
      }
    });
    const names = namesOf(sets, name);
    const parts: Part[] = [];
    for (const [i, filling] of fillings.entries()) {
      ctx.progress({ phase: 'fill', done: i, total: sets.length, unit: 'files' });
      const wish = { fillings: filling, flatten, font: await font(), name: names[i] ?? '' };
      parts.push({ name: wish.name, body: await filledPdf(source, form, wish, { ...ctx, temp }), pages });
    }
    return { kind: 'parts', parts, warnings };
  });
}

/** So many names are told. */
const TOLD = 10;

/** `named`: the fields that get values. */
function notes({ file }: Source, { dict, fields }: Form, named: ReadonlySet<string>): string[] {
  const order = new Set(listOf(file, dict.get('CO')).map((item) => (item instanceof Ref ? item.num : 0)));
  const computes = (field: FormField): boolean =>
    (field.num > 0 && order.has(field.num)) || file.dict(field.dict.get('AA'))?.has('C') === true;
  const computed = fields.filter((field) => !named.has(field.name) && computes(field)).map(({ name }) => name);
  const more = computed.length > TOLD ? [`${computed.length - TOLD} more`] : [];
  const list = [...computed.slice(0, TOLD), ...more].join(', ');
  return [
    ...(dict.has('XFA') ? [`${file.name}: its XFA form is taken away, because it would show the old values`] : []),
    ...(computed.length > 0 ? [`${file.name}: not computed anew, as its scripts would do: ${list}`] : []),
  ];
}

/** A name for each set, by its own values; what comes again is counted. */
function namesOf(sets: readonly Values[], template: string): string[] {
  const width = Math.max(3, String(sets.length).length);
  const seen = new Map<string, number>();
  return sets.map((set, i) => {
    const words = template.replace(/\{([^{}]+)\}/g, (whole, word: string) => {
      if (word === 'n') return String(i + 1).padStart(width, '0');
      const value = set.get(word);
      if (value === undefined) throw new Failure('usage', `--name: ${whole} is no field of set ${i + 1}`);
      return String(value);
    });
    const plain = words
      .normalize('NFC')
      .replace(/[^\p{L}\p{N} ._-]+/gu, '-')
      .replace(/^[.\s]+|[.\s]+$/g, '')
      .slice(0, 100);
    const stem = plain === '' ? String(i + 1).padStart(width, '0') : plain;
    const key = stem.toLowerCase();
    const times = (seen.get(key) ?? 0) + 1;
    seen.set(key, times);
    return `${stem}${times === 1 ? '' : `-${times}`}.pdf`;
  });
}
