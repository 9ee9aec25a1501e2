import { Failure } from '../../contract/failure.ts';
import type { InputOf, ResultOf } from '../../contract/operation.ts';
import type { metaSet } from '../../contract/operations/metadata.ts';
import type { Context } from '../../contract/ports.ts';
import { METADATA_KEYS, type Metadata } from '../../pdf/structure/metadata.ts';
import { isIsoDate } from '../../pdf/syntax/dates.ts';
import { editMetadata } from './metadata-edit.ts';

export async function run(input: InputOf<typeof metaSet>, ctx: Context): Promise<ResultOf<typeof metaSet>> {
  const { file, ...values } = input;
  for (const key of ['created', 'modified'] as const) {
    const value = values[key];
    if (value === undefined || isIsoDate(value)) continue;
    throw new Failure('usage', `${key}: expected a date, found ${value}`, {
      hint: 'Write it as 2026-11-22 or 2026-11-22T21:40:00+01:00.',
    });
  }
  const given: Metadata = Object.fromEntries(
    METADATA_KEYS.flatMap((key) => (values[key] === undefined ? [] : [[key, values[key]]])),
  );
  return editMetadata(file, given, ctx);
}
