import { Failure } from '../../contract/base/failure.ts';
import type { Part, RandomAccess } from '../../contract/base/ports.ts';
import { field, say } from '../../contract/base/wording.ts';
import { PDF } from '../../contract/media.ts';
import type { formFill } from '../../contract/operations/edit/forms.ts';
import type { Form, FormField } from '../../pdf/edit/form/fields.ts';
import type { Source } from '../../pdf/file/open.ts';
import { listOf } from '../../pdf/file/read/entries.ts';
import { Ref } from '../../pdf/syntax/values.ts';
import { fontOfFile } from '../edit/text-options.ts';
import { updateWarnings } from '../frame/appended.ts';
import type { Handler } from '../frame/handler.ts';
import { MOST_FILES } from '../frame/names.ts';
import { withSource } from '../frame/with-source.ts';
import { type FormValues, readData, valuesOf } from './data.ts';
import { filledPdf, formIn, losesFields } from './filled.ts';
import { match } from './match.ts';

export const run: Handler<typeof formFill> = async (input, ctx) => {
  const { file, data, values, each, name, flatten, font_file, incremental } = input;
  const sets = data === undefined ? [] : readData(data);
  const given = values === undefined ? undefined : valuesOf(values, 'values');
  if (sets.length > MOST_FILES)
    throw new Failure('usage', `expected at most ${MOST_FILES} sets of values, found ${sets.length}`);
  if (!each && sets.length > 1) {
    throw new Failure('usage', `${data?.name} has ${sets.length} sets of values for one PDF`, {
      hint: say`Add ${field('each', true)}, and name a folder: one PDF for each of them.`,
    });
  }
  return withSource(
    file,
    ctx,
    async (source, temp) => {
      const form = formIn(source);
      const pages = source.tree.pages.length;
      const named = new Set([...sets, ...(given === undefined ? [] : [given])].flatMap((set) => [...set.keys()]));
      const warnings = notes(source, form, named);
      const append = incremental === true ? { random: ctx.random } : undefined;
      const told = async (body: RandomAccess) => (append === undefined ? [] : updateWarnings(source, body));
      // A font object collects the glyphs used, so each PDF gets its own.
      const font = () => (font_file === undefined ? undefined : fontOfFile(font_file));
      if (!each) {
        const all: FormValues = new Map([...(sets[0] ?? []), ...(given ?? [])]);
        const options = { fillings: match(source.file, form, all), flatten, append, font: font(), name: 'filled.pdf' };
        const body = await filledPdf(source, form, options, { ...ctx, temp });
        return { kind: 'bytes', mediaType: PDF, body, pages, warnings: [...warnings, ...(await told(body))] };
      }
      // All sets are checked against the form before the first PDF is written.
      const fillings = sets.map((set, i) => {
        try {
          return match(source.file, form, set);
        } catch (error) {
          if (!(error instanceof Failure)) throw error;
          throw error.with({ wording: `set ${i + 1} of ${sets.length}: ${error.message}` });
        }
      });
      const names = namesOf(sets, name);
      const parts: Part[] = [];
      for (const [i, filling] of fillings.entries()) {
        ctx.progress({ phase: 'fill', done: i, total: sets.length, unit: 'files' });
        const options = { fillings: filling, flatten, append, font: font(), name: names[i] ?? '' };
        const body = await filledPdf(source, form, options, { ...ctx, temp });
        warnings.push(...(await told(body)));
        parts.push({ name: options.name, body, pages });
      }
      return { kind: 'parts', parts, warnings };
    },
    { incremental, ...(flatten && { loses: losesFields }) },
  );
};

/** Field names listed in one warning. */
const MOST_NAMED = 10;

/** `named`: the fields that get values. */
function notes({ file }: Source, { dict, fields }: Form, named: ReadonlySet<string>): string[] {
  const order = new Set(listOf(file, dict.get('CO')).map((item) => (item instanceof Ref ? item.num : 0)));
  const computes = (field: FormField): boolean =>
    (field.num > 0 && order.has(field.num)) || file.dict(field.dict.get('AA'))?.has('C') === true;
  const computed = fields.filter((field) => !named.has(field.name) && computes(field)).map(({ name }) => name);
  const more = computed.length > MOST_NAMED ? [`${computed.length - MOST_NAMED} more`] : [];
  const list = [...computed.slice(0, MOST_NAMED), ...more].join(', ');
  return [
    ...(dict.has('XFA') ? [`${file.name}: its XFA form is taken away, because it would show the old values`] : []),
    ...(computed.length > 0 ? [`${file.name}: not computed anew, as its scripts would do: ${list}`] : []),
  ];
}

/** A file name for each set, made from its values; repeated names get a number. */
function namesOf(sets: readonly FormValues[], template: string): string[] {
  const width = Math.max(3, String(sets.length).length);
  const seen = new Map<string, number>();
  return sets.map((set, i) => {
    const words = template.replace(/\{([^{}]+)\}/g, (whole, word: string) => {
      if (word === 'n') return String(i + 1).padStart(width, '0');
      const value = set.get(word);
      if (value === undefined) throw new Failure('usage', say`${field('name')}: ${whole} is no field of set ${i + 1}`);
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
