import { createHash, timingSafeEqual } from 'node:crypto';
import type { ApiKey } from '../store/rows.ts';
import type { Store } from '../store/store.ts';

/** Injected randomness. `token`: 32 unguessable hexadecimal digits. */
export interface Entropy {
  token(): string;
}

export interface NewKey {
  readonly id: string;
  /** The key itself: shown once, never stored. */
  readonly key: string;
  readonly account: string;
  readonly label: string | null;
}

export interface KeyOptions {
  readonly kind: 'live' | 'test';
  readonly label: string | null;
  /** An existing account; undefined for a new one with the free credits. */
  readonly account?: string | undefined;
}

/** `sk_live_`, 16 digits that name the key, 64 that are the secret. */
const FORM = /^sk_(?:live|test)_([0-9a-f]{16})[0-9a-f]{64}$/;

/** Creates a key, and an account for it unless one is named. */
export async function createKey(store: Store, options: KeyOptions, entropy: Entropy, now: number): Promise<NewKey> {
  const made = newKey(options, entropy);
  if (options.account === undefined) await store.addAccount(made.account, now);
  await store.addKey(row(made, now));
  return made;
}

/** Creates the first key and its account; undefined where another server was faster. */
export async function createFirstKey(
  store: Store,
  options: Omit<KeyOptions, 'account'>,
  entropy: Entropy,
  now: number,
): Promise<NewKey | undefined> {
  const made = newKey(options, entropy);
  return (await store.addFirstKey(row(made, now))) ? made : undefined;
}

function newKey({ kind, label, account = undefined }: KeyOptions, entropy: Entropy): NewKey {
  const id = entropy.token().slice(0, 16);
  const key = `sk_${kind}_${id}${entropy.token()}${entropy.token()}`;
  return { id, key, account: account ?? `acct_${entropy.token().slice(0, 16)}`, label };
}

function row({ id, account, key, label }: NewKey, createdAt: number): Omit<ApiKey, 'revokedAt'> {
  return { id, account, sha256: digest(key), label, createdAt };
}

/** The public part of a key; undefined for malformed text. */
export function idOf(key: string): string | undefined {
  return FORM.exec(key)?.[1];
}

/** Whether `key` has this digest, in constant time. */
export function matches(key: string, sha256: string): boolean {
  return timingSafeEqual(Buffer.from(digest(key), 'hex'), Buffer.from(sha256, 'hex'));
}

function digest(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}
