import type { InputOf, ResultOf } from '../contract/operation.ts';
import type { mergeCompress } from '../contract/operations/size.ts';
import type { Context } from '../contract/ports.ts';
import { shrink } from '../pdf/shrink/shrink.ts';
import { run as merge } from './merge.ts';

export async function run(input: InputOf<typeof mergeCompress>, ctx: Context): Promise<ResultOf<typeof mergeCompress>> {
  const { file, target_bytes: targetBytes, ...choices } = input;
  const merged = await merge({ file }, ctx);
  const originalBytes = file.reduce((sum, { size = 0 }) => sum + size, 0);
  const result = await shrink(
    merged.body,
    'merged-compressed.pdf',
    { targetBytes, originalBytes, ...choices },
    unnamed(ctx),
  );
  return { ...result, warnings: [...new Set([...(merged.warnings ?? []), ...(result.warnings ?? [])])] };
}

/** What is made smaller is a draft, whose name means nothing to anybody. */
export function unnamed(ctx: Context): Context {
  const { step: _, ...rest } = ctx;
  return { ...rest, progress: ({ note: _, ...event }) => ctx.progress(event) };
}
