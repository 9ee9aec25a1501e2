import { serialize } from '../../syntax/serialize.ts';
import { Dict, Name } from '../../syntax/values.ts';
import { changeCatalog } from './catalog.ts';
import type { Copier } from './copier.ts';

/** Declares that a file of PDF 1.7 uses revision 6 of encryption (ISO 32000-1, 7.12; extension level 8). */
export function extensionEntry(copier: Copier): void {
  const { file } = copier;
  const known = file.dict(file.dict(file.xref.trailer.get('Root'))?.get('Extensions'));
  const level = new Dict([
    ['BaseVersion', new Name('1.7')],
    ['ExtensionLevel', 8],
  ]);
  const extensions = new Dict([...(known ?? []), ['ADBE', level]]);
  const text = serialize(extensions, ({ num }) => copier.reference(num));
  changeCatalog(copier, new Map([['Extensions', text]]));
}
