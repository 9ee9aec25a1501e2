#!/usr/bin/env node
// What serve on PostgreSQL carries: small paid requests beside serve on its folder, 8 at once, by turns; its queue alone, with
// no work in the jobs; then compressions as jobs, of a page with nothing on it and of 1 MB of noise, with 1, 2 and 4 processes
// of pdftool work beside as many workers of serve on its folder. Processor time of each side is what docs/serving.md reckons with.
// By hand: npm run build && node test/bench/serve-postgres.mjs [--seconds N] [--rounds N] [--jobs N]
// Bar: 0.9 of the requests. The database runs on the same machine and waits for the disk of none of its own commits.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import pg from 'pg';
import { median } from './measure.mjs';
import { noisePdf } from './noise.mjs';

const ROOT = resolve(import.meta.dirname, '../..');
const PROGRAM = join(ROOT, 'bin/pdftool.js');
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '3' },
    jobs: { type: 'string', default: '60' },
  },
});
const pdf = readFileSync(join(ROOT, 'test/fixtures/lorem-ipsum.pdf'));
const JOBS = Number(values.jobs);
const KINDS = [
  { name: 'an empty page', input: noisePdf(1_000), count: 4 * JOBS },
  { name: '1 MB of noise', input: noisePdf(1024 * 1024), count: JOBS },
];
const folder = mkdtempSync(join(tmpdir(), 'pdftool-bench-postgres-'));
const bundle = join(ROOT, 'node_modules/.cache/pdftool-bench/postgres.mjs');
mkdirSync(join(bundle, '..'), { recursive: true });
await build({
  stdin: {
    contents: `export { startPostgres } from './test/serve/postgres.ts';
      export { openPostgres } from './src/serve/store/postgres/store.ts';
      export { systemClock } from './src/runtime/clock.ts';`,
    resolveDir: ROOT,
  },
  outfile: bundle,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  external: ['pg'],
  logLevel: 'error',
});
const { startPostgres, openPostgres, systemClock } = await import(bundle);
const postgres = await startPostgres();
const database = await postgres.database();
const [{ data_directory: home }] = await postgres.query(database, 'SHOW data_directory');
const postmaster = Number(readFileSync(join(home, 'postmaster.pid'), 'utf8').split('\n')[0]);
const shared = { PDFTOOL_SERVE_DATABASE: database };
await run(['serve', 'migrate'], shared);
const data = join(folder, 'shared');
const stops = [];
const several = await serve(data, shared, '--no-workers');
try {
  await requests();
  for (const accounts of [1, 20]) for (const claimers of [1, 8]) await queueAlone(accounts, claimers);
  for (const workers of [1, 2, 4]) for (const kind of KINDS) await jobs(kind, workers);
} finally {
  await Promise.all(stops.map((stop) => stop()));
  await postgres.remove();
  rmSync(folder, { recursive: true, force: true });
}

async function requests() {
  const alone = await serve(join(folder, 'alone'), {});
  const rates = { alone: [], several: [] };
  const costs = [];
  for (let round = 0; round <= Number(values.rounds); round += 1) {
    const a = await rate(alone);
    const before = [cpuOf(several.pid), cpuOf(postmaster)];
    const b = await rate(several);
    if (round === 0) continue;
    rates.alone.push(a);
    rates.several.push(b);
    costs.push([cpuOf(several.pid), cpuOf(postmaster)].map((each, side) => (each - before[side]) / b / values.seconds));
  }
  const ratio = median(rates.several.map((each, index) => each / rates.alone[index]));
  const [x, y] = [median(rates.several), median(rates.alone)].map((each) => each.toFixed(0));
  const [own, base] = [0, 1].map((side) => median(costs.map((each) => each[side])).toFixed(1));
  say(
    `rotations of ${Math.round(pdf.length / 1024)} KiB: on PostgreSQL ${x}/s, on a folder ${y}/s, ratio ${ratio.toFixed(2)} (bar 0.9)`,
  );
  say(`  processor time of each: ${own} ms of serve, ${base} ms of PostgreSQL`);
  if (ratio < 0.9) process.exitCode = 1;
  await alone.stop();
}

