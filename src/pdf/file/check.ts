// Owns the check of what was written: it is read back, and its pages are counted. Knows no sources.
import { Failure } from '../../contract/failure.ts';
import type { RandomAccess } from '../../contract/ports.ts';
import { Damage } from './damage.ts';
import { damagedBy, openPdf } from './open.ts';
import { countPages } from './pages.ts';
import { Proof } from './proof.ts';

const proof = new Proof();

/** Opens what was written and counts its pages: nothing with another number is ever put in place. */
export function checked(output: RandomAccess, pages: number): RandomAccess | Promise<RandomAccess> {
  return pages > 0 && quickCount(output) === pages ? output : opened(output, pages);
}

/** Undefined where the output is not in memory, or does not have the form that is read without opening it. */
function quickCount({ held }: RandomAccess): number | undefined {
  try {
    return held === undefined ? undefined : proof.pagesIn(held);
  } catch (error) {
    // Opening it will fail as well, and say of which file.
    if (error instanceof Damage) return undefined;
    throw error;
  }
}

async function opened(output: RandomAccess, pages: number): Promise<RandomAccess> {
  const file = await openPdf(output, { table: 'trust', windows: 8 });
  const found = await damagedBy(output.name, async () => countPages(file));
  file.release();
  if (found === pages && found > 0) return output;
  throw new Failure('internal', `${output.name} came out with ${found} pages where ${pages} were asked for`, {
    hint: 'Nothing was written. This is a defect of pdftool: please report it with the file.',
  });
}
