// A catalogue of hostile documents and bodies against a server with a neighbour that works all the while. Each document goes
// to one operation by turns, so that every row of the service meets some, and to one of the two stores; hostile fields are
// computed from the rows. PDFTOOL_HOSTILE=all sends each document to every operation and all of it to both stores.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SERVICE_OPERATIONS } from '../../src/contract/operations/all.ts';
import { createHosted } from '../../src/mcp/hosted.ts';
import { type PostgresServer, startPostgres } from '../serve/postgres.ts';
import { form, type Rig, startRig, until } from '../serve/rig.ts';
import { ARCHIVES } from './archives.ts';
import { BODIES } from './bodies.ts';
import { PDFS } from './pdfs.ts';
import { PICTURES } from './pictures.ts';
import { type Call, documentCalls, once, rowCalls } from './rows.ts';

const LOREM = readFileSync(join(import.meta.dirname, '../fixtures/lorem-ipsum.pdf'));
const ALL = process.env.PDFTOOL_HOSTILE === 'all';
const ROUNDS = ALL ? 1_000 : 1;
/** Milliseconds. By hand nothing else runs; in the suite other test files take a core or both, and this process is the server. */
const P99 = ALL ? 1_000 : 3_000;
/** Milliseconds of processor time in which the server's thread answers nobody, on whatever machine. */
const STALL = 700;
/** Requests of the attacker at once. */
const AT_ONCE = 4;

interface Attack {
  readonly name: string;
  /** Makes the document, which takes some of them seconds; the second call gives the same one. */
  readonly make?: () => Buffer;
  readonly send: (rig: Rig) => Promise<number>;
}

/** Without the look at openapi.json that `rig.send` takes: answers to what is no request are not described. */
const ask = (rig: Rig, path: string, init: RequestInit = {}) =>
  fetch(`${rig.url}${path}`, { ...init, headers: { 'X-API-Key': rig.key, ...init.headers } });

const statusOf = async (answer: Response) => {
  await answer.arrayBuffer();
  return answer.status;
};

const ROWS = SERVICE_OPERATIONS.filter(({ local }) => local === true);

const attack = ({ name, make, path, init }: Call): Attack => ({
  name,
  ...(make && { make }),
  send: async (rig) => statusOf(await ask(rig, path, init())),
});

/** A job of the workflow that takes ZIPs; it has ended, well or not, when this settles. */
function archive(name: string, makeAnew: () => Buffer): Attack {
  const make = once(makeAnew);
  return {
    name: `folder: ${name}`,
    make,
    async send(rig) {
      const bytes = new Uint8Array(make());
      const json = JSON.stringify({ workflow: 'folder', inputBytes: bytes.length, options: {}, maxCredits: 100 });
      const made = await ask(rig, '/api/v1/workflow-jobs', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: json,
      });
      const told = (await made.json()) as { jobId: string; uploadId: string; upload?: { session_uri: string } };
      if (told.upload === undefined) return made.status;
      await fetch(told.upload.session_uri, { method: 'PUT', body: bytes });
      const queued = await ask(rig, `/api/v1/workflow-jobs/${told.uploadId}`, { method: 'POST' });
      await queued.arrayBuffer();
      await until(async () => {
        const job = (await (await ask(rig, `/api/v1/workflow-jobs/${told.jobId}`)).json()) as { status: string };
        return ['queued', 'running'].includes(job.status) ? undefined : true;
      }, 60_000);
      return queued.status;
    },
  };
}

const ATTACKS: readonly Attack[] = [
  ...documentCalls(ROWS, PDFS, 'application/pdf', ROUNDS).map(attack),
  ...documentCalls(ROWS, PICTURES, 'image/png', ROUNDS).map(attack),
  ...ROWS.flatMap(rowCalls).map(attack),
  ...Object.entries(ARCHIVES).map(([name, make]) => archive(name, make)),
  ...Object.entries(BODIES).map(
    ([name, { path, type, body }]): Attack => ({
      name,
      send: async (rig) =>
        statusOf(
          await ask(rig, path, {
            method: 'POST',
            headers: { 'Content-Type': type, Accept: 'application/json, text/event-stream' },
            body,
          }),
        ),
    }),
  ),
];

let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.remove());

/** Sends small requests one after the other, 20 ms apart, until it is stopped. */
function neighbour(rig: Rig, key: string) {
  let isOver = false;
  const headers = { 'X-API-Key': key };
  const asks = [
    () => rig.send('/api/v1/account', { headers }),
    () => rig.send('/api/v1/pdf-info', { ...form({ 'a.pdf': LOREM }), headers }),
    () => rig.send('/api/v1/extract-text', { ...form({ 'a.pdf': LOREM }), headers }),
    () => rig.send('/api/v1/rotate', { ...form({ 'a.pdf': LOREM }, { angle: '90' }), headers }),
  ];
  const waits: number[] = [];
  const refused: string[] = [];
  const work = async () => {
    for (let turn = 0; !isOver; turn += 1) {
      const before = performance.now();
      const answer = await asks[turn % asks.length]?.();
      const text = await answer?.text();
      waits.push(performance.now() - before);
      if (answer?.status !== 200) refused.push(`${turn % asks.length}: ${answer?.status} ${text?.slice(0, 200)}`);
      await sleep(20);
    }
  };
  const working = work();
  return {
    async stop() {
      isOver = true;
      await working;
      return { waits: waits.sort((a, b) => a - b), refused };
    },
  };
}

