// One key, whatever it does, leaves room for the others.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/runtime/clock.ts';
import { Gate } from '../../src/serve/limits/gate.ts';
import { Pool } from '../../src/serve/worker/pool.ts';
import { folder } from '../e2e/pdftool.ts';
import { form, type Rig, startRig, until } from './rig.ts';

const GUIDE = readFileSync(join(import.meta.dirname, '../fixtures/guide.pdf'));
const LOREM = readFileSync(join(import.meta.dirname, '../fixtures/lorem-ipsum.pdf'));

const open: Socket[] = [];
afterEach(() => {
  for (const socket of open.splice(0)) socket.destroy();
});

/** A request of which a few bytes come, and no more; its status when there is one. */
function begin(rig: Rig, path: string, key = rig.key, length = 1_000_000): Promise<number> {
  return new Promise((resolve) => {
    const head = `X-API-Key: ${key}\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: ${length}`;
    const socket = connect(rig.server.port, '127.0.0.1', () =>
      socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\n${head}\r\n\r\n--x\r\n`),
    );
    open.push(socket);
    socket.on('data', (chunk) => resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(String(chunk))?.[1])));
    socket.on('error', () => {});
  });
}

describe('a gate', () => {
  const gate = (more: object) => new Gate({ most: 4, mostOfOne: 2, bytesOfOne: 100, small: 4, ...more }, 'requests');
  const of = (account: string, bytes = 1, isSmall = false) => ({ account, bytes, isSmall });

  it('has places for each account, for all, and a few for what is small', () => {
    const it = gate({});
    it.enter(of('a'));
    const leave = it.enter(of('a'));
    expect(() => it.enter(of('a'))).toThrow(/2 requests of this account/);
    it.enter(of('b'));
    it.enter(of('b'));
    expect(it.isFull).toBe(true);
    expect(() => it.enter(of('c'))).toThrow(/4 requests are under way/);
    const small = it.enter(of('c', 1, true));
    expect(() => it.enter(of('c', 1, true))).toThrow(/4 requests are under way/);
    it.enter(of('d', 1, true));
    leave();
    leave();
    small();
    expect(it.inside).toBe(4);
    expect(it.isFull).toBe(false);
    it.enter(of('a'));
    expect(() => it.enter(of('a'))).toThrow();
  });

  it('holds the bytes of an account, but takes one request of any size', () => {
    const it = gate({ most: 10, mostOfOne: 10, small: 0 });
    const leave = it.enter(of('a', 500));
    expect(() => it.enter(of('a', 1))).toThrow(/500 bytes of this account are on their way, and one may have 100/);
    it.enter(of('b', 60));
    leave();
    it.enter(of('a', 60));
    expect(() => it.enter(of('a', 60))).toThrow(/60 bytes/);
  });
});

describe('one key', () => {
  it('with 64 slow uploads gets 429 for most, and another key is served', async () => {
    const rig = await startRig();
    const other = await rig.stranger();
    const statuses = Promise.all(
      Array.from({ length: 64 }, () => Promise.race([begin(rig, '/api/v1/pdf-info'), sleep(4_000)])),
    );
    await until(() => (rig.server.service.gate.inside >= 16 ? true : undefined));
    for (let i = 0; i < 20; i += 1) {
      const answer = await rig.send('/api/v1/pdf-info', {
        ...form({ 'a.pdf': LOREM }),
        headers: { 'X-API-Key': other },
      });
      expect(answer.status).toBe(200);
      expect((await fetch(`${rig.url}/readyz`)).status).toBe(200);
    }
    const refused = (await statuses).filter((status) => status === 429);
    expect(refused.length).toBeGreaterThanOrEqual(64 - 16 - 4);
    await rig.close();
  });

  it('that sends nothing is given up within seconds, not after a window', async () => {
    const rig = await startRig();
    const before = Date.now();
    expect(await begin(rig, '/api/v1/pdf-info')).toBe(400);
    expect(Date.now() - before).toBeLessThan(10_000);
    await rig.close();
  });

  it('that holds all workers for requests does not hold up small free ones of another', async () => {
    const rig = await startRig({ settings: { workers: 2 } });
    const other = await rig.stranger();
    expect((await rig.send('/api/v1/extract-text', form({ 'a.pdf': LOREM }))).status).toBe(200);
    const pids = await until(() => {
      const { requests } = rig.server.workers();
      return requests.length === 2 ? requests : undefined;
    });
    // A stopped worker never ends its task.
    for (const pid of pids) process.kill(pid, 'SIGSTOP');
    const leave = new AbortController();
    const asked = Array.from({ length: 6 }, () =>
      rig.send('/api/v1/extract-text', { ...form({ 'a.pdf': LOREM }), signal: leave.signal }).catch(() => undefined),
    );
    await until(() => (rig.server.service.gate.inside === 6 ? true : undefined));
    const answer = await rig.send('/api/v1/pdf-info', { ...form({ 'a.pdf': LOREM }), headers: { 'X-API-Key': other } });
    expect(answer.status).toBe(200);
    leave.abort();
    await Promise.all(asked);
    await rig.close();
  });

  it('that has much waiting takes turns with another', async () => {
    const rig = await startRig({ settings: { workers: 1 } });
    const other = await rig.stranger();
    expect((await rig.send('/api/v1/extract-text', form({ 'a.pdf': LOREM }))).status).toBe(200);
    const order: string[] = [];
    const ask = async (who: string, key: string) => {
      const answer = await rig.send('/api/v1/compress', { ...form({ 'a.pdf': GUIDE }), headers: { 'X-API-Key': key } });
      order.push(`${who} ${answer.status}`);
    };
    const many = Array.from({ length: 8 }, () => ask('many', rig.key));
    await until(() => (rig.server.service.gate.inside === 8 ? true : undefined));
    await Promise.all([...many, ask('one', other)]);
    expect(order.filter((each) => each === 'many 200')).toHaveLength(8);
    expect(order.indexOf('one 200')).toBeGreaterThanOrEqual(0);
    expect(order.indexOf('one 200')).toBeLessThan(5);
    await rig.close();
  });

  it('cannot have sessions and bytes without end', async () => {
    const rig = await startRig({ settings: { key_sessions: 2, key_session_bytes: 1_000 } });
    const create = (inputBytes: number, key = rig.key) =>
      rig.send('/api/v1/workflow-jobs', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-API-Key': key },
        body: JSON.stringify({ workflow: 'compress', inputBytes, options: {}, maxCredits: 1 }),
      });
    const before = await rig.credits();
    expect((await create(600)).status).toBe(200);
    const bytes = await create(600);
    expect([bytes.status, await bytes.json()]).toEqual([
      429,
      expect.objectContaining({ error: expect.stringMatching(/1000 bytes together/) }),
    ]);
    expect((await create(300)).status).toBe(200);
    const sessions = await create(1);
    expect([sessions.status, await sessions.json()]).toEqual([
      429,
      expect.objectContaining({ error: expect.stringMatching(/2 jobs of this account wait/) }),
    ]);
    expect(await rig.credits()).toBe(before - 2);
    expect((await create(600, await rig.stranger())).status).toBe(200);
    await rig.close();
  });
});

describe('a pool of workers', () => {
  it('keeps the last one from an account whose document has many pages, before anything of it has ended', async () => {
    // Tells how many pages it was given, and ends when the file is there that it is told of.
    const script = `process.on('message', ({ name, folder }) => {
      process.send({ kind: 'progress', phase: 'read', done: 0, pages: Number(name) });
      const look = setInterval(() => {
        if (!require('node:fs').existsSync(folder)) return;
        clearInterval(look);
        process.send({ kind: 'done', made: { mediaType: name, bytes: 0 } });
      }, 5);
    }); process.send({ kind: 'ready' });`;
    const settings = { size: 2, memory: 1e9, addressSpace: 1e11, patience: 10_000, recycleAfter: 100 };
    const lost: string[] = [];
    const events = { lost: (reason: string) => void lost.push(reason), unexpected() {} };
    const pool = new Pool({ ...settings, command: [process.execPath, '-e', script] }, systemClock, events);
    using here = folder();
    const order: string[] = [];
    const { signal } = new AbortController();
    const run = async (owner: string, pages: number, until: string, onProgress = () => {}) => {
      const task = { kind: 'operation', name: String(pages), limits: {}, fields: {}, files: [] } as const;
      const where = { folder: until, output: here.at('out'), durable: false };
      await pool.run({ ...task, ...where }, { signal, owner, onProgress });
      order.push(`${owner} ${pages}`);
    };
    const [gate, open] = [here.at('gate'), process.execPath];
    let large: Promise<void> | undefined;
    await new Promise<void>((known) => {
      large = run('a', 500, gate, known);
    });
    const second = run('a', 400, open);
    await run('b', 3, open);
    await run('b', 4, open);
    expect(order).toEqual(['b 3', 'b 4']);
    writeFileSync(gate, '');
    await Promise.all([large, second]);
    expect(order.slice(2)).toEqual(['a 500', 'a 400']);
    // The first of an account of which nothing is known has one worker until it has ended, however short it seems.
    rmSync(gate);
    let first: Promise<void> | undefined;
    await new Promise<void>((known) => {
      first = run('c', 3, gate, known);
    });
    const next = run('c', 4, open);
    await run('b', 5, open);
    expect(order.slice(4)).toEqual(['b 5']);
    writeFileSync(gate, '');
    await Promise.all([first, next]);
    expect(order.slice(5)).toEqual(['c 3', 'c 4']);
    // Later a short one leaves room for the next of the same account.
    rmSync(gate);
    let short: Promise<void> | undefined;
    await new Promise<void>((known) => {
      short = run('c', 5, gate, known);
    });
    await run('c', 6, open);
    writeFileSync(gate, '');
    await short;
    expect(order.slice(7)).toEqual(['c 6', 'c 5']);
    // With short ones behind it, an account takes all workers for long: another waits a second, and one is begun again.
    rmSync(gate);
    for (let times = 0; times < 8; times += 1) await run('d', 0, open);
    const long = [run('d', 1, gate), run('d', 2, gate)];
    await until(() => (pool.state.active === 2 ? true : undefined));
    const before = Date.now();
    await run('e', 7, open);
    expect(Date.now() - before).toBeLessThan(4_000);
    writeFileSync(gate, '');
    await Promise.all(long);
    expect(order.slice(-3).sort()).toEqual(['d 1', 'd 2', 'e 7']);
    expect(lost).toEqual(['given up']);
    await pool.close();
  });
});

describe('jobs', () => {
  it('of an account that has all workers give one back to another account that comes later', async () => {
    const rig = await startRig({ settings: { job_workers: 2 } });
    const other = await rig.stranger(10);
    const submit = async (key: string) => {
      const headers = { 'Content-Type': 'application/json', 'X-API-Key': key };
      const body = JSON.stringify({ workflow: 'compress', inputBytes: LOREM.length, options: {}, maxCredits: 1 });
      const made = await rig.send('/api/v1/workflow-jobs', { method: 'POST', headers, body });
      const job = (await made.json()) as { jobId: string; uploadId: string; upload: { session_uri: string } };
      await fetch(job.upload.session_uri, { method: 'PUT', body: new Uint8Array(LOREM) });
      await rig.send(`/api/v1/workflow-jobs/${job.uploadId}`, { method: 'POST', headers });
      return job.jobId;
    };
    const { store } = rig.server.service;
    const stateOf = async (id: string) => (await store.job(id))?.state;
    // A stopped worker never ends its task.
    const stopped = await until(() => {
      const { jobs } = rig.server.workers();
      return jobs.length === 2 ? jobs : undefined;
    });
    const warm = await submit(rig.key);
    await until(async () => ((await stateOf(warm)) === 'succeeded' ? true : undefined));
    for (const pid of stopped) process.kill(pid, 'SIGSTOP');
    const long = [await submit(rig.key), await submit(rig.key)];
    await until(async () => ((await store.jobCounts()).running === 2 ? true : undefined));
    const short = await submit(other);
    await until(async () => ((await stateOf(short)) === 'succeeded' ? true : undefined));
    // The one that was given back waits for its turn behind the other, and is charged once.
    expect(await Promise.all(long.map(stateOf))).toEqual(['running', 'queued']);
    for (const pid of rig.server.workers().jobs) if (stopped.includes(pid)) process.kill(pid, 'SIGKILL');
    for (const id of long) await until(async () => ((await stateOf(id)) === 'succeeded' ? true : undefined));
    expect(await store.job(String(long[1]))).toMatchObject({ attempts: 1, token: 2, charged: 1 });
    expect((await store.audit()).mismatches).toEqual([]);
    await rig.close();
  });

  it('are taken up by turns of their accounts, and the last worker is kept for another', async () => {
    const rig = await startRig({ settings: { job_workers: 1 } });
    const { store } = rig.server.service;
    const { claimJob } = store;
    // Nobody but the test takes jobs up.
    Object.assign(store, { claimJob: async () => undefined });
    const now = Date.now();
    for (const account of ['acct_b', 'acct_c']) await store.addAccount(account, now);
    let made = 0;
    const queue = async (id: string, account: string) => {
      const job = {
        id,
        uploadId: `up_${id}`,
        account,
        workflow: 'compress',
        options: {},
        inputBytes: 1,
        maxCredits: 1,
      };
      // Of accounts that had no job yet, the one whose job waits longest is first.
      made += 1;
      await store.createJob({ ...job, expiresAt: now + 1_000_000 }, now - 1000 + made);
      await store.queueJob(id, now);
    };
    for (const id of ['a1', 'a2', 'a3']) await queue(id, rig.account);
    await queue('b1', 'acct_b');
    await queue('b2', 'acct_b');
    const claim = async (at: number, isLast = false) =>
      (await claimJob(now + at, { owner: 'x', until: now + 1_000_000 }, isLast ? 'last' : 'any'))?.id;
    expect([await claim(1), await claim(2), await claim(3)]).toEqual(['a1', 'b1', 'a2']);
    expect(await claim(4, true)).toBeUndefined();
    await queue('c1', 'acct_c');
    expect(await claim(5, true)).toBe('c1');
    expect([await claim(6), await claim(7), await claim(8)]).toEqual(['b2', 'a3', undefined]);
    await rig.close();
  });
});
