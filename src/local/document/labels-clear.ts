import type { InputOf, ResultOf } from '../../contract/operation.ts';
import type { labelsClear } from '../../contract/operations/labels.ts';
import type { Context } from '../../contract/ports.ts';
import { changeCatalog } from '../../pdf/copy/catalog.ts';
import { type Edit, editDocument } from './edit.ts';

export function run({ file }: InputOf<typeof labelsClear>, ctx: Context): Promise<ResultOf<typeof labelsClear>> {
  const edit: Edit = { prepare: (copier) => changeCatalog(copier, new Map([['PageLabels', undefined]])) };
  return editDocument(file, ['labels clear'], edit, ctx);
}
