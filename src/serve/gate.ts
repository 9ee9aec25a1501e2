// Owns how much may be under way at once: beyond it a request is told to come back. Knows no operation.
import { Failure } from '../contract/failure.ts';

/** Seconds a client is told to wait. */
export const COME_BACK = 2;

export class Gate {
  readonly #most: number;
  readonly #what: string;
  #inside = 0;
  #closed = false;
  readonly #empty: (() => void)[] = [];

  constructor(most: number, what: string) {
    this.#most = most;
    this.#what = what;
  }

  get inside(): number {
    return this.#inside;
  }

  get isFull(): boolean {
    return this.#inside >= this.#most;
  }

  /** Takes a place; the function that is returned gives it back, once. */
  enter(): () => void {
    if (this.#closed) {
      throw new Failure('rate_limited', 'the server is stopping', { status: 503 });
    }
    if (this.isFull) {
      throw new Failure(
        'rate_limited',
        `${this.#most} ${this.#what} are under way, the most this server takes at once`,
      );
    }
    this.#inside += 1;
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.#inside -= 1;
      if (this.#inside === 0) for (const tell of this.#empty.splice(0)) tell();
    };
  }

  /** Lets nobody in any more; settles when all have left. */
  close(): Promise<void> {
    this.#closed = true;
    return this.#inside === 0 ? Promise.resolve() : new Promise((resolve) => this.#empty.push(resolve));
  }
}
