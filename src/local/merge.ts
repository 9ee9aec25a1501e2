import { PDF } from '../contract/media.ts';
import type { InputOf, ResultOf } from '../contract/operation.ts';
import type { merge } from '../contract/operations/pages.ts';
import type { Context } from '../contract/ports.ts';
import { Assembly, fingerprint, objectsOf, writerOptions } from '../pdf/copy/assemble.ts';
import { Copier } from '../pdf/copy/copier.ts';
import { Pace } from '../pdf/pace.ts';
import { signatureWarning } from '../pdf/read/signature.ts';
import { withSources } from '../pdf/read/source.ts';
import { type Input, inputsOf } from '../pdf/structure/input.ts';
import { MergedStructure } from '../pdf/structure/merged-structure.ts';
import { markDamage } from '../pdf/syntax/damage.ts';
import { checked } from '../pdf/write/check.ts';

export function run(input: InputOf<typeof merge>, ctx: Context): Promise<ResultOf<typeof merge>> {
  const { file, bookmarks, title, author, subject, keywords } = input;
  return withSources(file, ctx, async (sources, temp) => {
    const pace = new Pace(ctx);
    const warnings: string[] = [];
    const total = sources.reduce((sum, { tree }) => sum + tree.pages.length, 0);
    const draft = temp.create('merged.pdf');
    const inputs = inputsOf(sources);
    const assembly = new Assembly(draft, {
      ...writerOptions(sources, inputs.some(hasStructure)),
      expected: objectsOf(sources),
    });
    const structure = new MergedStructure(inputs, assembly.writer, {
      titles: bookmarks === true ? file.map(({ name }) => titleOf(name)) : undefined,
      metadata: { title, author, subject, keywords },
    });
    for (const [done, source] of sources.entries()) {
      ctx.progress({ phase: 'merge', done, total: sources.length, unit: 'files', note: source.file.name });
      const copier = new Copier(source.file, assembly.writer);
      await markDamage(source.file, async () => {
        warnings.push(...signatureWarning(source.file));
        const placed = { copier, pages: assembly.reserve(source, copier) };
        structure.place(inputs[done]!, placed);
        await assembly.graft(source, copier, placed.pages, pace);
        await structure.copy(inputs[done]!, placed);
        await copier.drain(pace);
        await structure.gather(inputs[done]!, placed, pace);
        await copier.drain(pace);
        structure.report(inputs[done]!, placed);
      });
      source.file.release();
    }
    const entries = await structure.write();
    await assembly.finish(fingerprint(sources, 'merge'), structure.infoNumber, entries);
    const body = await checked(draft.finish(), total);
    return { kind: 'bytes', mediaType: PDF, body, pages: total, warnings: [...warnings, ...structure.warnings] };
  });
}

/** Bookmarks and names are small objects, of which there may be more than of all others. */
function hasStructure({ catalog }: Input): boolean {
  return catalog.has('Outlines') || catalog.has('Names') || catalog.has('Dests');
}

/** What a person calls the file: its name without folders and without .pdf. */
function titleOf(name: string): string {
  const base = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
  return base.replace(/\.pdf$/i, '') || base;
}
