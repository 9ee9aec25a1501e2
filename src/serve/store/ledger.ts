import { LIMITS } from '../../contract/limits.ts';
import type { Sql } from './driver.ts';
import { accountOf, countOf, textOf } from './rows.ts';
import { ACCOUNTS, HOLDS, LEDGER } from './statements.ts';
import type { Account, Audit, Lease } from './store.ts';

type Kind = keyof Audit['entries'];

/** Adds credits, once for each `ref`. */
export function grant(sql: Sql, account: string, amount: number, ref: string, now: number): boolean {
  if (sql.run(LEDGER.add, account, 'grant', ref, amount, now) === 0) return false;
  sql.run(ACCOUNTS.grant, amount, account);
  return true;
}

/** Sets credits aside; false where there are not enough. */
export function reserve(
  sql: Sql,
  account: string,
  amount: number,
  ref: string,
  now: number,
  lease?: Lease | undefined,
): boolean {
  refill(sql, account, now);
  if (sql.run(ACCOUNTS.reserve, amount, account) === 0) return false;
  sql.run(HOLDS.add, ref, account, amount, now, lease?.owner ?? null, lease?.until ?? null);
  sql.run(LEDGER.add, account, 'reserve', ref, amount, now);
  return true;
}

/** Charges `charged` of what `ref` set aside and returns the rest. The hold goes with it, so that it happens once. */
export function settle(sql: Sql, ref: string, charged: number, now: number): void {
  const hold = sql.get(HOLDS.get, ref);
  if (hold === undefined) return;
  const account = textOf(hold, 'account');
  const held = countOf(hold, 'amount');
  if (charged < 0 || charged > held)
    throw new RangeError(`${ref} holds ${held} credits and was to be charged ${charged}`);
  const rest = held - charged;
  if (charged > 0) {
    sql.run(LEDGER.add, account, 'charge', ref, charged, now);
    sql.run(ACCOUNTS.charge, charged, account);
  }
  if (rest > 0) {
    sql.run(LEDGER.add, account, 'release', ref, rest, now);
    sql.run(ACCOUNTS.release, rest, account);
  }
  sql.run(HOLDS.remove, ref);
}

/** The free credits of a new account; they are filled up to the same number when a month begins. */
export function openAccount(sql: Sql, id: string, now: number): void {
  sql.run(ACCOUNTS.add, id, nextMonth(now), now);
  grant(sql, id, LIMITS.freeCredits, `free ${monthOf(now)}`, now);
}

/** Fills up the free credits where their time has come. What was bought or granted stays: credits never expire. */
export function refill(sql: Sql, id: string, now: number): Account | undefined {
  const row = sql.get(ACCOUNTS.get, id);
  if (row === undefined) return undefined;
  const account = accountOf(row);
  if (now < account.resetsAt) return account;
  const missing = Math.max(0, LIMITS.freeCredits - account.available);
  if (missing > 0) grant(sql, id, missing, `free ${monthOf(now)}`, now);
  sql.run(ACCOUNTS.refilled, nextMonth(now), id);
  return { ...account, available: account.available + missing, resetsAt: nextMonth(now) };
}

/** Compares every balance with the sum of its entries. */
export function audit(sql: Sql): Audit {
  const entries: Record<Kind, number> = { grant: 0, reserve: 0, charge: 0, release: 0 };
  const sums = new Map<string, Record<Kind, number>>();
  for (const row of sql.all(LEDGER.sums)) {
    const account = textOf(row, 'account');
    const kind = textOf(row, 'kind') as Kind; // the table's CHECK allows no other
    entries[kind] += countOf(row, 'entries');
    const sum = sums.get(account) ?? { grant: 0, reserve: 0, charge: 0, release: 0 };
    sums.set(account, { ...sum, [kind]: countOf(row, 'amount') });
  }
  let reserved = 0;
  const mismatches = sql.all(ACCOUNTS.all).flatMap((row) => {
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
