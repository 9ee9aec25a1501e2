/** The steps of coding pictures, in order. */
const STEPS = ['decode', 'separate', 'mask', 'code', 'compare'] as const;
export type Stage = (typeof STEPS)[number];
/** Milliseconds of wall-clock time. Parallel steps count in full. */
export type Spent = { [step in Stage]?: number };

export function addSpent(sum: Spent, spent: Spent): void {
  for (const step of STEPS) if (spent[step] !== undefined) sum[step] = (sum[step] ?? 0) + spent[step];
}

/** In words, such as `decode 20 ms, mask 300 ms`; undefined where nothing was spent. */
export function describeSpent(spent: Spent): string | undefined {
  const steps = STEPS.flatMap((step) => (spent[step] === undefined ? [] : [`${step} ${Math.round(spent[step])} ms`]));
  return steps.length === 0 ? undefined : steps.join(', ');
}

export class Stopwatch {
  private readonly now: () => number;
  private spent: Spent = {};

  constructor(now: () => number) {
    this.now = now;
  }

  timed<T>(step: Stage, work: () => T): T {
    const before = this.now();
    const result = work();
    const add = () => addSpent(this.spent, { [step]: this.now() - before });
    if (result instanceof Promise) return result.finally(add) as T; // the same promise, counted
    add();
    return result;
  }

  /** The time spent since the last call. */
  take(): Spent {
    const { spent } = this;
    this.spent = {};
    return spent;
  }
}
