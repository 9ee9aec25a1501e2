// The database on its own thread: what holds it up holds up nothing else, and its end is not the server's.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/runtime/clock.ts';
import { startThread, type Thread } from '../../src/runtime/processes/thread.ts';
import { storeAside } from '../../src/serve/store/aside.ts';
import { openSql } from '../../src/serve/store/driver.ts';
import type { Store } from '../../src/serve/store/store.ts';
import { type Folder, folder, PROGRAM } from '../e2e/pdftool.ts';
import { noisyPdf } from './documents.ts';
import { form, startRig, until } from './rig.ts';

/** What no side sends: the thread fails on it. */
const NO_CALL = null as unknown as object;

const NOVEMBER = Date.UTC(2026, 10, 21);

async function aside(here: Folder) {
  const threads: Thread[] = [];
  const lost: string[] = [];
  const start = () => {
    const data = { path: here.at('serve.db'), nodeVersion: process.versions.node };
    const thread = startThread([PROGRAM, 'serve', 'database'], data);
    threads.push(thread);
    return thread;
  };
  const store = await storeAside(start, systemClock, (reason) => void lost.push(reason));
  return { store, threads, lost };
}

describe('a lock that another process holds for five seconds', () => {
  it('neither stops /livez nor fails a request', async () => {
    const rig = await startRig();
    const other = await openSql(join(rig.data, 'serve.db'), process.versions.node);
    const pdf = noisyPdf(20_000);
    // Workers are there when this is answered.
    expect((await rig.send('/api/v1/pdf-info', form({ 'a.pdf': pdf }))).status).toBe(200);
    other.exec('BEGIN IMMEDIATE');
    const job = { workflow: 'compress', inputBytes: 100, options: {}, maxCredits: 1 };
    const json = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(job) };
    let answered = 0;
    const asked = [
      ...[1, 2, 3].map(() => rig.send('/api/v1/rotate', form({ 'a.pdf': pdf }, { angle: '90' }))),
      rig.send('/api/v1/workflow-jobs', json),
    ].map((each) => each.finally(() => (answered += 1)));
    const waits: number[] = [];
    for (const end = Date.now() + 5_000; Date.now() < end; await sleep(50)) {
      const before = performance.now();
      expect((await fetch(`${rig.url}/livez`)).status).toBe(200);
      waits.push(performance.now() - before);
    }
    expect((await fetch(`${rig.url}/readyz`)).status).toBe(200);
    expect(answered).toBe(0);
    other.exec('ROLLBACK');
    other.close();
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    // Stopped with the database, one of them would have taken all five seconds.
    expect(Math.max(...waits)).toBeLessThan(2_000);
    expect(await rig.server.service.store.audit()).toMatchObject({ entries: { charge: 3 }, mismatches: [] });
    await rig.close();
  });
});

describe('calls that come together', () => {
  it('are one transaction, and one that fails takes nothing of the others with it', async () => {
    using here = folder();
    const { store } = await aside(here);
    await store.addAccount('acct_a', NOVEMBER);
    const results = await Promise.allSettled([
      store.reserve('acct_a', 5, 'one', NOVEMBER),
      store.reserve('acct_a', 5, 'one', NOVEMBER),
      store.reserve('acct_a', 50, 'much', NOVEMBER),
      store.settle('one', 6, NOVEMBER),
      store.settle('one', 2, NOVEMBER),
    ]);
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
    expect(results[3]).toMatchObject({ reason: { name: 'RangeError', message: expect.stringMatching(/holds 5/) } });
    expect(await store.account('acct_a', NOVEMBER)).toMatchObject({ available: 18, reserved: 0, used: 2 });
    expect((await store.audit()).mismatches).toEqual([]);
    await store.close();
    await expect(store.keys()).rejects.toThrow(/closed/);
  });
});

describe('a thread that ends', () => {
  it('fails what was under way, is started again, and goes on', async () => {
    using here = folder();
    const { store, threads, lost } = await aside(here);
    await store.addAccount('acct_a', NOVEMBER);
    const asked: Promise<unknown>[] = [];
    for (let i = 0; i < 200; i += 1) asked.push(store.grant('acct_a', 1, `grant ${i}`, NOVEMBER));
    // Not by terminate(): in the middle of the database's native code that may end the whole process, which is another test.
    threads[0]?.send(NO_CALL);
    await threads[0]?.ended;
    const settled = await Promise.allSettled(asked);
    expect(settled.some(({ status }) => status === 'rejected')).toBe(true);
    // Asked while there is none: answered by the next one.
    await granted(store);
    expect((await store.account('acct_a', NOVEMBER))?.available).toBe(220);
    expect([threads.length, lost.length]).toEqual([2, 1]);
    await store.close();
  });

  it('with a database that cannot be opened says why', async () => {
    using here = folder();
    const newer = await openSql(here.at('serve.db'), process.versions.node);
    newer.exec('PRAGMA user_version = 1000');
    newer.close();
    await expect(aside(here)).rejects.toThrow(/newer pdftool serve/);
  });

  it('is told in the log of a server, which stays ready', async () => {
    const rig = await startRig();
    expect((await rig.send('/api/v1/account')).status).toBe(200);
    await until(async () => ((await fetch(`${rig.url}/readyz`)).status === 200 ? true : undefined));
    await rig.close();
    expect(rig.lines.join('')).not.toContain('"event":"database"');
  });
});

/** Every grant once, however often it is asked for. */
async function granted(store: Store): Promise<void> {
  await Promise.all(Array.from({ length: 200 }, (_, i) => store.grant('acct_a', 1, `grant ${i}`, NOVEMBER)));
}
