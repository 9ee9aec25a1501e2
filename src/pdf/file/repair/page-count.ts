// Confirms the pages of a damaged file by readers that share no code with ours, in processes that can be ended.

import type { ByteSource, Context, OtherReader } from '../../../contract/base/ports.ts';
import { pagesOf } from '../../../contract/base/wording.ts';
import { WRONG_LENGTH } from '../read/pdf-file.ts';
import type { Source } from '../read/source.ts';
import { countWords } from './asking.ts';

/**
 * In the order they are asked. Of 117 damaged files pdf-lib finds as many pages as we do in 96, pdf.js in 88, one of
 * them in 112; of the other five none has an answer in four. PDFium (94) is asked where these two settle nothing.
 */
const READERS: readonly OtherReader[] = ['pdf-lib', 'pdf.js'];

export interface CountVerdict {
  readonly warnings: readonly string[];
  /** Why the pages found must not be taken for the document, with the counts; left out where they may. */
  readonly against?: string;
  readonly counts: ReadonlyMap<OtherReader, number>;
}

/** Asks only where something was repaired or the root states another number: whole files cost nothing. */
export async function judgePages(
  { file, tree, input }: Pick<Source, 'file' | 'tree'> & { readonly input: ByteSource },
  { countElsewhere: ask, signal }: Pick<Context, 'countElsewhere' | 'signal'>,
): Promise<CountVerdict> {
  const reached = tree.pages.length;
  // A repaired stream length alone is no reason where the root states the same count.
  const isDoubtful = tree.statedCount !== reached || [...file.repairs].some((repair) => repair !== WRONG_LENGTH);
  if (ask === undefined || !isDoubtful) return { warnings: [], counts: new Map() };
  const stated = file.promised ?? tree.statedCount;
  const others: string[] = [];
  const fewer = file.repairs.size > 0 && stated >= 0 && stated < reached;
  let agreed = false;
  const silent: string[] = [];
  const counts = new Map<OtherReader, number>();
  for (const reader of READERS) {
    const count = await ask(reader, input, file.password);
    signal.throwIfAborted();
    const words = countWords(count);
    if ('pages' in count) counts.set(reader, count.pages);
    if ('pages' in count && count.pages === reached) {
      // A damaged file whose root states fewer pages than can be found: one reader besides ours is not enough.
      if (!fewer || agreed) return { warnings: [], counts };
      agreed = true;
      continue;
    }
    // A reader that finds no pages has not understood the file. Only pdf.js believes a root that states too few.
    const believed = !agreed && others.length === 0 && reader === 'pdf.js' && stated < reached ? stated : 0;
    if ('pages' in count && count.pages > 0 && count.pages !== believed) others.push(`${reader} ${words}`);
    else silent.push(`${reader} ${words}`);
  }
  const found = `${pagesOf(reached)} found in it`;
  const warned = (text: string): CountVerdict => ({ warnings: [`${file.name}: ${text}`], counts });
  const refused = (against: string): CountVerdict => ({ warnings: [], counts, against });
  const dissent = others.join('; ');
  // The root's own statement counts as a reader, as long as the root is the file's.
  if (dissent !== '' && file.promised === reached) return warned(`${found}, as many as it says; ${dissent}`);
  if (dissent !== '') return refused(`${found}; ${dissent}`);
  if (agreed) return { warnings: [], counts };
  if (file.guessed) return refused(`${found} outside of any page tree, and nobody else finds them`);
  return warned(`nobody else could say whether it has ${pagesOf(reached)} (${silent.join('; ')})`);
}
