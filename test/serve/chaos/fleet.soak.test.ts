// Servers, workers and the processes that draw or speak for them killed every few hundred milliseconds, PostgreSQL stopped at
// once five times, storage that refuses for seconds, and clients that read slowly. Nothing may be lost, charged twice or left
// running. By hand with 200 kills:
//   npm run build && PDFTOOL_CHAOS_KILLS=200 npx vitest run --config .vitest.config.ts --mode soak \
//     test/serve/chaos/fleet.soak.test.ts -t bucket
// PDFTOOL_CHAOS_SEED repeats the same choices of what is killed.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/runtime/clock.ts';
import { readServeSettings } from '../../../src/serve/base/settings.ts';
import { sweep } from '../../../src/serve/jobs/sweep.ts';
import { openPostgres } from '../../../src/serve/store/postgres/store.ts';
import { noisyPdf } from '../documents.ts';
import {
  at,
  bucketStorage,
  folderStorage,
  headers,
  type JobTold,
  killFleet,
  errors as logged,
  type Place,
  type Process,
  place,
  run,
  type Storage,
  start,
} from '../fleet.ts';
import { type PostgresServer, startPostgres } from '../postgres.ts';
import { form, until } from '../rig.ts';
import { type Descendant, descendantsOf, isRunning, processesWith } from './descendants.ts';

const STORAGES: readonly (readonly [string, (data: string) => Promise<Storage>])[] = [
  ['a folder', async (data) => folderStorage(data)],
  ['a bucket', bucketStorage],
];
const KILLS = Number(process.env.PDFTOOL_CHAOS_KILLS ?? 30);
const SEED = Number(process.env.PDFTOOL_CHAOS_SEED ?? 20_261_123);
/** Milliseconds between two kills. */
const KILL_EVERY = 1_000;
/** The same where nothing was done meanwhile. */
const SLOWEST = 5_000;
/** How often a process below a server or worker is killed, and not the server or worker itself. */
const BELOW = 0.6;
/** Milliseconds within which every process below a killed one must have ended. */
const ENDS_WITHIN = 5_000;
const OUTAGES = ['crash', 'refuse', 'crash', 'refuse', 'crash', 'refuse', 'crash', 'refuse', 'crash'] as const;
/** Milliseconds for which storage refuses. */
const REFUSES = 2_500;
const WORDS = [...[0, 1].map(() => ['serve', '--port', '0', '--no-workers']), ...[0, 1, 2].map(() => ['work'])];

const fixture = (name: string) => readFileSync(join(import.meta.dirname, '../../fixtures', name));
const PDF = fixture('inherited.pdf');
const LOREM = fixture('lorem-ipsum.pdf');
const GUIDE = fixture('guide.pdf');
const NOISE = noisyPdf(60_000);
/** More than the buffers between a server and its client hold. */
const LARGE = noisyPdf(8_000_000);
/** Bytes and milliseconds between two reads of a slow client: the whole takes some five seconds. */
const SLOWLY = { bytes: 256 * 1024, pause: 150 };

/** How often each of these must have happened. */
const LEAST = { helpers: 1, drawn: 1, spoken: 2, readSlowly: 1, cutReads: 1 };

const COMPRESSION = { workflow: 'compress', options: {} };
/** Draws the page before and after, in processes of its own. */
const REDACTION = {
  workflow: 'redaction',
  options: {
    ...{ mode: 'apply', reviewed: true, raster: true },
    sourceSha256: createHash('sha256').update(PDF).digest('hex'),
    regions: [{ page: 1, x: 0.1, y: 0.1, w: 0.3, h: 0.05 }],
  },
};

let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.remove());
afterEach(killFleet);

