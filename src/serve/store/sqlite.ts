import { Failure } from '../../contract/failure.ts';
import type { Sql } from './driver.ts';
import { createJobs } from './jobs.ts';
import { audit, grant, openAccount, refill, reserve, settle } from './ledger.ts';
import { accountOf, countOf, keyOf, textOf } from './rows.ts';
import { ACCOUNTS, HOLDS, JOBS, KEYS, LEDGER, META, MIGRATIONS, PRAGMAS } from './statements.ts';
import type { Store } from './store.ts';

/** The store on an open database; its tables are made where they are not there. */
export function createStore(sql: Sql): Store {
  sql.exec(PRAGMAS);
  migrate(sql);
  return {
    async keep(name, value) {
      sql.run(META.put, name, value);
      const row = sql.get(META.get, name);
      return row === undefined ? value : textOf(row, 'value');
    },

    async addAccount(id, now) {
      sql.transact(() => openAccount(sql, id, now));
    },
    accounts: async () => sql.all(ACCOUNTS.all).map(accountOf),
    async account(id, now) {
      const row = sql.get(ACCOUNTS.get, id);
      if (row === undefined || accountOf(row).resetsAt > now) return row === undefined ? undefined : accountOf(row);
      return sql.transact(() => refill(sql, id, now));
    },
    async addKey({ id, account, sha256, label, createdAt }) {
      sql.run(KEYS.add, id, account, sha256, label, createdAt);
    },
    keys: async () => sql.all(KEYS.all).map(keyOf),
    async key(id) {
      const row = sql.get(KEYS.get, id);
      return row === undefined ? undefined : keyOf(row);
    },
    revokeKey: async (id, now) => sql.run(KEYS.revoke, now, id) > 0,

    grant: async (account, amount, ref, now) => sql.transact(() => grant(sql, account, amount, ref, now)),
    reserve: async (account, amount, ref, now, lease) =>
      sql.transact(() => reserve(sql, account, amount, ref, now, lease)),
    async settle(ref, charged, now) {
      sql.transact(() => settle(sql, ref, charged, now));
    },
    async extendHolds(refs, until) {
      sql.transact(() => {
        for (const ref of refs) sql.run(HOLDS.extend, until, ref);
      });
    },
    async releaseHolds(until, now) {
      return sql.transact(() => {
        const over = sql.all(HOLDS.over, until).map((row) => textOf(row, 'ref'));
        for (const ref of over) settle(sql, ref, 0, now);
        return over.length;
      });
    },
    audit: async () => audit(sql),
    async prune(before) {
      return sql.transact(() => {
        sql.run(LEDGER.total, before);
        sql.run(LEDGER.limit, before);
        const entries = sql.run(LEDGER.prune, before);
        const keys = sql.run(JOBS.forgetKeys, before);
        return entries + keys + sql.run(JOBS.prune, before);
      });
    },

    ...createJobs(sql),
    close: async () => sql.close(),
  };
}

/** Brings the tables of an older version up to date, each step whole or not at all. */
function migrate(sql: Sql): void {
  sql.transact(() => {
    const row = sql.get('PRAGMA user_version');
    const version = row === undefined ? 0 : countOf(row, 'user_version');
    if (version > MIGRATIONS.length) {
      throw new Failure('usage', 'the data folder was written by a newer pdftool serve', {
        hint: 'Use that version, or choose another folder with --data.',
      });
    }
    for (const step of MIGRATIONS.slice(version)) sql.exec(step);
    if (version < MIGRATIONS.length) sql.exec(`PRAGMA user_version = ${MIGRATIONS.length}`);
  });
}
