// Measures a 1 GiB upload of the built program to a loopback sink against curl, pair by pair. Knows no test runner.
// Usage: node test/bench/upload.mjs [pairs=5] [mebibytes=1024] [form|workflow]. Prints medians; exits 1 over a bar.
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const RATIO_BAR = 1.0;
const PEAK_BAR = 150; // MiB

if (process.argv[2] === 'sink') await runSink();
else await compare(Number(process.argv[2] ?? 5), Number(process.argv[3] ?? 1024), process.argv[4] ?? 'form');

async function compare(pairs, mebibytes, way) {
  const folder = mkdtempSync(join(tmpdir(), 'pdftool-bench-'));
  const file = join(folder, 'big.pdf');
  const descriptor = openSync(file, 'w');
  const block = randomBytes(1024 ** 2); // a file with holes would be read for nothing
  block.write('%PDF-1.7\n'); // the limits are checked as for any file
  for (let written = 0; written < mebibytes; written += 1) writeSync(descriptor, block);
  closeSync(descriptor);
  const hook = join(folder, 'peak.cjs');
  writeFileSync(hook, "process.on('exit', () => console.log('peak', process.resourceUsage().maxRSS));");
  const program = join(import.meta.dirname, '..', '..', 'bin', 'pdftool.js');
  const sink = spawn(process.execPath, [import.meta.filename, 'sink'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const port = await new Promise((resolve) => sink.stdout.once('data', (text) => resolve(Number(String(text)))));
  const rows = [];
  try {
    for (let pair = 0; pair <= pairs; pair += 1) {
      const base = `http://127.0.0.1:${port}`;
      const env = {
        ...process.env,
        PDFTOOL_BASE_URL: base,
        PDFTOOL_API_KEY: 'sk_test_bench',
        PDFTOOL_CONFIG_DIR: folder,
        PDFTOOL_STATE_DIR: folder,
      };
      const out = join(folder, 'out.pdf');
      const command = {
        form: ['compress', file, '--remote', '-f', '-o', out],
        // Create, PUT, finalize, all of it journaled; another job each time.
        workflow: ['workflow', 'compress', file, '--detach', '--option', `pair=${pair}`, '-f', '-o', out],
      }[way];
      const ours = () => timed(process.execPath, ['-r', hook, program, ...command], env);
      const sent = {
        form: ['-F', `file=@${file};type=application/pdf`, `${base}/api/v1/compress`],
        workflow: ['-T', file, `${base}/upload`],
      }[way];
      const curl = () => timed('curl', ['-sS', '-o', out, ...sent]);
      // Who goes first alternates; the first pair only warms the page cache.
      const row = pair % 2 === 0 ? { ours: ours(), curl: curl() } : { curl: curl(), ours: ours() };
      if (pair > 0) rows.push(row);
    }
  } finally {
    sink.kill();
    rmSync(folder, { recursive: true, force: true });
  }
  const ratio = median(rows.map(({ ours, curl }) => ours.seconds / curl.seconds));
  const peak = Math.max(...rows.map(({ ours }) => ours.peak));
  const seconds = (who) => median(rows.map((row) => row[who].seconds)).toFixed(2);
  const other = way === 'form' ? 'curl -F' : 'curl -T';
  console.log(
    `upload of ${mebibytes} MiB, ${pairs} pairs: pdftool ${seconds('ours')} s, ${other} ${seconds('curl')} s`,
  );
  console.log(`ratio ${ratio.toFixed(2)} (bar ${RATIO_BAR}), peak ${peak.toFixed(0)} MiB (bar ${PEAK_BAR})`);
  if (ratio > RATIO_BAR || peak > PEAK_BAR) process.exitCode = 1;
}

/** Whole process: seconds, and the peak of resident memory in MiB that the hook printed. */
function timed(program, args, env = process.env) {
  const start = process.hrtime.bigint();
  const done = spawnSync(program, args, { encoding: 'utf8', env });
  const seconds = Number(process.hrtime.bigint() - start) / 1e9;
  if (done.status !== 0) throw new Error(`${program}: ${done.stderr}`);
  return { seconds, peak: Number(/peak (\d+)/.exec(done.stdout)?.[1] ?? 0) / 1024 };
}

function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

/** Counts bodies and throws them away; answers as compress and the calls of workflow jobs do. */
async function runSink() {
  const server = createServer((request, response) => {
    let bytes = 0;
    request.on('data', (chunk) => {
      bytes += chunk.length;
    });
    request.on('end', () => {
      if (request.method === 'POST' && request.url.includes('/workflow-jobs')) {
        const session_uri = `http://${request.headers.host}/upload`;
        const job = { ok: true, jobId: 'j', uploadId: 'u', upload: { session_uri }, status: 'queued' };
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(job));
        return;
      }
      if (request.method === 'GET' || bytes !== Number(request.headers['content-length'])) {
        response.writeHead(404, { 'content-type': 'application/json' }).end('{"ok":false,"error":"no"}');
        return;
      }
      response.writeHead(200, { 'content-type': 'application/pdf', 'content-length': 8 }).end('%PDF-1.7');
    });
  });
  server.requestTimeout = 0;
  server.listen(0, '127.0.0.1', () => process.stdout.write(String(server.address().port)));
  process.stdin.resume().on('end', () => process.exit());
}
