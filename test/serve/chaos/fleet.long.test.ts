// Servers and workers killed every few hundred milliseconds, PostgreSQL stopped at once five times, storage that refuses for
// seconds. Everything must come out even. By hand for ten minutes, with the one storage or the other:
//   npm run build && PDFTOOL_CHAOS_SECONDS=600 npx vitest run --config .vitest.config.ts --mode long \
//     test/serve/chaos/fleet.long.test.ts -t bucket
// PDFTOOL_CHAOS_SEED repeats the same choices of what is killed.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/runtime/clock.ts';
import { readServeSettings } from '../../../src/serve/settings.ts';
import { openPostgres } from '../../../src/serve/store/postgres/store.ts';
import { sweep } from '../../../src/serve/workflow/sweep.ts';
import { noisyPdf } from '../documents.ts';
import {
  askForJob,
  at,
  bucketStorage,
  folderStorage,
  headers,
  type JobTold,
  killFleet,
  type Place,
  type Process,
  place,
  run,
  type Storage,
  start,
} from '../fleet.ts';
import { type PostgresServer, startPostgres } from '../postgres.ts';
import { form, until } from '../rig.ts';

const STORAGES: readonly (readonly [string, number, (data: string) => Promise<Storage>])[] = [
  ['a folder', secondsOr(60), async (data) => folderStorage(data)],
  ['a bucket', secondsOr(30), bucketStorage],
];
const SEED = Number(process.env.PDFTOOL_CHAOS_SEED ?? 20_261_123);
/** Milliseconds between two kills. */
const KILL_EVERY = 400;
/** How often it is a process of theirs, and not they themselves. */
const CHILDREN = 0.6;
const CRASHES = 5;
const REFUSALS = 4;
/** Milliseconds for which storage refuses. */
const REFUSES = 2_500;
const CLIENTS = 4;
const WORDS = [...[0, 1].map(() => ['serve', '--port', '0', '--no-workers']), ...[0, 1, 2].map(() => ['work'])];

let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.remove());
afterEach(killFleet);

