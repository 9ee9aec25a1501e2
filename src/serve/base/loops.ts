import type { Clock } from '../../contract/base/ports.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';

/** Milliseconds before a failed step is tried again; doubled each time, up to the longest. */
const BACK_OFF = { first: 100, longest: 5_000 } as const;
/** Milliseconds without a successful step before a loop counts as broken; longer than the wait for a lock. */
const PATIENCE = 30_000;
/** Milliseconds of uninterrupted failure before a loop counts as broken. */
const FAILING = 10_000;

interface Loop {
  readonly name: string;
  /** Milliseconds between two steps that succeed. */
  readonly pause: number;
  good: number;
  /** The time of the first failure since `good`. */
  failingSince: number | undefined;
  failure: string | undefined;
}

/** Calls `step` every so many milliseconds until `signal` is aborted. */
export async function every(pause: number, step: () => void, clock: Clock, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await clock.sleep(pause, signal).catch(() => {});
    if (!signal.aborted) step();
  }
}

export type Loops = ReturnType<typeof createLoops>;

/** Periodic work of a server. A failure is logged, counted and tried again; it never ends a loop. */
export function createLoops(clock: Clock, log: Log, metrics: Metrics) {
  const loops: Loop[] = [];
  return {
    /** Repeats `step` until `signal` is aborted, with a pause unless it returns false. */
    async run(name: string, pause: number, signal: AbortSignal, step: () => Promise<unknown>): Promise<void> {
      const loop: Loop = { name, pause, good: clock.now(), failingSince: undefined, failure: undefined };
      loops.push(loop);
      let wait: number = BACK_OFF.first;
      while (!signal.aborted) {
        try {
          const paused = await step();
          loop.good = clock.now();
          loop.failingSince = undefined;
          loop.failure = undefined;
          wait = BACK_OFF.first;
          if (paused !== false) await clock.sleep(pause, signal).catch(() => {});
        } catch (error) {
          loop.failingSince ??= clock.now();
          loop.failure = error instanceof Error ? error.message : String(error);
          metrics.loopFailed(name);
          log('error', 'loop', { loop: name, detail: error instanceof Error ? error.stack : String(error) });
          await clock.sleep(wait, signal).catch(() => {});
          wait = Math.min(wait * 2, BACK_OFF.longest);
        }
      }
    },

    /** Which loop is broken and why, for /readyz; undefined when none is. */
    trouble(): string | undefined {
      const now = clock.now();
      const broken = loops.find(
        ({ good, pause, failingSince = now }) => now - good > pause + PATIENCE || now - failingSince > FAILING,
      );
      if (broken === undefined) return undefined;
      const seconds = Math.round((now - broken.good) / 1000);
      return `${broken.name} has not worked for ${seconds} s${broken.failure === undefined ? '' : `: ${broken.failure}`}`;
    },
  };
}
