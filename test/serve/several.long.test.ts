// Several servers and workers as processes of their own, on one PostgreSQL and one folder.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/runtime/clock.ts';
import { readServeSettings } from '../../src/serve/base/settings.ts';
import { folderBlobs } from '../../src/serve/blobs/folder.ts';
import { sweep } from '../../src/serve/jobs/sweep.ts';
import { openPostgres } from '../../src/serve/store/postgres/store.ts';
import { CLEAN, folder, pdftool } from '../e2e/pdftool.ts';
import { noisyPdf } from './documents.ts';
import { askForJob, at, create, headers, type JobTold, killFleet, place, run, start } from './fleet.ts';
import { type PostgresServer, startPostgres } from './postgres.ts';
import { form, until } from './rig.ts';

const GUIDE = readFileSync(join(import.meta.dirname, '../fixtures/guide.pdf'));

let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.remove());

afterEach(killFleet);

describe('two servers and a worker', () => {
  it('share keys, credits and jobs: made at one, uploaded to both, worked on by the third, fetched from either', async () => {
    const all = await place(postgres);
    const one = await start(all, ['serve', '--port', '0', '--no-workers']);
    const two = await start(all, ['serve', '--port', '0', '--no-workers']);
    const worker = await start(all, ['work']);
    for (const { admin } of [one, two, worker]) {
      expect((await fetch(`${admin}/readyz`)).status).toBe(200);
      expect(await (await fetch(`${admin}/metrics`)).text()).toContain('pdftool_tasks');
    }
    expect(two.key).toBeUndefined();
    expect((await run(all, 'serve', 'credits', 'grant', String(one.key), '10')).exitCode).toBe(0);
    // A paid request at the one that did not make the key.
    const rotated = await fetch(`${two.url}/api/v1/rotate`, {
      ...form({ 'a.pdf': GUIDE }, { angle: '90' }),
      headers: headers(one.key),
    });
    expect([rotated.status, rotated.headers.get('x-credits-remaining')]).toEqual([200, '29']);

    const job = await create(one.url, one.key, GUIDE.length);
    const half = Math.floor(GUIDE.length / 2);
    const part = (from: number, to: number, url: string) =>
      fetch(at(job.upload?.session_uri, url), {
        method: 'PUT',
        headers: { 'Content-Range': `bytes ${from}-${to - 1}/${GUIDE.length}` },
        body: new Uint8Array(GUIDE.subarray(from, to)),
      });
    expect((await part(0, half, one.url)).status).toBe(308);
    expect((await part(half, GUIDE.length, two.url)).status).toBe(200);
    const begun = await fetch(`${two.url}/api/v1/workflow-jobs/${job.uploadId}`, {
      method: 'POST',
      headers: headers(one.key),
    });
    expect(begun.status).toBeLessThan(300);
    const done = await until(async () => {
      const answer = await fetch(`${one.url}/api/v1/workflow-jobs/${job.jobId}`, { headers: headers(one.key) });
      const told = (await answer.json()) as JobTold;
      return told.status === 'succeeded' ? told : undefined;
    }, 40_000);
    // What it logs comes over a pipe of its own.
    await until(() => (worker.log().includes(job.jobId) ? true : undefined));
    const results = await Promise.all(
      [one, two].map(async ({ url }) => {
        const answer = await fetch(at(done.result_url, url));
        return [
          answer.status,
          Buffer.from(await answer.arrayBuffer())
            .subarray(0, 5)
            .toString(),
        ];
      }),
    );
    expect(results).toEqual([
      [200, '%PDF-'],
      [200, '%PDF-'],
    ]);
    expect((await run(all, 'serve', 'keys', 'list')).stdout).toContain('28 credits left, 2 used');
    for (const { child } of [one, two, worker]) child.kill('SIGTERM');
    await until(() => ([one, two, worker].every(({ child }) => child.exitCode === 0) ? true : undefined), 30_000);
  });

  it('do not append to one upload at the same time', async () => {
    const all = await place(postgres);
    const one = await start(all, ['serve', '--port', '0', '--no-workers']);
    const two = await start(all, ['serve', '--port', '0', '--no-workers']);
    const bytes = noisyPdf(200_000);
    const job = await create(one.url, one.key, bytes.length);
    const leave = new AbortController();
    // Sends half, and then nothing.
    const slow = fetch(String(job.upload?.session_uri), {
      method: 'PUT',
      headers: { 'Content-Range': `bytes 0-${bytes.length - 1}/${bytes.length}` },
      body: new ReadableStream({ start: (to) => to.enqueue(new Uint8Array(bytes.subarray(0, 100_000))) }),
      duplex: 'half',
      signal: leave.signal,
    } as RequestInit).catch(() => undefined);
    const ask = () =>
      fetch(at(job.upload?.session_uri, two.url), {
        method: 'PUT',
        headers: { 'Content-Range': `bytes */${bytes.length}` },
      });
    await until(async () => ((await ask()).headers.get('range') === null ? undefined : true));
    const rest = () =>
      fetch(at(job.upload?.session_uri, two.url), {
        method: 'PUT',
        headers: { 'Content-Range': `bytes 100000-${bytes.length - 1}/${bytes.length}` },
        body: new Uint8Array(bytes.subarray(100_000)),
      });
    const refused = await rest();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2']);
    leave.abort();
    await slow;
    expect(await until(async () => ((await rest()).status === 200 ? true : undefined))).toBe(true);
  });
});

