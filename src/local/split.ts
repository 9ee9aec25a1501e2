import { Failure } from '../contract/failure.ts';
import type { PageSpan } from '../contract/field.ts';
import type { InputOf, ResultOf } from '../contract/operation.ts';
import type { split } from '../contract/operations/pages.ts';
import type { Context, Draft, Part } from '../contract/ports.ts';
import { Background } from '../pdf/background.ts';
import { Assembly, copyInfo, fingerprint, withoutPages, writerOptions } from '../pdf/copy/assemble.ts';
import { Copier } from '../pdf/copy/copier.ts';
import { Pruner } from '../pdf/copy/unused-resources.ts';
import { Pace } from '../pdf/pace.ts';
import { signatureWarning } from '../pdf/read/signature.ts';
import { type Source, withSources } from '../pdf/read/source.ts';
import { Subsets } from '../pdf/structure/subset/subset.ts';
import { checked } from '../pdf/write/check.ts';
import { fileNames, rangesOf } from './split-files.ts';

export function run(input: InputOf<typeof split>, ctx: Context): Promise<ResultOf<typeof split>> {
  return withSources([input.file], ctx, async (sources, temp) => {
    const [source] = sources as [Source];
    const { file, tree } = source;
    const spans = rangesOf(input, tree.pages.length, file.name);
    if (spans.length > MOST_FILES) throw tooMany(file.name, spans.length);
    const names = fileNames(spans, tree.pages.length);
    const pace = new Pace(ctx);
    const numbers = withoutPages(source);
    const options = writerOptions(sources);
    const print = fingerprint(sources, 'split');
    const pruner = new Pruner(file, tree.pages);
    const subsets = new Subsets(source);
    const parts = new Background<Part>();
    let objects = 0;
    try {
      for (const [done, span] of spans.entries()) {
        ctx.progress({ phase: 'split', done, total: spans.length, unit: 'files' });
        const [start, end] = span;
        const draft = temp.create(names[done]!);
        const assembly = new Assembly(draft, options);
        const copier = new Copier(file, assembly.writer, numbers);
        const picked = tree.pages.slice(start - 1, end);
        const placed = { copier, pages: assembly.reserve(source, copier, picked) };
        const info = copyInfo(copier);
        const subset = subsets.begin(start - 1, end, placed);
        await assembly.pick(picked, copier, placed.pages, pruner, subset.change);
        await subset.copy();
        const entries = await subset.finish(() => copier.drain(pace));
        copier.restore();
        objects += assembly.writer.count;
        if (objects > MOST_OBJECTS) throw tooMuch(file.name, done + 1);
        const written = assembly.finish(idOf(print, span), info, entries);
        await parts.add(finished(draft, written, end - start + 1));
        // Lets files continue whose step on another thread has ended.
        if (done % PARTS_A_TURN === 0) await pace.yield();
      }
      const all = await parts.results();
      return { kind: 'parts', parts: all, warnings: [...subsets.warnings, ...signatureWarning(file)] };
    } finally {
      // Drafts that are given up must not be on their way to the disk.
      await parts.settled();
    }
  });
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

function idOf(print: string, [start, end]: PageSpan): string {
  return print.slice(0, 16) + start.toString(16).padStart(8, '0') + end.toString(16).padStart(8, '0');
}

/** Each file has to reach the disk: so many take up to half a minute. A file of 1 KB can name a page 100,000 times. */
const MOST_FILES = 20_000;

function tooMany(name: string, count: number): Failure {
  return new Failure(
    'unprocessable',
    `${name} would become ${count} files: at most ${MOST_FILES} are written at once`,
    {
      kind: 'limit',
      hint: `Cut it into parts first, with --at-pages ${MOST_FILES}, then split those.`,
    },
  );
}

/** What all pages share is in each file: 3 MB of it made 9 GB. Files of large documents have some hundred objects each. */
const MOST_OBJECTS = 25_000_000;

function tooMuch(name: string, files: number): Failure {
  const message = `${name}: its pages share so much that the first ${files} files have more than ${MOST_OBJECTS} objects`;
  return new Failure('unprocessable', message, {
    kind: 'limit',
    hint: 'Cut it into fewer parts, with --at-pages or --ranges.',
  });
}
