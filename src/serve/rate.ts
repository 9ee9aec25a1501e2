// Owns giving up on a sender that is too slow: Node's own limit is for the whole request and would cut large uploads.
import { Failure } from '../contract/failure.ts';
import type { Clock } from '../contract/ports.ts';

export interface MinimumRate {
  /** Bytes a second, over the window. */
  readonly bytesPerSecond: number;
  readonly windowSeconds: number;
}

/** Rejects when fewer bytes came in a window than the rate asks for; `received` counts from the start. Ends with `signal`. */
export async function watchRate(
  received: () => number,
  { bytesPerSecond, windowSeconds }: MinimumRate,
  clock: Clock,
  signal: AbortSignal,
): Promise<never> {
  for (let before = received(); ; before = received()) {
    await clock.sleep(windowSeconds * 1000, signal);
    const came = received() - before;
    if (came >= bytesPerSecond * windowSeconds) continue;
    const found = `${came} bytes in ${windowSeconds} s`;
    throw new Failure('refused', `the upload is too slow: ${found}, expected at least ${bytesPerSecond} a second`, {
      kind: 'truncated',
    });
  }
}
