import type { InputOf, ResultOf } from '../contract/operation.ts';
import type { split } from '../contract/operations/pages.ts';
import type { Context, Draft, Part } from '../contract/ports.ts';
import { Background } from '../pdf/background.ts';
import { fingerprint } from '../pdf/copy/assemble.ts';
import { Pace } from '../pdf/pace.ts';
import { signatureWarning } from '../pdf/read/signature.ts';
import { type Source, withSources } from '../pdf/read/source.ts';
import { inputOf, picking } from '../pdf/structure/input.ts';
import { NewDocument } from '../pdf/structure/new-document.ts';
import { checked } from '../pdf/write/check.ts';
import { checkObjects, filesOf, idOf } from './split-files.ts';

export function run(input: InputOf<typeof split>, ctx: Context): Promise<ResultOf<typeof split>> {
  return withSources([input.file], ctx, async (sources, temp) => {
    const [source] = sources as [Source];
    const whole = inputOf(source);
    const files = await filesOf(input, source, whole, { ...ctx, temp });
    const pace = new Pace(ctx);
    const print = fingerprint(sources, 'split');
    const parts = new Background<Part>();
    const warnings = new Set<string>();
    let objects = 0;
    try {
      for (const [done, { name, places }] of files.entries()) {
        ctx.progress({ phase: 'split', done, total: files.length, unit: 'files' });
        const draft = temp.create(name);
        const picked = picking(whole, places);
        const document = new NewDocument(draft, [picked], pace, { parts: true });
        await document.add(picked);
        objects += document.objects;
        checkObjects(source.file.name, done + 1, objects);
        for (const warning of document.warnings) warnings.add(warning);
        await parts.add(finished(draft, document.finish(idOf(print, places)), places.length));
        // Lets files continue whose step on another thread has ended.
        if (done % PARTS_A_TURN === 0) await pace.yield();
      }
      const all = await parts.results();
      const large = all.flatMap((part) => largeWarning(part, input.max_size));
      return { kind: 'parts', parts: all, warnings: [...warnings, ...signatureWarning(source.file), ...large] };
    } finally {
      // Drafts that are given up must not be on their way to the disk.
      await parts.settled();
    }
  });
}

function largeWarning({ name, body }: Part, most = Number.POSITIVE_INFINITY): string[] {
  const { size = 0 } = body;
  return size > most ? [`${name} has ${size} bytes: its page alone is larger than ${most}`] : [];
}

/** Parts after which other work gets the thread. */
const PARTS_A_TURN = 16;

/** Ends a part whose objects are `written`, on other threads as far as it goes, while the next part is begun. */
async function finished(draft: Draft, written: Promise<void>, pages: number): Promise<Part> {
  await written;
  const behind = draft.finishBehind?.();
  if (behind === undefined) return { name: draft.name, body: await checked(draft.finish(), pages), pages };
  try {
    return { name: draft.name, body: await checked(behind.body, pages), pages };
  } finally {
    await behind.written;
  }
}
