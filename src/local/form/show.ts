import { columns } from '../../contract/columns.ts';
import type { formShow } from '../../contract/operations/edit/forms.ts';
import { buttonNames, FLAGS, type FormField, filledIn, optionsOf, readForm } from '../../pdf/edit/form/fields.ts';
import { mostCharacters } from '../../pdf/edit/form/fill-form.ts';
import type { PdfFile } from '../../pdf/file/read/pdf-file.ts';
import { textOf } from '../../pdf/syntax/text-strings.ts';
import type { Handler } from '../frame/handler.ts';
import { withSource } from '../frame/with-source.ts';

export const run: Handler<typeof formShow> = ({ file }, ctx) => {
  return withSource(file, ctx, async (source) => {
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
    const table = rows.length === 0 ? `${file.name} has no form fields` : columns(rows, WIDEST).join('\n');
    const xfa = form?.dict.has('XFA') === true;
    const warnings = xfa ? [`${file.name} also has an XFA form, which is not read`] : [];
    return { kind: 'record', record: { ok: true, fields, values, ...(xfa ? { xfa } : {}), table }, warnings };
  });
};

/** A wider value shifts the columns of its own line only. */
const WIDEST = 60;

function told(file: PdfFile, field: FormField) {
  const { name, type, flags } = field;
  const label = textOf(file.resolve(field.dict.get('TU')));
  const most = mostCharacters(file, field);
  const buttons = [...new Set(buttonNames(file, field).map((button) => button.name))];
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
