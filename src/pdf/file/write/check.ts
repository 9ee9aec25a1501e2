import { Failure } from '../../../contract/base/failure.ts';
import type { RandomAccess } from '../../../contract/base/ports.ts';
import { damagedBy } from '../../syntax/damage.ts';
import { openSound } from '../read/open-by-table.ts';
import { countPages } from '../read/page-tree.ts';

/** Opens an output and counts its pages: a wrong number is never put in place. `password`: opens an encrypted one. */
export async function checked(output: RandomAccess, pages: number, password?: string): Promise<RandomAccess> {
  const file = await openSound(output, async () => password);
  const count = await damagedBy(output.name, async () => countPages(file));
  file.release();
  if (count === pages && count > 0) return output;
  throw new Failure('internal', `${output.name} came out with ${count} pages where ${pages} were asked for`, {
    hint: 'Nothing was written. This is a defect of pdftool: please report it with the file.',
  });
}
