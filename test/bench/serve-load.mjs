#!/usr/bin/env node
// serve under load and abuse: how long probes and another key's pdf-info take meanwhile. By hand:
//   npm run build && node test/bench/serve-load.mjs [--seconds N] [posts|slow|costly|big]...
// posts: 500 connections that post 1 MB each, again and again. slow: one key with 64 connections at 1 KB/s. costly: one key
// with endless PDFs that take seconds. Figures expected: p99 of /livez and /readyz 200 ms, of another's pdf-info 1 s, the
// parent's memory 200 MB. `bare` is the time of a timer in the probing process: what the machine itself is late.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

const SELF = import.meta.filename;
const PROGRAM = resolve(import.meta.dirname, '../../bin/pdftool.js');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '10' },
    as: { type: 'string' },
    port: { type: 'string' },
    key: { type: 'string' },
    admin: { type: 'string' },
  },
});
const SECONDS = Number(values.seconds);
const PORT = Number(values.port);
const END = performance.now() + SECONDS * 1000;

const LOADS = {
  posts: { connections: 500, run: (key) => posts(key, 500, 1024 * 1024) },
  slow: { connections: 64, run: (key) => drips(key, 64) },
  costly: { connections: 16, run: (key) => costly(key, 16) },
};

if (values.as === 'probe') await probe();
else if (values.as !== undefined) await LOADS[values.as].run(values.key);
else for (const name of positionals.length === 0 ? Object.keys(LOADS) : positionals) await measure(name);

async function measure(name) {
  const folder = mkdtempSync(join(tmpdir(), 'pdftool-bench-load-'));
  const data = join(folder, 'data');
  const args = [PROGRAM, 'serve', '--port', '0', '--admin-port', '0', '--data', data, '--json'];
  const server = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let log = '';
  server.stderr.on('data', (chunk) => (log += chunk));
  const told = JSON.parse(await new Promise((done) => server.stdout.once('data', (line) => done(String(line)))));
  while (!log.includes('for operators')) await sleep(10);
  const admin = JSON.parse(log.split('\n').find((line) => line.includes('for operators'))).port;
  const other = JSON.parse(await output([PROGRAM, 'serve', 'keys', 'create', '--data', data, '--json'])).api_key;
  await output([PROGRAM, 'serve', 'credits', 'grant', told.api_key, '1000000', '--data', data]);
  const { port } = new URL(told.url);
  const common = ['--seconds', values.seconds, '--port', port, '--admin', String(admin)];
  const load = output([SELF, '--as', name, '--key', told.api_key, ...common]);
  await sleep(1_000);
  const seen = JSON.parse(await output([SELF, '--as', 'probe', '--key', other, ...common]));
  const peak = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1];
  const statuses = await load;
  server.kill('SIGTERM');
  await new Promise((done) => server.once('exit', done));
  rmSync(folder, { recursive: true, force: true });
  process.stdout.write(
    `${name}: ${LOADS[name].connections} connections of one key for ${SECONDS} s: ${statuses.trim()}\n`,
  );
  for (const [what, { p50, p95, p99, most, count, wrong }] of Object.entries(seen)) {
    process.stdout.write(
      `  ${what.padEnd(16)} p50 ${p50} ms, p95 ${p95}, p99 ${p99} ms, most ${most} ms of ${count}, ${wrong} not 200\n`,
    );
  }
  process.stdout.write(`  memory of the parent at its peak ${Math.round(Number(peak) / 1000)} MB\n`);
}

function output(args) {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.on('data', (chunk) => (text += chunk));
  return new Promise((done) => child.once('close', () => done(text)));
}

