// The embedded store: credits change once and together, jobs are finished by their last worker only, the ledger only grows.
import { describe, expect, it } from 'vitest';
import { openSql } from '../../src/serve/store/driver.ts';
import { createStore } from '../../src/serve/store/sqlite.ts';
import { MIGRATIONS } from '../../src/serve/store/sqlite-tables.ts';
import type { NewJob, Store } from '../../src/serve/store/store.ts';
import { folder } from '../e2e/pdftool.ts';

const NOVEMBER = Date.UTC(2026, 10, 21);
const DECEMBER = Date.UTC(2026, 11, 1);

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

const job = (id: string, more: Partial<NewJob> = {}): NewJob => ({
  id,
  uploadId: `up_${id}`,
  account: 'acct_a',
  workflow: 'compress',
  options: {},
  inputBytes: 100,
  maxCredits: 1,
  expiresAt: NOVEMBER + 3_600_000,
  ...more,
});

const lease = (after: number, owner = 'server_a') => ({ owner, until: NOVEMBER + after });

describe('credits', () => {
  it('are 20 for a new account, set aside, charged in part, and the rest returned', () =>
    withStore(async (store) => {
      expect(await store.account('acct_a', NOVEMBER)).toMatchObject({ available: 20, reserved: 0, used: 0 });
      expect(await store.reserve('acct_a', 5, 'x', NOVEMBER)).toBe(true);
      expect(await store.account('acct_a', NOVEMBER)).toMatchObject({ available: 15, reserved: 5, used: 0 });
      await store.settle('x', 2, NOVEMBER);
      expect(await store.account('acct_a', NOVEMBER)).toMatchObject({ available: 18, reserved: 0, used: 2 });
    }));

  it('are settled once: the second time changes nothing', () =>
    withStore(async (store) => {
      await store.reserve('acct_a', 3, 'x', NOVEMBER);
      await store.settle('x', 0, NOVEMBER);
      await store.settle('x', 3, NOVEMBER);
      expect(await store.account('acct_a', NOVEMBER)).toMatchObject({ available: 20, reserved: 0, used: 0 });
      expect(await store.audit()).toMatchObject({ entries: { charge: 0, release: 1 }, mismatches: [] });
    }));

  it('are never set aside beyond what is there, nor charged beyond what was set aside', () =>
    withStore(async (store) => {
      expect(await store.reserve('acct_a', 21, 'x', NOVEMBER)).toBe(false);
      await store.reserve('acct_a', 1, 'y', NOVEMBER);
      await expect(store.settle('y', 2, NOVEMBER)).rejects.toThrow(/holds 1 credits/);
      expect(await store.audit()).toMatchObject({ reserved: 1, mismatches: [] });
    }));

  it('are granted once for each reference', () =>
    withStore(async (store) => {
      expect(await store.grant('acct_a', 100, 'pack 1', NOVEMBER)).toBe(true);
      expect(await store.grant('acct_a', 100, 'pack 1', NOVEMBER)).toBe(false);
      expect((await store.account('acct_a', NOVEMBER))?.available).toBe(120);
    }));

  it('are filled up to 20 when a month begins, once, and what was bought stays', () =>
    withStore(async (store) => {
      expect((await store.account('acct_a', NOVEMBER))?.resetsAt).toBe(DECEMBER);
      await store.reserve('acct_a', 7, 'x', NOVEMBER);
      await store.settle('x', 7, NOVEMBER);
      expect((await store.account('acct_a', DECEMBER - 1))?.available).toBe(13);
      expect((await store.account('acct_a', DECEMBER))?.available).toBe(20);
      expect((await store.account('acct_a', DECEMBER + 1))?.resetsAt).toBe(Date.UTC(2027, 0, 1));
      await store.grant('acct_a', 1000, 'pack', DECEMBER);
      expect((await store.account('acct_a', Date.UTC(2027, 0, 1)))?.available).toBe(1020);
      expect((await store.audit()).mismatches).toEqual([]);
    }));

  it('of requests that died with their server are returned when its lease is over; those of jobs stay', () =>
    withStore(async (store) => {
      for (const ref of ['1', '2']) await store.reserve('acct_a', 1, ref, NOVEMBER, lease(100));
      await store.createJob(job('job_1'), NOVEMBER);
      await store.extendHolds(['2', 'unknown'], NOVEMBER + 200);
      expect(await store.releaseHolds(NOVEMBER + 150, NOVEMBER)).toBe(1);
      expect(await store.releaseHolds(NOVEMBER + 150, NOVEMBER)).toBe(0);
      expect(await store.account('acct_a', NOVEMBER)).toMatchObject({ available: 18, reserved: 2 });
      expect(await store.releaseHolds(Number.MAX_SAFE_INTEGER, NOVEMBER)).toBe(1);
      expect(await store.account('acct_a', NOVEMBER)).toMatchObject({ available: 19, reserved: 1 });
    }));
});

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

