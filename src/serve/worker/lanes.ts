import type { Clock } from '../../contract/ports.ts';
import type { Made, Task } from './messages.ts';
import { Overdue, type Pool, type RunOptions } from './pool.ts';

/** Milliseconds that an account may not use the small worker after a request that took too long. */
const EXILE = 60_000;

/** Runs tasks: pools of processes, or a substitute for measurements. */
export interface Runner {
  run(task: Task, options: RunOptions): Promise<Made>;
}

/** Gives small free requests a worker of their own, so that they do not wait for large documents of others. */
export class Lanes implements Runner {
  readonly #large: Pool;
  readonly #small: Pool;
  readonly #clock: Clock;
  readonly #exiled = new Map<string, number>();

  constructor(large: Pool, small: Pool, clock: Clock) {
    this.#large = large;
    this.#small = small;
    this.#clock = clock;
  }

  async run(task: Task, options: RunOptions): Promise<Made> {
    const { owner = '', isSmall = false } = options;
    const until = this.#exiled.get(owner) ?? 0;
    if (until < this.#clock.now()) this.#exiled.delete(owner);
    else return this.#large.run(task, options);
    if (!isSmall) return this.#large.run(task, options);
    try {
      return await this.#small.run(task, options);
    } catch (error) {
      if (!(error instanceof Overdue)) throw error;
      // It took too long: restarted on the large workers, as are the account's next requests.
      this.#exiled.set(owner, this.#clock.now() + EXILE);
      return this.#large.run(task, options);
    }
  }
}
