// How much may be under way at once, of all and of each key: beyond it a request is told to come back.
import { Failure } from '../../contract/failure.ts';

/** Seconds a client is told to wait. */
export const COME_BACK = 2;

export interface GateSettings {
  /** Of all together. */
  readonly most: number;
  /** Of one key's account, so that no neighbour fills the gate. */
  readonly mostOfOne: number;
  /** Bytes on their way, of one account. */
  readonly bytesOfOne: number;
  /** Small free requests that may be inside beyond all of that; a quarter of them for one account. */
  readonly small: number;
}

export interface Entrant {
  readonly account: string;
  /** That are announced, or the most that may come. */
  readonly bytes: number;
  /** Free, and soon over. */
  readonly isSmall?: boolean;
}

interface Inside {
  requests: number;
  bytes: number;
  small: number;
}

export class Gate {
  readonly #settings: GateSettings;
  readonly #what: string;
  readonly #accounts = new Map<string, Inside>();
  #requests = 0;
  #small = 0;
  #closed = false;
  readonly #empty: (() => void)[] = [];

  constructor(settings: GateSettings, what: string) {
    this.#settings = settings;
    this.#what = what;
  }

  get inside(): number {
    return this.#requests + this.#small;
  }

  get isFull(): boolean {
    return this.#requests >= this.#settings.most;
  }

  /** Takes a place; the function that is returned gives it back, once. */
  enter({ account, bytes, isSmall = false }: Entrant): () => void {
    if (this.#closed) throw new Failure('rate_limited', 'the server is stopping', { status: 503 });
    const own = this.#accounts.get(account) ?? { requests: 0, bytes: 0, small: 0 };
    const refusal = this.#refusal(own, bytes);
    const inSmall = refusal !== undefined && isSmall && this.#hasSmallRoom(own);
    if (refusal !== undefined && !inSmall) throw new Failure('rate_limited', refusal);
    this.#accounts.set(account, own);
    this.#count(own, inSmall, bytes, 1);
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.#count(own, inSmall, bytes, -1);
      if (own.requests === 0 && own.small === 0) this.#accounts.delete(account);
      if (this.inside === 0) for (const tell of this.#empty.splice(0)) tell();
    };
  }

  #refusal(own: Inside, bytes: number): string | undefined {
    const { most, mostOfOne, bytesOfOne } = this.#settings;
    if (own.requests >= mostOfOne) return tooMany(mostOfOne, this.#what).message;
    // One that is larger by itself is bound by the limit of its operation.
    if (own.bytes > 0 && own.bytes + bytes > bytesOfOne) {
      return `${own.bytes} bytes of this account are on their way, and one may have ${bytesOfOne}`;
    }
    return this.isFull ? `${most} ${this.#what} are under way, the most this server takes at once` : undefined;
  }

  #hasSmallRoom(own: Inside): boolean {
    const { small } = this.#settings;
    return this.#small < small && own.small < Math.max(1, small / 4);
  }

  #count(own: Inside, inSmall: boolean, bytes: number, by: 1 | -1): void {
    own.bytes += by * bytes;
    if (inSmall) {
      own.small += by;
      this.#small += by;
    } else {
      own.requests += by;
      this.#requests += by;
    }
  }

  /** Lets nobody in any more; settles when all have left. */
  close(): Promise<void> {
    this.#closed = true;
    return this.inside === 0 ? Promise.resolve() : new Promise((resolve) => this.#empty.push(resolve));
  }
}

export function tooMany(most: number, what: string): Failure {
  return new Failure('rate_limited', `${most} ${what} of this account are under way, the most of one`);
}
