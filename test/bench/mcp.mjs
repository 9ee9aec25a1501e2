// How long a client waits: from the start of `pdftool mcp` to its answer to tools/list, against `node -e 0` in the same run,
// pair by pair. The bound is three times node plus 300 ms. PAIRS=n takes n pairs (15).
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const PROGRAM = resolve(import.meta.dirname, '../../bin/pdftool.js');
const pairs = Number(process.env.PAIRS ?? 15);
const here = mkdtempSync(join(tmpdir(), 'pdftool-bench-'));
const env = { PATH: process.env.PATH, HOME: here, XDG_CONFIG_HOME: here, XDG_STATE_HOME: here };

function bare() {
  return new Promise((done) => {
    const began = performance.now();
    spawn(process.execPath, ['-e', '0'], { cwd: here, env }).once('close', () => done(performance.now() - began));
  });
}

/** Milliseconds to the handshake's answer and to the list's. */
function served() {
  return new Promise((done) => {
    const began = performance.now();
    const child = spawn(process.execPath, [PROGRAM, 'mcp'], { cwd: here, env, stdio: ['pipe', 'pipe', 'ignore'] });
    const say = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const clientInfo = { name: 'bench', version: '1' };
    say({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } });
    let text = '';
    child.stdout.on('data', (chunk) => {
      const before = text.split('\n').length;
      text += chunk;
      const lines = text.split('\n').length;
      if (before === 1 && lines > 1) {
        say({ method: 'notifications/initialized' });
        say({ id: 2, method: 'tools/list', params: {} });
      }
      if (lines > 2) {
        done(performance.now() - began);
        child.stdin.end();
      }
    });
  });
}

const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];
await served();
const rows = [];
for (let pair = 0; pair < pairs; pair += 1) rows.push({ bare: await bare(), served: await served() });
rmSync(here, { recursive: true, force: true });
const [node, list] = [median(rows.map((row) => row.bare)), median(rows.map((row) => row.served))];
const within = rows.filter((row) => row.served <= 3 * row.bare + 300).length;
const ratio = median(rows.map((row) => row.served / row.bare));
process.stdout.write(
  `node -e 0      ${node.toFixed(0)} ms (median of ${pairs})\n` +
    `to tools/list  ${list.toFixed(0)} ms, ${ratio.toFixed(2)} times node (median of the pairs)\n` +
    `bound          3 x node + 300 ms = ${(3 * node + 300).toFixed(0)} ms; kept in ${within} of ${pairs} pairs\n`,
);
