// Owns split on the local engine: which pages go into which file. Knows neither terminal nor HTTP.
import { Failure } from '../contract/failure.ts';
import type { PageSpan } from '../contract/field.ts';
import { EXTENSIONS, PDF } from '../contract/media.ts';
import type { InputOf, ResultOf } from '../contract/operation.ts';
import type { split } from '../contract/operations/pages.ts';
import { pagesOf } from '../contract/page-range.ts';
import type { Context, Draft, Part } from '../contract/ports.ts';
import { Behind } from '../pdf/behind.ts';
import { Assembly, copyInfo, fingerprint, withoutPages, writerOptions } from '../pdf/file/assemble.ts';
import { checked } from '../pdf/file/check.ts';
import { Copier } from '../pdf/file/copier.ts';
import { Pruner } from '../pdf/file/prune.ts';
import { signatureWarning } from '../pdf/file/signature.ts';
import { type Source, withSources } from '../pdf/file/source.ts';
import { Pace } from '../pdf/pace.ts';
import { Subsets } from '../pdf/structure/subset/subset.ts';

export function run(input: InputOf<typeof split>, ctx: Context): Promise<ResultOf<typeof split>> {
  return withSources([input.file], ctx, async (sources, temp) => {
    const [source] = sources as [Source];
    const { file, tree } = source;
    const segments = segmentsOf(input, tree.pages.length, file.name);
    if (segments.length > MOST_FILES) throw tooMany(file.name, segments.length);
    const names = namesOf(segments, tree.pages.length);
    const pace = new Pace(ctx);
    const numbers = withoutPages(source);
    const options = writerOptions(sources);
    const print = fingerprint(sources, 'split');
    const pruner = new Pruner(file, tree.pages);
    const subsets = new Subsets(source);
    const parts = new Behind<Part>();
    let objects = 0;
    try {
      for (const [done, segment] of segments.entries()) {
        ctx.progress({ phase: 'split', done, total: segments.length, unit: 'files' });
        const [start, end] = segment;
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
        const written = assembly.finish(idOf(print, segment), info, entries);
        await parts.add(finished(draft, written, end - start + 1));
        // What other threads have ended goes on.
        if (done % PARTS_A_TURN === 0) await pace.turn();
      }
      const all = await parts.results();
      return { kind: 'parts', parts: all, warnings: [...subsets.warnings, ...signatureWarning(file)] };
    } finally {
      // Drafts that are given up must not be on their way to the disk.
      await parts.settled();
    }
  });
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

/** Parts between two turns of the event loop: fewer than are under way at once (behind.ts). */
const PARTS_A_TURN = 16;

/** What all pages share is in each file: 3 MB of it made 9 GB. Files of large documents have some hundred objects each. */
const MOST_OBJECTS = 25_000_000;

function tooMuch(name: string, files: number): Failure {
  const message = `${name}: its pages share so much that the first ${files} files have more than ${MOST_OBJECTS} objects`;
  return new Failure('unprocessable', message, {
    kind: 'limit',
    hint: 'Cut it into fewer parts, with --at-pages or --ranges.',
  });
}

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

/** One range a file: as asked, or cut after the pages named, or every page for itself. */
function segmentsOf({ at_pages, ranges }: InputOf<typeof split>, count: number, name: string): readonly PageSpan[] {
  const beyond = (at_pages ?? ranges?.flat() ?? []).find((page) => page > count);
  if (beyond !== undefined) {
    throw new Failure('usage', `${name} has ${pagesOf(count)}; there is no page ${beyond}`, {
      hint: `Give pages from 1 to ${count}.`,
    });
  }
  if (ranges !== undefined) return ranges;
  if (at_pages === undefined) return Array.from({ length: count }, (_, i) => [i + 1, i + 1] as const);
  const cuts = [...new Set([...at_pages, count])].sort((a, b) => a - b);
  return cuts.map((end, i) => [(cuts[i - 1] ?? 0) + 1, end] as const);
}

/** Pages that are asked for twice are two files: page-001.pdf and page-001-2.pdf. */
function namesOf(segments: readonly PageSpan[], count: number): string[] {
  const times = new Map<string, number>();
  return segments.map((segment) => {
    const name = nameOf(segment, count);
    const time = (times.get(name) ?? 0) + 1;
    times.set(name, time);
    return time === 1 ? name : name.replace('.', `-${time}.`);
  });
}

/** page-001.pdf as the service names it, with more digits where there are more pages; pages-001-003.pdf for several. */
function nameOf([start, end]: PageSpan, count: number): string {
  const width = Math.max(3, String(count).length);
  const digits = (page: number): string => String(page).padStart(width, '0');
  const stem = start === end ? `page-${digits(start)}` : `pages-${digits(start)}-${digits(end)}`;
  return `${stem}.${EXTENSIONS[PDF]?.[0]}`;
}

function idOf(print: string, [start, end]: PageSpan): string {
  return print.slice(0, 16) + start.toString(16).padStart(8, '0') + end.toString(16).padStart(8, '0');
}
