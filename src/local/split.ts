import type { InputOf, ResultOf } from '../contract/operation.ts';
import type { split } from '../contract/operations/pages.ts';
import type { Context, Part } from '../contract/ports.ts';
import { fingerprint } from '../pdf/copy/assemble.ts';
import { Pace } from '../pdf/pace.ts';
import { signatureWarning } from '../pdf/read/signature.ts';
import { type Source, withSources } from '../pdf/read/source.ts';
import { inputOf } from '../pdf/structure/input.ts';
import { NewParts } from '../pdf/structure/new-parts.ts';
import { checkObjects, filesOf, idOf } from './split-files.ts';

export function run(input: InputOf<typeof split>, ctx: Context): Promise<ResultOf<typeof split>> {
  return withSources([input.file], ctx, async (sources, temp) => {
    const [source] = sources as [Source];
    const whole = inputOf(source);
    const files = await filesOf(input, source, whole, { ...ctx, temp });
    const print = fingerprint(sources, 'split');
    const made = new NewParts(whole, temp, new Pace(ctx));
    try {
      for (const [done, { name, places }] of files.entries()) {
        ctx.progress({ phase: 'split', done, total: files.length, unit: 'files' });
        await made.add(name, places, idOf(print, places));
        checkObjects(source.file.name, done + 1, made.objects);
      }
      const parts = await made.results();
      const large = parts.flatMap((part) => largeWarning(part, input.max_size));
      return { kind: 'parts', parts, warnings: [...made.warnings, ...signatureWarning(source.file), ...large] };
    } finally {
      await made.settled();
    }
  });
}

function largeWarning({ name, body }: Part, most = Number.POSITIVE_INFINITY): string[] {
  const { size = 0 } = body;
  return size > most ? [`${name} has ${size} bytes: its page alone is larger than ${most}`] : [];
}
