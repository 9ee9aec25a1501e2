import { completeInput } from '../contract/operation.ts';
import { merge as mergeRow } from '../contract/operations/pages/pages.ts';
import type { mergeCompress } from '../contract/operations/size/compress.ts';
import { shrink } from '../pdf/shrink/shrink.ts';
import type { Handler } from './frame/handler.ts';
import { unnamed } from './frame/unnamed.ts';
import { run as merge } from './merge.ts';

export const run: Handler<typeof mergeCompress> = async (input, ctx) => {
  const { file, target_bytes: targetBytes, ...choices } = input;
  const merged = await merge(completeInput(mergeRow, { file }), ctx);
  const options = { targetBytes, originalBytes: file.reduce((sum, { size = 0 }) => sum + size, 0), ...choices };
  const result = await shrink(merged.body, 'merged-compressed.pdf', options, unnamed(ctx));
  return { ...result, warnings: [...new Set([...(merged.warnings ?? []), ...(result.warnings ?? [])])] };
};
