import type { Failure } from './failure.ts';
import type { Clock } from './ports.ts';

/** Calls `act` after so many milliseconds, unless `over` is aborted before. Resolves then in either case. */
export function after(milliseconds: number, clock: Clock, over: AbortSignal, act: () => void): Promise<void> {
  return clock.sleep(milliseconds, over).then(act, () => {});
}

/** A signal that is also aborted after so many milliseconds, if there is a number; `release` stops the clock. */
export function limited(signal: AbortSignal, milliseconds: number | undefined, clock: Clock, why: () => Failure) {
  if (milliseconds === undefined) return { signal, release() {} };
  const [late, done] = [new AbortController(), new AbortController()];
  void after(milliseconds, clock, done.signal, () => late.abort(why()));
  return { signal: AbortSignal.any([signal, late.signal]), release: () => done.abort() };
}
