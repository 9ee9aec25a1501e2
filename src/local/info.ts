// Owns info on the local engine: page count and document information. Knows neither terminal nor HTTP.
import type { InputOf, ResultOf } from '../contract/operation.ts';
import type { info } from '../contract/operations/pages.ts';
import type { Context } from '../contract/ports.ts';
import { openSource } from '../pdf/file/assemble.ts';
import { explain } from '../pdf/file/open.ts';
import { textOf } from '../pdf/file/strings.ts';

const FIELDS = {
  title: 'Title',
  author: 'Author',
  subject: 'Subject',
  keywords: 'Keywords',
  producer: 'Producer',
  creator: 'Creator',
};

export async function run({ file: source }: InputOf<typeof info>, _ctx: Context): Promise<ResultOf<typeof info>> {
  const { file, tree } = openSource(source);
  const fields = explain(file.name, () => {
    const entries = file.dict(file.xref.trailer.get('Info'));
    return Object.entries(FIELDS).map(([field, key]) => [field, textOf(file.resolve(entries?.get(key)))]);
  });
  return { kind: 'record', record: { ok: true, page_count: tree.pages.length, ...Object.fromEntries(fields) } };
}
