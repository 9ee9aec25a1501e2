// Bounds on requests in progress, in total and per account. Beyond them a request gets 429.
import { Failure } from '../../contract/base/failure.ts';

/** Seconds in Retry-After. */
export const RETRY_AFTER = 2;

export interface GateSettings {
  /** Requests of all accounts. */
  readonly most: number;
  /** Requests of one account, so that no account fills the gate. */
  readonly mostOfOne: number;
  /** Bytes in transit of one account. */
  readonly bytesOfOne: number;
  /** Small free requests admitted beyond these bounds; one account has a quarter of them. */
  readonly small: number;
}

export interface Entrant {
  readonly account: string;
  /** The announced length, or the allowed maximum. */
  readonly bytes: number;
  /** A free request of few bytes. */
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

  constructor(settings: GateSettings, unit: string) {
    this.#settings = settings;
    this.#what = unit;
  }

  get inside(): number {
    return this.#requests + this.#small;
  }

  get isFull(): boolean {
    return this.#requests >= this.#settings.most;
  }

  /** Takes a place. The returned function gives it back; a second call does nothing. */
  enter({ account, bytes, isSmall = false }: Entrant): () => void {
    if (this.#closed) throw new Failure('rate_limited', 'the server is stopping', { status: 503 });
    const usage = this.#accounts.get(account) ?? { requests: 0, bytes: 0, small: 0 };
    const refusal = this.#refusal(usage, bytes);
    const inSmall = refusal !== undefined && isSmall && this.#hasSmallRoom(usage);
    if (refusal !== undefined && !inSmall) throw new Failure('rate_limited', refusal);
    this.#accounts.set(account, usage);
    this.#count(usage, inSmall, bytes, 1);
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.#count(usage, inSmall, bytes, -1);
      if (usage.requests === 0 && usage.small === 0) this.#accounts.delete(account);
      if (this.inside === 0) for (const resolve of this.#empty.splice(0)) resolve();
    };
  }

  #refusal(usage: Inside, bytes: number): string | undefined {
    const { most, mostOfOne, bytesOfOne } = this.#settings;
    if (usage.requests >= mostOfOne) return tooMany(mostOfOne, this.#what).message;
    // A single larger request is bounded by the limit of its operation.
    if (usage.bytes > 0 && usage.bytes + bytes > bytesOfOne) {
      return `${usage.bytes} bytes of this account are on their way, and one may have ${bytesOfOne}`;
    }
    return this.isFull ? `${most} ${this.#what} are under way, the most that this server takes at once` : undefined;
  }

  #hasSmallRoom(usage: Inside): boolean {
    const { small } = this.#settings;
    return this.#small < small && usage.small < Math.max(1, small / 4);
  }

  #count(usage: Inside, inSmall: boolean, bytes: number, by: 1 | -1): void {
    usage.bytes += by * bytes;
    if (inSmall) {
      usage.small += by;
      this.#small += by;
    } else {
      usage.requests += by;
      this.#requests += by;
    }
  }

  /** Refuses new requests; resolves when all have left. */
  close(): Promise<void> {
    this.#closed = true;
    return this.inside === 0 ? Promise.resolve() : new Promise((resolve) => this.#empty.push(resolve));
  }
}

export function tooMany(most: number, unit: string): Failure {
  return new Failure('rate_limited', `${most} ${unit} of this account are under way, the most for one account`);
}
