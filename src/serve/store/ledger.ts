import { LIMITS } from '../../contract/limits.ts';
import { type Account, accountOf, countColumn, textColumn } from './rows.ts';
import { ACCOUNTS, HOLDS, LEDGER } from './statements.ts';
import { all, execute, get, insert, readAll, readOne, type Steps, update } from './steps.ts';

/** Sums of the ledger. `mismatches` is empty when every balance is the sum of its entries. */
interface Audit {
  readonly entries: Readonly<Record<'grant' | 'reserve' | 'charge' | 'release', number>>;
  readonly reserved: number;
  readonly mismatches: readonly string[];
}

/** The owner of a lease, and its expiry unless renewed. */
export interface Lease {
  readonly owner: string;
  readonly until: number;
}

type Kind = keyof Audit['entries'];

/** Adds credits, once for each `ref`. */
export function* grant(account: string, amount: number, ref: string, now: number): Steps<boolean> {
  if ((yield* enter({ account, kind: 'grant', ref, amount, at: now })) === 0) return false;
  yield* execute(ACCOUNTS.grant, { amount, account });
  return true;
}

/** Reserves credits under `ref`, for good without a lease. False when too few; `busy` beyond `most` leases. */
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
  if ((yield* execute(ACCOUNTS.reserve, { amount, account })) === 0) return false;
  const held = { owner: lease?.owner ?? null, leaseUntil: lease?.until ?? null };
  yield* insert('holds', [{ ref, account, amount, at: now, ...held }]);
  yield* enter({ account, kind: 'reserve', ref, amount, at: now });
  return true;
}

/** Adds an entry unless there is one of this kind and `ref`. Returns the number added. */
function enter(entry: { account: string; kind: Kind; ref: string; amount: number; at: number }): Steps<number> {
  return insert('ledger', [entry], 'ON CONFLICT DO NOTHING');
}

function* leased(account: string, now: number): Steps<number> {
  return (yield* readOne(HOLDS.leased, { account, now }, (row) => countColumn(row, 'holds'))) ?? 0;
}

/** Charges `charged` of the hold `ref` and returns the rest. The hold is deleted, so a second call changes nothing. */
export function* settle(ref: string, charged: number, now: number): Steps<void> {
  const hold = yield* get(HOLDS.take, { ref });
  if (hold === undefined) return;
  const account = textColumn(hold, 'account');
  const held = countColumn(hold, 'amount');
  if (charged < 0 || charged > held)
    throw new RangeError(`${ref} holds ${held} credits and was to be charged ${charged}`);
  const rest = held - charged;
  if (charged > 0) {
    yield* enter({ account, kind: 'charge', ref, amount: charged, at: now });
    yield* execute(ACCOUNTS.charge, { amount: charged, account });
  }
  if (rest > 0) {
    yield* enter({ account, kind: 'release', ref, amount: rest, at: now });
    yield* execute(ACCOUNTS.release, { amount: rest, account });
  }
}

/** Returns holds whose lease ends before `until`, and their number. */
export function* releaseOver(until: number, now: number): Steps<number> {
  const over = yield* all(HOLDS.over, { until });
  for (const row of over) yield* settle(textColumn(row, 'ref'), 0, now);
  return over.length;
}

/** Creates an account with its free credits, which are refilled each month. */
export function* openAccount(id: string, now: number): Steps<void> {
  const balance = { available: 0, reserved: 0, used: 0 };
  yield* insert('accounts', [{ id, ...balance, resetsAt: nextMonth(now), createdAt: now }]);
  yield* grant(id, LIMITS.freeCredits, `free ${monthOf(now)}`, now);
}

/** Refills the free credits in a new month. Bought and granted credits never expire. */
export function* refill(id: string, now: number): Steps<Account | undefined> {
  const before = yield* find(id);
  if (before === undefined || now < before.resetsAt) return before;
  yield* execute(ACCOUNTS.lock, { account: id });
  const account = yield* find(id);
  // Another server may have done it before the lock was taken.
  if (account === undefined || now < account.resetsAt) return account;
  const missing = Math.max(0, LIMITS.freeCredits - account.available);
  if (missing > 0) yield* grant(id, missing, `free ${monthOf(now)}`, now);
  yield* update('accounts', { resetsAt: nextMonth(now) }, 'id = :id', { id });
  return { ...account, available: account.available + missing, resetsAt: nextMonth(now) };
}

export function find(id: string): Steps<Account | undefined> {
  return readOne(ACCOUNTS.get, { id }, accountOf);
}

/** Replaces older settled entries by monthly sums. Returns their number. */
export function* total(before: number): Steps<number> {
  // First, because the lock on this row keeps other servers from doing the same.
  yield* execute(LEDGER.limit, { before });
  const oldest = (yield* get(LEDGER.oldest, { before }))?.at;
  if (typeof oldest !== 'number') return 0;
  for (let from = oldest; from < before; from = nextMonth(from)) {
    yield* execute(LEDGER.total, { month: monthOf(from), from, until: Math.min(before, nextMonth(from)) });
  }
  return yield* execute(LEDGER.prune, { before });
}

/** Charges of all accounts by day (UTC, days since the epoch), the oldest first; days without one are left out. */
export function usage(since: number): Steps<{ day: number; credits: number; charges: number }[]> {
  return readAll(LEDGER.days, { since }, (row) => ({
    day: countColumn(row, 'day'),
    credits: countColumn(row, 'credits'),
    charges: countColumn(row, 'charges'),
  }));
}

/** Compares every balance with the sum of its entries. */
export function* audit(): Steps<Audit> {
  const entries: Record<Kind, number> = { grant: 0, reserve: 0, charge: 0, release: 0 };
  const sums = new Map<string, Record<Kind, number>>();
  for (const row of yield* all(LEDGER.sums)) {
    const account = textColumn(row, 'account');
    const kind = textColumn(row, 'kind') as Kind; // the table's CHECK allows no other
    entries[kind] += countColumn(row, 'entries');
    const sum = sums.get(account) ?? { grant: 0, reserve: 0, charge: 0, release: 0 };
    sums.set(account, { ...sum, [kind]: countColumn(row, 'amount') });
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