/** Jobs that are made, queued, claimed and ended by a store, with nothing done between. */
async function queueAlone(accounts, claimers) {
  const place = await postgres.database();
  await run(['serve', 'migrate'], { PDFTOOL_SERVE_DATABASE: place });
  const { store } = await openPostgres(place, systemClock);
  const names = Array.from({ length: accounts }, (_, index) => `acct_${accounts}_${claimers}_${index}`);
  const now = Date.now();
  for (const name of names) {
    await store.addAccount(name, now);
    await store.grant(name, 1_000_000, 'bench', now);
  }
  const end = performance.now() + Number(values.seconds) * 1000;
  const [cpu, trips] = [cpuOf(postmaster), countTrips()];
  let [count, claim, next] = [0, 0, 0];
  const began = performance.now();
  await Promise.all(
    Array.from({ length: claimers }, async () => {
      while (performance.now() < end) {
        const id = `job_${accounts}_${claimers}_${next++}`;
        const one = {
          ...{ id, uploadId: `up_${id}`, account: names[next % accounts] },
          workflow: 'compress',
          options: {},
        };
        await store.createJob({ ...one, inputBytes: 1, maxCredits: 1, expiresAt: 9e15 }, Date.now());
        await store.queueJob(id, Date.now());
        const before = performance.now();
        const job = await store.claimJob(Date.now(), { owner: 'bench', until: 9e15 });
        claim += performance.now() - before;
        if (job === undefined) continue;
        const result = { name: `${job.id}.pdf`, mediaType: 'application/pdf', bytes: 1, sha256: '' };
        await store.finishJob(job.id, job.token, { state: 'succeeded', result, charged: 1 }, Date.now(), Date.now());
        count += 1;
      }
    }),
  );
  const seconds = (performance.now() - began) / 1000;
  const per = (total) => (total / count).toFixed(1);
  say(
    `the queue alone, ${accounts} accounts, ${claimers} at once: ${(count / seconds).toFixed(0)} jobs/s, a claim ${per(claim)} ms, ` +
      `${per(cpuOf(postmaster) - cpu)} ms of PostgreSQL and ${per(trips())} round trips a job`,
  );
  await store.close();
}

/** Sent and worked on at the same time, as they are in use. */
async function jobs({ name, input, count }, workers) {
  const own = await serve(join(folder, `alone ${name} ${workers}`), { PDFTOOL_SERVE_JOB_WORKERS: String(workers) });
  const here = await jobsPerSecond(own, input, count);
  await own.stop();
  const working = await Promise.all(Array.from({ length: workers }, () => work()));
  const sides = () => [cpuOf(several.pid), working.reduce((sum, { pid }) => sum + cpuOf(pid), 0), cpuOf(postmaster)];
  const before = [...sides(), await commits()];
  const there = await jobsPerSecond(several, input, count);
  const after = [...sides(), await commits()];
  const [ofServe, ofWork, ofBase, transactions] = after.map((each, side) => ((each - before[side]) / count).toFixed(1));
  say(
    `jobs of ${name} (${input.length} bytes), ${workers} at once: ${there.toFixed(1)}/s by pdftool work, ${here.toFixed(1)}/s by serve on a folder`,
  );
  say(
    `  processor time of each: ${ofServe} ms of serve, ${ofWork} ms of work, ${ofBase} ms of PostgreSQL; ${transactions} transactions`,
  );
  await Promise.all(working.map(({ stop }) => stop()));
}

function say(line) {
  process.stdout.write(`${line}\n`);
}

/** Milliseconds of processor time of a process and of all below it, ended ones too. */
function cpuOf(pid) {
  const ticks = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
    .slice(11, 15)
    .map(Number);
  const below = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
  const own = 10 * ticks.reduce((sum, each) => sum + each);
  return below.reduce((sum, child) => {
    try {
      return sum + cpuOf(child);
    } catch {
      return sum;
    }
  }, own);
}

