import { Failure } from '../../contract/failure.ts';
import type { InputOf, ResultOf } from '../../contract/operation.ts';
import type { metaClear } from '../../contract/operations/metadata.ts';
import type { Context } from '../../contract/ports.ts';
import { changeCatalog } from '../../pdf/copy/catalog.ts';
import { DROPPED } from '../../pdf/copy/copier.ts';
import { METADATA_KEYS, type MetadataKey } from '../../pdf/structure/metadata.ts';
import { editDocument } from './edit.ts';
import { editMetadata } from './metadata-edit.ts';

export async function run(
  { file, fields }: InputOf<typeof metaClear>,
  ctx: Context,
): Promise<ResultOf<typeof metaClear>> {
  if (fields !== undefined) {
    const keys = fields.split(/[\s,]+/).map((word) => keyOf(word));
    return editMetadata(file, Object.fromEntries(keys.map((key) => [key, null])), ctx);
  }
  const edit = {
    info: () => DROPPED,
    prepare: (copier: Parameters<typeof changeCatalog>[0]) => changeCatalog(copier, new Map([['Metadata', undefined]])),
  };
  return editDocument(file, ['meta clear'], edit, ctx);
}

function keyOf(word: string): MetadataKey {
  const key = METADATA_KEYS.find((each) => each === word.toLowerCase());
  if (key !== undefined) return key;
  throw new Failure('usage', `there is no metadata named '${word}'`, {
    hint: `There are ${METADATA_KEYS.join(', ')}.`,
  });
}