describe('bounds of an account', () => {
  const bounded = { PDFTOOL_SERVE_KEY_JOBS: '3', PDFTOOL_SERVE_KEY_RUNNING: '1', PDFTOOL_SERVE_JOBS: '3' };

  it('hold for all servers and workers together', async () => {
    const all = await place(postgres, bounded);
    const one = await start(all, ['serve', '--port', '0', '--no-workers']);
    const two = await start(all, ['serve', '--port', '0', '--no-workers']);
    const urls = [one.url, two.url, one.url, two.url, one.url];
    const answers = await Promise.all(urls.map((url) => askForJob(url, one.key, GUIDE.length)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429, 429]);
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.headers.get('retry-after')).toBe('2');
    expect(await refused?.json()).toMatchObject({ error: expect.stringMatching(/3 jobs of this account/) as string });
    const made = (await Promise.all(answers.flatMap((each) => (each.ok ? [each.json()] : [])))) as JobTold[];
    for (const job of made) {
      await fetch(String(job.upload?.session_uri), { method: 'PUT', body: new Uint8Array(GUIDE) });
      const init = { method: 'POST', headers: headers(one.key) };
      expect((await fetch(`${two.url}/api/v1/workflow-jobs/${job.uploadId}`, init)).ok).toBe(true);
    }
    // The queue of all is full.
    const created = await run(all, 'serve', 'keys', 'create', '--json');
    const other = (JSON.parse(created.stdout) as { api_key: string }).api_key;
    const full = await askForJob(two.url, other, GUIDE.length);
    expect([full.status, await full.text()]).toEqual([429, expect.stringMatching(/3 jobs wait for a worker/)]);
    const { store } = await openPostgres(all.database, systemClock);
    const workers = await Promise.all([start(all, ['work']), start(all, ['work'])]);
    let together = 0;
    await until(async () => {
      const { running = 0, succeeded = 0 } = await store.jobCounts();
      together = Math.max(together, running);
      return succeeded === 3 ? true : undefined;
    }, 60_000);
    expect(together).toBe(1);
    expect(workers).toHaveLength(2);
    await store.close();
  });
});

describe('a folder', () => {
  it('belongs to one database, and to servers with one or without', async () => {
    const all = await place(postgres);
    await start(all, ['serve', '--port', '0']);
    const other = { here: all.here, database: await postgres.database() };
    const env = { ...CLEAN, PDFTOOL_SERVE_DATABASE: other.database };
    await pdftool(['serve', 'migrate'], { env });
    expect(await run(other, 'work')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/belong to another database/) as string,
    });
    const alone = await pdftool(['serve', '--port', '0', '--data', all.here.at('data')], { env: CLEAN });
    expect([alone.exitCode, alone.stderr]).toEqual([2, expect.stringMatching(/belong to a database of PostgreSQL/)]);
    // A serve.db there would keep the servers of the database from starting.
    expect(readdirSync(all.here.at('data'))).not.toContain('serve.db');
    const own = folder();
    await pdftool(['serve', 'keys', 'create', '--data', own.at('data')], { env: CLEAN });
    const mixed = await run({ here: own, database: all.database }, 'work');
    expect([mixed.exitCode, mixed.stderr]).toEqual([2, expect.stringMatching(/accounts and jobs of its own/)]);
  });
});

