#!/usr/bin/env node
// Waits for the disk (fsync, fdatasync) of serve for each paid call, as strace counts them; calls that come together share
// theirs. By hand: npm run build && node test/bench/serve-syncs.mjs [--calls N]. Bar: below 1 a call from 8 at once on.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const PROGRAM = resolve(import.meta.dirname, '../../bin/pdftool.js');
const { values } = parseArgs({ options: { calls: { type: 'string', default: '192' } } });
const CALLS = Number(values.calls);
const pdf = readFileSync(resolve(import.meta.dirname, '../fixtures/lorem-ipsum.pdf'));

for (const atOnce of [1, 8, 32]) {
  const { syncs, seconds, wrong } = await measure(atOnce);
  const each = syncs / CALLS;
  process.stdout.write(
    `${String(atOnce).padStart(2)} at once: ${CALLS} rotations in ${seconds.toFixed(1)} s, ${wrong} errors, ${syncs} waits for the disk, ${each.toFixed(2)} a call\n`,
  );
  if (wrong > 0 || (atOnce >= 8 && each >= 1)) process.exitCode = 1;
}

async function measure(atOnce) {
  const folder = mkdtempSync(join(tmpdir(), 'pdftool-bench-syncs-'));
  const data = join(folder, 'data');
  const trace = join(folder, 'trace');
  const serve = [process.execPath, PROGRAM, 'serve', '--port', '0', '--data', data, '--json'];
  const strace = ['--seccomp-bpf', '-f', '-e', 'trace=fsync,fdatasync', '-o', trace];
  const env = { ...process.env, PDFTOOL_SERVE_KEY_REQUESTS: '64' };
  const server = spawn('strace', [...strace, ...serve], { env, stdio: ['ignore', 'pipe', 'ignore'] });
  const told = JSON.parse(await new Promise((done) => server.stdout.once('data', (line) => done(String(line)))));
  const granting = [PROGRAM, 'serve', 'credits', 'grant', told.api_key, '100000', '--data', data];
  await new Promise((done) => spawn(process.execPath, granting, { stdio: 'ignore' }).once('exit', done));
  const rotate = async () => {
    const body = new FormData();
    body.append('angle', '90');
    body.append('file', new Blob([pdf]), 'a.pdf');
    const init = { method: 'POST', headers: { 'X-API-Key': told.api_key }, body };
    const answer = await fetch(`${told.url}/api/v1/rotate`, init);
    await answer.arrayBuffer();
    return answer.status;
  };
  // Workers are there when these are answered.
  await Promise.all([rotate(), rotate(), rotate()]);
  await new Promise((done) => setTimeout(done, 300));
  const before = syncsIn(trace);
  const began = performance.now();
  let [left, wrong] = [CALLS, 0];
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (left-- > 0) if ((await rotate()) !== 200) wrong += 1;
    }),
  );
  const seconds = (performance.now() - began) / 1000;
  await new Promise((done) => setTimeout(done, 300));
  const syncs = syncsIn(trace) - before;
  const ended = new Promise((done) => server.once('exit', done));
  // strace would let go of it and leave it running.
  process.kill(
    Number(readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, 'utf8').split(' ')[0]),
    'SIGTERM',
  );
  await ended;
  rmSync(folder, { recursive: true, force: true });
  return { syncs, seconds, wrong };
}

/** Begun ones: strace tells of those that another thread interrupts in two lines. */
function syncsIn(trace) {
  return [...readFileSync(trace, 'utf8').matchAll(/^\d+ +(?:fsync|fdatasync)\(/gm)].length;
}
