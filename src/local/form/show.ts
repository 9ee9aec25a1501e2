import type { InputOf, ResultOf } from '../../contract/operation.ts';
import type { formShow } from '../../contract/operations/forms.ts';
import type { Context } from '../../contract/ports.ts';
import { buttonNames, FLAGS, type FormField, filledIn, optionsOf, readForm } from '../../pdf/edit/form/fields.ts';
import { mostCharacters } from '../../pdf/edit/form/fill-form.ts';
import type { PdfFile } from '../../pdf/read/pdf-file.ts';
import { type Source, withSources } from '../../pdf/read/source.ts';
import { textOf } from '../../pdf/syntax/text-strings.ts';

export function run({ file }: InputOf<typeof formShow>, ctx: Context): Promise<ResultOf<typeof formShow>> {
  return withSources([file], ctx, async (sources) => {
    const [source] = sources as [Source];
    const form = readForm(source);
    const fields = (form?.fields ?? []).map((field) => told(source.file, field));
    const valued = fields.filter(({ type }) => type !== 'button' && type !== 'signature');
    const values = Object.fromEntries(valued.map(({ name, value }) => [name, value]));
    const rows = fields.map(({ name, type, value, takes }) => [
      name,
      type,
      Array.isArray(value) ? value.join(', ') : String(value).replace(/\s*[\r\n]+\s*/g, ' / '),
      takes === undefined ? '' : `takes ${takes.join(', ')}`,
    ]);
    const widths = [0, 1, 2].map((column) => Math.min(60, Math.max(0, ...rows.map((row) => row[column]?.length ?? 0))));
    const lines = rows.map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    );
    const table = lines.length === 0 ? `${file.name} has no form fields` : lines.join('\n');
    const xfa = form?.dict.has('XFA') === true;
    const warnings = xfa ? [`${file.name} also has an XFA form, which is not read`] : [];
    return { kind: 'record', record: { ok: true, fields, values, ...(xfa ? { xfa } : {}), table }, warnings };
  });
}

function told(file: PdfFile, field: FormField) {
  const { name, type, flags } = field;
  const label = textOf(file.resolve(field.dict.get('TU')));
  const most = mostCharacters(file, field);
  const buttons = [...new Set(buttonNames(file, field).map((each) => each.name))];
  const takes =
    type === 'choice'
      ? optionsOf(file, field).map((option) => option.value)
      : type === 'radio' || (type === 'check' && buttons.length > 1)
        ? buttons
        : undefined;
  return {
    name,
    type,
    value: filledIn(file, field),
    ...(takes === undefined ? {} : { takes }),
    ...(label === null ? {} : { label }),
    ...(most === undefined ? {} : { max_length: most }),
    ...((flags & FLAGS.required) !== 0 ? { required: true } : {}),
    ...((flags & FLAGS.readOnly) !== 0 ? { read_only: true } : {}),
    ...(type === 'choice' && (flags & FLAGS.multiSelect) !== 0 ? { several: true } : {}),
    ...(type === 'choice' && (flags & FLAGS.combo) !== 0 && (flags & FLAGS.edit) !== 0 ? { any_text: true } : {}),
  };
}
