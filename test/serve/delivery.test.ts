// A paid answer is charged when its last byte was taken by the socket: not before, and not when the server dies.
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CLEAN, folder, PROGRAM, pdftool } from '../e2e/pdftool.ts';
import { formBytes, noisyPdf } from './documents.ts';
import { type Rig, startRig, until } from './rig.ts';

/** More than the buffers of a connection hold: the server cannot give all of it away while nobody reads. */
const BODY = formBytes(noisyPdf(12 * 1024 ** 2), { angle: '90' });

/** Asks for a paid rotation and reads the head of the answer alone. */
function ask(port: number, key: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(
        `POST /api/v1/rotate HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Type: multipart/form-data; boundary=XX\r\nContent-Length: ${BODY.length}\r\n\r\n`,
      );
      socket.write(BODY);
    });
    socket.on('error', reject);
    socket.once('data', (head) => {
      socket.pause();
      socket.removeListener('error', reject);
      socket.on('error', () => {});
      if (/^HTTP\/1\.1 200/.test(String(head))) resolve(socket);
      else reject(new Error(String(head).slice(0, 500)));
    });
  });
}

describe('an answer', () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await startRig();
  });
  afterAll(() => rig.close());
  const audit = () => rig.server.service.store.audit();
  const over = () => until(() => (rig.server.service.gate.inside === 0 ? true : undefined));

  it('that a client leaves in the middle costs nothing', async () => {
    const socket = await ask(rig.server.port, rig.key);
    expect(await audit()).toMatchObject({ entries: { charge: 0 }, reserved: 1 });
    socket.destroy();
    await over();
    expect(await audit()).toMatchObject({ entries: { charge: 0, release: 1 }, reserved: 0, mismatches: [] });
    const line = await until(() => rig.lines.find((each) => each.includes('/api/v1/rotate')));
    expect(JSON.parse(line)).toMatchObject({ status: 200, credits: 0 });
  });

  it('that was taken to its last byte costs its price', async () => {
    const socket = await ask(rig.server.port, rig.key);
    socket.resume();
    await over();
    expect(await audit()).toMatchObject({ entries: { charge: 1 }, reserved: 0, mismatches: [] });
    socket.destroy();
  });
});

describe('results that are read slowly', () => {
  it('are few of one account at once, and another account reads its own', async () => {
    const rig = await startRig({ settings: { key_downloads: 2 } });
    const other = await rig.stranger(10);
    const input = noisyPdf(12 * 1024 ** 2);
    const make = async (key: string) => {
      const headers = { 'Content-Type': 'application/json', 'X-API-Key': key };
      const body = JSON.stringify({ workflow: 'compress', inputBytes: input.length, options: {}, maxCredits: 1 });
      const made = await rig.send('/api/v1/workflow-jobs', { method: 'POST', headers, body });
      const job = (await made.json()) as { jobId: string; uploadId: string; upload: { session_uri: string } };
      await fetch(job.upload.session_uri, { method: 'PUT', body: new Uint8Array(input) });
      await rig.send(`/api/v1/workflow-jobs/${job.uploadId}`, { method: 'POST', headers });
      return until(async () => {
        const asked = await rig.send(`/api/v1/workflow-jobs/${job.jobId}`, { headers });
        return ((await asked.json()) as { result_url?: string }).result_url;
      }, 50_000);
    };
    const [mine, theirs] = [await make(rig.key), await make(other)];
    const readers = [new AbortController(), new AbortController()];
    for (const { signal } of readers) expect((await fetch(mine, { signal })).status).toBe(200);
    const refused = await fetch(mine);
    expect([refused.status, await refused.json()]).toEqual([
      429,
      expect.objectContaining({ error: expect.stringMatching(/2 downloads of this account are under way/) }),
    ]);
    expect((await (await fetch(theirs)).arrayBuffer()).byteLength).toBeGreaterThan(0);
    for (const reader of readers) reader.abort();
    await until(async () => {
      const again = await fetch(mine);
      await again.arrayBuffer();
      return again.status === 200 ? true : undefined;
    });
    await rig.close();
  });
});

describe('a server that is killed', () => {
  const started: ChildProcess[] = [];
  afterEach(() => {
    for (const child of started.splice(0)) child.kill('SIGKILL');
  });

  it('before it gave its answers away charged none of them', async () => {
    using here = folder();
    const serve = async () => {
      const args = [PROGRAM, 'serve', '--port', '0', '--data', here.at('data'), '--json'];
      const child = spawn(process.execPath, args, { env: CLEAN, stdio: ['ignore', 'pipe', 'ignore'] });
      started.push(child);
      const told = await new Promise<string>((resolve) => child.stdout.once('data', (line) => resolve(String(line))));
      return { child, ...(JSON.parse(told) as { url: string; api_key_file?: string }) };
    };
    const first = await serve();
    const key = readFileSync(String(first.api_key_file), 'utf8').trim();
    const sockets = await Promise.all([0, 1, 2].map(() => ask(Number(new URL(first.url).port), key)));
    const exit = new Promise((resolve) => first.child.once('exit', resolve));
    first.child.kill('SIGKILL');
    await exit;
    const second = await serve();
    const env = { ...CLEAN, PDFTOOL_BASE_URL: second.url, PDFTOOL_API_KEY: key };
    const account = await pdftool(['account', '--json'], { env });
    expect(JSON.parse(account.stdout)).toMatchObject({
      credits_remaining: 20,
      credits_lifetime_used: 0,
      credits_reserved: 0,
    });
    for (const socket of sockets) socket.destroy();
  });
});
