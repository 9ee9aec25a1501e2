// Pages turned by an appended update.

import { Failure } from '../../../contract/failure.ts';
import type { Draft } from '../../../contract/ports.ts';
import { field, say } from '../../../contract/wording.ts';
import { latin1 } from '../../syntax/characters.ts';
import { Damage } from '../../syntax/damage.ts';
import { isKey, KEYS } from '../../syntax/scan.ts';
import type { Pace } from '../read/pace.ts';
import type { Page } from '../read/page-tree.ts';
import type { PdfFile } from '../read/pdf-file.ts';
import type { Source } from '../read/source.ts';
import { Update } from './update.ts';

/** Appends these pages with the degrees that `rotate` gives; undefined: no /Rotate of its own. `id`: for /ID, in hexadecimal. */
export async function appendRotation(
  source: Source,
  draft: Draft,
  id: string,
  pace: Pace,
  pages: readonly Page[],
  rotate: (page: Page) => number | undefined,
): Promise<void> {
  const { file } = source;
  refuseUnfit(source, pages);
  const update = await Update.begin(file, draft, pace);
  for (const page of pages) {
    if (update.has(page.num)) continue;
    update.object(page.num, withRotate(file, page.num, rotate(page)));
    if (pace.isOver()) await pace.yield();
  }
  update.finish(id);
}

/** An update builds on a file that can be read as it stands; what had to be repaired must be written anew. */
function refuseUnfit({ file, tree, scanned }: Source, pages: readonly Page[]): void {
  const hint = say`Leave ${field('incremental')} out: the file is then written anew.`;
  if (scanned || file.repairs.size > 0 || tree.pages.some(({ num }) => num === 0)) {
    throw new Failure('unprocessable', `${file.name} is damaged, so nothing can be appended to it`, {
      kind: 'damaged',
      hint,
    });
  }
  const nums = new Set(pages.map(({ num }) => num));
  if (tree.pages.filter(({ num }) => nums.has(num)).length > pages.length) {
    throw new Failure('unprocessable', `${file.name} has pages that are one object, so one cannot be changed alone`, {
      hint,
    });
  }
  if (file.decryption !== undefined) {
    throw new Failure('unprocessable', `${file.name} is encrypted, and pdftool appends only to files that are not`, {
      kind: 'encrypted',
      hint: `${hint.slice(0, -1)}, decrypted.`,
    });
  }
}

/** The page's dictionary with another /Rotate, everything else as it stands. */
function withRotate(file: PdfFile, num: number, degrees: number | undefined): string {
  const page = file.scanObject(num, KEYS);
  if (page === undefined) throw new Damage(`page object ${num} is missing`);
  const { bytes, start, end, keys } = page;
  // In front of all others: the last key may have no value and would take /Rotate for it.
  let text = `<<${degrees === undefined ? '' : `/Rotate ${degrees} `}`;
  let from = start + 2;
  for (let i = 0; i < keys.length; i += 3) {
    if (!isKey(bytes, keys[i] ?? 0, keys[i + 1] ?? 0, 'Rotate')) continue;
    text += latin1(bytes, from, keys[i] ?? 0);
    from = keys[i + 2] ?? 0;
  }
  return text + latin1(bytes, from, end);
}
