import type { InputOf, ResultOf } from '../contract/operation.ts';
import type { compress } from '../contract/operations/size.ts';
import type { Context } from '../contract/ports.ts';
import { shrink } from '../pdf/shrink/shrink.ts';

export async function run(input: InputOf<typeof compress>, ctx: Context): Promise<ResultOf<typeof compress>> {
  const { file, target_bytes: targetBytes, ...choices } = input;
  return shrink(file, 'compressed.pdf', { targetBytes, ...choices }, ctx);
}
