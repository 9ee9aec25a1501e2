import { PDF } from '../../contract/media.ts';
import type { formFlatten } from '../../contract/operations/edit/forms.ts';
import type { BytesResult, Temp } from '../../contract/ports.ts';
import type { Source } from '../../pdf/file/open.ts';
import type { Handler } from '../frame/handler.ts';
import { withSource } from '../frame/with-source.ts';
import { filledPdf, formIn, losesFields } from './filled.ts';

export const run: Handler<typeof formFlatten> = ({ file }, ctx) => {
  const flattened = async (source: Source, temp: Temp): Promise<BytesResult> => {
    // Missing or outdated appearances of fields are drawn first.
    const options = { fillings: [], flatten: true, font: undefined, name: 'flat.pdf' };
    const body = await filledPdf(source, formIn(source), options, { ...ctx, temp });
    return { kind: 'bytes', mediaType: PDF, body, pages: source.tree.pages.length };
  };
  return withSource(file, ctx, flattened, { loses: losesFields });
};
