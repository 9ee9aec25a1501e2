import type { Clock } from '../../contract/ports.ts';
import type { Task, TaskOutput } from './messages.ts';
import { Overdue, type Pool, type RunOptions } from './pool.ts';

/** Milliseconds that an account may not use the small worker after a request that took too long. */
const LARGE_ONLY_FOR = 60_000;

/** Runs tasks: pools of processes, or a substitute for measurements. */
export interface Runner {
  run(task: Task, options: RunOptions): Promise<TaskOutput>;
}

/** Gives small free requests a worker of their own, so that they do not wait for large documents of others. */
export class Lanes implements Runner {
  readonly #large: Pool;
  readonly #small: Pool;
  readonly #clock: Clock;
  readonly largeOnly = new Map<string, number>();

  constructor(large: Pool, small: Pool, clock: Clock) {
    this.#large = large;
    this.#small = small;
    this.#clock = clock;
  }

  async run(task: Task, options: RunOptions): Promise<TaskOutput> {
    const { owner = '', isSmall = false } = options;
    const until = this.largeOnly.get(owner) ?? 0;
    if (until < this.#clock.now()) this.largeOnly.delete(owner);
    else return this.#large.run(task, options);
    if (!isSmall) return this.#large.run(task, options);
    try {
      return await this.#small.run(task, options);
    } catch (error) {
      if (!(error instanceof Overdue)) throw error;
      // It took too long: restarted on the large workers, as are the account's next requests.
      this.largeOnly.set(owner, this.#clock.now() + LARGE_ONLY_FOR);
      return this.#large.run(task, options);
    }
  }
}
