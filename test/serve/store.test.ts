// The embedded store: what every store does, and that its ledger only grows.
import { describe, expect, it } from 'vitest';
import { openSql } from '../../src/serve/store/driver.ts';
import { createStore } from '../../src/serve/store/sqlite.ts';
import type { Store } from '../../src/serve/store/store.ts';
import { SQLITE_MIGRATIONS } from '../../src/serve/store/tables.ts';
import { folder } from '../e2e/pdftool.ts';
import { DECEMBER, job, lease, NOVEMBER, storeContract } from './store-contract.ts';

async function open(path: string): Promise<Store> {
  return createStore(await openSql(path, process.versions.node));
}

async function withStore(use: (store: Store, path: string) => Promise<void>): Promise<void> {
  using here = folder();
  const store = await open(here.at('serve.db'));
  await store.addAccount('acct_a', NOVEMBER);
  try {
    await use(store, here.at('serve.db'));
  } finally {
    store.close();
  }
}

storeContract(withStore);

describe('the ledger', () => {
  it('refuses to be changed or cut, also by somebody with the file open', () =>
    withStore(async (_store, path) => {
      const sql = await openSql(path, process.versions.node);
      expect(() => sql.run('UPDATE ledger SET amount = 1000')).toThrow(/only grows/);
      expect(() => sql.run('DELETE FROM ledger')).toThrow(/only grows/);
      sql.close();
    }));

  it('is audited: a balance that its entries do not explain is named', () =>
    withStore(async (store, path) => {
      const sql = await openSql(path, process.versions.node);
      sql.run('UPDATE accounts SET available = 99');
      sql.close();
      expect((await store.audit()).mismatches).toEqual(['acct_a: available is 99, its entries say 20']);
    }));

  it('waits for the disk at every commit', async () => {
    using here = folder();
    const sql = await openSql(here.at('serve.db'), process.versions.node);
    const store = createStore(sql);
    expect(sql.get('PRAGMA journal_mode')).toMatchObject({ journal_mode: 'wal' });
    // 2 is FULL: with NORMAL a loss of power takes jobs that were acknowledged.
    expect(sql.get('PRAGMA synchronous')).toMatchObject({ synchronous: 2 });
    store.close();
  });
});

describe('what is old', () => {
  it('is forgotten: ended jobs with their keys; entries become sums by month, and every balance stays', () =>
    withStore(async (store, path) => {
      await store.grant('acct_a', 1_000, 'pack 1', NOVEMBER);
      for (let i = 0; i < 50; i += 1) {
        await store.reserve('acct_a', 2, `r${i}`, NOVEMBER + i);
        await store.settle(`r${i}`, i % 2, NOVEMBER + i);
      }
      await store.reserve('acct_a', 3, 'open', NOVEMBER);
      for (const [id, key] of [
        ['job_old', 'k1'],
        ['job_waiting', 'k2'],
      ] as const) {
        await store.createJob(job(id, { idempotency: { key, requestHash: 'a' } }), NOVEMBER);
        await store.queueJob(id, NOVEMBER);
      }
      await store.claimJob(NOVEMBER, lease(100));
      await store.finishJob('job_old', 1, { state: 'failed', code: 'x', message: 'y' }, NOVEMBER, NOVEMBER);
      await store.reserve('acct_a', 1, 'young', DECEMBER);
      await store.settle('young', 1, DECEMBER);
      const before = { account: await store.account('acct_a', NOVEMBER), audit: await store.audit() };
      expect(await store.prune(NOVEMBER + 1_000)).toBeGreaterThan(100);
      expect(await store.prune(NOVEMBER + 1_000)).toBe(0);
      expect({ account: await store.account('acct_a', NOVEMBER), audit: await store.audit() }).toEqual(before);
      expect(await store.job('job_old')).toBeUndefined();
      expect(await store.job('job_waiting')).toMatchObject({ state: 'queued' });
      const again = (key: string) =>
        store.createJob(job(`${key}x`, { idempotency: { key, requestHash: 'a' } }), NOVEMBER);
      expect(await again('k1')).toBe('created');
      expect(await again('k2')).toMatchObject({ existing: { id: 'job_waiting' } });
      // What was set aside before is settled afterwards, and a pack is not granted twice.
      await store.settle('open', 3, DECEMBER);
      expect(await store.grant('acct_a', 1_000, 'pack 1', DECEMBER)).toBe(false);
      expect((await store.audit()).mismatches).toEqual([]);
      const sql = await openSql(path, process.versions.node);
      expect(sql.get("SELECT COUNT(*) AS n FROM ledger WHERE ref LIKE 'r%'")).toMatchObject({ n: 0 });
      expect(sql.all('SELECT month, kind, entries, amount FROM ledger_months ORDER BY kind')).toMatchObject([
        { month: '2026-11', kind: 'charge', entries: 25, amount: 25 },
        { month: '2026-11', kind: 'release', entries: 51, amount: 76 },
        { month: '2026-11', kind: 'reserve', entries: 51, amount: 101 },
      ]);
      // The young ones still cannot be taken away, nor the limit be lowered.
      expect(() => sql.run("DELETE FROM ledger WHERE ref = 'young'")).toThrow(/only grows/);
      expect(() => sql.run('DELETE FROM ledger')).toThrow(/only grows/);
      expect(() => sql.run('UPDATE ledger_limit SET at = 0')).toThrow(/only rises/);
      sql.close();
    }));
});

