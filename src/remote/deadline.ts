import { Failure } from '../contract/failure.ts';
import type { Context } from '../contract/ports.ts';
import { say, setting } from '../contract/wording.ts';

export interface Deadline {
  /** The context, whose signal is also aborted when the time is up. */
  readonly ctx: Context;
  /** Stops the clock. */
  release(): void;
}

/** `total`: milliseconds; undefined for no limit. */
export function withDeadline(ctx: Context, total: number | undefined): Deadline {
  if (total === undefined) return { ctx, release: () => {} };
  const limit = new AbortController();
  const done = new AbortController();
  const hint = say`Give it more with ${setting('timeout')}.`;
  void ctx.clock.sleep(total, done.signal).then(
    () => limit.abort(new Failure('network', `not done within ${total / 1000} s`, { hint })),
    () => {},
  );
  const signal = AbortSignal.any([ctx.signal, limit.signal]);
  return {
    ctx: { ...ctx, signal, progress: (event) => ctx.progress(event), detail: (line) => ctx.detail(line) },
    release: () => done.abort(),
  };
}
