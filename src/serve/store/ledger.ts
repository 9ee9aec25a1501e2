import { LIMITS } from '../../contract/limits.ts';
import { accountOf, countOf, textOf } from './rows.ts';
import { ACCOUNTS, HOLDS, LEDGER } from './statements.ts';
import { all, get, run, type Steps } from './steps.ts';
import type { Account, Audit, Lease } from './store.ts';

type Kind = keyof Audit['entries'];

/** Adds credits, once for each `ref`. */
export function* grant(account: string, amount: number, ref: string, now: number): Steps<boolean> {
  if ((yield* run(LEDGER.add, account, 'grant', ref, amount, now)) === 0) return false;
  yield* run(ACCOUNTS.grant, amount, account);
  return true;
}

/** Sets credits aside; false where there are not enough. */
export function* reserve(
  account: string,
  amount: number,
  ref: string,
  now: number,
  lease?: Lease | undefined,
  most?: number | undefined,
): Steps<boolean | 'busy'> {
  yield* refill(account, now);
  if (most !== undefined && (yield* leased(account, now)) >= most) return 'busy';
  if ((yield* run(ACCOUNTS.reserve, amount, account)) === 0) return false;
  yield* run(HOLDS.add, ref, account, amount, now, lease?.owner ?? null, lease?.until ?? null);
  yield* run(LEDGER.add, account, 'reserve', ref, amount, now);
  return true;
}

function* leased(account: string, now: number): Steps<number> {
  const row = yield* get(HOLDS.leased, account, now);
  return row === undefined ? 0 : countOf(row, 'holds');
}

/** Charges `charged` of what `ref` set aside and returns the rest. The hold goes with it, so that it happens once. */
export function* settle(ref: string, charged: number, now: number): Steps<void> {
  const hold = yield* get(HOLDS.take, ref);
  if (hold === undefined) return;
  const account = textOf(hold, 'account');
  const held = countOf(hold, 'amount');
  if (charged < 0 || charged > held)
    throw new RangeError(`${ref} holds ${held} credits and was to be charged ${charged}`);
  const rest = held - charged;
  if (charged > 0) {
    yield* run(LEDGER.add, account, 'charge', ref, charged, now);
    yield* run(ACCOUNTS.charge, charged, account);
  }
  if (rest > 0) {
    yield* run(LEDGER.add, account, 'release', ref, rest, now);
    yield* run(ACCOUNTS.release, rest, account);
  }
}

/** Returns everything whose lease ends before `until`. How many there were. */
export function* releaseOver(until: number, now: number): Steps<number> {
  const over = yield* all(HOLDS.over, until);
  for (const row of over) yield* settle(textOf(row, 'ref'), 0, now);
  return over.length;
}

/** The free credits of a new account; they are filled up to the same number when a month begins. */
export function* openAccount(id: string, now: number): Steps<void> {
  yield* run(ACCOUNTS.add, id, nextMonth(now), now);
  yield* grant(id, LIMITS.freeCredits, `free ${monthOf(now)}`, now);
}

/** Fills up the free credits where their time has come. What was bought or granted stays: credits never expire. */
export function* refill(id: string, now: number): Steps<Account | undefined> {
  const before = yield* find(id);
  if (before === undefined || now < before.resetsAt) return before;
  yield* run(ACCOUNTS.lock, id);
  const account = yield* find(id);
  // Somebody else may have done it meanwhile.
  if (account === undefined || now < account.resetsAt) return account;
  const missing = Math.max(0, LIMITS.freeCredits - account.available);
  if (missing > 0) yield* grant(id, missing, `free ${monthOf(now)}`, now);
  yield* run(ACCOUNTS.refilled, nextMonth(now), id);
  return { ...account, available: account.available + missing, resetsAt: nextMonth(now) };
}

export function* find(id: string): Steps<Account | undefined> {
  const row = yield* get(ACCOUNTS.get, id);
  return row === undefined ? undefined : accountOf(row);
}

/** Puts settled entries that are older into sums by month. How many went. */
export function* total(before: number): Steps<number> {
  // First: it is the one row that keeps others who do the same out.
  yield* run(LEDGER.limit, before);
  const oldest = (yield* get(LEDGER.oldest, before))?.at;
  if (typeof oldest !== 'number') return 0;
  for (let from = oldest; from < before; from = nextMonth(from)) {
    yield* run(LEDGER.total, monthOf(from), from, Math.min(before, nextMonth(from)));
  }
  return yield* run(LEDGER.prune, before);
}

/** Compares every balance with the sum of its entries. */
export function* audit(): Steps<Audit> {
  const entries: Record<Kind, number> = { grant: 0, reserve: 0, charge: 0, release: 0 };
  const sums = new Map<string, Record<Kind, number>>();
  for (const row of yield* all(LEDGER.sums)) {
    const account = textOf(row, 'account');
    const kind = textOf(row, 'kind') as Kind; // the table's CHECK allows no other
    entries[kind] += countOf(row, 'entries');
    const sum = sums.get(account) ?? { grant: 0, reserve: 0, charge: 0, release: 0 };
    sums.set(account, { ...sum, [kind]: countOf(row, 'amount') });
  }
  let reserved = 0;
  const mismatches = (yield* all(ACCOUNTS.all)).flatMap((row) => {
    const account = accountOf(row);
    const sum = sums.get(account.id) ?? { grant: 0, reserve: 0, charge: 0, release: 0 };
    reserved += account.reserved;
    const expected = {
      available: sum.grant - sum.reserve + sum.release,
      reserved: sum.reserve - sum.charge - sum.release,
      used: sum.charge,
    };
    const wrong = (['available', 'reserved', 'used'] as const).filter((name) => account[name] !== expected[name]);
    return wrong.map((name) => `${account.id}: ${name} is ${account[name]}, its entries say ${expected[name]}`);
  });
  return { entries, reserved, mismatches };
}

function nextMonth(now: number): number {
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}

function monthOf(now: number): string {
  return new Date(now).toISOString().slice(0, 7);
}
