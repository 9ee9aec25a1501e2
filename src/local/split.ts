import type { split } from '../contract/operations/pages/pages.ts';
import { documentId } from '../pdf/file/copy/assemble.ts';
import { Pace } from '../pdf/file/read/pace.ts';
import { inputOf } from '../pdf/structure/input.ts';
import { NewParts } from '../pdf/structure/new-document.ts';
import type { Handler } from './frame/handler.ts';
import { withSource } from './frame/with-source.ts';
import { checkObjects, splitFiles, splitId } from './split-files.ts';

export const run: Handler<typeof split> = (input, ctx) => {
  return withSource(input.file, ctx, async (source, temp) => {
    const whole = inputOf(source);
    const files = await splitFiles(input, source, whole, { ...ctx, temp });
    const print = documentId([source], 'split');
    const made = new NewParts(whole, temp, new Pace(ctx));
    for (const [done, { name, places }] of files.entries()) {
      ctx.progress({ phase: 'split', done, total: files.length, unit: 'files' });
      await made.add(name, places, splitId(print, places));
      checkObjects(source.file.name, done + 1, made.objects);
    }
    const { parts, warnings } = made;
    const { max_size: most = Number.POSITIVE_INFINITY } = input;
    const large = parts.flatMap(({ name, body: { size = 0 } }) =>
      size > most ? [`${name} has ${size} bytes: its page alone is larger than ${most}`] : [],
    );
    return { kind: 'parts', parts, warnings: [...warnings, ...large] };
  });
};
