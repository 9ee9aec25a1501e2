// One executable that needs no Node: node scripts/single-file.mjs [--node FILE] [--out FILE]. The Node of FILE, or the one that
// runs this, gets the program, pdf.js and PDFium inside (Node's single executable applications). Pictures need sharp and
// words in pictures tesseract: both are found beside it, and told of where they are missing.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { brotliCompressSync, constants } from 'node:zlib';

const { values } = parseArgs({ options: { node: { type: 'string' }, out: { type: 'string' } } });
const node = resolve(values.node ?? process.execPath);
const out = resolve(values.out ?? (process.platform === 'win32' ? 'pdftool.exe' : 'pdftool'));
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

const files = ['bin', 'dist', 'package.json', 'LICENSE'].flatMap((name) => filesAt(name));
const bodies = files.sort().map((name) => readFileSync(name));
const index = Buffer.from(JSON.stringify(files.map((name, at) => ({ name, size: bodies[at].length }))));
const length = Buffer.alloc(4);
length.writeUInt32LE(index.length);
const archive = Buffer.concat([length, index, ...bodies]);
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

const scratch = mkdtempSync(join(tmpdir(), 'pdftool-single-file-'));
const at = (name) => join(scratch, name);
try {
  writeFileSync(at('package'), brotliCompressSync(archive, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }));
  writeFileSync(at('name'), `${version}-${createHash('sha256').update(archive).digest('hex').slice(0, 16)}`);
  copyFileSync('scripts/single-file-main.cjs', at('main.cjs'));
  const assets = { package: at('package'), name: at('name') };
  const config = { main: at('main.cjs'), output: at('blob'), disableExperimentalSEAWarning: true, assets };
  mkdirSync(dirname(out), { recursive: true });
  const [major, minor] = execFileSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' })
    .split('.')
    .map(Number);
  if (major > 25 || (major === 25 && minor >= 5)) {
    writeFileSync(at('config.json'), JSON.stringify({ ...config, output: out, executable: node }));
    execFileSync(node, ['--build-sea', at('config.json')], { stdio: ['ignore', 'ignore', 'inherit'] });
  } else {
    writeFileSync(at('config.json'), JSON.stringify(config));
    execFileSync(node, ['--experimental-sea-config', at('config.json')], { stdio: ['ignore', 'ignore', 'inherit'] });
    copyFileSync(node, out);
    chmodSync(out, 0o755);
    const { inject } = await import('postject');
    const macho = process.platform === 'darwin' ? { machoSegmentName: 'NODE_SEA' } : {};
    await inject(out, 'NODE_SEA_BLOB', readFileSync(at('blob')), { sentinelFuse: FUSE, ...macho });
  }
  chmodSync(out, 0o755);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
process.stdout.write(
  `${basename(out)} ${version}: ${(statSync(out).size / 2 ** 20).toFixed(0)} MiB, ${(archive.length / 2 ** 20).toFixed(0)} MiB inside\n`,
);

/** The files at a path, with / between folders. */
function filesAt(path) {
  if (!statSync(path).isDirectory()) return [path];
  const entries = readdirSync(path, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).replaceAll('\\', '/'));
}
