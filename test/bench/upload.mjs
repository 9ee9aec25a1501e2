// Measures a 1 GiB upload of the built program to a loopback sink against curl, pair by pair. Knows no test runner.
// Usage: node test/bench/upload.mjs [pairs=5] [mebibytes=1024] [form|workflow]. Prints medians; exits 1 over a bar.
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { createServer, Socket } from 'node:net';
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
  fsyncSync(descriptor); // or the first sync of the journal waits for all of it
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
      // Node 20 reads these authorities before anything else (40 ms), which is neither the program's time nor of use here.
      delete env.NODE_EXTRA_CA_CERTS;
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

/**
 * Counts bodies and throws them away; answers as compress and the calls of workflow jobs do. It reads into one buffer and
 * parses no more than it must: Node's HTTP server, with memory of its own for each piece, was slower than either sender.
 */
async function runSink() {
  const buffer = new Uint8Array(1024 ** 2);
  const server = createServer({ pauseOnConnect: true }, ({ _handle: handle }) => {
    let head = '';
    let request;
    const callback = (count) => {
      let body = count;
      if (request === undefined) {
        head += Buffer.from(buffer.subarray(0, count)).toString('latin1');
        const end = head.indexOf('\r\n\r\n');
        if (end < 0) return true;
        body = head.length - end - 4;
        request = { ...requestOf(head.slice(0, end)), bytes: 0 };
        // curl asks before it sends much, and waits a second when nothing is said.
        if (request.expects) socket.write('HTTP/1.1 100 Continue\r\n\r\n');
      }
      request.bytes += body;
      if (request.bytes < request.length) return true;
      socket.write(answerTo(request));
      [head, request] = ['', undefined];
      return true;
    };
    // An accepted connection takes no buffer of its own; a socket that is put around its handle does.
    const socket = new Socket({ handle, onread: { buffer, callback } });
    socket.on('error', () => {}).resume();
  });
  server.listen(0, '127.0.0.1', () => process.stdout.write(String(server.address().port)));
  process.stdin.resume().on('end', () => process.exit());
}

function requestOf(head) {
  const [line, ...lines] = head.split('\r\n');
  const headers = new Map(
    lines.map((each) => [each.split(':', 1)[0].toLowerCase(), each.slice(each.indexOf(':') + 1).trim()]),
  );
  const [method, path] = line.split(' ');
  const length = Number(headers.get('content-length') ?? 0);
  return { method, path, length, host: headers.get('host'), expects: headers.has('expect') };
}

function answerTo({ method, path, host, bytes, length }) {
  const reply = (status, type, body) =>
    `HTTP/1.1 ${status} -\r\ncontent-type: ${type}\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
  if (method === 'POST' && path.includes('/workflow-jobs')) {
    const upload = { session_uri: `http://${host}/upload` };
    return reply(
      200,
      'application/json',
      JSON.stringify({ ok: true, jobId: 'j', uploadId: 'u', upload, status: 'queued' }),
    );
  }
  if (method === 'GET' || bytes !== length) return reply(404, 'application/json', '{"ok":false,"error":"no"}');
  return reply(200, 'application/pdf', '%PDF-1.7');
}
