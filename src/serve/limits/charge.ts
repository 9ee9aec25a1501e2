import { Failure } from '../../contract/failure.ts';
import type { ServiceOperation } from '../../contract/operation.ts';
import type { Clock } from '../../contract/ports.ts';
import type { Store } from '../store/store.ts';
import { tooMany } from './gate.ts';

/** Milliseconds for which credits stay set aside without a word of the server that holds them. */
const LEASE = 5 * 60_000;

/** What a request sets aside is named by this and its id; a job's by its id alone. */
const REQUEST = 'request:';

/** Credits that a request has set aside. */
export interface Hold {
  /** Charges all of it, or returns it. */
  settle(charged: boolean): Promise<void>;
}

/**
 * What requests have set aside. A charge is final when the last byte of the answer was taken by the socket: when the
 * server dies before, or the client leaves, everything goes back. A lease lets another server of the same store see that.
 */
export class Holds {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #owner: string;
  readonly #held = new Set<string>();

  readonly #most: number;

  /** `owner`: this server, among those of its store. `most`: requests of one account at once, on all of them. */
  constructor(store: Store, clock: Clock, owner: string, most: number) {
    this.#store = store;
    this.#clock = clock;
    this.#owner = owner;
    this.#most = most;
  }

  /** Sets the price of a request aside. Throws out_of_credits where it is more than there is. */
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
        // What could not be settled is not kept alive: it goes back when its lease is over.
        this.#held.delete(ref);
        await this.#store.settle(ref, charged ? price : 0, this.#clock.now());
      },
    };
  }

  /** Renews the leases of what is under way here and returns what nobody holds any more. How many that were. */
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
