// Operations on keys and credits, for the command line and the page.
import { Failure } from '../../contract/base/failure.ts';
import type { ApiKey } from '../store/rows.ts';
import type { Store } from '../store/store.ts';
import { createKey, type Entropy, idOf, type KeyOptions, type NewKey } from './keys.ts';

/** Creates a key. Throws where its account does not exist. */
export async function makeKey(store: Store, options: KeyOptions, entropy: Entropy, now: number): Promise<NewKey> {
  const { account } = options;
  if (account === undefined || (await store.account(account, now)) !== undefined) {
    return createKey(store, options, entropy, now);
  }
  throw new Failure('not_found', `there is no account ${account}`, { hint: 'See pdftool serve keys list.' });
}

/** Every key with the credits of its account. */
export async function listKeys(store: Store) {
  const accounts = new Map((await store.accounts()).map((account) => [account.id, account]));
  return (await store.keys()).map(({ id, account, label, createdAt, revokedAt }) => {
    const { available, reserved, used } = accounts.get(account) ?? {};
    const [created_at, revoked_at] = [createdAt, revokedAt].map((at) => (at === null ? null : isoTime(at)));
    return { id, account, label, created_at, revoked_at, credits: { available, reserved, used } };
  });
}

/** Finds a key by its id or by the key itself. */
export async function findApiKey(store: Store, given: string): Promise<ApiKey> {
  const key = await store.key(idOf(given) ?? given);
  if (key !== undefined) return key;
  throw new Failure('not_found', 'there is no such key', { hint: 'See pdftool serve keys list.' });
}

/** Adds credits to the account of a key. `given`: how many, as text. */
export async function grantCredits(store: Store, named: string, given: string, entropy: Entropy, now: number) {
  if (!/^[1-9]\d{0,8}$/.test(given)) {
    throw new Failure('usage', `expected a whole number of credits, found ${given.slice(0, 40)}`);
  }
  const { id, account } = await findApiKey(store, named);
  await store.grant(account, Number(given), `operator ${entropy.token()}`, now);
  const { available } = (await store.account(account, now)) ?? {};
  return { id, account, granted: Number(given), credits_remaining: available };
}

export function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
