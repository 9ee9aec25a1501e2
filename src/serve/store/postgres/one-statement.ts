// Reserves and settles, as every paid request does, in one round trip each. In rare cases, such as a refill, these
// change nothing and the steps shared with SQLite run.
import type { Store } from '../store.ts';
import type { Postgres } from './connect.ts';

const RESERVE = `
  WITH paid AS (
    UPDATE accounts SET available = available - $3, reserved = reserved + $3
      WHERE id = $2 AND available >= $3 AND resets_at > $4
        AND (SELECT COUNT(*) FROM holds WHERE account = $2 AND owner IS NOT NULL AND lease_until > $4) < $7
      RETURNING id
  ), held AS (
    INSERT INTO holds (ref, account, amount, at, owner, lease_until)
      SELECT $1, id, $3, $4, CAST($5 AS TEXT), CAST($6 AS BIGINT) FROM paid
  ), entered AS (
    INSERT INTO ledger (account, kind, ref, amount, at) SELECT id, 'reserve', $1, $3, $4 FROM paid
      ON CONFLICT DO NOTHING
  )
  SELECT id FROM paid`;

const SETTLE = `
  WITH taken AS (
    DELETE FROM holds WHERE ref = $1 AND amount >= $2 RETURNING account, amount
  ), entered AS (
    INSERT INTO ledger (account, kind, ref, amount, at)
      SELECT account, 'charge', $1, CAST($2 AS BIGINT), CAST($3 AS BIGINT) FROM taken WHERE $2 > 0
      UNION ALL SELECT account, 'release', $1, amount - $2, $3 FROM taken WHERE amount > $2
      ON CONFLICT DO NOTHING
  )
  UPDATE accounts SET reserved = reserved - taken.amount, used = used + $2, available = available + taken.amount - $2
    FROM taken WHERE accounts.id = taken.account RETURNING accounts.id`;

export function inOneStatement(store: Store, database: Postgres): Store {
  return {
    ...store,
    async reserve(account, amount, ref, now, lease, most) {
      const values = [ref, account, amount, now, lease?.owner ?? null, lease?.until ?? null];
      const kept = await database.once(RESERVE, [...values, most ?? Number.MAX_SAFE_INTEGER]);
      return kept.length > 0 || store.reserve(account, amount, ref, now, lease, most);
    },
    async settle(ref, charged, now) {
      const settled = await database.once(SETTLE, [ref, charged, now]);
      if (settled.length === 0) await store.settle(ref, charged, now);
    },
  };
}
