// Owns merge on the local engine. Knows neither terminal nor HTTP.
import { PDF } from '../contract/media.ts';
import type { InputOf, ResultOf } from '../contract/operation.ts';
import type { merge } from '../contract/operations/pages.ts';
import type { Context } from '../contract/ports.ts';
import { Assembly, checked, copyInfo, fingerprint, writerOptions } from '../pdf/file/assemble.ts';
import { Copier, DROPPED } from '../pdf/file/copier.ts';
import { within } from '../pdf/file/damage.ts';
import { withSources } from '../pdf/file/source.ts';
import { lossesOf, signatureWarning } from '../pdf/file/structure.ts';
import { Pace } from '../pdf/pace.ts';

export function run({ file }: InputOf<typeof merge>, ctx: Context): Promise<ResultOf<typeof merge>> {
  return withSources(file, ctx, async (sources, temp) => {
    const pace = new Pace(ctx);
    const warnings: string[] = [];
    const total = sources.reduce((sum, { tree }) => sum + tree.pages.length, 0);
    const draft = temp.create('merged.pdf');
    const assembly = new Assembly(draft, writerOptions(sources));
    let info = DROPPED;
    for (const [done, source] of sources.entries()) {
      ctx.progress({ phase: 'merge', done, total: sources.length, unit: 'files', note: source.file.name });
      const copier = new Copier(source.file, assembly.writer);
      await within(source.file, async () => {
        warnings.push(...lossesOf(source.file), ...signatureWarning(source.file));
        if (done === 0) info = copyInfo(copier);
        await assembly.graft(source, copier, pace);
        await copier.drain(pace);
      });
      source.file.release();
    }
    await assembly.finish(fingerprint(sources, 'merge'), info);
    const body = await checked(draft.finish(), total);
    return { kind: 'bytes', mediaType: PDF, body, pages: total, warnings };
  });
}
