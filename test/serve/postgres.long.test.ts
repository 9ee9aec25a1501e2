// The store on a real PostgreSQL: what every store does, its tables, what a server refuses, and a database that goes away.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/runtime/clock.ts';
import { migrate, openPostgres } from '../../src/serve/store/postgres/store.ts';
import type { Store } from '../../src/serve/store/store.ts';
import { POSTGRES_MIGRATIONS } from '../../src/serve/store/tables.ts';
import { type PostgresServer, startPostgres } from './postgres.ts';
import { DECEMBER, NOVEMBER, storeContract } from './store-contract.ts';

const LATEST = POSTGRES_MIGRATIONS.length;

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.remove());

async function withStore(use: (store: Store, url: string) => Promise<void>): Promise<void> {
  const url = await server.database();
  await migrate(url, systemClock);
  const { store } = await openPostgres(url, systemClock);
  await store.addAccount('acct_a', NOVEMBER);
  try {
    await use(store, url);
  } finally {
    await store.close();
  }
}

storeContract(withStore);

describe('the ledger', () => {
  it('refuses to be changed or cut, also by the owner of the database', () =>
    withStore(async (_, url) => {
      for (const text of ['UPDATE ledger SET amount = 1000', 'DELETE FROM ledger', 'TRUNCATE ledger']) {
        await expect(server.query(url, text)).rejects.toThrow(/only grows/);
      }
      await server.query(url, 'UPDATE ledger_limit SET at = 5');
      await expect(server.query(url, 'UPDATE ledger_limit SET at = 4')).rejects.toThrow(/only rises/);
    }));

  it('is audited: a balance that its entries do not explain is named', () =>
    withStore(async (store, url) => {
      await server.query(url, 'UPDATE accounts SET available = 99');
      expect((await store.audit()).mismatches).toEqual(['acct_a: available is 99, its entries say 20']);
    }));
});

describe('a database', () => {
  it('without tables, and one that is newer, are refused with what to do; migrating twice at once is fine', async () => {
    const url = await server.database();
    await expect(openPostgres(url, systemClock)).rejects.toThrow(/has no tables of pdftool yet/);
    await Promise.all([migrate(url, systemClock), migrate(url, systemClock)]);
    expect(await migrate(url, systemClock)).toEqual({ from: LATEST, to: LATEST });
    await server.query(url, 'UPDATE pdftool_version SET version = 7');
    await expect(openPostgres(url, systemClock)).rejects.toThrow(/is of version 7, newer than this pdftool/);
    await expect(migrate(url, systemClock)).rejects.toThrow(/newer/);
    await server.query(url, 'UPDATE pdftool_version SET version = 0');
    // It says 0 and is not: nothing of the step is done.
    await expect(migrate(url, systemClock)).rejects.toThrow(/already exists/);
    expect(await server.query(url, 'SELECT version FROM pdftool_version')).toEqual([{ version: 0 }]);
  });

  it('of version 2 keeps its results and speech jobs; what a server of that version still writes is found', async () => {
    const url = await server.database();
    const [first = '', requests = ''] = POSTGRES_MIGRATIONS;
    await server.query(url, `${first}${requests}CREATE TABLE pdftool_version AS SELECT 2 AS version`);
    await server.query(url, `INSERT INTO accounts VALUES ('acct_a', 20, 0, 0, ${DECEMBER}, 0)`);
    const write = (id: string, options: string, state: string, result: string | null) =>
      server.query(
        url,
        `INSERT INTO jobs (id, account, upload_id, workflow, options, input_bytes, max_credits, state, result, created_at,
          updated_at, expires_at) VALUES ('${id}', 'acct_a', 'up_${id}', 'x', $json$${options}$json$, 1, 1, '${state}',
          ${result === null ? 'NULL' : `$json$${result}$json$`}, 0, 0, ${DECEMBER})`,
      );
    const title = String.raw`\u0000\ud800`;
    const told = (name: string) =>
      `{"name":"${name}","mediaType":"audio/mp4","bytes":1,"sha256":"","details":{"title":"${title}"}}`;
    await write('job_1', '{}', 'succeeded', told('job_1.1.m4b'));
    await write('job_2', `{"find":["${title}"]}`, 'queued', null);
    await write('job_3', '{"fields":{},"file":"a.pdf","key":"ab12"}', 'queued', null);
    expect(await migrate(url, systemClock)).toEqual({ from: 2, to: LATEST });
    await write('job_4', '{"fields":{},"file":"a.pdf","key":"ab12"}', 'running', null);
    await server.query(
      url,
      `UPDATE jobs SET state = 'succeeded', result = '${told('job_4.1.m4b')}' WHERE id = 'job_4'`,
    );
    const { store } = await openPostgres(url, systemClock);
    expect(await store.activeSpeech('ab12')).toBe(1);
    expect((await store.jobsWithFiles()).map(({ resultName }) => resultName).sort()).toEqual([
      ...['job_1.1.m4b', 'job_4.1.m4b'],
      ...[undefined, undefined],
    ]);
    expect((await store.job('job_1'))?.result?.name).toBe('job_1.1.m4b');
    await store.close();
  });

  it('that cannot be used is named without its password', async () => {
    const url = new URL(await server.database());
    url.password = 'secret';
    const nobody = new URL(url);
    nobody.username = 'nobody';
    const nowhere = new URL(url);
    nowhere.pathname = '/nowhere';
    const closed = new URL(url);
    closed.port = '1';
    for (const [each, why] of [
      [nobody, /role "nobody" does not exist/],
      [nowhere, /database "nowhere" does not exist/],
      [closed, /ECONNREFUSED/],
    ] as const) {
      const failure = await openPostgres(String(each), systemClock).catch((error: Error) => error.message);
      expect(failure).toMatch(why);
      expect(failure).not.toContain('secret');
    }
  });

  it('that is read-only, or whose clock is far off, is refused', async () => {
    const url = await server.database();
    await migrate(url, systemClock);
    const late = { ...systemClock, now: () => Date.now() - 300_000 };
    await expect(openPostgres(url, late)).rejects.toThrow(/is 300 s behind that of the database/);
    await server.query(url, `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET default_transaction_read_only = on`);
    await expect(openPostgres(url, systemClock)).rejects.toThrow(/is read-only/);
  });

  it('gives servers its time', async () => {
    const url = await server.database();
    await migrate(url, systemClock);
    const ahead = { ...systemClock, now: () => Date.now() + 60_000 };
    const { store, clock } = await openPostgres(url, ahead);
    expect(Math.abs(clock.now() - Date.now())).toBeLessThan(5_000);
    await store.close();
  });

  it('that is switched off and comes back fails no call that can wait, and loses nothing that was acknowledged', () =>
    withStore(async (store) => {
      await store.grant('acct_a', 1_000, 'pack', NOVEMBER);
      const acknowledged = new Set<string>();
      let [asked, isOver] = [0, false];
      const work = async () => {
        while (!isOver) {
          const ref = `r${asked++}`;
          // What was under way when it went may have happened or not, and can be asked again.
          const tries = async (call: () => Promise<unknown>) => call().catch(() => call());
          const kept = await store.reserve('acct_a', 1, ref, NOVEMBER).catch(() => undefined);
          if (kept !== true) continue;
          await tries(() => store.settle(ref, 1, NOVEMBER));
          acknowledged.add(ref);
        }
      };
      const working = Promise.all([work(), work(), work(), work()]);
      try {
        for (let each = 0; each < 3; each += 1) {
          await systemClock.sleep(400, new AbortController().signal);
          await server.crash();
          await server.start();
        }
      } finally {
        isOver = true;
      }
      await working;
      const { entries, mismatches } = await store.audit();
      expect(mismatches).toEqual([]);
      expect(acknowledged.size).toBeGreaterThan(10);
      expect(entries.charge).toBe(acknowledged.size);
    }));
});

