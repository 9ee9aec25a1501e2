import { Failure } from '../../contract/failure.ts';
import type { ByteSource, Context, Draft, Result, Temp } from '../../contract/ports.ts';
import { missingParts } from '../repair/missing-parts.ts';
import { confirmPages } from '../repair/page-count.ts';
import { Damage } from '../syntax/damage.ts';
import { damaged, openPdf, REBUILT } from './open.ts';
import { type PageTree, readPages } from './page-tree.ts';
import type { PdfFile } from './pdf-file.ts';

/** Of inputs up to this size together, what was read is held until they are worked on; it is read twice of others. */
export const HELD = 16 << 20;

/** A file that was opened and has pages. */
export interface Source {
  readonly file: PdfFile;
  readonly tree: PageTree;
  /** Its objects were found by scanning, so that there is no other way left to read it. */
  readonly scanned: boolean;
}

/**
 * Opens the inputs in order and works on them. Where an object is not where a file's table says, the file is opened by
 * scanning and the work begun anew, once a file; what was drafted before is drafted again under the same name. Adds a
 * warning for each repair, and for encryption that the output has not, unless the work tells of that itself.
 */
export async function withSources<T extends Result>(
  inputs: readonly ByteSource[],
  ctx: Context,
  work: (sources: readonly Source[], temp: Temp) => Promise<T>,
  encryption: 'dropped' | 'told elsewhere' = 'dropped',
): Promise<T> {
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
        sources.push(await openSource(input, ctx, scanned.has(i)));
        // Hundreds of inputs may be open: what was read of one is not held while the others are looked at.
        bytes += sources[i]!.file.size;
        if (bytes > HELD) sources[i]!.file.release();
      }
      const result = await work(sources, temp);
      const repairs = sources.flatMap(repairWarnings);
      repairs.push(
        ...(await confirmPages(
          inputs.map((input, i) => ({ ...sources[i]!, input })),
          ctx,
        )),
      );
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

/** Opens one input and walks its pages, by scanning where its table or its page tree cannot be read. */
export async function openSource(input: ByteSource, ctx: Pick<Context, 'password'>, scan = false): Promise<Source> {
  const password = ctx.password?.bind(ctx);
  const file = await openPdf(input, { password, ...(scan ? { table: 'scan' } : {}) });
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
  if (!scanned) return openSource(input, ctx, true);
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
async function withLostPages(source: Source, input: ByteSource, ctx: Pick<Context, 'password'>): Promise<Source> {
  const { file, tree, scanned } = source;
  if (scanned || tree.statedCount <= tree.pages.length) return source;
  const password = file.password;
  const again = await openSource(input, password === undefined ? ctx : { password: async () => password }, true);
  if (again.tree.pages.length > tree.pages.length) return again;
  const missing = missingParts(source);
  if (missing.length > 1) throw damaged(file.name, new Damage(missing.join('; ')));
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
