// What a server does all the time outlives failures, tells of them, and counts for /readyz.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Clock } from '../../src/contract/base/ports.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { folder } from '../e2e/pdftool.ts';
import { killServers, type Served, serve } from './program.ts';
import { FOR_METRICS, type Rig, startRig, until } from './rig.ts';

const LOREM = readFileSync(join(import.meta.dirname, '../fixtures/lorem-ipsum.pdf'));
afterEach(killServers);

/** From now on a method of the store that is otherwise the real one fails; the function that is returned mends it. */
function breaking(rig: Rig, method: 'claimJob' | 'finishJob' | 'expireJobs'): () => void {
  const { store } = rig.server.service;
  const whole = store[method];
  Object.assign(store, { [method]: () => Promise.reject(new Error('database is locked')) });
  return () => void Object.assign(store, { [method]: whole });
}

async function submit(rig: Rig): Promise<string> {
  const json = { 'Content-Type': 'application/json' };
  const body = JSON.stringify({ workflow: 'compress', inputBytes: LOREM.length, options: {}, maxCredits: 1 });
  const made = await rig.send('/api/v1/workflow-jobs', { method: 'POST', headers: json, body });
  const job = (await made.json()) as { jobId: string; uploadId: string; upload: { session_uri: string } };
  await fetch(job.upload.session_uri, { method: 'PUT', body: new Uint8Array(LOREM) });
  await rig.send(`/api/v1/workflow-jobs/${job.uploadId}`, { method: 'POST' });
  return job.jobId;
}

const status = async (rig: Rig, jobId: string) =>
  ((await (await rig.send(`/api/v1/workflow-jobs/${jobId}`)).json()) as { status: string }).status;
const metric = async (url: string, name: string) =>
  Number(new RegExp(`^${name} (\\d+)`, 'm').exec(await (await fetch(`${url}/metrics`, FOR_METRICS)).text())?.[1] ?? 0);

describe('the scheduler', () => {
  it('outlives claims that fail: logged, counted, and the job is done when the database is back', async () => {
    const rig = await startRig();
    const mend = breaking(rig, 'claimJob');
    const jobId = await submit(rig);
    await until(async () =>
      (await metric(rig.url, 'pdftool_loop_failures_total{loop="the scheduler of jobs"}')) >= 3 ? true : undefined,
    );
    expect(rig.lines.filter((line) => line.includes('"event":"loop"')).join('')).toMatch(
      /scheduler.*database is locked/,
    );
    expect((await fetch(`${rig.url}/readyz`)).status).toBe(200);
    expect(await status(rig, jobId)).toBe('queued');
    mend();
    await until(async () => ((await status(rig, jobId)) === 'succeeded' ? true : undefined));
    await rig.close();
  });

  it('keeps what a worker made where its end cannot be written at once', async () => {
    const rig = await startRig();
    const mend = breaking(rig, 'finishJob');
    const jobId = await submit(rig);
    await until(() => rig.lines.find((line) => line.includes('to be written again')));
    mend();
    await until(async () => ((await status(rig, jobId)) === 'succeeded' ? true : undefined));
    expect((await rig.server.service.store.job(jobId))?.attempts).toBe(1);
    expect(await rig.server.service.store.audit()).toMatchObject({ entries: { charge: 1 }, reserved: 0 });
    await rig.close();
  });

  it.each([
    ['claimJob', 11_000, /the scheduler of jobs has not worked for \d+ s: database is locked/],
    ['expireJobs', 11_000, /the sweep has not worked for \d+ s/],
  ] as const)(
    'that fails for long is told by /readyz, which is 200 again when it works (%s)',
    async (method, later, says) => {
      let ahead = 0;
      const clock: Clock = {
        now: () => systemClock.now() + ahead,
        sleep: (ms, signal) => systemClock.sleep(Math.min(ms, 200), signal),
      };
      const rig = await startRig({ clock });
      const mend = breaking(rig, method);
      await until(() => rig.lines.find((line) => line.includes('"event":"loop"')));
      ahead += later;
      const said = await until(async () => {
        const asked = await fetch(`${rig.url}/readyz`);
        const { error = '' } = (await asked.json()) as { error?: string };
        return says.test(error) ? [asked.status, error] : undefined;
      });
      expect(said[0]).toBe(503);
      expect((await fetch(`${rig.url}/livez`)).status).toBe(200);
      mend();
      await until(async () => ((await fetch(`${rig.url}/readyz`)).status === 200 ? true : undefined));
      await rig.close();
    },
  );
});

describe('what nobody waits for', () => {
  /** A server in which a signal makes something go wrong. */
  async function going(here: ReturnType<typeof folder>, wrong: string): Promise<Served> {
    const name = here.at('wrong.cjs');
    writeFileSync(name, `if (require('node:worker_threads').isMainThread) process.on('SIGUSR2', () => { ${wrong} });`);
    const server = await serve(here, [], { NODE_OPTIONS: `--require ${name}` });
    server.child.kill('SIGUSR2');
    return server;
  }

  it('a rejection is logged and counted, and the server goes on', async () => {
    using here = folder();
    const server = await going(here, "void Promise.reject(new Error('stray one'))");
    await until(async () =>
      (await metric(server.url, 'pdftool_strays_total{kind="rejection"}')) === 1 ? true : undefined,
    );
    expect(server.log()).toMatch(/"event":"stray".*stray one/);
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  });

  it('an exception ends the process in order, with a code that says so', async () => {
    using here = folder();
    const server = await going(here, "throw new Error('half-done')");
    expect(await server.exit).toBe(1);
    expect(server.log()).toMatch(/"event":"stray".*"exception".*half-done/);
    expect(server.log()).toMatch(/"event":"stopped"/);
  });
});
