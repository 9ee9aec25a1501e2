import type { ByteSource, RandomAccess } from '../../../contract/base/ports.ts';
import { Damage, damagedBy, namingFile } from '../../syntax/damage.ts';
import { catalogRef } from './entries.ts';
import { checkHeader } from './header.ts';
import { PdfFile } from './pdf-file.ts';
import { onDisk } from './random-access.ts';
import { type AskPassword, unlock } from './unlock.ts';
import { Windows } from './windows.ts';
import { readXref } from './xref-table.ts';

/** Opens a PDF by its cross-reference table and repairs nothing: what pdftool writes must need no repair. */
export async function openSound(source: ByteSource, password?: AskPassword): Promise<PdfFile> {
  const disk = onDisk(source);
  const windows = new Windows(disk);
  const shift = checkHeader(disk, windows);
  return damagedBy(disk.name, () => openByTable(disk, windows, shift, password));
}

/** The file as its cross-reference table describes it. `shift`: where the header stands. Throws Damage. */
export async function openByTable(
  source: RandomAccess,
  windows: Windows,
  shift: number,
  password: AskPassword | undefined,
): Promise<PdfFile> {
  const table = namingFile(source.name, () => readXref(windows, shift));
  const file = new PdfFile(source, windows, table);
  await unlock(file, password);
  // Everything else refers to the catalog by its number; a repair gives a number to a catalog without one.
  if (file.dict(file.dict(catalogRef(file))?.get('Pages')) === undefined)
    throw new Damage('the catalog leads to no pages');
  return file;
}
