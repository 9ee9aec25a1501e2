/** So many keep the thread pool busy while the main thread prepares the next ones; each holds a draft's buffer. */
const AT_ONCE = 16;

/** Work that goes on while more of it is begun, a few pieces at once. Results come in the order of their beginning. */
export class Background<T> {
  private readonly works: Promise<T>[] = [];
  private readonly done: T[] = [];

  /** Takes work that was begun. Waits for the oldest piece where there are many. */
  async add(work: Promise<T>): Promise<void> {
    // It is awaited when its turn comes; until then a rejection must not count as unhandled.
    work.catch(() => undefined);
    const { works, done } = this;
    works.push(work);
    if (works.length - done.length > AT_ONCE) done.push(await works[done.length]!);
  }

  /** All results. Rejects with the first failure. */
  async results(): Promise<readonly T[]> {
    const { works, done } = this;
    while (done.length < works.length) done.push(await works[done.length]!);
    return done;
  }

  /** Resolves when no work goes on any more, whatever became of it. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.works);
  }
}
