/** Bytes of bodies that are worked on between two looks of the event loop at its connections: some milliseconds of work. */
const BUDGET = 1024 * 1024;

/** Unwanted bodies that are read at once. */
const MOST_HEARD = 8;

/**
 * Who is read next. libuv accepts one connection in each turn of the event loop, and reads whatever all others have sent in
 * between: with 500 senders a turn took tenths of a second, and a new connection waited ten seconds for its own. So little
 * is read in a turn, and next to nothing while connections come. Owners take turns, however many connections each has.
 */
export class Turns {
  readonly #waiting = new Map<string, (() => void)[]>();
  #spent = 0;
  #scheduled = false;
  #hasAccepted = false;
  #heard = 0;
  readonly #unheard = new Set<() => void>();

  /** A connection came: there may be more behind it. */
  accepted(): void {
    this.#hasAccepted = true;
  }

  /** To be waited for before the next chunk is read; undefined where there is no need to. `bytes` have just been read. */
  next(owner: string, bytes: number): Promise<void> | undefined {
    this.#spent += bytes;
    this.#schedule();
    if (this.#spent < BUDGET && this.#waiting.size === 0) return undefined;
    return new Promise((resolve) => {
      const own = this.#waiting.get(owner);
      if (own === undefined) this.#waiting.set(owner, [resolve]);
      else own.push(resolve);
    });
  }

  /** A place among the few whose unwanted bodies are read to their end, or the end of `signal`. The others wait, and so do their senders. */
  async hear(signal: AbortSignal): Promise<() => void> {
    const gone = () => {
      this.#heard -= 1;
      const [next] = this.#unheard;
      if (next !== undefined) next();
    };
    if (this.#heard >= MOST_HEARD) {
      await new Promise<void>((resolve) => {
        const take = () => {
          this.#unheard.delete(take);
          resolve();
        };
        this.#unheard.add(take);
        signal.addEventListener('abort', take, { once: true });
      });
    }
    this.#heard += 1;
    return gone;
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

  /** One turn for each chunk that fits, the owners by turns: who was handed one goes to the end. */
  #hand(): void {
    // How large the chunks are is known when they are read: at most what a connection buffers.
    const most = this.#hasAccepted ? 1 : BUDGET / CHUNK;
    this.#hasAccepted = false;
    for (let turns = most; turns > 0; turns -= 1) {
      const [first] = this.#waiting;
      if (first === undefined) return;
      const [owner, own] = first;
      own.shift()?.();
      this.#waiting.delete(owner);
      if (own.length > 0) this.#waiting.set(owner, own);
    }
  }
}

/** What one read of a connection brings. */
const CHUNK = 64 * 1024;
