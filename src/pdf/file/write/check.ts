import { Failure } from '../../../contract/failure.ts';
import type { RandomAccess } from '../../../contract/ports.ts';
import { damagedBy } from '../../syntax/damage.ts';
import { openSound } from '../read/open-by-table.ts';
import { countPages } from '../read/page-tree.ts';

/**
 * Opens what was written and counts its pages: nothing with another number is ever put in place. `password`: what opens it,
 * where it was encrypted.
 */
export async function checked(output: RandomAccess, pages: number, password?: string): Promise<RandomAccess> {
  const file = await openSound(output, async () => password);
  const count = await damagedBy(output.name, async () => countPages(file));
  file.release();
  if (count === pages && count > 0) return output;
  throw new Failure('internal', `${output.name} came out with ${count} pages where ${pages} were asked for`, {
    hint: 'Nothing was written. This is a defect of pdftool: please report it with the file.',
  });
}
