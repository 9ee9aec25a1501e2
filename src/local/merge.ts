import { PDF } from '../contract/media.ts';
import type { InputOf, ResultOf } from '../contract/operation.ts';
import type { merge } from '../contract/operations/pages.ts';
import type { Context } from '../contract/ports.ts';
import { fingerprint } from '../pdf/copy/assemble.ts';
import { Pace } from '../pdf/pace.ts';
import { signatureWarning } from '../pdf/read/signature.ts';
import { withSources } from '../pdf/read/source.ts';
import { inputOf } from '../pdf/structure/input.ts';
import { NewDocument } from '../pdf/structure/new-document.ts';
import { checked } from '../pdf/write/check.ts';

export function run(input: InputOf<typeof merge>, ctx: Context): Promise<ResultOf<typeof merge>> {
  const { file, bookmarks, title, author, subject, keywords } = input;
  return withSources(file, ctx, async (sources, temp) => {
    const draft = temp.create('merged.pdf');
    const inputs = sources.map((source, index) => inputOf(source, index));
    const merged = new NewDocument(draft, inputs, new Pace(ctx), {
      titles: bookmarks === true ? file.map(({ name }) => titleOf(name)) : undefined,
      metadata: { title, author, subject, keywords },
    });
    for (const [done, each] of inputs.entries()) {
      ctx.progress({ phase: 'merge', done, total: inputs.length, unit: 'files', note: each.file.name });
      await merged.add(each);
      each.file.release();
    }
    await merged.finish(fingerprint(sources, 'merge'));
    const body = await checked(draft.finish(), merged.pages);
    const signed = sources.flatMap((source) => signatureWarning(source.file));
    return { kind: 'bytes', mediaType: PDF, body, pages: merged.pages, warnings: [...signed, ...merged.warnings] };
  });
}

/** What a person calls the file: its name without folders and without .pdf. */
function titleOf(name: string): string {
  const base = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
  return base.replace(/\.pdf$/i, '') || base;
}