describe('a job', () => {
  it('is made once for each Idempotency-Key; another request with the key is told apart', () =>
    withStore(async (store) => {
      const keyed = (id: string, requestHash: string) => job(id, { idempotency: { key: 'k', requestHash } });
      expect(await store.createJob(keyed('job_1', 'a'), NOVEMBER)).toBe('created');
      expect(await store.createJob(keyed('job_2', 'a'), NOVEMBER)).toMatchObject({ existing: { id: 'job_1' } });
      expect(await store.createJob(keyed('job_3', 'b'), NOVEMBER)).toBe('other_request');
      expect(await store.account('acct_a', NOVEMBER)).toMatchObject({ available: 19, reserved: 1 });
    }));

  it('is finished by its last worker only, and charged once', () =>
    withStore(async (store) => {
      await store.createJob(job('job_1'), NOVEMBER);
      await store.queueJob('job_1', NOVEMBER);
      const slow = await store.claimJob(NOVEMBER, lease(100));
      expect(await store.claimJob(NOVEMBER + 50, lease(150))).toBeUndefined();
      const quick = await store.claimJob(NOVEMBER + 101, lease(300));
      expect([slow?.token, quick?.token]).toEqual([1, 2]);
      const result = { name: 'out', mediaType: 'application/pdf', bytes: 1, sha256: '' };
      const done = { state: 'succeeded', result, charged: 1 } as const;
      const later = NOVEMBER + 1_000_000;
      expect(await store.heartbeat('job_1', 1, NOVEMBER + 102, NOVEMBER + 400, {})).toBe(false);
      expect(await store.finishJob('job_1', 1, done, NOVEMBER + 102, later)).toBe(false);
      expect(await store.finishJob('job_1', 2, done, NOVEMBER + 103, later)).toBe(true);
      expect(await store.finishJob('job_1', 2, done, NOVEMBER + 104, later)).toBe(false);
      expect(await store.account('acct_a', NOVEMBER)).toMatchObject({ available: 19, reserved: 0, used: 1 });
    }));

  it('keeps what a redaction looks for no longer than it needs it', () =>
    withStore(async (store) => {
      const options = { mode: 'inspect', find: ['Quorlax'], regex: ['Q+'], kinds: ['email'] };
      await store.createJob(job('job_1', { workflow: 'redaction', options }), NOVEMBER);
      await store.createJob(job('job_2', { workflow: 'redaction', options }), NOVEMBER);
      await store.queueJob('job_1', NOVEMBER);
      expect((await store.claimJob(NOVEMBER, lease(100)))?.options).toEqual(options);
      await store.finishJob('job_1', 1, { state: 'failed', code: 'x', message: 'y' }, NOVEMBER, NOVEMBER);
      await store.expireJobs(NOVEMBER + 3_600_001);
      for (const id of ['job_1', 'job_2'])
        expect((await store.job(id))?.options).toEqual({ mode: 'inspect', kinds: ['email'] });
    }));

  it('that fails gives its budget back', () =>
    withStore(async (store) => {
      await store.createJob(job('job_1', { maxCredits: 20 }), NOVEMBER);
      expect(await store.createJob(job('job_2'), NOVEMBER)).toBe('out_of_credits');
      await store.queueJob('job_1', NOVEMBER);
      await store.claimJob(NOVEMBER, lease(100));
      await store.finishJob('job_1', 1, { state: 'failed', code: 'x', message: 'y' }, NOVEMBER, NOVEMBER);
      expect(await store.account('acct_a', NOVEMBER)).toMatchObject({ available: 20, reserved: 0, used: 0 });
    }));

  it('whose upload never came expires and gives its budget back; a queued one does not expire', () =>
    withStore(async (store) => {
      await store.createJob(job('job_1'), NOVEMBER);
      await store.createJob(job('job_2'), NOVEMBER);
      await store.queueJob('job_2', NOVEMBER);
      expect(await store.expireJobs(NOVEMBER + 3_600_001)).toEqual([{ id: 'job_1', uploadId: 'up_job_1' }]);
      expect((await store.job('job_1'))?.state).toBe('expired');
      expect(await store.queueJob('job_1', NOVEMBER)).toBe(false);
      expect(await store.account('acct_a', NOVEMBER)).toMatchObject({ available: 19, reserved: 1 });
    }));

  it('handed back in good order is no attempt; lost with its worker it is', () =>
    withStore(async (store) => {
      await store.createJob(job('job_1'), NOVEMBER);
      await store.queueJob('job_1', NOVEMBER);
      await store.claimJob(NOVEMBER, lease(100));
      expect(await store.handBack('job_1', 1, true, NOVEMBER)).toBe(true);
      expect((await store.claimJob(NOVEMBER, lease(100)))?.attempts).toBe(1);
      await store.handBack('job_1', 2, false, NOVEMBER);
      expect(await store.claimJob(NOVEMBER, lease(100))).toMatchObject({ attempts: 2, token: 3 });
    }));

  it('whose server died is taken up again, and that is no attempt', () =>
    withStore(async (store) => {
      await store.createJob(job('job_1'), NOVEMBER);
      await store.queueJob('job_1', NOVEMBER);
      await store.claimJob(NOVEMBER, lease(100));
      expect(await store.takeUpJobs(NOVEMBER + 50, NOVEMBER)).toBe(0);
      expect(await store.takeUpJobs(Number.MAX_SAFE_INTEGER, NOVEMBER)).toBe(1);
      expect(await store.claimJob(NOVEMBER, lease(100))).toMatchObject({ attempts: 1, token: 2 });
      expect(await store.claimJob(NOVEMBER + 101, lease(200, 'server_b'))).toMatchObject({ attempts: 1, token: 3 });
      // Its own worker was silent for as long: that is one.
      expect(await store.claimJob(NOVEMBER + 201, lease(300, 'server_b'))).toMatchObject({ attempts: 2, token: 4 });
    }));
});

it('takes over the tables of the version before', async () => {
  using here = folder();
  const sql = await openSql(here.at('a.db'), process.versions.node);
  sql.exec(MIGRATIONS[0] ?? '');
  sql.run('INSERT INTO accounts VALUES (?, 18, 2, 0, ?, ?)', 'acct_a', DECEMBER, NOVEMBER);
  for (const ref of ['request:1', 'job_1']) sql.run('INSERT INTO holds VALUES (?, ?, 1, ?)', ref, 'acct_a', NOVEMBER);
  sql.close();
  const store = await open(here.at('a.db'));
  expect(await store.releaseHolds(NOVEMBER, NOVEMBER)).toBe(1);
  expect(await store.account('acct_a', NOVEMBER)).toMatchObject({ available: 19, reserved: 1 });
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
