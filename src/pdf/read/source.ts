import { Failure } from '../../contract/failure.ts';
import type { ByteSource, Context, Draft, Result, Temp } from '../../contract/ports.ts';
import { askingOnce, pagesOf } from '../repair/asking.ts';
import { missingParts } from '../repair/missing-parts.ts';
import { judgePages } from '../repair/page-count.ts';
import { fromOthers, type Settling, salvageOrRefuse, settled } from '../repair/settle.ts';
import { Damage } from '../syntax/damage.ts';
import { damaged, openPdf, REBUILT } from './open.ts';
import type { Source } from './opened.ts';
import { readPages } from './page-tree.ts';

export type { Source };

/** Of inputs up to this size together, what was read is held until they are worked on; it is read twice of others. */
export const HELD = 16 << 20;

/**
 * Opens the inputs in order and works on them. Where an object is not where a file's table says, the file is opened by
 * scanning and the work begun anew, once a file; what was drafted before is drafted again under the same name. Adds a
 * warning for each repair, and for encryption that the output has not, unless the work tells of that itself.
 */
export async function withSources<T extends Result>(
  inputs: readonly ByteSource[],
  given: Context,
  work: (sources: readonly Source[], temp: Temp) => Promise<T>,
  encryption: 'dropped' | 'told elsewhere' = 'dropped',
): Promise<T> {
  const ctx = askingOnce(given);
  const scanned = new Set<number>();
  for (;;) {
    const sources: Source[] = [];
    let bytes = 0;
    const drafts: Draft[] = [];
    const temp = {
      create: (name: string): Draft => {
        const draft = ctx.temp.create(name);
        drafts.push(draft);
        return draft;
      },
    };
    try {
      for (const [i, input] of inputs.entries()) {
        ctx.signal.throwIfAborted();
        const source = await openSource(input, ctx, scanned.has(i));
        sources.push(source);
        ctx.step?.(`${stepOf(source)} ${input.name}, ${pagesOf(source.tree.pages.length)}`);
        // Hundreds of inputs may be open: what was read of one is not held while the others are looked at.
        bytes += sources[i]!.file.size;
        if (bytes > HELD) sources[i]!.file.release();
      }
      const result = await work(sources, temp);
      const repairs = sources.flatMap(repairWarnings);
      for (const [i, input] of inputs.entries()) repairs.push(...(await confirmPages(sources[i]!, input, ctx)));
      const opened = result.kind === 'record' || encryption !== 'dropped' ? [] : sources.flatMap(decryptionWarning);
      // A file that is given twice is warned of once.
      return { ...result, warnings: [...new Set([...repairs, ...opened, ...(result.warnings ?? [])])] };
    } catch (error) {
      if (!(error instanceof Damage)) throw error;
      const at = sources.length === 1 ? 0 : sources.findIndex(({ file }) => file === error.file);
      const input = inputs[at];
      if (input === undefined) throw error;
      if (scanned.has(at) || sources[at]!.scanned) throw damaged(input.name, error);
      ctx.detail(`${input.name}: ${error.message}; reading it again from front to back`);
      scanned.add(at);
      for (const draft of drafts) draft.discard();
    }
  }
}

/** What was done to open it, for people who asked to see the steps. */
export function stepOf({ file, scanned }: Source): 'repaired' | 'read' {
  return scanned || file.repairs.size > 0 ? 'repaired' : 'read';
}

/**
 * What other readers make of the pages of a file that was opened, if they were not asked before. Call it when all that may
 * be repaired was read.
 * @throws Failure of kind `damaged` where others have an answer and none of them is ours, unless it is to be salvaged.
 */
export async function confirmPages(source: Source, input: ByteSource, ctx: Context): Promise<readonly string[]> {
  if (source.settled === true) return source.notes ?? [];
  const { against, warnings } = await judgePages({ ...source, input }, ctx);
  if (against !== undefined) salvageOrRefuse(source.file.name, against, ctx);
  return warnings;
}

/**
 * Opens one input and walks its pages, by scanning where its table or its page tree cannot be read. What was read so has the
 * pages that most readers find in it.
 */
export async function openSource(input: ByteSource, ctx: Settling, scan = false): Promise<Source> {
  const open: OpenOurs = (from, how) => openOurs(from, ctx, how.scan, how.pages);
  const source = await open(input, { scan }).catch((error: unknown) => {
    if (!(error instanceof Failure)) throw error;
    return fromOthers(input, error, ctx, open);
  });
  return source.scanned && source.settled !== true ? settled(source, input, ctx, open) : source;
}

type OpenOurs = Parameters<typeof settled>[3];

/** The same, asking nobody else. */
async function openOurs(input: ByteSource, ctx: Settling, scan: boolean, pages?: number): Promise<Source> {
  const password = ctx.password?.bind(ctx);
  const file = await openPdf(input, { password, pages, ...(scan ? { table: 'scan' } : {}) });
  const scanned = file.repairs.has(REBUILT);
  let sound = true;
  try {
    const tree = readPages(file);
    if (tree.pages.length > 0) return await withLostPages({ file, tree, scanned }, input, ctx);
    sound = tree.wellFormed;
  } catch (error) {
    if (!(error instanceof Damage)) throw error;
    if (scanned) throw damaged(input.name, error);
  }
  if (!scanned) return openOurs(input, ctx, true, pages);
  if (!sound) throw damaged(input.name, new Damage('its page tree leads to no page'));
  throw new Failure('unprocessable', `${input.name} has no pages`, {
    kind: 'no-pages',
    hint: 'There is nothing to work on in it.',
  });
}

/**
 * The same, or with pages that can be found by scanning, where the root of a file promises more than it leads to. Refuses one
 * whose table is whole, so that nothing was cut off, and yet parts of the pages that are left are nowhere.
 */
async function withLostPages(source: Source, input: ByteSource, ctx: Settling): Promise<Source> {
  const { file, tree, scanned } = source;
  if (scanned || tree.statedCount <= tree.pages.length) return source;
  const password = file.password;
  const again = await openOurs(input, password === undefined ? ctx : { password: async () => password }, true);
  if (again.tree.pages.length > tree.pages.length) return again;
  const missing = missingParts(source);
  if (missing.length < 2) return source;
  salvageOrRefuse(file.name, missing.join('; '), ctx);
  return source;
}

/** What was mended in a file and what it lacks, a sentence each; nothing where nothing was. */
export function repairWarnings(source: Source): string[] {
  const { file, tree, scanned } = source;
  const repairs = [...file.repairs];
  const missing = scanned || tree.statedCount > tree.pages.length ? missingParts(source) : [];
  return [
    ...(repairs.length > 0 ? [`${file.name} is damaged and was repaired: ${repairs.join('; ')}`] : []),
    ...missing.map((phrase) => `${file.name}: ${phrase}`),
  ];
}

function decryptionWarning({ file }: Source): string[] {
  return file.decryption === undefined ? [] : [`${file.name} was encrypted; the output is not`];
}
