import { Failure } from '../../contract/base/failure.ts';
import type { BytesResult, Context, RandomAccess, Temp } from '../../contract/base/ports.ts';
import { PDF } from '../../contract/media.ts';
import type { formFlatten } from '../../contract/operations/edit/forms.ts';
import type { PageFont } from '../../pdf/edit/fonts/page-font.ts';
import { type Form, readForm } from '../../pdf/edit/form/fields.ts';
import { type Filling, fillForm } from '../../pdf/edit/form/fill-form.ts';
import { flattenForm } from '../../pdf/edit/form/flatten-form.ts';
import { documentId } from '../../pdf/file/copy/assemble.ts';
import type { Append } from '../../pdf/file/copy/rewrite.ts';
import { type LostClaims, losesTags } from '../../pdf/file/drop-claim.ts';
import { openSource, type Source } from '../../pdf/file/open.ts';
import { nameAt } from '../../pdf/file/read/entries.ts';
import { Pace } from '../../pdf/file/read/pace.ts';
import { annotationsOf } from '../../pdf/file/read/page-dict.ts';
import { checked } from '../../pdf/file/write/check.ts';
import { isHiddenAnnotation } from '../../pdf/page/annotations.ts';
import type { Handler } from '../frame/handler.ts';
import { withSource } from '../frame/with-source.ts';

interface FillOptions {
  readonly fillings: readonly Filling[];
  readonly flatten: boolean;
  readonly append?: Append | undefined;
  readonly font: PageFont | undefined;
  readonly name: string;
}

export function formIn(source: Source): Form {
  const form = readForm(source);
  if (form !== undefined && form.fields.length > 0) return form;
  const xfa = form?.dict.has('XFA') === true;
  throw new Failure('unprocessable', `${source.file.name} has no form fields${xfa ? ', only an XFA form' : ''}`, {
    hint: xfa ? 'Programs by Adobe alone can fill it.' : 'Write on its pages with pdftool stamp.',
  });
}

/** Claims that a flattened form loses: the tags of what is drawn in place of its fields. */
export function losesFields(sources: readonly Source[]): LostClaims {
  const hasFields = sources.some(({ file, tree }) =>
    tree.pages.some((page) =>
      annotationsOf(file, page).some((item) => {
        const dict = file.dict(item);
        return nameAt(file, dict, 'Subtype') === 'Widget' && dict !== undefined && !isHiddenAnnotation(file, dict);
      }),
    ),
  );
  return hasFields ? losesTags(sources, 'its fields become content without tags') : {};
}

/** Fills in the fields of a document, or flattens them into its pages. */
export async function filledPdf(source: Source, form: Form, options: FillOptions, ctx: Context): Promise<RandomAccess> {
  const { fillings, flatten, font, name, append } = options;
  const pages = source.tree.pages.length;
  const key = JSON.stringify([fillings.map(({ field, value }) => [field.name, value]), flatten, font?.name, name]);
  const draft = ctx.temp.create(flatten ? `fields-${name}` : name);
  const [id, pace] = [documentId([source], `form ${key}`), new Pace(ctx)];
  await fillForm(source, form, fillings, draft, id, pace, font, ctx.fontFile, append);
  const filled = await checked(draft.finish(), pages, append && source.file.password);
  if (!flatten) return filled;
  const flat = ctx.temp.create(name);
  const ground = await openSource(filled, {});
  await flattenForm(ground, flat, documentId([source], `flat ${key}`), new Pace(ctx));
  draft.discard();
  return checked(flat.finish(), pages);
}

export const flatten: Handler<typeof formFlatten> = ({ file }, ctx) => {
  const flattened = async (source: Source, temp: Temp): Promise<BytesResult> => {
    // Missing or outdated appearances of fields are drawn first.
    const options = { fillings: [], flatten: true, font: undefined, name: 'flat.pdf' };
    const body = await filledPdf(source, formIn(source), options, { ...ctx, temp });
    return { kind: 'bytes', mediaType: PDF, body, pages: source.tree.pages.length };
  };
  return withSource(file, ctx, flattened, { loses: losesFields });
};
