// The one door for documents: every operation opens its inputs here. A file is opened by its cross-reference table; where that
// or the page tree cannot be read, it is repaired, and readers that share no code with ours confirm the pages.

import { Failure } from '../../contract/base/failure.ts';
import type { ByteSource, Context, Draft, Result, Temp } from '../../contract/base/ports.ts';
import { pagesOf } from '../../contract/base/wording.ts';
import { Damage, damaged, damagedBy } from '../syntax/damage.ts';
import { claimsAfter, type LostClaims, pdfsIn, withoutFalseClaims } from './drop-claim.ts';
import { checkHeader } from './read/header.ts';
import { openByTable } from './read/open-by-table.ts';
import { readPages } from './read/page-tree.ts';
import type { PdfFile } from './read/pdf-file.ts';
import { onDisk } from './read/random-access.ts';
import { signatureWarning } from './read/signature.ts';
import { MOST_HELD, type Source } from './read/source.ts';
import type { AskPassword } from './read/unlock.ts';
import { Windows } from './read/windows.ts';
import { askingOnce } from './repair/asking.ts';
import { missingParts } from './repair/missing-parts.ts';
import { judgePages } from './repair/page-count.ts';
import { repair } from './repair/repair.ts';
import { fromOthers, type Settling, salvageOrRefuse, settled } from './repair/settle.ts';

export type { Source };

/** Among a file's repairs when its objects were found by scanning. */
const REBUILT = 'its cross-reference table was made anew';

interface OpenOptions {
  readonly password?: AskPassword | undefined;
  /** Scan the file for its objects and do not look at its table. */
  readonly scan?: boolean;
  /** A damaged file can be put together in several ways; one with this many pages is preferred. */
  readonly pages?: number | undefined;
}

/** Opens a PDF for reading. Throws a Failure that names the file: empty, not-pdf, damaged, encrypted. */
export async function openPdf(source: ByteSource, { password, scan, pages }: OpenOptions = {}): Promise<PdfFile> {
  const disk = onDisk(source);
  return damagedBy(disk.name, async () => {
    const windows = new Windows(disk);
    const shift = checkHeader(disk, windows);
    if (scan !== true) {
      try {
        return await openByTable(disk, windows, shift, password);
      } catch (error) {
        if (!(error instanceof Damage)) throw error;
      }
    }
    const file = await repair(disk, windows, shift, password, pages);
    file.repairs.add(REBUILT);
    return file;
  });
}

export interface WorkOptions {
  /** told elsewhere: the operation itself reports what becomes of encryption. */
  readonly encryption?: 'dropped' | 'told elsewhere';
  readonly signatures?: 'ended' | 'told elsewhere';
  /** Changes are appended to the input, so that encryption stays and signatures hold for what was signed. */
  readonly incremental?: boolean | undefined;
  /** Claims of the inputs that the output cannot make. */
  readonly loses?: (sources: readonly Source[]) => LostClaims;
}

/**
 * Opens the inputs in order and runs `work` on them. Where an object is not at the place that the file's table gives,
 * the file is opened again by scanning and the work starts over, at most once for each file; drafts of the failed run
 * are discarded. Adds a warning for each repair, for signatures that the output ends (before the work begins), and for
 * encryption that the output lacks, unless the work reports that itself.
 */