it('takes over the tables of the version before', async () => {
  using here = folder();
  const sql = await openSql(here.at('a.db'), process.versions.node);
  sql.exec(SQLITE_MIGRATIONS[0] ?? '');
  sql.run('INSERT INTO accounts VALUES (?, 18, 2, 0, ?, ?)', 'acct_a', DECEMBER, NOVEMBER);
  for (const ref of ['request:1', 'job_1']) sql.run('INSERT INTO holds VALUES (?, ?, 1, ?)', ref, 'acct_a', NOVEMBER);
  sql.close();
  const store = await open(here.at('a.db'));
  expect(await store.releaseHolds(NOVEMBER, NOVEMBER)).toBe(1);
  expect(await store.account('acct_a', NOVEMBER)).toMatchObject({ available: 19, reserved: 1 });
  store.close();
});

it('keeps results and speech jobs of the version before that looked for them inside stored JSON', async () => {
  using here = folder();
  const sql = await openSql(here.at('a.db'), process.versions.node);
  for (const step of SQLITE_MIGRATIONS.slice(0, 5)) sql.exec(step);
  sql.exec('PRAGMA user_version = 5');
  sql.run('INSERT INTO accounts VALUES (?, 20, 0, 0, ?, ?, 0)', 'acct_a', DECEMBER, NOVEMBER);
  const write = (id: string, options: string, state: string, result: string | null) =>
    sql.run(
      `INSERT INTO jobs (id, account, upload_id, workflow, options, input_bytes, max_credits, state, result, created_at,
        updated_at, expires_at) VALUES (?, 'acct_a', ?, 'x', ?, 1, 1, ?, ?, 0, 0, 9)`,
      ...([id, `up_${id}`, options, state, result] as const),
    );
  write('job_1', '{}', 'succeeded', '{"name":"job_1.1.pdf","mediaType":"application/pdf","bytes":1,"sha256":""}');
  write('job_2', '{"fields":{},"file":"a.pdf","key":"ab12"}', 'queued', null);
  write('job_3', `{"regions":${'['.repeat(1_200)}${']'.repeat(1_200)}}`, 'queued', null);
  sql.close();
  const store = await open(here.at('a.db'));
  expect(await store.activeSpeech('ab12')).toBe(1);
  expect((await store.jobsWithFiles()).map(({ resultName }) => resultName)).toContain('job_1.1.pdf');
  store.close();
});

it('keeps everything when it is closed and opened again, and a value that is made once', async () => {
  using here = folder();
  const first = await open(here.at('a.db'));
  await first.addAccount('acct_a', NOVEMBER);
  expect(await first.keep('secret', 'one')).toBe('one');
  first.close();
  const second = await open(here.at('a.db'));
  expect(await second.keep('secret', 'two')).toBe('one');
  expect((await second.account('acct_a', NOVEMBER))?.available).toBe(20);
  second.close();
});