// Processes are found by /proc.
describe.runIf(process.platform === 'linux').each(STORAGES)('with %s', (_, openStorage) => {
  it(`${KILLS} kills and ${OUTAGES.length} outages come out even`, { timeout: KILLS * 10_000 + 300_000 }, async () => {
    const { here, database } = await place(postgres);
    const storage = await openStorage(here.at('data'));
    const temporary = here.at('tmp');
    mkdirSync(temporary);
    const env = {
      ...storage.env,
      TMPDIR: temporary,
      PDFTOOL_SERVE_KEY_SESSIONS: '1000',
      PDFTOOL_SERVE_KEY_REQUESTS: '1000',
      // Longer than a worker is silent on a busy machine.
      PDFTOOL_SERVE_LEASE_SECONDS: '5',
      // A process that ends under a job again and again is taken for the job's fault: here it is ours.
      PDFTOOL_SERVE_JOB_ATTEMPTS: '100',
    };
    const all: Place = { here, database, env };
    const fleet: (Process | undefined)[] = await Promise.all(WORDS.map((words) => startAgain(all, words)));
    const key = String(fleet.find((process) => process?.key !== undefined)?.key);
    // One speech job of a key at a time: two who speak need a key each.
    const speakers = await Promise.all([0, 1].map(() => newKey(all)));
    for (const each of [key, ...speakers]) await run(all, 'serve', 'credits', 'grant', each, '1000000');
    const over = new AbortController();
    const random = randomOf(SEED);
    const acknowledged = new Map<string, string>();
    const errors = new Set<string>();
    /** Ids of the paid requests whose answers came whole. */
    const delivered = new Set<string>();
    const count = {
      kills: 0,
      helpers: 0,
      crashes: 0,
      refusals: 0,
      drawn: 0,
      spoken: 0,
      readSlowly: 0,
      cutReads: 0,
      undrawn: 0,
    };
    const server = () => fleet[Math.floor(random() * 2)]?.url ?? '';

    /** A whole job; every step is tried at whichever server is there. */
    const submit = async (asked: object, input: Buffer, once: string): Promise<Ended> => {
      const made = await persist(over.signal, () =>
        create(server(), key, { ...asked, inputBytes: input.length }, once),
      );
      const job = (await made.json()) as JobTold;
      await persist(over.signal, () => put(job, server(), input));
      const init = { method: 'POST', headers: headers(key) };
      await persist(over.signal, () => fetch(`${server()}/api/v1/workflow-jobs/${job.uploadId}`, init));
      acknowledged.set(job.jobId, key);
      return ended(over.signal, job.jobId, server, key);
    };
    /** A paid request that is never sent again. Whether its whole answer came. */
    const request = async (name: string, input: Buffer, fields: Record<string, string>, slowly = false) => {
      const init = { ...form({ 'a.pdf': input }, fields), headers: headers(key) };
      const answer = await fetch(`${server()}/api/v1/${name}`, init);
      const { bytes } = await readAll(answer, slowly);
      // A process that draws is replaced once; one that is killed again leaves the page undrawn, and nothing is charged.
      if (answer.status === 422 && name === 'pdf-to-images') count.undrawn += 1;
      else if (answer.status >= 400 && answer.status < 500 && answer.status !== 429)
        errors.add(`${name}: ${answer.status}`);
      if (answer.status === 200 && bytes > 0) delivered.add(String(answer.headers.get('x-request-id')));
      return answer.status === 200 && bytes > 0;
    };
    const speak = async (speaker: string) => {
      const init = { ...form({ 'a.pdf': LOREM }, { page_range: '1' }), headers: headers(speaker) };
      const answer = await fetch(`${server()}/api/v1/pdf-to-speech`, init);
      // 409: the job before has not ended, or the answer that told of it was lost.
      if (answer.status !== 202) {
        if (answer.status < 500 && ![409, 429].includes(answer.status)) errors.add(`speech: ${answer.status}`);
        return sleep(300);
      }
      const { job_id } = (await answer.json()) as { job_id: string };
      acknowledged.set(job_id, speaker);
      count.spoken += 1;
    };
    /** A result that is read slowly; a reader that was cut goes on where it was. */
    const readSlowly = async (record: Ended) => {
      const hash = createHash('sha256');
      for (let have = 0; have < (record.result?.bytes ?? 0); ) {
        if (over.signal.aborted) return;
        try {
          const range = { Range: `bytes=${have}-` };
          const answer = await fetch(at(record.result_url, server()), { headers: range });
          if (!answer.ok) throw new Error(`${answer.status}`);
          await readAll(answer, true, (chunk) => {
            have += chunk.length;
            hash.update(chunk);
          });
        } catch {
          count.cutReads += 1;
          await sleep(200);
        }
      }
      expect(hash.digest('hex')).toBe(record.result?.sha256);
      count.readSlowly += 1;
    };
    const client = async (turn: (number: number) => Promise<unknown>) => {
      for (let number = 0; !over.signal.aborted; number += 1) {
        await turn(number).catch((error: unknown) => {
          if (error instanceof Refusal || !(error instanceof TypeError)) errors.add(String(error));
        });
        await sleep(100);
      }
    };
    const paid = async (name: string, input: Buffer, fields: Record<string, string>, slowly?: boolean) =>
      request(name, input, fields, slowly).catch(() => false);
    // There before the first kill, so that somebody reads during each of them.
    const large = await Promise.all([0, 1].map((name) => submit(COMPRESSION, LARGE, `large ${name}`)));
    const clients = [
      client(async (turn) => {
        await submit(COMPRESSION, NOISE, `compress ${turn}`);
        await paid('rotate', PDF, { angle: '90' });
      }),
      client((turn) => submit(REDACTION, PDF, `redact ${turn}`)),
      client(async () => {
        if (await paid('pdf-to-images', GUIDE, { pages: '1,2', dpi: '60' })) count.drawn += 1;
      }),
      client(() => paid('rotate', LARGE, { angle: '90' }, true)),
      ...speakers.map((speaker) => client(() => speak(speaker).catch(() => {}))),
      ...large.map((record) => client(() => readSlowly(record))),
    ];
    const progress = () => acknowledged.size + delivered.size + count.readSlowly;

    /** What ran below processes that were killed, and what was found to run on for too long. */
    const below: Promise<Descendant[]>[] = [];
    let longest = 0;
    const end = async (descendants: readonly Descendant[]) => {
      const since = performance.now();
      while (descendants.some(isRunning) && performance.now() - since < ENDS_WITHIN) await sleep(20);
      longest = Math.max(longest, performance.now() - since);
      return descendants.filter(isRunning);
    };
    const killing = (async () => {
      while (count.kills < KILLS) {
        const before = progress();
        await sleep(KILL_EVERY);
        // A busy machine gets something done before the next one.
        await until(() => progress() > before || undefined, SLOWEST).catch(() => {});
        const alive = [...fleet.keys()].filter((index) => fleet[index] !== undefined);
        const index = alive[Math.floor(random() * alive.length)] ?? 0;
        const victim = fleet[index];
        if (victim === undefined) continue;
        const descendants = descendantsOf(victim.child.pid);
        const chosen = random() < BELOW ? descendants[Math.floor(random() * descendants.length)] : undefined;
        // One server and one worker stay, however long a busy machine takes to start the others: else nothing would be done.
        const others = alive.filter((other) => other !== index && WORDS[other]?.[0] === WORDS[index]?.[0]);
        if (chosen === undefined && others.length === 0) continue;
        count.kills += 1;
        if (chosen !== undefined) {
          if (chosen.args.includes(' __')) count.helpers += 1;
          const children = descendantsOf(chosen.pid);
          kill(chosen.pid);
          below.push(end([chosen, ...children]));
        } else {
          victim.child.kill('SIGKILL');
          below.push(end(descendants));
          // It is away while it starts, and nobody waits for that.
          fleet[index] = undefined;
          void startAgain(all, WORDS[index] ?? []).then((again) => (fleet[index] = again));
        }
      }
    })();
    const outages = (async () => {
      for (const [index, event] of OUTAGES.entries()) {
        await until(() => count.kills >= ((index + 1) * KILLS) / (OUTAGES.length + 1) || undefined, KILLS * 10_000);
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
    await Promise.all([killing, outages]);
    const isSeen = () => Object.entries(LEAST).every(([name, least]) => count[name as keyof typeof count] >= least);
    await until(() => isSeen() || undefined, 120_000).catch(() => {});
    over.abort();
    await Promise.all(clients);
    const ranOn = (await Promise.all(below)).flat();
    // What was killed last comes back.
    await until(() => (fleet.every((process) => process !== undefined) ? true : undefined), 60_000);

    const { store } = await openPostgres(all.database, systemClock);
    const logs = () => logged.slice(-5).join('\n');
    const isIdle = async () => {
      const { queued = 0, running = 0 } = await store.jobCounts();
      return queued + running === 0 ? true : undefined;
    };
    await until(isIdle, 240_000).catch(async (cause: unknown) => {
      const rows = await postgres.query(database, 'SELECT workflow, state, attempts, token, progress FROM jobs');
      const left = rows.filter(({ state }) => state === 'queued' || state === 'running');
      throw new Error(`${JSON.stringify(left)}\n${logs()}`, { cause });
    });
    const unproved: string[] = [];
    for (const id of acknowledged.keys()) {
      const job = await store.job(id);
      // A proof whose process was killed certifies nothing: the job fails, without a charge and without an output.
      if (job?.workflow === 'redaction' && /its proof broke off/.test(job.errorMessage ?? '')) unproved.push(id);
      else expect([id, job?.state, job?.errorMessage], logs()).toEqual([id, 'succeeded', undefined]);
    }
    expect(unproved.length + count.undrawn).toBeLessThanOrEqual(count.helpers);
    const known = await store.jobsWithFiles();
    const done = known.filter(({ state }) => state === 'succeeded');
    for (const { id } of done) {
      const owner = (await store.job(id))?.keyId === undefined ? key : acknowledged.get(id);
      // A speech job whose answer was lost: nobody asks for it.
      if (owner === undefined) continue;
      const record = await ended(new AbortController().signal, id, server, owner);
      const result = await fetch(at(record.result_url, server()));
      const hash = createHash('sha256').update(Buffer.from(await result.arrayBuffer()));
      expect([id, result.status, hash.digest('hex')]).toEqual([id, 200, record.result?.sha256]);
    }
    for (const process of fleet) process?.child.kill('SIGTERM');
    await until(() => (fleet.every((process) => process?.child.exitCode === 0) ? true : undefined), 60_000);
    // What killed servers had set aside goes back when their leases end, and jobs that wait for an upload end too.
    await store.releaseHolds(Number.MAX_SAFE_INTEGER, Date.now());
    const clock = { ...systemClock, now: () => Date.now() + 2 * 3_600_000 };
    const blobs = await storage.open(store);
    await sweep({ store, clock, blobs, settings: readServeSettings(undefined, 'test') });
    blobs.close();
    // A server removes the folders of those that have said nothing for an hour.
    const folders = here.at('data/servers');
    for (const name of readdirSync(folders)) utimesSync(join(folders, name), 0, 0);
    const last = await start(all, ['work']);
    last.child.kill('SIGTERM');
    await until(() => (last.child.exitCode === 0 ? true : undefined), 60_000);

    const { entries, reserved, mismatches } = await store.audit();
    const charges = await postgres.query(database, "SELECT ref, amount FROM ledger WHERE kind = 'charge' ORDER BY ref");
    const ofJobs = charges.filter(({ ref }) => !String(ref).startsWith('request:'));
    const ofRequests = charges.flatMap(({ ref }) => /^request:(.*)/.exec(String(ref))?.[1] ?? []);
    const facts = {
      acknowledged: acknowledged.size,
      jobs: done.length,
      unproved: unproved.length,
      delivered: delivered.size,
    };
    process.stdout.write(
      `chaos ${JSON.stringify({ ...count, ...facts, chargedRequests: ofRequests.length, longestEnd: Math.round(longest), ...entries })}\n`,
    );
    expect([reserved, mismatches]).toEqual([0, []]);
    errors.delete('Error: it is over');
    expect([...errors]).toEqual([]);
    // Each job that succeeded was charged once, what its record says, and no other one was.
    const prices = await Promise.all(done.map(async ({ id }) => ({ ref: id, amount: (await store.job(id))?.charged })));
    expect(ofJobs.map(({ ref, amount }) => ({ ref, amount: Number(amount) }))).toEqual(
      prices.sort((a, b) => (a.ref < b.ref ? -1 : 1)),
    );
    // An answer whose server was killed after its last byte and before its charge is a gift: never more of them than kills.
    expect(ofRequests.filter((id) => !delivered.has(id))).toEqual([]);
    expect(delivered.size - ofRequests.length).toBeLessThanOrEqual(count.kills);
    // Nothing runs on, and no file is left.
    expect(ranOn).toEqual([]);
    expect(processesWith(temporary)).toEqual([]);
    expect(storage.list('results')).toEqual(known.flatMap(({ resultName }) => resultName ?? []).sort());
    expect(storage.list('uploads')).toEqual([]);
    expect(readdirSync(folders)).toEqual([]);
    expect(readdirSync(temporary)).toEqual([]);
    // What the test is about did happen.
    expect(count).toMatchObject({ crashes: 5, refusals: 4 });
    expect([isSeen(), count]).toEqual([true, count]);
    expect(acknowledged.size).toBeGreaterThan(KILLS / 5);
    await store.close();
    await storage.remove();
  });
});

async function newKey(all: Place): Promise<string> {
  const { stdout } = await run(all, 'serve', 'keys', 'create', '--json');
  return (JSON.parse(stdout) as { api_key: string }).api_key;
}

function create(url: string, key: string, asked: object, once: string): Promise<Response> {
  return fetch(`${url}/api/v1/workflow-jobs`, {
    method: 'POST',
    headers: { ...headers(key), 'Content-Type': 'application/json', 'Idempotency-Key': once },
    body: JSON.stringify({ ...asked, maxCredits: 1 }),
  });
}

type Ended = JobTold & { readonly result?: { readonly bytes: number } };

/** The record of a job when it has ended, from whichever server is there. */
async function ended(over: AbortSignal, id: string, server: () => string, key: string): Promise<Ended> {
  for (;;) {
    const path = (kind: string) => `${server()}/api/v1/${kind}/${id}`;
    const answer = await persist(over, async () => {
      const asked = await fetch(path('workflow-jobs'), { headers: headers(key) });
      return asked.status === 404 ? fetch(path('jobs'), { headers: headers(key) }) : asked;
    });
    const record = (await answer.json()) as Ended;
    if (!['queued', 'running'].includes(record.status)) return record;
    await sleep(200);
  }
}

async function readAll(answer: Response, slowly: boolean, taken: (chunk: Uint8Array) => void = () => {}) {
  let [bytes, since] = [0, 0];
  for await (const chunk of answer.body ?? []) {
    taken(chunk);
    bytes += chunk.length;
    since += chunk.length;
    if (!slowly || since < SLOWLY.bytes) continue;
    since = 0;
    await sleep(SLOWLY.pause);
  }
  return { bytes };
}

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

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It had ended.
  }
}
