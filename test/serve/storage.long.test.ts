// Servers and workers as processes of their own, on one PostgreSQL and one bucket, with no folder in common.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/runtime/clock.ts';
import { systemEntropy } from '../../src/runtime/entropy.ts';
import { readServeSettings } from '../../src/serve/base/settings.ts';
import { uploadBlob } from '../../src/serve/blobs/blobs.ts';
import { openS3 } from '../../src/serve/blobs/s3.ts';
import { openStore } from '../../src/serve/data.ts';
import { sweep } from '../../src/serve/jobs/sweep.ts';
import { createKey } from '../../src/serve/service/keys.ts';
import { openPostgres } from '../../src/serve/store/postgres/store.ts';
import { CLEAN, folder, PROGRAM, pdftool } from '../e2e/pdftool.ts';
import { noisyPdf } from './documents.ts';
import { keyIn } from './fleet.ts';
import { type PostgresServer, startPostgres } from './postgres.ts';
import { until } from './rig.ts';
import { BUCKET, KEY, REGION, type S3Server, startS3 } from './s3.ts';

const GUIDE = readFileSync(join(import.meta.dirname, '../fixtures/guide.pdf'));

let postgres: PostgresServer;
let s3: S3Server;
beforeAll(async () => {
  [postgres, s3] = await Promise.all([startPostgres(), startS3()]);
});
afterAll(async () => {
  await Promise.all([postgres.remove(), s3.remove()]);
});

const started = new Set<ChildProcess>();
afterEach(() => {
  s3.accept();
  for (const child of started) child.kill('SIGKILL');
  started.clear();
});

/** A database, a prefix of its own, and what programs are told of both. The key is in a file. */
async function place(name: string) {
  const here = folder();
  const database = await postgres.database();
  writeFileSync(here.at('key'), `${KEY}\n`);
  const env = {
    ...{ ...CLEAN, PDFTOOL_SERVE_DATABASE: database, PDFTOOL_SERVE_STORAGE_KEY_FILE: here.at('key') },
    ...{ PDFTOOL_SERVE_STORAGE_ENDPOINT: s3.endpoint, PDFTOOL_SERVE_STORAGE_REGION: REGION },
    ...{ PDFTOOL_SERVE_WORKERS: '1', PDFTOOL_SERVE_JOB_WORKERS: '1' },
  };
  await pdftool(['serve', 'migrate'], { env });
  return { here, database, env, name, storage: `s3://${BUCKET}/${name}` };
}
type Place = Awaited<ReturnType<typeof place>>;

/** With a data folder of its own, as on a machine of its own. */
async function start({ here, env, storage }: Place, machine: string, ...words: string[]) {
  const args = [PROGRAM, ...words, '--storage', storage, '--data', here.at(machine), '--json', '--admin-port', '0'];
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  started.add(child);
  let [said, log] = ['', ''];
  child.stdout.on('data', (chunk) => (said += String(chunk)));
  child.stderr.on('data', (chunk) => (log += String(chunk)));
  await until(() => {
    if (child.exitCode !== null) throw new Error(`it ended: ${log}`);
    return log.includes('"event":"for operators"') ? true : undefined;
  });
  const told = JSON.parse(said) as { url?: string; api_key_file?: string };
  return { child, url: told.url ?? '', headers: { 'X-API-Key': String(keyIn(told.api_key_file)) }, log: () => log };
}

interface JobTold {
  readonly jobId: string;
  readonly uploadId: string;
  readonly status: string;
  readonly result_url?: string;
  readonly upload?: { readonly session_uri: string };
}
type Headers = Readonly<Record<string, string>>;

async function create(url: string, headers: Headers, bytes: number): Promise<JobTold> {
  const answer = await fetch(`${url}/api/v1/workflow-jobs`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ workflow: 'compress', inputBytes: bytes, options: {}, maxCredits: 1 }),
  });
  expect(answer.status).toBe(200);
  return (await answer.json()) as JobTold;
}

const at = (address: string | undefined, url: string) => String(address).replace(/^http:\/\/[^/]+/, url);

function put(job: JobTold, url: string, from: number, to: number) {
  return fetch(at(job.upload?.session_uri, url), {
    method: 'PUT',
    headers: { 'Content-Range': `bytes ${from}-${to - 1}/${GUIDE.length}` },
    body: new Uint8Array(GUIDE.subarray(from, to)),
  });
}

async function ended(job: JobTold, url: string, headers: Headers): Promise<JobTold> {
  return until(async () => {
    const answer = await fetch(`${url}/api/v1/workflow-jobs/${job.jobId}`, { headers });
    const told = (await answer.json()) as JobTold;
    return ['succeeded', 'failed'].includes(told.status) ? told : undefined;
  }, 60_000);
}