/** Counts what this process asks of the database. */
function countTrips() {
  const { query } = pg.Client.prototype;
  let count = 0;
  pg.Client.prototype.query = function (...args) {
    count += 1;
    return query.apply(this, args);
  };
  return () => {
    pg.Client.prototype.query = query;
    return count;
  };
}

async function commits() {
  const [row] = await postgres.query(
    database,
    `SELECT xact_commit AS count FROM pg_stat_database WHERE datname = current_database()`,
  );
  return Number(row.count);
}

function start(args, env, ready) {
  const all = { ...process.env, PDFTOOL_SERVE_KEY_REQUESTS: '64', PDFTOOL_SERVE_KEY_SESSIONS: '1000', ...env };
  const child = spawn(process.execPath, [PROGRAM, ...args], { env: all, stdio: ['ignore', 'pipe', 'ignore'] });
  const stop = () => {
    if (child.exitCode !== null) return undefined;
    child.kill('SIGTERM');
    return new Promise((done) => child.once('exit', done));
  };
  stops.push(stop);
  return new Promise((done) =>
    child.stdout.once('data', (line) => done(ready(JSON.parse(line), { stop, pid: child.pid }))),
  );
}

async function serve(at, env, ...more) {
  const told = await start(['serve', '--port', '0', '--data', at, '--json', ...more], env, (each, process) => ({
    ...each,
    ...process,
  }));
  await run(['serve', 'credits', 'grant', told.api_key, '1000000', '--data', at], env);
  return { url: told.url, headers: { 'X-API-Key': told.api_key }, stop: told.stop, pid: told.pid };
}

function work() {
  return start(
    ['work', '--data', data, '--json'],
    { ...shared, PDFTOOL_SERVE_JOB_WORKERS: '1' },
    (_, process) => process,
  );
}

function run(args, env) {
  const child = spawn(process.execPath, [PROGRAM, ...args], { env: { ...process.env, ...env }, stdio: 'ignore' });
  return new Promise((done) => child.once('exit', done));
}

async function rate({ url, headers }) {
  const end = performance.now() + Number(values.seconds) * 1000;
  let count = 0;
  const began = performance.now();
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      while (performance.now() < end) {
        const body = new FormData();
        body.append('angle', '90');
        body.append('file', new Blob([pdf]), 'a.pdf');
        const answer = await fetch(`${url}/api/v1/rotate`, { method: 'POST', headers, body });
        await answer.arrayBuffer();
        if (answer.status !== 200) throw new Error(`status ${answer.status}`);
        count += 1;
      }
    }),
  );
  return count / ((performance.now() - began) / 1000);
}

async function jobsPerSecond(server, input, count) {
  const began = performance.now();
  const ids = [];
  let sent = 0;
  const sending = Array.from({ length: 8 }, async () => {
    while (sent++ < count) ids.push(await submit(server, input));
  });
  await Promise.all(sending);
  // One after the other: who asks for all of them at once keeps the server busy with that.
  for (const id of ids) await ended(server, id);
  return count / ((performance.now() - began) / 1000);
}

async function submit({ url, headers }, pdf) {
  const wish = { workflow: 'compress', inputBytes: pdf.length, options: {}, maxCredits: 1 };
  const json = { ...headers, 'Content-Type': 'application/json' };
  const made = await fetch(`${url}/api/v1/workflow-jobs`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify(wish),
  });
  const { jobId, uploadId, upload } = await made.json();
  for (let status = 0; status !== 200; )
    status = (await fetch(upload.session_uri, { method: 'PUT', body: pdf })).status;
  await fetch(`${url}/api/v1/workflow-jobs/${uploadId}`, { method: 'POST', headers });
  return jobId;
}

async function ended({ url, headers }, id) {
  for (;;) {
    const { status } = await (await fetch(`${url}/api/v1/workflow-jobs/${id}`, { headers })).json();
    if (status === 'succeeded') return;
    if (status === 'failed') throw new Error(`${id} failed`);
    await new Promise((done) => setTimeout(done, 20));
  }
}
