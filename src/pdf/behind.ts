// Owns work that goes on while more is begun: a few at once, results in the order of their beginning. Knows no files.

/** Enough that the thread pool has work while the main thread prepares the next ones; each holds a draft's buffer. */
const AT_ONCE = 48;

export class Behind<T> {
  private readonly works: Promise<T>[] = [];
  /** Results of the first ones. */
  private readonly done: T[] = [];

  /** Takes what was begun; waits for the oldest where there is much. */
  async add(work: Promise<T>): Promise<void> {
    // Looked at in its turn; until then a rejection must not count as unhandled.
    work.catch(() => undefined);
    const { works, done } = this;
    works.push(work);
    if (works.length - done.length > AT_ONCE) done.push(await works[done.length]!);
  }

  /** All results; rejects with the first failure. */
  async results(): Promise<readonly T[]> {
    const { works, done } = this;
    while (done.length < works.length) done.push(await works[done.length]!);
    return done;
  }

  /** Resolves when nothing is under way any more, whatever became of it. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.works);
  }
}
