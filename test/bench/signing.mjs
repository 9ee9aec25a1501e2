// Peak memory of sign, verify, timestamp and rotate --incremental on a large file, beside that of a small one.
//   node test/bench/signing.mjs [mebibytes=1024]     (built program; openssl is the timestamp authority)
// Exits 1 where one takes more than BAR, where verify finds anything else than it should, or where signed bytes have changed.
import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const BAR = 300; // MiB
const PAGES = 64;
const folder = mkdtempSync(join(tmpdir(), 'pdftool-bench-'));
const at = (name) => join(folder, name);
const PROGRAM = join(import.meta.dirname, '..', '..', 'bin', 'pdftool.js');

try {
  makeKeys();
  const server = createServer(answer).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const url = `http://127.0.0.1:${server.address().port}`;
  const sizes = [1, Number(process.argv[2] ?? 1024)];
  for (const size of sizes) await measure(size, url);
  server.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measure(mebibytes, url) {
  makeFile(at('in.pdf'), mebibytes);
  const key = ['--key', at('one.key'), '--cert', at('one.pem')];
  const lines = {
    sign: ['sign', at('in.pdf'), ...key, '-o', at('signed.pdf')],
    'sign --visible --timestamp': ['sign', at('in.pdf'), ...key, '--visible', '--timestamp', url, '-o', at('look.pdf')],
    timestamp: ['timestamp', at('signed.pdf'), '--timestamp', url, '-o', at('stamped.pdf')],
    'rotate --incremental': ['rotate', at('stamped.pdf'), '--angle', '90', '--incremental', '-o', at('turned.pdf')],
    verify: ['verify', at('stamped.pdf'), '--trust', at('root.pem')],
    'verify of what was turned': ['verify', at('turned.pdf'), '--trust', at('root.pem')],
    info: ['info', at('turned.pdf')],
  };
  const ends = { 'verify of what was turned': 3 };
  for (const [name, line] of Object.entries(lines)) {
    const { code, peak, cpu } = await run(line);
    const isOver = peak > BAR;
    if (isOver || code !== (ends[name] ?? 0)) process.exitCode = 1;
    process.stdout.write(
      `${mebibytes} MiB  ${name.padEnd(28)} exit ${code}  peak ${peak.toFixed(0)} MiB  processor ${cpu} s${isOver ? '  OVER' : ''}\n`,
    );
  }
  // An update leaves every byte before it as it was.
  execFileSync('cmp', ['-n', String(statSync(at('in.pdf')).size), at('in.pdf'), at('turned.pdf')]);
}

/** Through /usr/bin/time, which tells of the largest process that the program started, too. */
function run(line) {
  const account = at('account');
  const args = ['-f', '%M %U %S', '-o', account, process.execPath, PROGRAM, ...line, '--quiet', '--force', '--local'];
  const env = { ...process.env, PDFTOOL_CONFIG_DIR: folder, PDFTOOL_STATE_DIR: folder, TMPDIR: folder };
  return new Promise((resolve) => {
    const child = spawn('/usr/bin/time', args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
    child.on('close', (code) => {
      const [kibibytes, user, system] = readFileSync(account, 'utf8').trim().split('\n').at(-1).split(' ').map(Number);
      resolve({ code, peak: kibibytes / 1024, cpu: (user + system).toFixed(1) });
    });
  });
}

/** Pages with a content that is not drawn (a comment of printable bytes), and is not compressed. */
function makeFile(path, mebibytes) {
  const descriptor = openSync(path, 'w');
  const offsets = [];
  let position = 0;
  const put = (bytes) => (position += writeSync(descriptor, bytes));
  const object = (num, ...parts) => {
    offsets[num] = position;
    put(`${num} 0 obj\n`);
    for (const part of parts) put(part);
    put('\nendobj\n');
  };
  const length = Math.floor((mebibytes * 2 ** 20) / PAGES);
  const noise = Buffer.from(randomBytes(Math.ceil(length / 2)).toString('hex'));
  noise[0] = 0x25;
  put('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n');
  const kids = Array.from({ length: PAGES }, (_, i) => `${3 + 2 * i} 0 R`);
  object(1, '<</Type/Catalog/Pages 2 0 R>>');
  object(2, `<</Type/Pages/Count ${PAGES}/Kids[${kids.join(' ')}]>>`);
  for (let i = 0; i < PAGES; i++) {
    object(3 + 2 * i, `<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 400]/Resources<<>>/Contents ${4 + 2 * i} 0 R>>`);
    object(4 + 2 * i, `<</Length ${noise.length}>>stream\n`, noise, '\nendstream');
  }
  const table = position;
  const rows = Array.from(
    { length: offsets.length - 1 },
    (_, i) => `${String(offsets[i + 1]).padStart(10, '0')} 00000 n \n`,
  );
  put(`xref\n0 ${offsets.length}\n0000000000 65535 f \n${rows.join('')}`);
  put(`trailer\n<</Size ${offsets.length}/Root 1 0 R>>\nstartxref\n${table}\n%%EOF\n`);
  closeSync(descriptor);
}

function openssl(...args) {
  return execFileSync('openssl', args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
}

function makeKeys() {
  const stamps = 'keyUsage=critical,digitalSignature\nextendedKeyUsage=critical,timeStamping';
  const authority =
    'serial=serial\ncrypto_device=builtin\nsigner_digest=sha256\ndefault_policy=1.2.3.4\ndigests=sha256\ness_cert_id_alg=sha256';
  writeFileSync(
    at('c.cnf'),
    `[req]\ndistinguished_name=dn\n[dn]\n[ca]\nbasicConstraints=critical,CA:true\n[one]\nkeyUsage=critical,digitalSignature\n[tsa]\n${stamps}\n[stamps]\n${authority}\n`,
  );
  const root = ['-newkey', 'rsa:2048', '-nodes', '-keyout', 'root.key', '-out', 'root.pem', '-subj', '/CN=Root'];
  openssl('req', '-x509', ...root, '-config', 'c.cnf', '-extensions', 'ca');
  for (const name of ['one', 'tsa']) {
    const wish = ['-newkey', 'rsa:2048', '-nodes', '-keyout', `${name}.key`, '-out', `${name}.csr`];
    openssl('req', '-new', ...wish, '-subj', `/CN=${name}`, '-config', 'c.cnf');
    const by = ['-CA', 'root.pem', '-CAkey', 'root.key', '-CAcreateserial', '-out', `${name}.pem`];
    openssl('x509', '-req', '-in', `${name}.csr`, ...by, '-extfile', 'c.cnf', '-extensions', name);
  }
}

async function answer(request, response) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  writeFileSync(at('q.tsq'), Buffer.concat(chunks));
  const signer = ['-signer', 'tsa.pem', '-inkey', 'tsa.key', '-chain', 'root.pem'];
  openssl('ts', '-reply', '-config', 'c.cnf', '-section', 'stamps', '-queryfile', 'q.tsq', ...signer, '-out', 'a.tsr');
  response.setHeader('content-type', 'application/timestamp-reply');
  response.end(readFileSync(at('a.tsr')));
}
