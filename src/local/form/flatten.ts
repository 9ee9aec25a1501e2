import { PDF } from '../../contract/media.ts';
import type { InputOf, ResultOf } from '../../contract/operation.ts';
import type { formFlatten } from '../../contract/operations/forms.ts';
import type { Context } from '../../contract/ports.ts';
import { signatureWarning } from '../../pdf/read/signature.ts';
import { type Source, withSources } from '../../pdf/read/source.ts';
import { filledPdf, formOf } from './filled.ts';

export function run({ file }: InputOf<typeof formFlatten>, ctx: Context): Promise<ResultOf<typeof formFlatten>> {
  return withSources([file], ctx, async (sources, temp) => {
    const [source] = sources as [Source];
    // What fields hold and do not show is drawn first.
    const wish = { fillings: [], flatten: true, font: undefined, name: 'flat.pdf' };
    const body = await filledPdf(source, formOf(source), wish, { ...ctx, temp });
    const warnings = signatureWarning(source.file);
    return { kind: 'bytes', mediaType: PDF, body, pages: source.tree.pages.length, warnings };
  });
}
