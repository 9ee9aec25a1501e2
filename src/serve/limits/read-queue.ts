/** Bytes of bodies read per turn of the event loop: some milliseconds of work. */
const BUDGET = 1024 * 1024;

/** Bodies of refused requests that are drained at once. */
const MOST_DRAINED = 8;

/**
 * Decides whose body is read next, with accounts taking turns. libuv accepts one connection per turn of the event loop
 * and in between reads all that was sent: with 500 senders a new connection waited ten seconds. So a turn reads at most
 * BUDGET, and one chunk while connections come.
 */
export class ReadQueue {
  readonly #waiting = new Map<string, (() => void)[]>();
  #spent = 0;
  #scheduled = false;
  #hasAccepted = false;
  #draining = 0;
  readonly #toDrain = new Set<() => void>();

  /** A connection was accepted; more may wait. */
  accepted(): void {
    this.#hasAccepted = true;
  }

  /** Resolves when the account may read its next chunk; undefined for at once. `bytes` were just read. */
  next(owner: string, bytes: number): Promise<void> | undefined {
    this.#spent += bytes;
    this.#schedule();
    if (this.#spent < BUDGET && this.#waiting.size === 0) return undefined;
    return new Promise((resolve) => {
      const queue = this.#waiting.get(owner);
      if (queue === undefined) this.#waiting.set(owner, [resolve]);
      else queue.push(resolve);
    });
  }

  /** Waits for a place to drain the body of a refused request. The returned function gives it back. */
  async drain(signal: AbortSignal): Promise<() => void> {
    const leave = () => {
      this.#draining -= 1;
      const [next] = this.#toDrain;
      if (next !== undefined) next();
    };
    if (this.#draining >= MOST_DRAINED) {
      await new Promise<void>((resolve) => {
        const take = () => {
          this.#toDrain.delete(take);
          resolve();
        };
        this.#toDrain.add(take);
        signal.addEventListener('abort', take, { once: true });
      });
    }
    this.#draining += 1;
    return leave;
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#spent = 0;
      this.#hand();
      if (this.#waiting.size > 0) this.#schedule();
    });
  }

  /** Lets as many chunks be read as the budget allows, one account after the other. */
  #hand(): void {
    // The size of a chunk is unknown before it is read: a connection buffers at most CHUNK.
    const most = this.#hasAccepted ? 1 : BUDGET / CHUNK;
    this.#hasAccepted = false;
    for (let slots = most; slots > 0; slots -= 1) {
      const [first] = this.#waiting;
      if (first === undefined) return;
      const [owner, queue] = first;
      queue.shift()?.();
      this.#waiting.delete(owner);
      if (queue.length > 0) this.#waiting.set(owner, queue);
    }
  }
}

/** Bytes that one read of a connection yields at most. */
const CHUNK = 64 * 1024;
