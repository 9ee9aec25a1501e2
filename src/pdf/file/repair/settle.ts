// Settles which pages a damaged file has. Ours are taken where another reader finds as many. Where most readers agree on
// another number, we look for a way to put the file together that gives it, and else take the file as one of them rewrites
// it, if all of those pages can be read in that. Where neither works, the file is refused with the counts, or the likeliest
// version is salvaged.

import { Failure } from '../../../contract/base/failure.ts';
import type { ByteSource, Context, OtherReader } from '../../../contract/base/ports.ts';
import { pagesOf } from '../../../contract/base/wording.ts';
import { KeyLost, unlessRefusedLater } from '../../syntax/damage.ts';
import { isCiphertext } from '../read/lost-encryption.ts';
import { memorySource } from '../read/memory-source.ts';
import type { Source } from '../read/source.ts';
import { judgePages } from './page-count.ts';
import { countMixedUp } from './repair.ts';

/** Readers asked to rewrite the file; the one that keeps most of a document comes first. */
const WRITERS: readonly OtherReader[] = ['PDFium', 'pdf-lib', 'pdf.js'];

/** The part of a Context that opening a file needs. */
export type Settling = Partial<
  Pick<Context, 'password' | 'countElsewhere' | 'rewriteElsewhere' | 'salvage' | 'signal' | 'detail'>
>;

/** Opens a file by our own means alone; `pages`: the count to look for. */
type Open = (input: ByteSource, how: { readonly scan: boolean; readonly pages?: number }) => Promise<Source>;

interface Asked {
  readonly input: ByteSource;
  readonly password: string | undefined;
  readonly ctx: Settling;
  readonly open: Open;
}

/** A file that was recovered by scanning, with the pages that most readers find in it. */
export async function settled(source: Source, input: ByteSource, ctx: Settling, open: Open): Promise<Source> {
  const { countElsewhere, signal } = ctx;
  if (countElsewhere === undefined || signal === undefined) return source;
  const { against, warnings, counts } = await judgePages({ ...source, input }, { countElsewhere, signal });
  if (against === undefined) return { ...source, settled: true, notes: warnings };
  const { file, tree } = source;
  const reached = tree.pages.length;
  const asked: Asked = { input, password: file.password, ctx, open };
  const all = new Map([...counts, ...(await countBy(['PDFium'], asked))]);
  const stated = file.promised ?? tree.statedCount;
  // Readers believe a root that states too few: pages that can be found are not given up for that.
  const heard = [...all.values()].filter((count) => count !== stated || stated >= reached);
  const most = winner([reached, ...heard]);
  const words = [...all].map(([reader, count]) => `${reader} finds ${pagesOf(count)}`).join('; ');
  if (most !== undefined && votes(heard, most) > 1) {
    const note = `${file.name}: ${pagesOf(reached)} found in it; ${words}`;
    if (most === reached) return { ...source, settled: true, notes: [note] };
    const ours = await open(input, { scan: true, pages: most });
    const other = ours.tree.pages.length === most ? ours : await rewritten(asked, most, all);
    if (other !== undefined) return withNote(other, `${pagesOf(reached)} found in it; ${words}`);
  }
  const third = all.get('PDFium');
  salvageOrRefuse(file.name, third === undefined ? against : `${against}; PDFium finds ${pagesOf(third)}`, ctx);
  return { ...source, settled: true };
}

