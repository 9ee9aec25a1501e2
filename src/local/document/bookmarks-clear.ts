import type { InputOf, ResultOf } from '../../contract/operation.ts';
import type { bookmarksClear } from '../../contract/operations/bookmarks.ts';
import type { Context } from '../../contract/ports.ts';
import { changeCatalog } from '../../pdf/copy/catalog.ts';
import { nameAt } from '../../pdf/read/entries.ts';
import { catalogOf } from '../../pdf/structure/input.ts';
import { type Edit, editDocument } from './edit.ts';

export function run({ file }: InputOf<typeof bookmarksClear>, ctx: Context): Promise<ResultOf<typeof bookmarksClear>> {
  const edit: Edit = {
    prepare(copier, source) {
      const entries = new Map<string, undefined>([['Outlines', undefined]]);
      // Viewers would open an empty panel.
      if (nameAt(source.file, catalogOf(source.file), 'PageMode') === 'UseOutlines') entries.set('PageMode', undefined);
      changeCatalog(copier, entries);
    },
  };
  return editDocument(file, ['bookmarks clear'], edit, ctx);
}