describe.each(['a folder', 'PostgreSQL'])('on %s', (kind) => {
  const attacks = ATTACKS.filter((_, index) => ALL || index % 2 === (kind === 'PostgreSQL' ? 1 : 0));

  it(`${attacks.length} hostile documents and bodies break nothing and leave nothing`, {
    timeout: 3_600_000,
  }, async () => {
    const settings = { workers: 2, job_workers: 2, request_seconds: 20, key_sessions: 1_000 };
    const database = kind === 'PostgreSQL' ? await postgres.database() : undefined;
    const rig = await startRig({ settings, more: { tools: createHosted }, postgres: database });
    const { service } = rig.server;
    const folders = [service.folders.requests, service.folders.work];
    const other = await rig.stranger(10_000_000);
    // Made before anything is measured: making them holds up this process, which is also the server, for seconds.
    for (const { make } of attacks) make?.();
    // Workers are there when these are answered.
    await rig.send('/api/v1/extract-text', form({ 'a.pdf': LOREM }));

    const working = neighbour(rig, other);
    const waiting = [...attacks];
    const broken: string[] = [];
    const underWay = new Set<string>();
    const stalls = watchStalls(underWay);
    // The checks for what is left can see files and processes at all.
    const seen = { files: 0, children: 0 };
    const look = setInterval(() => {
      seen.files = Math.max(seen.files, folders.flatMap((path) => readdirSync(path)).length);
      seen.children = Math.max(seen.children, children().length);
    }, 1_000);
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
          underWay.add(next.name);
          const code = await next.send(rig).catch((error: Error) => `${error.message} ${String(error.cause ?? '')}`);
          underWay.delete(next.name);
          // 501: no voice on this machine speaks the language that was named.
          if (typeof code === 'string' || (code >= 500 && code !== 501)) broken.push(`${next.name}: ${code}`);
        }
      }),
    );
    clearInterval(look);
    const { waits, refused } = await working.stop();
    await until(() => (service.gate.inside === 0 ? true : undefined));
    const longest = stalls.stop();
    process.stdout.write(
      `${kind}: ${attacks.length} attacks, ${waits.length} requests of the neighbour: p99 ${p99(waits)} ms; longest stall ${JSON.stringify(longest)}\n`,
    );
    expect.soft(longest.milliseconds, longest.during.join('; ')).toBeLessThanOrEqual(STALL);
    expect.soft(p99(waits)).toBeLessThanOrEqual(P99);
    expect.soft(refused).toEqual([]);
    expect.soft(broken).toEqual([]);
    expect.soft(folders.flatMap((path) => readdirSync(path))).toEqual([]);
    expect.soft((await service.store.audit()).mismatches).toEqual([]);
    expect.soft((await fetch(`${rig.url}/readyz`)).status).toBe(200);
    const workers = Object.values(rig.server.workers()).flat();
    await rig.close();
    expect(workers.length).toBeGreaterThan(0);
    expect(workers.filter(isAlive)).toEqual([]);
    expect(children().filter(({ parent }) => parent === undefined)).toEqual([]);
    expect(seen).toEqual({ files: expect.toSatisfy(isSome), children: expect.toSatisfy(isSome) });
  });
});

/** The most processor time that this thread, which is also that of the server, took between two turns of its event loop. */
function watchStalls(underWay: ReadonlySet<string>) {
  const used = () => Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'latin1').split(' ')[0]) / 1e6;
  let longest: { milliseconds: number; during: string[] } = { milliseconds: 0, during: [] };
  let before = used();
  const timer = setInterval(() => {
    const now = used();
    if (now - before > longest.milliseconds)
      longest = { milliseconds: Math.round(now - before), during: [...underWay] };
    before = now;
  }, 10);
  return {
    stop() {
      clearInterval(timer);
      return longest;
    },
  };
}

const isSome = (count: number) => count > 0;

/** Of sorted milliseconds. */
function p99(waits: readonly number[]): number {
  return Math.round(waits[Math.floor(waits.length * 0.99)] ?? Number.NaN);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/**
 * Processes of this build that draw, read or code for another one, which their command lines name; `parent` is undefined where
 * that other one is gone and init or a subreaper has them.
 */
function children(): { readonly args: string; readonly parent: string | undefined }[] {
  const program = `${join(import.meta.dirname, '../..')}/bin/pdftool.js`;
  const rows = execFileSync('ps', ['-ww', '-eo', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n');
  const processes = rows.flatMap((row) => {
    const [, pid, ppid, args] = /^ *(\d+) +(\d+) (.*)$/.exec(row) ?? [];
    return args === undefined ? [] : [{ pid, ppid, args }];
  });
  return processes
    .filter(({ args }) => args.includes(`${program} __`))
    .map(({ ppid, args }) => {
      const parent = processes.find(({ pid, args: of }) => pid === ppid && /\bpdftool\.js\b|\bvitest\b/.test(of));
      return { args, parent: parent?.args };
    });
}