async function swept(all: Place, ahead = 0): Promise<string[]> {
  const clock = { ...systemClock, now: () => systemClock.now() + ahead };
  const { store } = await openPostgres(all.database, systemClock);
  const bucket = { address: all.storage, key: KEY, endpoint: s3.endpoint, region: REGION, isDirect: false };
  const blobs = await openS3(bucket, await store.keep('store id', ''), systemClock);
  await sweep({ store, clock, blobs, settings: readServeSettings(undefined, 'test') });
  blobs.close();
  await store.close();
  const own = (name: string) => name.startsWith(`${all.name}/`) && !name.endsWith('/store-id');
  return s3.objects().filter(own);
}

describe('servers with a bucket and no folder in common', () => {
  it('upload to two, work at a third, fetch through a server or straight from the bucket, and leave nothing', async () => {
    const all = await place('three');
    const one = await start(all, 'one', 'serve', '--port', '0', '--no-workers');
    const direct = { ...all, env: { ...all.env, PDFTOOL_SERVE_STORAGE_DIRECT: 'true' } };
    const two = await start(direct, 'two', 'serve', '--port', '0', '--no-workers');
    await start(all, 'three', 'work');
    const job = await create(one.url, one.headers, GUIDE.length);
    expect((await put(job, one.url, 0, 1_000)).headers.get('range')).toBe('bytes=0-999');
    // The machine that has taken the first part is gone.
    expect((await put(job, two.url, 1_000, GUIDE.length)).status).toBe(200);
    const begin = { method: 'POST', headers: one.headers };
    expect((await fetch(`${two.url}/api/v1/workflow-jobs/${job.uploadId}`, begin)).status).toBeLessThan(300);
    const done = await ended(job, one.url, one.headers);
    expect(done).toMatchObject({ status: 'succeeded' });
    const through = await fetch(String(done.result_url));
    const straight = (await ended(job, two.url, one.headers)).result_url;
    expect([done.result_url?.startsWith(one.url), straight?.startsWith(s3.endpoint)]).toEqual([true, true]);
    const [left, right] = [await through.arrayBuffer(), await (await fetch(String(straight))).arrayBuffer()];
    expect(Buffer.from(left).equals(Buffer.from(right))).toBe(true);
    expect(Buffer.from(left).subarray(0, 5).toString()).toBe('%PDF-');
    const rest = await fetch(String(done.result_url), { headers: { Range: 'bytes=10-' } });
    expect([rest.status, Buffer.from(await rest.arrayBuffer()).equals(Buffer.from(left).subarray(10))]).toEqual([
      206,
      true,
    ]);
    expect(existsSync(all.here.at('one/uploads'))).toBe(false);
    // An upload that is never ended, and what nobody knows.
    const other = await create(one.url, one.headers, GUIDE.length);
    await put(other, one.url, 0, 500);
    expect((await swept(all)).map((name) => name.split('/')[1])).toEqual(['results', 'uploads']);
    expect(await swept(all, 48 * 3_600_000)).toEqual([]);
  });

  it('lose no job while the bucket refuses', async () => {
    const all = await place('away');
    const server = await start(all, 'one', 'serve', '--port', '0');
    const { url, headers } = server;
    const jobs = await Promise.all([1, 2, 3].map(() => create(url, headers, GUIDE.length)));
    s3.refuse();
    const puts = jobs.map((job) => put(job, url, 0, GUIDE.length));
    await sleep(1_500);
    s3.accept();
    expect((await Promise.all(puts)).map(({ status }) => status)).toEqual([200, 200, 200]);
    for (const job of jobs) {
      await fetch(`${url}/api/v1/workflow-jobs/${job.uploadId}`, { method: 'POST', headers });
      s3.refuse();
      await sleep(700);
      s3.accept();
    }
    for (const job of jobs) {
      const done = await ended(job, url, headers);
      expect([done.status, (await fetch(String(done.result_url))).status]).toEqual(['succeeded', 200]);
    }
    expect(s3.refused()).toBeGreaterThan(0);
    const { store } = await openPostgres(all.database, systemClock);
    const { entries, reserved, mismatches } = await store.audit();
    expect([entries.charge, reserved, mismatches]).toEqual([3, 0, []]);
    await store.close();
  });

  it('tell that an upload is gone from the bucket, and charge nothing for it', { timeout: 90_000 }, async () => {
    const all = await place('gone');
    const { url, headers } = await start(all, 'one', 'serve', '--port', '0', '--no-workers');
    const job = await create(url, headers, GUIDE.length);
    expect((await put(job, url, 0, GUIDE.length)).status).toBe(200);
    await fetch(`${url}/api/v1/workflow-jobs/${job.uploadId}`, { method: 'POST', headers });
    // As after a database that was restored, or a bucket that somebody emptied.
    const bucket = { address: all.storage, key: KEY, endpoint: s3.endpoint, region: REGION, isDirect: false };
    const { store } = await openPostgres(all.database, systemClock);
    const blobs = await openS3(bucket, await store.keep('store id', ''), systemClock);
    await blobs.remove(uploadBlob(job.uploadId));
    blobs.close();
    await start(all, 'two', 'work');
    const told = await ended(job, url, headers);
    expect(told).toMatchObject({ status: 'failed', error_message: expect.stringContaining('send the file again') });
    const { entries, reserved, mismatches } = await store.audit();
    expect([entries.charge, reserved, mismatches]).toEqual([0, 0, []]);
    await store.close();
  });

  it('start at once with one --key-file, and have one first key', async () => {
    const all = await place('at-once');
    const words = ['serve', '--port', '0', '--no-workers', '--key-file', all.here.at('first')];
    const servers = await Promise.all(['one', 'two', 'three'].map((machine) => start(all, machine, ...words)));
    const key = await until(() => readFileSync(all.here.at('first'), 'utf8').trim() || undefined);
    for (const { url } of servers) {
      expect((await fetch(`${url}/api/v1/account`, { headers: { 'X-API-Key': key } })).status).toBe(200);
    }
    const { store } = await openPostgres(all.database, systemClock);
    expect((await store.keys()).length).toBe(1);
    await store.close();
  });

  it('are refused where the bucket is not there, or no database is named', async () => {
    const all = await place('refused');
    const words = ['serve', '--port', '0', '--data', all.here.at('one'), '--storage'];
    const wrong = await pdftool([...words, 's3://nowhere-else'], { env: all.env });
    expect([wrong.exitCode, wrong.stderr]).toEqual([2, expect.stringMatching(/there is no bucket nowhere-else/)]);
    const alone = await pdftool([...words, all.storage], { env: { ...all.env, PDFTOOL_SERVE_DATABASE: '' } });
    expect([alone.exitCode, alone.stderr]).toEqual([2, expect.stringMatching(/share a database of PostgreSQL/)]);
  });
});

