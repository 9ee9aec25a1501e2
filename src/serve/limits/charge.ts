import { Failure } from '../../contract/base/failure.ts';
import type { Clock } from '../../contract/base/ports.ts';
import type { ServiceOperation } from '../../contract/operation.ts';
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

export type Holds = ReturnType<typeof createHolds>;

/**
 * Reservations of requests. A request is charged when the socket has taken the last byte of its answer. If the server dies
 * or the client leaves before that, the credits go back; other servers of the store see by the lease that a server died.
 * `owner`: the id of this server. `most`: paid requests of one account at once, on all servers.
 */
export function createHolds(store: Store, clock: Clock, owner: string, most: number) {
  const held = new Set<string>();
  return {
    /** Reserves the price of a request. Throws out_of_credits when the account has less. */
    async hold(op: ServiceOperation, price: number, account: string, request: string): Promise<Hold> {
      const ref = `${REQUEST}${request}`;
      const now = clock.now();
      const kept = await store.reserve(account, price, ref, now, { owner, until: now + LEASE }, most);
      if (kept === 'busy') throw tooMany(most, 'paid requests');
      if (!kept) throw outOfCredits(op, price, 0);
      held.add(ref);
      return {
        async settle(charged) {
          // If this fails, the lease is no longer renewed, and its expiry returns the credits.
          held.delete(ref);
          await store.settle(ref, charged ? price : 0, clock.now());
        },
      };
    },

    /** Renews the leases of this server and returns credits whose lease has ended. Resolves to the number of those. */
    async renew(): Promise<number> {
      const now = clock.now();
      await store.extendHolds([...held], now + LEASE);
      return store.releaseHolds(now, now);
    },
  };
}

export function outOfCredits(op: ServiceOperation, price: number, available: number): Failure {
  const message = `${op.name} costs ${price} credit${price === 1 ? '' : 's'}, ${available} are left`;
  return new Failure('out_of_credits', message, { meta: { credits_remaining: available } });
}
