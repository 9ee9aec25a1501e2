import { Failure } from '../../contract/failure.ts';
import type { ServiceOperation } from '../../contract/operation.ts';
import type { Clock } from '../../contract/ports.ts';
import type { Store } from '../store/store.ts';
import { tooMany } from './gate.ts';

/** Milliseconds for which credits stay reserved unless their server renews the lease. */
const LEASE = 5 * 60_000;

/** Prefix of the ledger reference of a request. The reference of a job is its id alone. */
const REQUEST = 'request:';

/** Credits reserved for a request. */
export interface Hold {
  /** Charges or returns the credits. */
  settle(charged: boolean): Promise<void>;
}

/**
 * Reservations of requests. A request is charged when the socket has taken the last byte of its answer. If the server dies
 * or the client leaves before that, the credits go back; other servers of the store see by the lease that a server died.
 */
export class Holds {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #owner: string;
  readonly #held = new Set<string>();
  readonly #most: number;

  /** `owner`: the id of this server. `most`: paid requests of one account at once, on all servers. */
  constructor(store: Store, clock: Clock, owner: string, most: number) {
    this.#store = store;
    this.#clock = clock;
    this.#owner = owner;
    this.#most = most;
  }

  /** Reserves the price of a request. Throws out_of_credits when the account has less. */
  async hold(op: ServiceOperation, price: number, account: string, request: string): Promise<Hold> {
    const ref = `${REQUEST}${request}`;
    const now = this.#clock.now();
    const lease = { owner: this.#owner, until: now + LEASE };
    const kept = await this.#store.reserve(account, price, ref, now, lease, this.#most);
    if (kept === 'busy') throw tooMany(this.#most, 'paid requests');
    if (!kept) throw outOfCredits(op, price, 0);
    this.#held.add(ref);
    return {
      settle: async (charged) => {
        // If this fails, the lease is no longer renewed, and its expiry returns the credits.
        this.#held.delete(ref);
        await this.#store.settle(ref, charged ? price : 0, this.#clock.now());
      },
    };
  }

  /** Renews the leases of this server and returns credits whose lease has ended. Resolves to the number of those. */
  async renew(): Promise<number> {
    const now = this.#clock.now();
    await this.#store.extendHolds([...this.#held], now + LEASE);
    return this.#store.releaseHolds(now, now);
  }
}

export function outOfCredits(op: ServiceOperation, price: number, available: number): Failure {
  const message = `${op.name} costs ${price} credit${price === 1 ? '' : 's'}, ${available} are left`;
  return new Failure('out_of_credits', message, { meta: { credits_remaining: available } });
}
