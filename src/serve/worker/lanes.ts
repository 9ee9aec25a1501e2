import type { Clock } from '../../contract/base/ports.ts';
import type { Task, TaskOutput } from './messages.ts';
import { Overdue, type Pool, type RunOptions } from './pool.ts';

/** Milliseconds that an account may not use the small worker after a request that took too long. */
const LARGE_ONLY_FOR = 60_000;

/** Runs tasks: pools of processes, or a substitute for measurements. */
export interface Runner {
  run(task: Task, options: RunOptions): Promise<TaskOutput>;
}

/** Gives small free requests a worker of their own, so that they do not wait for large documents of others. */
export function createLanes(large: Pool, small: Pool, clock: Clock): Runner {
  /** Accounts that may use the large workers alone, and until when. */
  const largeOnly = new Map<string, number>();
  return {
    async run(task, options) {
      const { owner = '', isSmall = false } = options;
      const isKeptOut = (largeOnly.get(owner) ?? 0) >= clock.now();
      if (!isKeptOut) largeOnly.delete(owner);
      if (isKeptOut || !isSmall) return large.run(task, options);
      try {
        return await small.run(task, options);
      } catch (error) {
        if (!(error instanceof Overdue)) throw error;
        // It took too long: restarted on the large workers, as are the account's next requests.
        largeOnly.set(owner, clock.now() + LARGE_ONLY_FOR);
        return large.run(task, options);
      }
    },
  };
}
