// The data folder is its owner's alone, whatever it was before; operators' addresses and rates can be closed to others.

import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Clock } from '../../src/contract/base/ports.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { folder } from '../e2e/pdftool.ts';
import { command, killServers, serve } from './program.ts';
import { FOR_METRICS, form, startRig, until } from './rig.ts';

const LOREM = readFileSync(join(import.meta.dirname, '../fixtures/lorem-ipsum.pdf'));
afterEach(killServers);

/** Everything in a folder that somebody else may do something with. */
function open(path: string): string[] {
  return ['.', ...readdirSync(path, { recursive: true, encoding: 'utf8' })]
    .flatMap((name) => {
      // The server removes the folder of a job that has ended, also between the list and this.
      const facts = statSync(join(path, name), { throwIfNoEntry: false });
      return facts === undefined ? [] : [[name, facts.mode & 0o777] as const];
    })
    .filter(([, mode]) => (mode & 0o077) !== 0)
    .map(([name, mode]) => `${name} ${mode.toString(8)}`);
}

describe('the data folder', () => {
  it('is made private where it was there before, and so is all that comes into it', async () => {
    using here = folder();
    const data = here.at('data');
    mkdirSync(join(data, 'results/old'), { recursive: true, mode: 0o755 });
    for (const name of ['serve.db', 'serve.json', 'results/old/x'])
      writeFileSync(join(data, name), '', { mode: 0o644 });
    writeFileSync(join(data, 'serve.json'), '{"workers":1}');
    for (const name of ['', 'results', 'results/old']) chmodSync(join(data, name), 0o755);
    expect(open(data).length).toBeGreaterThan(5);
    const server = await serve(here);
    expect(open(data)).toEqual([]);
    const headers = { 'X-API-Key': String(server.key), 'Content-Type': 'application/json' };
    const body = JSON.stringify({ workflow: 'compress', inputBytes: LOREM.length, options: {}, maxCredits: 1 });
    const made = await fetch(`${server.url}/api/v1/workflow-jobs`, { method: 'POST', headers, body });
    const job = (await made.json()) as { jobId: string; uploadId: string; upload: { session_uri: string } };
    await fetch(job.upload.session_uri, { method: 'PUT', body: new Uint8Array(LOREM) });
    expect(open(data)).toEqual([]);
    await fetch(`${server.url}/api/v1/workflow-jobs/${job.uploadId}`, { method: 'POST', headers });
    await until(() => (readdirSync(join(data, 'results')).some((name) => name.startsWith('job_')) ? true : undefined));
    expect(open(data)).toEqual([]);
    expect(readdirSync(data)).toContain('serve.db-wal');
  });

  // Only root can give a folder away.
  it.runIf(process.getuid?.() === 0)('of another owner is refused, by serve and its subcommands', async () => {
    using here = folder();
    mkdirSync(here.at('data'));
    chownSync(here.at('data'), 54_321, 54_321);
    for (const args of [
      ['--port', '0'],
      ['keys', 'list'],
    ]) {
      const run = await command(here, ...args);
      expect([run.exitCode, run.stderr]).toEqual([2, expect.stringMatching(/belongs to another user \(id 54321/)]);
    }
    expect(readdirSync(here.at('data'))).toEqual([]);
  });
});

describe('/metrics', () => {
  it('asks for a token where one is set', async () => {
    const rig = await startRig({ settings: { metrics_token: 'a-token-of-the-operator' } });
    const ask = (headers: Record<string, string>) => fetch(`${rig.url}/metrics`, { headers });
    const refused = await ask({});
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    expect(await refused.json()).toMatchObject({ ok: false, _meta: { support: expect.any(String) } });
    expect((await ask({ Authorization: 'Bearer a-token-of-the-operatoR' })).status).toBe(401);
    expect((await ask({ Authorization: 'Bearer a-token-of-the-operator' })).status).toBe(200);
    await rig.close();
  });

  it('is for nobody on the port of clients where no token is set, and two tokens are none', async () => {
    const open = await startRig({ settings: { metrics_token: undefined } });
    const refused = await fetch(`${open.url}/metrics`);
    expect([refused.status, ((await refused.json()) as { error: string }).error]).toEqual([
      401,
      expect.stringMatching(/--admin-port.*metrics_token/),
    ]);
    for (const name of ['Authorization', 'X-API-Key']) {
      const value = name === 'Authorization' ? `Bearer ${open.key}` : open.key;
      const status = await new Promise((resolve) => {
        const headers = ['Host', 'localhost', name, value, name, value];
        request(`${open.url}/api/v1/account`, { headers }, (answer) => resolve(answer.resume().statusCode)).end();
      });
      expect([name, status]).toEqual([name, 400]);
    }
    await open.close();
  });

  it('is on the port for operators alone where there is one', async () => {
    using here = folder();
    const server = await serve(here, ['--admin-port', '0']);
    const line = await until(() =>
      server
        .log()
        .split('\n')
        .find((each) => each.includes('for operators')),
    );
    const { port } = JSON.parse(line) as { port: number };
    const statuses = async (base: string) =>
      Promise.all(
        ['/livez', '/readyz', '/metrics', '/api/v1/account'].map(
          async (path) => (await fetch(base + path, FOR_METRICS)).status,
        ),
      );
    expect(await statuses(`http://127.0.0.1:${port}`)).toEqual([200, 200, 200, 404]);
    expect(await statuses(server.url)).toEqual([200, 200, 404, 401]);
    server.child.kill('SIGTERM');
    expect(await server.exit).toBe(0);
  });
});

describe('rates', () => {
  it('are not counted for this machine unless they are set', async () => {
    const rig = await startRig();
    const answers = await Promise.all(Array.from({ length: 700 }, () => fetch(`${rig.url}/api/v1/account`)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
    await rig.close();
  });

  it('are of whom a proxy names, where it is one of ours', async () => {
    const rig = await startRig({ settings: { address_rate: 2, proxies: ['127.0.0.1', '10.0.0.2'] } });
    const ask = async (way: string) => {
      const answer = await fetch(`${rig.url}/api/v1/account`, { headers: { 'X-Forwarded-For': way } });
      return answer.status;
    };
    // What a client claims stands before what the proxy saw; the proxies of ours do not count.
    const ways = ['203.0.113.1', '198.51.100.9, 203.0.113.1', '192.0.2.5, 203.0.113.1, 10.0.0.2', '203.0.113.2'];
    const statuses = [];
    for (const way of ways) statuses.push(await ask(way));
    expect(statuses).toEqual([401, 401, 429, 401]);
    await rig.close();
    const bare = await startRig({ settings: { address_rate: 2 } });
    const answers = [];
    for (const way of ways)
      answers.push((await fetch(`${bare.url}/api/v1/account`, { headers: { 'X-Forwarded-For': way } })).status);
    expect(answers).toEqual([401, 401, 429, 429]);
    await bare.close();
  });

  it.each([
    ['key_rate', 'this API key may send 6 requests a minute'],
    ['address_rate', 'this address may send 6 requests a minute'],
  ])('%s: 429 with the seconds to wait, and service again after them', async (name, says) => {
    let ahead = 0;
    const clock: Clock = { now: () => systemClock.now() + ahead, sleep: systemClock.sleep };
    const rig = await startRig({ settings: { [name]: 6 }, clock });
    const ask = () => rig.send('/api/v1/account');
    for (let i = 0; i < 6; i += 1) expect((await ask()).status).toBe(200);
    const refused = await ask();
    expect([refused.status, await refused.json()]).toEqual([429, expect.objectContaining({ error: says })]);
    const wait = Number(refused.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(5);
    expect(wait).toBeLessThanOrEqual(10);
    // Another key is another matter; another key of the same address is not.
    const other = await rig.send('/api/v1/account', { headers: { 'X-API-Key': await rig.stranger() } });
    expect(other.status).toBe(name === 'key_rate' ? 200 : 429);
    expect((await fetch(`${rig.url}/livez`)).status).toBe(200);
    ahead += wait * 1000;
    expect((await ask()).status).toBe(200);
    expect((await ask()).status).toBe(429);
    await rig.close();
  });

  it('take a form as before', async () => {
    const rig = await startRig({ settings: { key_rate: 100 } });
    expect((await rig.send('/api/v1/pdf-info', form({ 'a.pdf': LOREM }))).status).toBe(200);
    await rig.close();
  });
});
