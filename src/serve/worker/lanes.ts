import type { Clock } from '../../contract/ports.ts';
import type { Runner } from '../service.ts';
import type { Made, Task } from './messages.ts';
import { Overdue, type Pool, type RunOptions } from './pool.ts';

/** Milliseconds for which an account whose small request was none keeps out of the lane for them. */
const EXILE = 60_000;

/** A worker of its own for what is free and soon over, so that it waits for nobody's large documents; the others for the rest. */
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
      // It was not small: from its beginning again, among the others, and so is what this account sends next.
      this.#exiled.set(owner, this.#clock.now() + EXILE);
      return this.#large.run(task, options);
    }
  }
}
