import type { Context } from '../../contract/base/ports.ts';

/** A context that reports no file name: the input of the compression is a draft. */
export function unnamed(ctx: Context): Context {
  const { step: _, ...rest } = ctx;
  return { ...rest, progress: ({ note: _, ...event }) => ctx.progress(event) };
}
