import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '../contract/base/ports.ts';

export const systemClock: Clock = {
  now: () => Date.now(),
  // Node rejects with an AbortError around the reason of a stop, which callers want itself.
  sleep: (milliseconds, signal) =>
    wait(milliseconds, undefined, { signal }).catch(() => {
      throw signal.reason;
    }),
};
