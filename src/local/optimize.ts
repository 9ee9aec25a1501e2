import { Failure } from '../contract/failure.ts';
import { PDF } from '../contract/media.ts';
import type { InputOf, ResultOf } from '../contract/operation.ts';
import type { optimize } from '../contract/operations/optimize.ts';
import type { Context } from '../contract/ports.ts';
import { fingerprint } from '../pdf/copy/assemble.ts';
import { insertBlankPages } from '../pdf/edit/layout/blank-pages.ts';
import { linearize } from '../pdf/linearize/linearize.ts';
import { Pace } from '../pdf/pace.ts';
import { signatureWarning } from '../pdf/read/signature.ts';
import { openSource, type Source, withSources } from '../pdf/read/source.ts';
import { checked } from '../pdf/write/check.ts';

export function run(
  { file, linearize: wanted }: InputOf<typeof optimize>,
  ctx: Context,
): Promise<ResultOf<typeof optimize>> {
  return withSources([file], ctx, async (sources, temp) => {
    if (wanted !== true) {
      throw new Failure('usage', 'optimize needs --linearize', {
        hint: 'To make a PDF smaller: pdftool compress FILE.',
      });
    }
    const [source] = sources as [Source];
    const total = source.tree.pages.length;
    const pace = new Pace(ctx);
    // Every page with what it inherits: readers of a linearized file do not look at the nodes above.
    const flat = temp.create('flat.pdf');
    await insertBlankPages(source, flat, fingerprint(sources, 'flat'), pace, { after: new Map(), size: undefined });
    const ground = await openSource(flat.finish(), {});
    const draft = temp.create('linearized.pdf');
    const objects = temp.create('objects.pdf');
    await linearize(ground, draft, objects, fingerprint(sources, 'linearize'), pace);
    objects.discard();
    flat.discard();
    const body = await checked(draft.finish(), total);
    return { kind: 'bytes', mediaType: PDF, body, pages: total, warnings: signatureWarning(source.file) };
  });
}
