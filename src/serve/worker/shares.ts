// Divides workers among accounts. The next free worker goes to the account that used the least time lately. An account
// with long tasks never has all workers.
import type { Clock } from '../../contract/base/ports.ts';

/** Seconds of a task from which its account may not take all workers. */
const COSTLY = 1;
/** Milliseconds that another account waits before the younger of two costly tasks is stopped. */
export const PREEMPT_AFTER = COSTLY * 1000;
/** Seconds assumed per page, such as to read the text of a full one. */
const PAGE = 0.01;
/** The least seconds that a task counts. */
const LEAST = 0.01;
/** Half-life, in milliseconds, of an account's used time. */
const HALF_LIFE = 60_000;
/** Accounts whose use is remembered. */
const MOST_ACCOUNTS = 10_000;

/** Recent use of the workers by an account. */
interface Use {
  seconds: number;
  at: number;
  /** Moving average of the seconds of a task; undefined before the first has ended. */
  usual: number | undefined;
  /** Seconds of the longest task, with the same half-life. */
  longest: number;
  readonly running: Set<Running>;
}

export interface Running {
  readonly owner: string;
  readonly began: number;
  /** The pages known so far. */
  pages: number;
}

export class Shares {
  readonly #workers: number;
  readonly #clock: Clock;
  readonly #uses = new Map<string, Use>();

  constructor(workers: number, clock: Clock) {
    this.#workers = workers;
    this.#clock = clock;
  }

  begin(owner: string): Running {
    const running: Running = { owner, began: this.#clock.now(), pages: 0 };
    this.#useOf(owner).running.add(running);
    return running;
  }

  end(running: Running): void {
    const use = this.#useOf(running.owner);
    use.running.delete(running);
    const seconds = (this.#clock.now() - running.began) / 1000;
    use.seconds += seconds;
    use.usual = ((use.usual ?? 0) + seconds) / 2;
    use.longest = Math.max(use.longest, seconds);
  }

  /** The task whose turn it is; undefined when each account has its share of workers. */
  next<T extends { readonly owner: string }>(waiting: readonly T[]): T | undefined {
    let best: T | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const ticket of waiting) {
      const use = this.#useOf(ticket.owner);
      if (ticket.owner !== '' && use.running.size >= this.#mostOf(use)) continue;
      // Running tasks count, so that one account cannot take all workers at once.
      const used = this.#under(use).reduce((sum, seconds) => sum + seconds, use.seconds);
      if (used >= least) continue;
      best = ticket;
      least = used;
    }
    return best;
  }

  /** The task to stop for `owner`: the youngest of an account whose costly tasks have all workers. */
  surplus(owner: string): Running | undefined {
    for (const [other, use] of this.#uses) {
      if (other === owner || other === '' || use.running.size < Math.max(2, this.#workers)) continue;
      if (this.#isCostly(use)) return [...use.running].at(-1);
    }
    return undefined;
  }

  /** An account has one worker until its first task has ended, since nothing is known of it. */
  #mostOf(use: Use): number {
    if (use.usual === undefined) return 1;
    return this.#isCostly(use) ? Math.max(1, this.#workers - 1) : this.#workers;
  }

  #isCostly(use: Use): boolean {
    return Math.max(use.longest, use.usual ?? 0, ...this.#under(use)) >= COSTLY;
  }

  /** Seconds that each running task counts. */
  #under({ running, usual = 0 }: Use): number[] {
    const now = this.#clock.now();
    return [...running].map(({ began, pages }) => Math.max((now - began) / 1000, usual, pages * PAGE, LEAST));
  }

  #useOf(owner: string): Use {
    const now = this.#clock.now();
    const use = this.#uses.get(owner) ?? { seconds: 0, at: now, usual: undefined, longest: 0, running: new Set() };
    const kept = 0.5 ** (Math.max(0, now - use.at) / HALF_LIFE);
    use.seconds *= kept;
    use.longest *= kept;
    use.at = now;
    // Keeps the map in order of use.
    this.#uses.delete(owner);
    this.#uses.set(owner, use);
    if (this.#uses.size > MOST_ACCOUNTS) {
      const [oldest] = [...this.#uses].find(([, { running }]) => running.size === 0) ?? [];
      if (oldest !== undefined) this.#uses.delete(oldest);
    }
    return use;
  }
}
