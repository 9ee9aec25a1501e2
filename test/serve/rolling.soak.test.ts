// An update under load: old servers and workers go one by one, new ones come, the tables change in between. By hand, with the
// program of another version and for a minute:
//   PDFTOOL_OLD=.../bin/pdftool.js PDFTOOL_ROLLING_SECONDS=60 npx vitest run --config .vitest.config.ts --mode soak test/serve/rolling.soak.test.ts
// Without PDFTOOL_OLD both are this build, and the tables stay as they are.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../src/runtime/clock.ts';
import { openPostgres } from '../../src/serve/store/postgres/store.ts';
import { CLEAN, folder, PROGRAM } from '../e2e/pdftool.ts';
import { askForJob, headers, type JobTold, killFleet, type Process, start } from './fleet.ts';
import { type PostgresServer, startPostgres } from './postgres.ts';
import { form, until } from './rig.ts';

const OLD = process.env.PDFTOOL_OLD ?? PROGRAM;
const SECONDS = Number(process.env.PDFTOOL_ROLLING_SECONDS ?? 12);
const CLIENTS = 4;
const PDF = readFileSync(join(import.meta.dirname, '../fixtures/inherited.pdf'));
const SERVE = ['serve', '--port', '0', '--no-workers'];

let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.remove());
afterEach(killFleet);

it(`old and new beside each other for ${SECONDS} s fail no request but those in flight at a kill`, {
  timeout: (SECONDS + 120) * 1000,
}, async () => {
  using here = folder();
  const database = await postgres.database();
  const all = { here, database, env: { PDFTOOL_SERVE_DRAIN_SECONDS: '1' } };
  const migrate = (program: string) =>
    promisify(execFile)(process.execPath, [program, 'serve', 'migrate'], {
      env: { ...CLEAN, PDFTOOL_SERVE_DATABASE: database },
    });
  await migrate(OLD);
  const first = await start(all, SERVE, OLD);
  // What a balancer sends requests to.
  let open: Process[] = [first, await start(all, SERVE, OLD)];
  const workers = [await start(all, ['work'], OLD)];
  const { key } = first;
  const grant = ['serve', 'credits', 'grant', String(key), '100000', '--data', here.at('data')];
  await promisify(execFile)(process.execPath, [OLD, ...grant], { env: { ...CLEAN, PDFTOOL_SERVE_DATABASE: database } });

  const failures: string[] = [];
  const lost = new Set<string>();
  const jobs = new Set<string>();
  let [isOver, requests, killed] = [false, 0, ''];
  /** One request; of those that failed, which were under way at the server that was killed. */
  const ask = async (what: string, send: (url: string) => Promise<Response>): Promise<Response | undefined> => {
    const { url } = open[requests++ % open.length] ?? first;
    try {
      const answer = await send(url);
      const body = await answer.arrayBuffer();
      if (!answer.ok) failures.push(`${what}: ${answer.status} ${Buffer.from(body).toString()}`);
      return new Response(body, answer);
    } catch (error) {
      if (url === killed) lost.add(`${what} ${requests}`);
      else failures.push(`${what}: ${String(error)} ${String((error as Error).cause)}`);
      return undefined;
    }
  };
  const whole = async (turn: number) => {
    const init = { headers: headers(key) };
    await ask('rotate', (url) =>
      fetch(`${url}/api/v1/rotate`, { ...form({ 'a.pdf': PDF }, { angle: '90' }), ...init }),
    );
    if (turn % 4 !== 0) return;
    const made = (await (await ask('create', (url) => askForJob(url, key, PDF.length)))?.json()) as JobTold | undefined;
    const path = made?.upload === undefined ? undefined : new URL(made.upload.session_uri);
    if (made === undefined || path === undefined) return;
    const put = { method: 'PUT', body: new Uint8Array(PDF) };
    if ((await ask('upload', (url) => fetch(`${url}${path.pathname}${path.search}`, put)))?.ok !== true) return;
    const begin = (url: string) => fetch(`${url}/api/v1/workflow-jobs/${made.uploadId}`, { method: 'POST', ...init });
    if ((await ask('finalize', begin))?.ok === true) jobs.add(made.jobId);
  };
  const clients = Array.from({ length: CLIENTS }, async () => {
    for (let turn = 0; !isOver; turn += 1) {
      await whole(turn);
      await sleep(50);
    }
  });
  /** The balancer lets go of it first; what it has in hand it finishes. */
  const retire = async (one: Process | undefined) => {
    open = open.filter((each) => each !== one);
    one?.child.kill('SIGTERM');
    await until(() => (one?.child.exitCode === null ? undefined : true), 60_000);
    expect(one?.child.exitCode).toBe(0);
  };
  try {
    await sleep(SECONDS * 250);
    await migrate(PROGRAM);
    workers.push(await start(all, ['work']));
    open = [...open, await start(all, SERVE)];
    await sleep(SECONDS * 250);
    await retire(first);
    await retire(workers.shift());
    open = [...open, await start(all, SERVE)];
    await sleep(SECONDS * 250);
    const [last] = open;
    killed = String(last?.url);
    open = open.filter((each) => each !== last);
    last?.child.kill('SIGKILL');
    await sleep(SECONDS * 250);
  } finally {
    isOver = true;
  }
  await Promise.all(clients);
  const { store } = await openPostgres(database, systemClock);
  await until(async () => {
    const { queued = 0, running = 0 } = await store.jobCounts();
    return queued + running === 0 ? true : undefined;
  }, 60_000);
  process.stdout.write(
    `rolling ${JSON.stringify({ requests, failures: failures.length, lost: lost.size, jobs: jobs.size })}\n`,
  );
  expect(failures).toEqual([]);
  expect(lost.size).toBeLessThanOrEqual(CLIENTS);
  for (const id of jobs) expect([id, (await store.job(id))?.state]).toEqual([id, 'succeeded']);
  expect(requests).toBeGreaterThan(5 * SECONDS);
  expect(jobs.size).toBeGreaterThan(0);
  expect((await store.audit()).mismatches).toEqual([]);
  await store.close();
});