export async function withSources<T extends Result>(
  inputs: readonly ByteSource[],
  given: Context,
  work: (sources: readonly Source[], temp: Temp) => Promise<T>,
  { encryption = 'dropped', signatures = 'ended', incremental = false, loses }: WorkOptions = {},
): Promise<T> {
  const ctx = askingOnce(given);
  const scanned = new Set<number>();
  let unmet: LostClaims | undefined;
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
        // Hundreds of inputs may be open: the windows of one are not held while the others are looked at.
        bytes += source.file.size;
        if (bytes > MOST_HELD) source.file.release();
      }
      const ended = incremental || signatures !== 'ended' ? [] : sources.flatMap(({ file }) => signatureWarning(file));
      for (const sentence of ended) ctx.beforehand?.(sentence);
      const lost = withoutFalseClaims(sources, { ...loses?.(sources), ...unmet }, ctx);
      const result = await work(lost.sources, temp);
      const after = await claimsAfter(lost.sources, result, ctx);
      if (after.false !== undefined && unmet === undefined) {
        unmet = after.false;
        for (const draft of drafts) draft.discard();
        continue;
      }
      const repairs = sources.flatMap(repairWarnings);
      for (const [i, input] of inputs.entries()) {
        const source = sources[i];
        if (source !== undefined) repairs.push(...(await confirmPages(source, input, ctx)));
      }
      const made = pdfsIn(result);
      const isKept = made.some((body) => inputs.includes(body));
      const isOpen = result.kind !== 'record' && encryption === 'dropped' && !incremental && !isKept;
      const kept =
        ended.length > 0 ? sources.map(({ file }) => `${file.name} stays as it is, with its signatures`) : [];
      const signed = isKept ? kept : made.length > 0 ? ended : [];
      const told = [...(isOpen ? sources.flatMap(decryptionWarning) : []), ...signed];
      // Warnings of a file that is given twice are not repeated.
      return {
        ...result,
        warnings: [...new Set([...repairs, ...told, ...lost.warnings, ...after.warnings, ...(result.warnings ?? [])])],
      };
    } catch (error) {
      if (!(error instanceof Damage)) throw error;
      const at = sources.length === 1 ? 0 : sources.findIndex(({ file }) => file === error.file);
      const input = inputs[at];
      if (input === undefined) throw damaged(`one of ${inputs.map(({ name }) => name).join(', ')}`, error);
      if (scanned.has(at) || sources[at]?.scanned === true) throw damaged(input.name, error);
      ctx.detail(`${input.name}: ${error.message}; reading it again from front to back`);
      scanned.add(at);
      for (const draft of drafts) draft.discard();
    }
  }
}

export function stepOf({ file, scanned }: Source): 'repaired' | 'read' {
  return scanned || file.repairs.size > 0 ? 'repaired' : 'read';
}

/** Asks other readers about the pages, once. Call it when all that may need repair was read. @throws Failure */
export async function confirmPages(source: Source, input: ByteSource, ctx: Context): Promise<readonly string[]> {
  if (source.settled === true) return source.notes ?? [];
  const { against, warnings } = await judgePages({ ...source, input }, ctx);
  if (against !== undefined) salvageOrRefuse(source.file.name, against, ctx);
  return warnings;
}

/** Opens one input and walks its pages, by scanning where need be: it then has the pages that most readers find. */
export async function openSource(input: ByteSource, ctx: Settling, scan = false): Promise<Source> {
  const open: OpenOurs = (from, how) => openOurs(from, ctx, how.scan, how.pages);
  const source = await open(input, { scan }).catch((error: unknown) => {
    if (!(error instanceof Failure)) throw error;
    return fromOthers(input, error, ctx, open);
  });
  return source.scanned && source.settled !== true ? settled(source, input, ctx, open) : source;
}

type OpenOurs = Parameters<typeof settled>[3];

async function openOurs(input: ByteSource, ctx: Settling, scan: boolean, pages?: number): Promise<Source> {
  const password = ctx.password?.bind(ctx);
  const file = await openPdf(input, { password, pages, scan });
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

/** Adds pages found by scanning where the root states more. Throws where the table is whole and parts are missing. */
async function withLostPages(source: Source, input: ByteSource, ctx: Settling): Promise<Source> {
  const { file, tree, scanned } = source;
  if (scanned || tree.statedCount <= tree.pages.length) return source;
  const password = file.password;
  const again = await openOurs(input, password === undefined ? ctx : { password: async () => password }, true);
  if (again.tree.pages.length > tree.pages.length) return again;
  const missing = missingParts(source, false);
  if (missing.length < 2) return source;
  salvageOrRefuse(file.name, missing.join('; '), ctx);
  return source;
}

/** Repairs of a file and its missing parts, a sentence each. */
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
