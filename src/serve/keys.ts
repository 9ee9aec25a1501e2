import { createHash, timingSafeEqual } from 'node:crypto';
import type { Store } from './store/store.ts';

/** Randomness, given from outside. `token`: 32 hexadecimal digits nobody can guess. */
export interface Entropy {
  token(): string;
}

export interface NewKey {
  readonly id: string;
  /** The key itself: shown once, kept nowhere. */
  readonly key: string;
  readonly account: string;
  readonly label: string | null;
}

export interface KeyWish {
  readonly kind: 'live' | 'test';
  readonly label: string | null;
  /** An account that is there; a new one with the free credits where it is left out. */
  readonly account?: string | undefined;
}

/** `sk_live_`, 16 digits that name the key, 64 that are the secret. */
const FORM = /^sk_(?:live|test)_([0-9a-f]{16})[0-9a-f]{64}$/;

/** Makes a key, and an account for it unless one is named. */
export async function createKey(store: Store, wish: KeyWish, entropy: Entropy, now: number): Promise<NewKey> {
  const id = entropy.token().slice(0, 16);
  const key = `sk_${wish.kind}_${id}${entropy.token()}${entropy.token()}`;
  const account = wish.account ?? `acct_${entropy.token().slice(0, 16)}`;
  if (wish.account === undefined) await store.addAccount(account, now);
  await store.addKey({ id, account, sha256: digest(key), label: wish.label, createdAt: now });
  return { id, key, account, label: wish.label };
}

/** The public part of a key; undefined where the text is no key. */
export function idOf(key: string): string | undefined {
  return FORM.exec(key)?.[1];
}

/** Whether `key` is the one that was digested; takes as long for a wrong one as for a right one. */
export function matches(key: string, sha256: string): boolean {
  return timingSafeEqual(Buffer.from(digest(key), 'hex'), Buffer.from(sha256, 'hex'));
}

function digest(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}