/** Each on a fresh connection, as a load balancer asks. */
async function probe() {
  const pdf = form(smallPdf());
  const kinds = {
    bare: () => sleep(1).then(() => 200),
    '/livez': () => ask(PORT, '/livez'),
    '/readyz': () => ask(PORT, '/readyz'),
    'admin /livez': () => ask(Number(values.admin), '/livez'),
    'pdf-info': () => ask(PORT, '/api/v1/pdf-info', { key: values.key, body: pdf }),
  };
  const found = Object.entries(kinds).map(async ([what, once]) => {
    const times = [];
    let wrong = 0;
    while (performance.now() < END - 1_500) {
      const before = performance.now();
      if ((await once()) !== 200) wrong += 1;
      times.push(performance.now() - before);
      await sleep(50);
    }
    times.sort((a, b) => a - b);
    const at = (share) => Math.round(times[Math.min(times.length - 1, Math.floor(times.length * share))]);
    return [what, { p50: at(0.5), p95: at(0.95), p99: at(0.99), most: at(1), count: times.length, wrong }];
  });
  process.stdout.write(JSON.stringify(Object.fromEntries(await Promise.all(found))));
}

function ask(port, path, { key, body, agent } = {}) {
  return new Promise((done) => {
    const headers =
      body === undefined
        ? {}
        : { 'X-API-Key': key, 'Content-Type': 'multipart/form-data; boundary=XX', 'Content-Length': body.length };
    const sent = request(
      { port, path, agent: agent ?? false, method: body === undefined ? 'GET' : 'POST', headers },
      (answer) => {
        answer.resume();
        answer.on('close', () => done(answer.statusCode));
      },
    );
    sent.on('error', (error) => done(error.code));
    sent.end(body);
  });
}

async function posts(key, connections, bytes) {
  const body = form(Buffer.concat([smallPdf(), Buffer.alloc(bytes, ' ')]));
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  await repeat(connections, () => ask(PORT, '/api/v1/pdf-info', { key, body, agent }));
  agent.destroy();
}

/** Pages whose text takes long to read. */
async function costly(key, connections) {
  const body = form(slowPdf());
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  await repeat(connections, () => ask(PORT, '/api/v1/pdf-to-json', { key, body, agent }));
  agent.destroy();
}

async function drips(key, connections) {
  const head = `POST /api/v1/pdf-info HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Type: multipart/form-data; boundary=XX\r\nContent-Length: 100000000\r\n\r\n--XX\r\n`;
  await repeat(
    connections,
    () =>
      new Promise((done) => {
        let told = '';
        const socket = connect(PORT, '127.0.0.1', () => socket.write(head));
        const drip = setInterval(() => socket.write(Buffer.alloc(256, 'x')), 250);
        const over = setTimeout(() => socket.destroy(), Math.max(1, END - performance.now()));
        socket.on('data', (chunk) => {
          told += chunk;
          socket.destroy();
        });
        socket.on('error', () => {});
        socket.on('close', () => {
          clearInterval(drip);
          clearTimeout(over);
          done(Number(told.slice(9, 12)) || 'open');
        });
      }),
  );
}

async function repeat(connections, once) {
  const statuses = {};
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() < END) {
        const status = await once();
        statuses[status] = (statuses[status] ?? 0) + 1;
        // One that is refused at once would otherwise measure how quickly it can ask again.
        if (status !== 200) await sleep(100);
      }
    }),
  );
  process.stdout.write(JSON.stringify(statuses));
}

function form(bytes) {
  const head = '--XX\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n';
  return Buffer.concat([Buffer.from(head), bytes, Buffer.from('\r\n--XX--\r\n')]);
}

function pdfOf(objects) {
  let text = '%PDF-1.4\n';
  const rows = objects.map((object, index) => {
    const at = String(text.length).padStart(10, '0');
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${at} 00000 n \n`;
  });
  const table = `xref\n0 ${rows.length + 1}\n0000000000 65535 f \n${rows.join('')}`;
  return Buffer.from(
    `${text}${table}trailer\n<< /Size ${rows.length + 1} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`,
    'latin1',
  );
}

function smallPdf() {
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] >>',
  ]);
}

function slowPdf() {
  const content = `BT /F1 9 Tf ${'(abcdefghij klmnopqrst uvwxyz) Tj 0 -1 Td\n'.repeat(4_000)} ET`;
  const pages = 40;
  const kids = Array.from({ length: pages }, (_, i) => `${i + 5} 0 R`).join(' ');
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages} /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    ...Array.from({ length: pages }, () => '<< /Type /Page /Parent 2 0 R /Contents 4 0 R >>'),
  ]);
}
