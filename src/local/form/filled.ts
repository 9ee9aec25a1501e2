import { Failure } from '../../contract/failure.ts';
import type { Context, RandomAccess } from '../../contract/ports.ts';
import { fingerprint } from '../../pdf/copy/assemble.ts';
import type { PageFont } from '../../pdf/edit/fonts/page-font.ts';
import { type Form, readForm } from '../../pdf/edit/form/fields.ts';
import { type Filling, fillForm } from '../../pdf/edit/form/fill-form.ts';
import { flattenForm } from '../../pdf/edit/form/flatten-form.ts';
import { Pace } from '../../pdf/pace.ts';
import { openSource, type Source } from '../../pdf/read/source.ts';
import { checked } from '../../pdf/write/check.ts';

export interface FillWish {
  readonly fillings: readonly Filling[];
  readonly flatten: boolean;
  readonly font: PageFont | undefined;
  /** Of the output. */
  readonly name: string;
}

export function formOf(source: Source): Form {
  const form = readForm(source);
  if (form !== undefined && form.fields.length > 0) return form;
  const xfa = form?.dict.has('XFA') === true;
  throw new Failure('unprocessable', `${source.file.name} has no form fields${xfa ? ', only an XFA form' : ''}`, {
    hint: xfa ? 'Programs by Adobe alone can fill it.' : 'Write on its pages with pdftool stamp.',
  });
}

/** The document with values in its fields, or with what its fields show on its pages. */
export async function filledPdf(source: Source, form: Form, wish: FillWish, ctx: Context): Promise<RandomAccess> {
  const { fillings, flatten, font, name } = wish;
  const pages = source.tree.pages.length;
  const said = JSON.stringify([fillings.map(({ field, value }) => [field.name, value]), flatten, font?.name, name]);
  const draft = ctx.temp.create(flatten ? `fields-${name}` : name);
  await fillForm(source, form, fillings, draft, fingerprint([source], `form ${said}`), new Pace(ctx), font);
  const filled = await checked(draft.finish(), pages);
  if (!flatten) return filled;
  const flat = ctx.temp.create(name);
  const ground = await openSource(filled, {});
  await flattenForm(ground, flat, fingerprint([source], `flat ${said}`), new Pace(ctx));
  draft.discard();
  return checked(flat.finish(), pages);
}