// Children are found by /proc.
describe.runIf(process.platform === 'linux').each(STORAGES)('with %s', (_, seconds, openStorage) => {
  it(`${seconds} s of kills and outages come out even`, { timeout: (seconds + 240) * 1000 }, async () => {
    const { here, database } = await place(postgres);
    const storage = await openStorage(here.at('data'));
    const env = {
      ...storage.env,
      PDFTOOL_SERVE_KEY_SESSIONS: '1000',
      PDFTOOL_SERVE_KEY_REQUESTS: '1000',
      // A process that ends under a job again and again is taken for the job's fault: here it is ours.
      PDFTOOL_SERVE_JOB_ATTEMPTS: '100',
    };
    const all: Place = { here, database, env };
    const fleet: (Process | undefined)[] = await Promise.all(WORDS.map((words) => startAgain(all, words)));
    const key = fleet.find((each) => each?.key !== undefined)?.key;
    await run(all, 'serve', 'credits', 'grant', String(key), '1000000');
    const over = new AbortController();
    const random = randomOf(SEED);
    const pdf = noisyPdf(60_000);
    const acknowledged = new Set<string>();
    const refusals = new Set<string>();
    const count = { kills: 0, crashes: 0, refusals: 0, delivered: 0 };
    const server = () => fleet[Math.floor(random() * 2)]?.url ?? '';

    /** A whole job; every step is tried at whichever server is there. */
    const work = async (once: string) => {
      const made = await persist(over.signal, () => askForJob(server(), key, pdf.length, once));
      const job = (await made.json()) as JobTold;
      await persist(over.signal, () => put(job, server(), pdf));
      const init = { method: 'POST', headers: headers(key) };
      await persist(over.signal, () => fetch(`${server()}/api/v1/workflow-jobs/${job.uploadId}`, init));
      acknowledged.add(job.jobId);
    };
    /** A paid request that is never sent again. */
    const rotate = async () => {
      const answer = await fetch(`${server()}/api/v1/rotate`, {
        ...form({ 'a.pdf': PDF }, { angle: '90' }),
        headers: headers(key),
      });
      const bytes = await answer.arrayBuffer();
      if (answer.status === 200 && bytes.byteLength > 0) count.delivered += 1;
    };
    const clients = Array.from({ length: CLIENTS }, async (_, client) => {
      for (let turn = 0; !over.signal.aborted; turn += 1) {
        await work(`${client} ${turn}`).catch((error: unknown) => refusals.add(String(error)));
        await rotate().catch(() => {});
        await sleep(100);
      }
    });

    const killing = (async () => {
      while (!over.signal.aborted) {
        await sleep(KILL_EVERY);
        const alive = [...fleet.keys()].filter((each) => fleet[each] !== undefined);
        const index = alive[Math.floor(random() * alive.length)] ?? 0;
        const victim = fleet[index];
        const children = random() < CHILDREN ? childrenOf(victim?.child.pid) : [];
        const child = children[Math.floor(random() * children.length)];
        if (victim === undefined || over.signal.aborted) continue;
        count.kills += 1;
        if (child !== undefined) kill(child);
        else {
          victim.child.kill('SIGKILL');
          // It is away while it starts, and nobody waits for that.
          fleet[index] = undefined;
          void startAgain(all, WORDS[index] ?? []).then((again) => (fleet[index] = again));
        }
      }
    })();
    const outages = (async () => {
      const events = ['crash', 'refuse', 'crash', 'refuse', 'crash', 'refuse', 'crash', 'refuse', 'crash'];
      for (const event of events) {
        await sleep((seconds * 1000) / (events.length + 1) - REFUSES);
        if (event === 'crash') {
          await postgres.crash();
          await sleep(random() * 1_000);
          await postgres.start();
          count.crashes += 1;
        } else {
          await storage.refuse();
          await sleep(REFUSES);
          await storage.allow();
          count.refusals += 1;
        }
      }
    })();
    await sleep(seconds * 1000);
    await outages;
    over.abort();
    await Promise.all([...clients, killing]);
    // What was killed last comes back.
    await until(() => (fleet.every((each) => each !== undefined) ? true : undefined), 60_000);

    const { store } = await openPostgres(all.database, systemClock);
    await until(async () => {
      const { queued = 0, running = 0 } = await store.jobCounts();
      return queued + running === 0 ? true : undefined;
    }, 120_000);
    const logs = () => fleet.map((each) => String(each?.log()).split('\n').slice(-5).join('\n')).join('\n');
    for (const id of acknowledged) {
      const job = await store.job(id);
      expect([id, job?.state, job?.errorMessage], logs()).toEqual([id, 'succeeded', null]);
    }
    const known = await store.jobsWithFiles();
    const done = known.filter(({ state }) => state === 'succeeded');
    for (const { id } of done) {
      const told = await fetch(`${server()}/api/v1/workflow-jobs/${id}`, { headers: headers(key) });
      const record = (await told.json()) as JobTold;
      const result = await fetch(at(record.result_url, server()));
      const hash = createHash('sha256').update(Buffer.from(await result.arrayBuffer()));
      expect([id, result.status, hash.digest('hex')]).toEqual([id, 200, record.result?.sha256]);
    }
    for (const each of fleet) each?.child.kill('SIGTERM');
    await until(() => (fleet.every((each) => each?.child.exitCode === 0) ? true : undefined), 60_000);
    // What killed servers had set aside goes back when their leases end, and jobs that wait for an upload end too.
    await store.releaseHolds(Number.MAX_SAFE_INTEGER, Date.now());
    const clock = { ...systemClock, now: () => Date.now() + 2 * 3_600_000 };
    const blobs = await storage.open(store);
    await sweep({ store, clock, blobs, settings: readServeSettings(undefined, 'test') });
    blobs.close();
    const { entries, reserved, mismatches } = await store.audit();
    const charged = entries.charge - done.length;
    process.stdout.write(
      `chaos ${JSON.stringify({ ...count, acknowledged: acknowledged.size, jobs: done.length, charged, ...entries })}\n`,
    );
    expect([reserved, mismatches]).toEqual([0, []]);
    refusals.delete('Error: it is over');
    expect([...refusals]).toEqual([]);
    expect(storage.list('results')).toEqual(known.flatMap(({ result }) => result ?? []).sort());
    expect(storage.list('uploads')).toEqual([]);
    // An answer whose server was killed after its last byte and before its charge is a gift: never more of them than kills.
    expect(charged).toBeLessThanOrEqual(count.delivered);
    expect(count.delivered - charged).toBeLessThanOrEqual(count.kills);
    // What the test is about did happen.
    expect(count).toMatchObject({ crashes: CRASHES, refusals: REFUSALS });
    expect(count.kills).toBeGreaterThan(seconds / 2);
    expect(acknowledged.size).toBeGreaterThan(seconds / 10);
    await store.close();
    await storage.remove();
  });
});

const PDF = readFileSync(join(import.meta.dirname, '../../fixtures/inherited.pdf'));

/** Until it is up: while the database or the storage is away it says so and ends. */
async function startAgain(all: Place, words: readonly string[]): Promise<Process> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await start(all, words);
    } catch (error) {
      if (tries > 60) throw error;
      await sleep(300);
    }
  }
}

/** Sends until the answer is neither a failure of the server nor a word to come back. */
async function persist(over: AbortSignal, send: () => Promise<Response>): Promise<Response> {
  for (;;) {
    try {
      const answer = await send();
      if (answer.ok) return answer;
      const said = await answer.text();
      if (answer.status < 500 && answer.status !== 429 && answer.status !== 308)
        throw new Refusal(`${answer.status} ${said}`);
    } catch (error) {
      if (error instanceof Refusal) throw error;
    }
    if (over.aborted) throw new Refusal('it is over');
    await sleep(100);
  }
}

class Refusal extends Error {}

function secondsOr(usual: number): number {
  return Number(process.env.PDFTOOL_CHAOS_SECONDS ?? usual);
}

/** What is missing of an upload. */
async function put(job: JobTold, url: string, bytes: Buffer): Promise<Response> {
  const address = at(job.upload?.session_uri, url);
  const send = (range: string, body: Uint8Array<ArrayBuffer> | null) =>
    fetch(address, { method: 'PUT', headers: { 'Content-Range': `bytes ${range}/${bytes.length}` }, body });
  const asked = await send('*', null);
  if (asked.status !== 308) return asked;
  const have = Number(/bytes=0-(\d+)/.exec(asked.headers.get('range') ?? '')?.[1] ?? -1) + 1;
  return send(`${have}-${bytes.length - 1}`, new Uint8Array(bytes.subarray(have)));
}

/** Numbers from 0 to 1, the same for the same seed (Park and Miller). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

function childrenOf(pid: number | undefined): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It had ended.
  }
}
