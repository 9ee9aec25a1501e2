// Owns the embedded store: SQLite in the data folder, one transaction per change. Knows no HTTP.
import { type Sql, transact } from './driver.ts';
import { createJobs } from './jobs.ts';
import { audit, grant, openAccount, refill, reserve, settle } from './ledger.ts';
import { accountOf, keyOf, textOf } from './rows.ts';
import { ACCOUNTS, HOLDS, KEYS, META, PRAGMAS, SCHEMA } from './statements.ts';
import type { Store } from './store.ts';

/** What a request sets aside is named by this and its id; a job's by its id alone. */
export const REQUEST = 'request:';

/** The store on an open database; its tables are made where they are not there. */
export function createStore(sql: Sql): Store {
  sql.exec(PRAGMAS);
  sql.exec(SCHEMA);
  return {
    async keep(name, value) {
      sql.run(META.put, name, value);
      const row = sql.get(META.get, name);
      return row === undefined ? value : textOf(row, 'value');
    },

    async addAccount(id, now) {
      transact(sql, () => openAccount(sql, id, now));
    },
    accounts: async () => sql.all(ACCOUNTS.all).map(accountOf),
    async account(id, now) {
      const row = sql.get(ACCOUNTS.get, id);
      if (row === undefined || accountOf(row).resetsAt > now) return row === undefined ? undefined : accountOf(row);
      return transact(sql, () => refill(sql, id, now));
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

    grant: async (account, amount, ref, now) => transact(sql, () => grant(sql, account, amount, ref, now)),
    reserve: async (account, amount, ref, now) => transact(sql, () => reserve(sql, account, amount, ref, now)),
    async settle(ref, charged, now) {
      transact(sql, () => settle(sql, ref, charged, now));
    },
    async releaseRequests(now) {
      const open = sql.all(HOLDS.like, `${REQUEST}%`).map((row) => textOf(row, 'ref'));
      transact(sql, () => {
        for (const ref of open) settle(sql, ref, 0, now);
      });
      return open.length;
    },
    audit: async () => audit(sql),

    ...createJobs(sql),
    close: () => sql.close(),
  };
}
