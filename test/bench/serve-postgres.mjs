#!/usr/bin/env node
// Small paid requests to serve on PostgreSQL beside serve on its folder, 8 at once, by turns; then compressions as jobs, of
// next to nothing and of 1 MB, with 1, 2 and 4 processes of pdftool work beside as many workers of serve on its folder.
// By hand: npm run build && node test/bench/serve-postgres.mjs [--seconds N] [--rounds N] [--jobs N]
// Bar: 0.9 of the requests. The database runs on the same machine and waits for the disk of none of its own commits.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { median } from './measure.mjs';
import { noisePdf } from './noise.mjs';

const ROOT = resolve(import.meta.dirname, '../..');
const PROGRAM = join(ROOT, 'bin/pdftool.js');
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '3' },
    jobs: { type: 'string', default: '40' },
  },
});
const pdf = readFileSync(join(ROOT, 'test/fixtures/lorem-ipsum.pdf'));
const INPUTS = { 'next to nothing': pdf, '1 MB': noisePdf(1024 * 1024) };
const JOBS = Number(values.jobs);
const folder = mkdtempSync(join(tmpdir(), 'pdftool-bench-postgres-'));
const bundle = join(ROOT, 'node_modules/.cache/pdftool-bench/postgres.mjs');
mkdirSync(join(bundle, '..'), { recursive: true });
await build({
  entryPoints: [join(import.meta.dirname, '../serve/postgres.ts')],
  outfile: bundle,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  external: ['pg'],
  logLevel: 'error',
});
const { startPostgres } = await import(bundle);
const postgres = await startPostgres();
const database = await postgres.database();
const shared = { PDFTOOL_SERVE_DATABASE: database };
await run(['serve', 'migrate'], shared);
const data = join(folder, 'shared');
const stops = [];
try {
  const alone = await serve(join(folder, 'alone'), {});
  const several = await serve(data, shared, '--no-workers');
  const rates = { alone: [], several: [] };
  for (let round = 0; round <= Number(values.rounds); round += 1) {
    const [a, b] = [await rate(alone), await rate(several)];
    if (round === 0) continue;
    rates.alone.push(a);
    rates.several.push(b);
  }
  const ratio = median(rates.several.map((each, index) => each / rates.alone[index]));
  const [x, y] = [median(rates.several), median(rates.alone)].map((each) => each.toFixed(0));
  process.stdout.write(
    `rotations of a small PDF: on PostgreSQL ${x}/s, on a folder ${y}/s, ratio ${ratio.toFixed(2)} (bar 0.9)\n`,
  );
  if (ratio < 0.9) process.exitCode = 1;
  for (const count of [1, 2, 4]) {
    const own = await serve(join(folder, `alone${count}`), { PDFTOOL_SERVE_JOB_WORKERS: String(count) });
    for (const [name, input] of Object.entries(INPUTS)) {
      const ids = await Promise.all(Array.from({ length: JOBS }, () => submit(several, input)));
      const workers = await Promise.all(Array.from({ length: count }, () => work()));
      const there = await perSecond(() => Promise.all(ids.map((id) => ended(several, id))));
      await Promise.all(workers.map((stop) => stop()));
      // On a folder jobs begin while others are still sent: as they do in use.
      const here = await perSecond(async () => {
        const sent = await Promise.all(Array.from({ length: JOBS }, () => submit(own, input)));
        await Promise.all(sent.map((id) => ended(own, id)));
      });
      process.stdout.write(
        `jobs of ${name}, ${count} at once: ${there.toFixed(1)}/s by pdftool work, ${here.toFixed(1)}/s by serve on a folder\n`,
      );
    }
    await own.stop();
  }
} finally {
  await Promise.all(stops.map((stop) => stop()));
  await postgres.remove();
  rmSync(folder, { recursive: true, force: true });
}

function start(args, env, ready) {
  const all = { ...process.env, PDFTOOL_SERVE_KEY_REQUESTS: '64', PDFTOOL_SERVE_KEY_SESSIONS: '100', ...env };
  const child = spawn(process.execPath, [PROGRAM, ...args], { env: all, stdio: ['ignore', 'pipe', 'ignore'] });
  const stop = () => {
    if (child.exitCode !== null) return undefined;
    child.kill('SIGTERM');
    return new Promise((done) => child.once('exit', done));
  };
  stops.push(stop);
  return new Promise((done) => child.stdout.once('data', (line) => done(ready(JSON.parse(line), stop))));
}

async function serve(at, env, ...more) {
  const told = await start(['serve', '--port', '0', '--data', at, '--json', ...more], env, (each, stop) => ({
    ...each,
    stop,
  }));
  await run(['serve', 'credits', 'grant', told.api_key, '1000000', '--data', at], env);
  return { url: told.url, headers: { 'X-API-Key': told.api_key }, stop: told.stop };
}

function work() {
  return start(['work', '--data', data, '--json'], { ...shared, PDFTOOL_SERVE_JOB_WORKERS: '1' }, (_, stop) => stop);
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

async function perSecond(work) {
  const began = performance.now();
  await work();
  return JOBS / ((performance.now() - began) / 1000);
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
    await new Promise((done) => setTimeout(done, 200));
  }
}