describe('the address of a database', () => {
  it('may be in a file, and is needed where work is shared', async () => {
    const all = await place(postgres);
    writeFileSync(all.here.at('address'), `${all.database}\n`);
    const env = { ...CLEAN, PDFTOOL_SERVE_DATABASE_FILE: all.here.at('address') };
    const listed = await pdftool(['serve', 'keys', 'list', '--json', '--data', all.here.at('data')], { env });
    expect([listed.exitCode, JSON.parse(listed.stdout)]).toEqual([0, { ok: true, keys: [] }]);
    for (const words of [['serve', '--no-workers'], ['work'], ['serve', 'migrate']]) {
      expect(await pdftool(words, { env: CLEAN })).toMatchObject({ exitCode: 2 });
    }
  });
});

describe('chaos', () => {
  it('of killed servers and workers and a database that is switched off loses no job and charges each once', {
    timeout: 150_000,
  }, async () => {
    const all = await place(postgres);
    const servers = [await start(all, ['serve', '--port', '0', '--no-workers'])];
    const { key } = servers[0] ?? {};
    servers.push(await start(all, ['serve', '--port', '0', '--no-workers']));
    const workers = [await start(all, ['work']), await start(all, ['work'])];
    await run(all, 'serve', 'credits', 'grant', String(key), '1000');
    const pdf = noisyPdf(20_000);
    const jobs = new Set<string>();
    let isOver = false;
    /** One whole job, asked of whichever server is there; true where its queueing was acknowledged. */
    const submit = async (turn: number) => {
      const url = servers[turn % servers.length]?.url ?? '';
      const job = await create(url, key, pdf.length);
      const put = { method: 'PUT', body: new Uint8Array(pdf) };
      if ((await fetch(at(job.upload?.session_uri, url), put)).status !== 200) return;
      const init = { method: 'POST', headers: headers(key) };
      if ((await fetch(`${url}/api/v1/workflow-jobs/${job.uploadId}`, init)).ok) jobs.add(job.jobId);
    };
    const clients = [0, 1].map(async (client) => {
      for (let turn = client; !isOver; turn += 1) {
        await submit(turn).catch(() => {});
        await sleep(200);
      }
    });
    try {
      for (let round = 0; round < 8; round += 1) {
        await sleep(700);
        if (round === 3 || round === 6) {
          await postgres.crash();
          await postgres.start();
        } else if (round % 2 === 0) {
          workers[round % workers.length]?.child.kill('SIGKILL');
          workers[round % workers.length] = await start(all, ['work']);
        } else {
          servers[1]?.child.kill('SIGKILL');
          servers[1] = await start(all, ['serve', '--port', '0', '--no-workers']);
        }
      }
    } finally {
      isOver = true;
    }
    await Promise.all(clients);
    const { store } = await openPostgres(all.database, systemClock);
    expect(jobs.size).toBeGreaterThan(5);
    await until(async () => {
      const { queued = 0, running = 0 } = await store.jobCounts();
      return queued + running === 0 ? true : undefined;
    }, 60_000);
    for (const id of jobs) expect([id, (await store.job(id))?.state]).toEqual([id, 'succeeded']);
    const known = await store.jobsWithFiles();
    const url = servers[0]?.url ?? '';
    for (const { id } of known.filter(({ state }) => state === 'succeeded')) {
      const told = await fetch(`${url}/api/v1/workflow-jobs/${id}`, { headers: headers(key) });
      const result = await fetch(at(((await told.json()) as JobTold).result_url, url));
      expect([id, result.status]).toEqual([id, 200]);
      await result.arrayBuffer();
    }
    // What killed servers left: a sweep leaves the files of jobs alone.
    const [uploads, results] = [all.here.at('data/uploads'), all.here.at('data/results')];
    const blobs = folderBlobs(all.here.at('data'));
    await sweep({ store, clock: systemClock, blobs, settings: readServeSettings(undefined, 'test') });
    expect(readdirSync(results).sort()).toEqual(known.flatMap(({ resultName }) => resultName ?? []).sort());
    const awaited = new Set(known.filter(({ state }) => state !== 'succeeded').map(({ uploadId }) => uploadId));
    expect(readdirSync(uploads).filter((name) => !awaited.has(name))).toEqual([]);
    await store.expireJobs(Date.now() + 48 * 3_600_000);
    const { entries, reserved, mismatches } = await store.audit();
    expect(mismatches).toEqual([]);
    expect(reserved).toBe(0);
    expect(entries.charge).toBe(known.filter(({ state }) => state === 'succeeded').length);
    await store.close();
  });
});
