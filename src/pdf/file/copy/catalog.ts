import { Ref } from '../../syntax/values.ts';
import type { Copier } from './copier.ts';
import type { NewEntries } from './new-entries.ts';

/** Gives the catalog new entries, whenever it is copied; those that were given before stay. */
export function changeCatalog({ file, changes }: Copier, entries: NewEntries): void {
  const root = file.xref.trailer.get('Root');
  if (root instanceof Ref) changes.set(root.num, new Map([...(changes.get(root.num) ?? []), ...entries]));
}
