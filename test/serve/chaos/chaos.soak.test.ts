// Kills: workers every 150 ms and the server in between, jobs slower than their lease, requests sent twice. The ledger must come out even.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { systemEntropy } from '../../../src/runtime/entropy.ts';
import { openStore } from '../../../src/serve/data.ts';
import { createKey } from '../../../src/serve/service/keys.ts';
import { folder } from '../../e2e/pdftool.ts';
import { bundle, removeBundle, startVictim } from './processes.ts';

const JOBS = Number(process.env.PDFTOOL_CHAOS_JOBS ?? 500);
const KILL_EVERY = 150;
const LEASE = 1;
/** Milliseconds that one task in ten holds its thread. */
const SLOW = 1_500;
const PDF = readFileSync(join(import.meta.dirname, '../../fixtures/inherited.pdf'));
const NO_PDF = Buffer.from('these words are no PDF');

interface Told {
  readonly jobId: string;
  readonly uploadId: string;
  readonly status: string;
  readonly upload?: { readonly session_uri: string };
  readonly result_url?: string;
  readonly result?: { readonly sha256: string };
  readonly credits_charged: number;
}

afterAll(removeBundle);

// Workers are found by /proc.
it.runIf(process.platform === 'linux')(`${JOBS} jobs come out even`, { timeout: 540_000 }, async () => {
  using here = folder();
  const data = here.at('data');
  const { server, worker, database } = await bundle();
  const store = await openStore(data, process.versions.node);
  const { key, account } = await createKey(store, { kind: 'test', label: null }, systemEntropy, Date.now());
  await store.grant(account, JOBS + 1_000, 'chaos', Date.now());
  const port = await freePort();
  const settings = JSON.stringify({
    workers: 1,
    job_workers: 4,
    lease_seconds: LEASE,
    job_attempts: 100,
    queue: 1_000,
    key_requests: 1_000,
    key_sessions: 1_000,
  });
  const victim = await startVictim([server, String(port), data, settings, database, worker, String(SLOW)]);
  const client = createClient(`http://127.0.0.1:${port}`, key);
  let kills = 0;
  const over = new AbortController();
  const killing = (async () => {
    while (!over.signal.aborted) {
      await sleep(KILL_EVERY);
      if (victim.killWorker()) kills += 1;
    }
  })();
  const done: Promise<Told>[] = [];
  let restarts = 0;
  try {
    await inTurns(JOBS, 16, async (index) => {
      const submitted = await client.submit(index);
      done.push(Promise.resolve(submitted));
      if ((index + 1) % Math.ceil(JOBS / 3) === 0) {
        restarts += 1;
        await victim.killAndRestart();
      }
    });
    const jobs = await Promise.all(done);
    const ended = await client.waitForAll(jobs);
    over.abort();
    await killing;
    const succeeded = ended.filter(({ status }) => status === 'succeeded');
    const failed = ended.filter(({ status }) => status === 'failed');
    const audit = await store.audit();
    const said = victim.errors.join('');
    const leases = said.match(/^(lease lost|job finished by another)/gm)?.length ?? 0;
    const again = said.match(/^job handed back/gm)?.length ?? 0;
    const about = { kills, restarts, leases, again, succeeded: succeeded.length, failed: failed.length };
    console.info('chaos', JSON.stringify({ ...about, ...audit.entries }));
    expect(restarts).toBeGreaterThanOrEqual(2);
    expect(kills).toBeGreaterThan(JOBS / 20);
    // What the test is about did happen: jobs taken again, and late workers turned away.
    expect(again).toBeGreaterThan(0);
    if (JOBS >= 500) expect(leases).toBeGreaterThan(0);
    expect(succeeded.length + failed.length).toBe(JOBS);
    expect(new Set(ended.map(({ jobId }) => jobId)).size).toBe(JOBS);
    expect(audit).toMatchObject({ reserved: 0, mismatches: [] });
    expect(audit.entries).toMatchObject({ reserve: JOBS, charge: succeeded.length, release: failed.length });
    // One in seven was no PDF: none of those was charged, and nothing else failed.
    expect(failed.length).toBe(Math.ceil(JOBS / 7));
    expect(succeeded.every(({ credits_charged }) => credits_charged === 1)).toBe(true);
    for (const job of succeeded) expect(await client.resultHash(job)).toBe(job.result?.sha256);
  } catch (error) {
    throw new Error(`${String(error)}\n${victim.errors.slice(-5).join('')}`, { cause: error });
  } finally {
    over.abort();
    await killing;
    await victim.stop();
    store.close();
  }
});

