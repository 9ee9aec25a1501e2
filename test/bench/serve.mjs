#!/usr/bin/env node
// The bench of serve: uploads against a bare server, and 32 merges at once. Bars: rate 0.5, 300 MB, 200 ms, no error.
// npm run bench:serve -- [--seconds N] [--rounds N] [--merges N]
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { median } from './measure.mjs';
import { noisePdf } from './noise.mjs';

const ROOT = resolve(import.meta.dirname, '../..');
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '5' },
    merges: { type: 'string', default: '128' },
  },
});
const MEGABYTE = 1024 * 1024;
const folder = mkdtempSync(join(tmpdir(), 'pdftool-bench-serve-'));
const failures = [];
try {
  await benchUploads();
  await benchMerges();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
for (const failure of failures) process.stdout.write(`over the bar: ${failure}\n`);
process.exitCode = failures.length === 0 ? 0 : 1;

async function benchUploads() {
  const bundle = join(ROOT, 'node_modules/.cache/pdftool-bench/serve-echo.mjs');
  mkdirSync(join(bundle, '..'), { recursive: true });
  await build({
    entryPoints: [join(import.meta.dirname, 'serve-echo.ts')],
    outfile: bundle,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    external: ['pdfjs-dist', 'sharp', 'libsql'],
    banner: { js: 'import{createRequire as __r}from"node:module";const require=__r(import.meta.url);' },
    logLevel: 'error',
  });
  mkdirSync(join(folder, 'bare'));
  const ours = await start([bundle, join(folder, 'echo'), join(ROOT, 'bin/pdftool.js')]);
  const bare = await start([join(import.meta.dirname, 'serve-bare.mjs'), join(folder, 'bare')]);
  const body = form([Buffer.alloc(MEGABYTE, 'x')]);
  const rates = { ours: [], bare: [] };
  for (let round = 0; round <= Number(values.rounds); round += 1) {
    const [a, b] = [await rate(ours, '/api/v1/echo', body), await rate(bare, '/', body)];
    if (round === 0) continue;
    rates.ours.push(a);
    rates.bare.push(b);
  }
  await Promise.all([ours.stop(), bare.stop()]);
  const ratio = median(rates.ours.map((each, i) => each / rates.bare[i]));
  const [x, y] = [median(rates.ours), median(rates.bare)].map((each) => each.toFixed(0));
  process.stdout.write(
    `1 MB upload and back: serve ${x}/s, bare node:http + busboy ${y}/s, ratio ${ratio.toFixed(3)} (bar 0.5)\n`,
  );
  if (ratio < 0.5) failures.push(`upload rate ${ratio.toFixed(3)}`);
}

async function benchMerges() {
  const data = join(folder, 'data');
  const program = join(ROOT, 'bin/pdftool.js');
  const server = await start([program, 'serve', '--port', '0', '--data', data, '--json'], (told) => {
    return { port: Number(new URL(told.url).port), key: told.api_key };
  });
  await run([program, 'serve', 'credits', 'grant', server.key, '100000', '--data', data]);
  const pdf = noisePdf(MEGABYTE);
  const body = form([pdf, pdf]);
  const idle = memoryOf(server.pid, 'VmRSS');
  const before = performance.now();
  const answers = await atOnce(Number(values.merges), 32, () => post(server, '/api/v1/merge', body));
  const seconds = (performance.now() - before) / 1000;
  const wrong = answers.filter(({ status, bytes }) => status !== 200 || bytes < 2 * MEGABYTE * 0.9).length;
  const peak = memoryOf(server.pid, 'VmHWM');
  const lag = Number(/^nodejs_eventloop_lag_max_seconds ([\d.e-]+)$/m.exec(await get(server, '/metrics'))?.[1]) * 1000;
  await server.stop();
  const rateOf = (answers.length / seconds).toFixed(1);
  process.stdout.write(`32 merges of 1 MB files at once: ${rateOf}/s, ${wrong} errors of ${answers.length}\n`);
  process.stdout.write(`  memory of the server: ${mb(idle)} idle, ${mb(peak)} at its peak (bar 300)\n`);
  process.stdout.write(`  longest stop of its event loop: ${lag.toFixed(0)} ms (bar 200)\n`);
  if (wrong > 0) failures.push(`${wrong} merges failed`);
  if (peak > 300e6) failures.push(`${mb(peak)} of memory`);
  if (!(lag <= 200)) failures.push(`event loop stopped for ${lag.toFixed(0)} ms`);
}

function form(files) {
  const parts = files.flatMap((bytes, i) => [
    Buffer.from(
      `--XX\r\nContent-Disposition: form-data; name="file"; filename="${i}.pdf"\r\nContent-Type: application/pdf\r\n\r\n`,
    ),
    bytes,
    Buffer.from('\r\n'),
  ]);
  return Buffer.concat([...parts, Buffer.from('--XX--\r\n')]);
}

/** Answers a second over 8 connections. */
async function rate(server, path, body) {
  const end = performance.now() + Number(values.seconds) * 1000;
  const began = performance.now();
  let count = 0;
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      while (performance.now() < end) {
        const { status, bytes } = await post(server, path, body);
        if (status !== 200 || bytes !== MEGABYTE) throw new Error(`answered ${status} with ${bytes} bytes`);
        count += 1;
      }
    }),
  );
  return (count * 1000) / (performance.now() - began);
}

async function atOnce(count, width, work) {
  const answers = [];
  let left = count;
  await Promise.all(
    Array.from({ length: width }, async () => {
      while (left-- > 0) answers.push(await work());
    }),
  );
  return answers;
}

function post({ port, key, agent }, path, body) {
  const headers = {
    'Content-Type': 'multipart/form-data; boundary=XX',
    'Content-Length': body.length,
    'X-API-Key': key,
  };
  return new Promise((resolve, reject) => {
    const sent = request({ port, path, agent, method: 'POST', headers }, (answer) => {
      let bytes = 0;
      answer.on('data', (chunk) => {
        bytes += chunk.length;
      });
      answer.on('end', () => resolve({ status: answer.statusCode, bytes }));
      answer.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

async function get({ port }, path) {
  return (await fetch(`http://127.0.0.1:${port}${path}`)).text();
}

/** Starts a server that says where it listens in its first line. */
function start(args, read = (told) => told) {
  // One key stands for many here.
  const env = { ...process.env, PDFTOOL_SERVE_KEY_REQUESTS: '64' };
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'ignore'] });
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${args[0]} ended with ${code}`)));
    child.stdout.once('data', (line) => {
      const agent = new Agent({ keepAlive: true });
      const stop = () => {
        agent.destroy();
        child.kill('SIGTERM');
        return new Promise((ended) => child.once('exit', ended));
      };
      resolve({ ...read(JSON.parse(line)), pid: child.pid, agent, stop });
    });
  });
}

function run(args) {
  const child = spawn(process.execPath, args, { stdio: 'ignore' });
  return new Promise((resolve) => child.once('exit', resolve));
}

/** Bytes that the system has seen a process hold. */
function memoryOf(pid, name) {
  return (
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024
  );
}

function mb(bytes) {
  return `${(bytes / 1e6).toFixed(0)} MB`;
}