describe('a long queue', () => {
  it('slows the claim of a job to at most twice its time', { timeout: 120_000 }, async () => {
    const prepared = async (jobs: number) => {
      const url = await server.database();
      await migrate(url, systemClock);
      const { store } = await openPostgres(url, systemClock);
      for (let account = 0; account < 20; account += 1) await store.addAccount(`acct_${account}`, NOVEMBER);
      await server.query(
        url,
        `INSERT INTO jobs (id, account, upload_id, workflow, options, input_bytes, max_credits, state, created_at,
           updated_at, expires_at)
         SELECT 'job_' || i, 'acct_' || i % 20, 'up_' || i, 'compress', '{}', 1, 1, 'queued', i, i, 9e15
         FROM generate_series(1, ${jobs}) AS i; ANALYZE;`,
      );
      return { store, times: [] as number[] };
    };
    const [short, long] = [await prepared(200), await prepared(100_000)];
    const result = { name: '', mediaType: 'application/pdf', bytes: 1, sha256: '' };
    // By turns, so that a busy machine slows both.
    for (let turn = 0; turn < 60; turn += 1) {
      for (const { store, times } of [short, long]) {
        const before = performance.now();
        const job = await store.claimJob(NOVEMBER + turn, { owner: 'x', until: NOVEMBER + 1_000_000 });
        times.push(performance.now() - before);
        expect(job).toBeDefined();
        await store.finishJob(String(job?.id), 1, { state: 'succeeded', result, charged: 0 }, NOVEMBER, NOVEMBER);
      }
    }
    const median = (times: number[]) => times.sort((a, b) => a - b)[30] ?? Number.NaN;
    const [few, many] = [median(short.times), median(long.times)];
    process.stdout.write(`a claim: ${few.toFixed(1)} ms of 200 waiting, ${many.toFixed(1)} ms of 100,000\n`);
    expect(many / few).toBeLessThan(2);
    for (const { store } of [short, long]) await store.close();
  });
});