describe('serve move', () => {
  it('carries keys, credits, jobs and files over, and goes on after it was killed', async () => {
    const all = await place('moved');
    const from = all.here.at('data');
    const source = await openStore(from, process.versions.node);
    const { key, account } = await createKey(source, { kind: 'live', label: 'first' }, systemEntropy, Date.now());
    const bytes = noisyPdf(3_000_000);
    for (const name of ['uploads', 'results']) mkdirSync(join(from, name));
    const expiresAt = Date.now() + 3_600_000;
    for (const id of ['1', '2', '3', '4', '5', '6', '7', '8']) {
      const job = { ...{ id: `job_${id}`, uploadId: `up_${id}`, account, workflow: 'compress' }, options: {} };
      await source.createJob({ ...job, inputBytes: bytes.length, maxCredits: 1, expiresAt }, Date.now());
      writeFileSync(join(from, 'uploads', job.uploadId), bytes);
    }
    await source.queueJob('job_1', Date.now());
    const claimed = await source.claimJob(Date.now(), { owner: 'server', until: Date.now() + 1_000 });
    const name = 'job_1.1.pdf';
    writeFileSync(join(from, 'results', name), bytes);
    const result = { name, mediaType: 'application/pdf', bytes: bytes.length, sha256: 'abc' };
    const outcome = { state: 'succeeded', result, charged: 1 } as const;
    expect(await source.finishJob('job_1', claimed?.token ?? 0, outcome, Date.now(), expiresAt)).toBe(true);
    const before = [await source.account(account, Date.now()), await source.audit()];
    await source.close();

    const words = ['serve', 'move', '--from', from, '--to', `${all.database},${all.storage}`, '--json'];
    const child = spawn(process.execPath, [PROGRAM, ...words], { env: all.env, stdio: 'ignore' });
    started.add(child);
    const there = () => s3.objects().filter((each) => /^moved\/(uploads|results)/.test(each));
    await until(() => (there().length > 1 ? true : undefined));
    s3.refuse();
    child.kill('SIGKILL');
    await until(() => (child.signalCode === null ? undefined : true));
    s3.accept();
    const again = await pdftool(words, { env: all.env });
    expect([again.stderr, again.exitCode]).toEqual(['', 0]);
    const told = JSON.parse(again.stdout) as { rows: number; files: number };
    expect([told.rows > 10, told.files < 8]).toEqual([true, true]);
    expect(JSON.parse((await pdftool(words, { env: all.env })).stdout)).toMatchObject({ rows: 0, files: 0 });

    const { store } = await openPostgres(all.database, systemClock);
    expect([await store.account(account, Date.now()), await store.audit()]).toEqual(before);
    expect((await store.job('job_1'))?.result).toEqual(result);
    await store.close();
    expect(there().length).toBe(8);
    // The old folder is used up; the key and the result are at the new place.
    const old = await pdftool(['serve', '--port', '0', '--data', from], { env: CLEAN });
    expect([old.exitCode, old.stderr]).toEqual([2, expect.stringMatching(/belong to a database of PostgreSQL/)]);
    const server = await start(all, 'new', 'serve', '--port', '0', '--no-workers');
    const asked = await fetch(`${server.url}/api/v1/workflow-jobs/job_1`, { headers: { 'X-API-Key': key } });
    const { result_url } = (await asked.json()) as JobTold;
    expect(Buffer.from(await (await fetch(String(result_url))).arrayBuffer()).equals(bytes)).toBe(true);
  });
});