it('a job outlives more kills of its server than it has attempts, and waits for no lease', {
  timeout: 120_000,
}, async () => {
  using here = folder();
  const data = here.at('data');
  const { server, worker, database } = await bundle();
  const store = await openStore(data, process.versions.node);
  const { key } = await createKey(store, { kind: 'test', label: null }, systemEntropy, Date.now());
  const port = await freePort();
  const settings = JSON.stringify({ workers: 1, job_workers: 1, lease_seconds: 600, job_attempts: 2 });
  const victim = await startVictim([server, String(port), data, settings, database, worker, '500', '1']);
  try {
    const client = createClient(`http://127.0.0.1:${port}`, key);
    const { jobId } = await client.submit(1);
    for (let kills = 0; kills < 6; kills += 1) {
      while ((await store.job(jobId))?.state !== 'running') await sleep(5);
      await victim.killAndRestart();
    }
    const [job] = await client.waitForAll([{ jobId } as Told]);
    expect(job).toMatchObject({ status: 'succeeded', credits_charged: 1 });
    expect(await store.job(jobId)).toMatchObject({ attempts: 1 });
    expect(await store.audit()).toMatchObject({ entries: { charge: 1 }, reserved: 0, mismatches: [] });
  } finally {
    await victim.stop();
    store.close();
  }
});

/** A client that does what ours does: the same key until there is an answer, uploads from where they broke off. */
function createClient(url: string, key: string) {
  const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
  const ask = (path: string, init: RequestInit = {}) => fetch(path.startsWith('http') ? path : `${url}${path}`, init);
  const told = async (answer: Response) => (await answer.json()) as Told;

  /** Sends until an answer comes that is no failure of the server. */
  async function persist(send: () => Promise<Response>): Promise<Response> {
    for (let tries = 0; ; tries += 1) {
      try {
        const answer = await send();
        if (answer.status < 500 && answer.status !== 429) return answer;
        await answer.arrayBuffer();
      } catch (error) {
        if (tries > 200) throw error;
      }
      await sleep(50);
    }
  }

  return {
    async submit(index: number): Promise<Told> {
      const input = index % 7 === 0 ? NO_PDF : PDF;
      const body = JSON.stringify({ workflow: 'compress', inputBytes: input.length, options: {}, maxCredits: 1 });
      const create = () =>
        persist(() =>
          ask('/api/v1/workflow-jobs', {
            method: 'POST',
            headers: { ...headers, 'Idempotency-Key': `job ${index}` },
            body,
          }),
        );
      const [job, ...twins] = await Promise.all(
        Array.from({ length: Math.random() < 0.3 ? 2 : 1 }, async () => told(await create())),
      );
      for (const twin of twins) expect(twin.jobId).toBe(job?.jobId);
      if (job?.upload === undefined) throw new Error(`no upload session: ${JSON.stringify(job)}`);
      const uri = job.upload.session_uri;
      for (let start = 0; ; ) {
        const range = { 'Content-Range': `bytes ${start}-${input.length - 1}/${input.length}` };
        const put = await persist(() =>
          ask(uri, { method: 'PUT', body: new Uint8Array(input.subarray(start)), headers: range, redirect: 'manual' }),
        );
        if (put.status === 200) break;
        expect(put.status).toBe(308);
        const asked = await persist(() =>
          ask(uri, { method: 'PUT', headers: { 'Content-Range': `bytes */${input.length}` } }),
        );
        if (asked.status === 200) break;
        start = Number(/bytes=0-(\d+)/.exec(asked.headers.get('range') ?? '')?.[1] ?? -1) + 1;
      }
      const final = await persist(() => ask(`/api/v1/workflow-jobs/${job.uploadId}`, { method: 'POST', headers }));
      expect(final.status).toBe(200);
      return told(final);
    },
    async waitForAll(jobs: readonly Told[]): Promise<Told[]> {
      const ended: Told[] = [];
      for (const { jobId } of jobs) {
        for (;;) {
          const answer = await persist(() => ask(`/api/v1/workflow-jobs/${jobId}`, { headers }));
          expect(answer.status).toBe(200);
          const job = await told(answer);
          if (job.status === 'succeeded' || job.status === 'failed') {
            ended.push(job);
            break;
          }
          await sleep(20);
        }
      }
      return ended;
    },
    async resultHash({ result_url }: Told): Promise<string> {
      const answer = await persist(() => ask(String(result_url)));
      return createHash('sha256')
        .update(Buffer.from(await answer.arrayBuffer()))
        .digest('hex');
    },
  };
}

async function inTurns(count: number, width: number, work: (index: number) => Promise<void>): Promise<void> {
  const indexes = Array.from({ length: count }, (_, index) => index).values();
  await Promise.all(
    Array.from({ length: width }, async () => {
      for (const index of indexes) await work(index);
    }),
  );
}

async function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