/** A file in which we find no page, as others rewrite it where they agree on its pages. Throws `failure` otherwise. */
export async function fromOthers(input: ByteSource, failure: Failure, ctx: Settling, open: Open): Promise<Source> {
  // Encrypted data must not pass for content, and readers count its pages.
  if (failure.kind !== 'damaged' || failure.cause instanceof KeyLost) throw failure;
  // A file to be salvaged can be read, and itself states that pages are missing.
  if (failure.salvageable || ctx.countElsewhere === undefined) throw failure;
  const asked: Asked = { input, password: undefined, ctx, open };
  const counts = await countBy(WRITERS, asked);
  const most = winner(counts.values());
  const words = [...counts].map(([reader, count]) => `${reader} finds ${pagesOf(count)}`).join('; ');
  if (most !== undefined && votes(counts.values(), most) > 1) {
    const other = await rewritten(asked, most, counts);
    if (other !== undefined) return withNote(other, `${causeOf(failure)}; ${words}`);
  }
  if (counts.size === 0) throw failure;
  const other = await rewritten(asked, Math.max(...counts.values()), counts);
  if (other === undefined) throw failure;
  salvageOrRefuse(input.name, `${causeOf(failure)}; ${words}`, ctx);
  return { ...other, settled: true };
}

function causeOf({ cause, message }: Failure): string {
  return cause instanceof Error ? cause.message : message;
}

type Counts = ReadonlyMap<OtherReader, number>;

/** Page counts of readers that have one. */
async function countBy(readers: readonly OtherReader[], { input, password, ctx }: Asked): Promise<Counts> {
  const counts = new Map<OtherReader, number>();
  for (const reader of readers) {
    const count = await ctx.countElsewhere?.(reader, input, password);
    ctx.signal?.throwIfAborted();
    if (count !== undefined && 'pages' in count && count.pages > 0) counts.set(reader, count.pages);
  }
  return counts;
}

/** The page count with more votes than any other; undefined on a tie. */
function winner(counts: Iterable<number>): number | undefined {
  const all = [...counts].filter((count) => count > 0);
  const ranked = [...new Set(all)].sort((a, b) => votes(all, b) - votes(all, a));
  const [first, second] = ranked;
  return first !== undefined && (second === undefined || votes(all, first) > votes(all, second)) ? first : undefined;
}

function votes(counts: Iterable<number>, pages: number): number {
  return [...counts].filter((count) => count === pages).length;
}

/** The file as rewritten by a reader that finds so many pages, with the fewest wrong parts, if we find them too. */
async function rewritten(asked: Asked, pages: number, counts: Counts): Promise<Source | undefined> {
  let best: { readonly source: Source; readonly mixedUp: number } | undefined;
  for (const reader of WRITERS) {
    if (counts.get(reader) !== pages) continue;
    const source = await copyBy(reader, asked);
    if (source?.tree.pages.length !== pages) continue;
    const mixedUp = countMixedUp(source.file, source.tree);
    if (best === undefined || mixedUp < best.mixedUp) best = { source, mixedUp };
    if (mixedUp === 0) break;
  }
  return best?.source;
}

async function copyBy(reader: OtherReader, { input, password, ctx, open }: Asked): Promise<Source | undefined> {
  const bytes = await ctx.rewriteElsewhere?.(reader, input, password);
  ctx.signal?.throwIfAborted();
  if (bytes === undefined) return undefined;
  ctx.detail?.(`${input.name}: ${reader} writes it anew`);
  return unlessRefusedLater(undefined, async () => {
    const source = await open(memorySource(bytes, input.name), { scan: false });
    if (source.file.decryption === undefined && isCiphertext(source.file)) return undefined;
    source.file.repairs.add(`it was written anew by ${reader}, which could read it`);
    return { ...source, scanned: true };
  });
}

function withNote(source: Source, note: string): Source {
  const notes = [`${source.file.name}: ${note}; ${pagesOf(source.tree.pages.length)} taken`];
  return { ...source, settled: true, notes };
}

/** Refuses a file with lost parts, unless the caller asked to salvage it; then the loss is reported. */
export function salvageOrRefuse(name: string, what: string, ctx: Settling): void {
  if (ctx.salvage === undefined) {
    throw new Failure('unprocessable', `${name} is damaged: ${what}`, {
      kind: 'damaged',
      hint: 'Write it anew with the program it came from, then try again.',
      salvageable: true,
    });
  }
  ctx.salvage(`${name} is damaged and what is likeliest was taken of it: ${what}`);
}
