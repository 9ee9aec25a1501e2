import type { InputOf, ResultOf } from '../contract/operation.ts';
import type { info } from '../contract/operations/pages.ts';
import type { Context } from '../contract/ports.ts';
import { type Source, withSources } from '../pdf/file/source.ts';
import { textOf } from '../pdf/file/strings.ts';
import { factsOf } from '../pdf/structure/inspect/facts.ts';

const FIELDS = {
  title: 'Title',
  author: 'Author',
  subject: 'Subject',
  keywords: 'Keywords',
  producer: 'Producer',
  creator: 'Creator',
};

export function run({ file: input }: InputOf<typeof info>, ctx: Context): Promise<ResultOf<typeof info>> {
  return withSources([input], ctx, async (sources) => {
    const [source] = sources as [Source];
    const { file, tree } = source;
    const entries = file.dict(file.xref.trailer.get('Info'));
    const fields = Object.entries(FIELDS).map(([field, key]) => [field, textOf(file.resolve(entries?.get(key)))]);
    const record = { ok: true, page_count: tree.pages.length, ...Object.fromEntries(fields) };
    return { kind: 'record', record: { ...record, details: factsOf(source) } };
  });
}
