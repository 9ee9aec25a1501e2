import type { Clock } from '../contract/ports.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';

/** Milliseconds before a step that failed is tried again; twice as long each time, up to the longest. */
const BACK_OFF = { first: 100, longest: 5_000 } as const;
/** Milliseconds without a step that went well before a loop counts as broken: longer than a lock is waited for. */
const PATIENCE = 30_000;

interface Loop {
  readonly name: string;
  /** Milliseconds that lie between two steps when all is well. */
  readonly pause: number;
  good: number;
  failure: string | undefined;
}

/** What a server does for as long as it runs. A loop never ends by a failure: it is logged, counted, and tried again. */
export class Loops {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #metrics: Metrics;
  readonly #loops: Loop[] = [];

  constructor(clock: Clock, log: Log, metrics: Metrics) {
    this.#clock = clock;
    this.#log = log;
    this.#metrics = metrics;
  }

  /** Repeats `step` until `signal` is aborted. A step that returns false has seen to its own pause. */
  async run(name: string, pause: number, signal: AbortSignal, step: () => Promise<unknown>): Promise<void> {
    const clock = this.#clock;
    const loop: Loop = { name, pause, good: clock.now(), failure: undefined };
    this.#loops.push(loop);
    let wait: number = BACK_OFF.first;
    while (!signal.aborted) {
      try {
        const paused = await step();
        loop.good = clock.now();
        loop.failure = undefined;
        wait = BACK_OFF.first;
        if (paused !== false) await clock.sleep(pause, signal).catch(() => {});
      } catch (error) {
        loop.failure = error instanceof Error ? error.message : String(error);
        this.#metrics.loopFailed(name);
        this.#log('error', 'loop', { loop: name, detail: error instanceof Error ? error.stack : String(error) });
        await clock.sleep(wait, signal).catch(() => {});
        wait = Math.min(wait * 2, BACK_OFF.longest);
      }
    }
  }

  /** Why the server cannot do its work, as the rest of a sentence; undefined where every loop turns. */
  get trouble(): string | undefined {
    const now = this.#clock.now();
    const broken = this.#loops.find(({ good, pause }) => now - good > pause + PATIENCE);
    if (broken === undefined) return undefined;
    const seconds = Math.round((now - broken.good) / 1000);
    return `${broken.name} has not worked for ${seconds} s${broken.failure === undefined ? '' : `: ${broken.failure}`}`;
  }
}
