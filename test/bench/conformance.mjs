// Valid PDF/A and PDF/UA files through every operation that writes a PDF, judged by veraPDF before and after.
//   node test/bench/conformance.mjs FOLDER [--every N] [--only rotate,merge]
// FOLDER holds veraPDF's corpus; its files named -pass- are taken. Prints, for each operation and flavour: how many stay
// valid, how many lose the claim and say so, and how many are labelled and not valid, which must be none.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { judge, judgeClasses } from '../conformance/judge.mjs';

const [folder, ...rest] = process.argv.slice(2);
const option = (name) => (rest.includes(name) ? rest[rest.indexOf(name) + 1] : undefined);
const every = Number(option('--every') ?? 1);
const only = option('--only')?.split(',');
const classes = judgeClasses();
if (folder === undefined || classes.path === undefined) {
  process.stderr.write(`${classes.why ?? 'usage: conformance.mjs FOLDER'}\n`);
  process.exitCode = 2;
} else {
  await run();
}

/** Lines of the command that write out.pdf. */
function operations(file) {
  const page = ['--pages', '1'];
  return {
    rotate: ['rotate', file, '--angle', '90'],
    merge: ['merge', file, file],
    take: ['pages', 'take', file, '1'],
    meta: ['meta', 'set', file, '--title', 'A new title'],
    compress: ['compress', file],
    lossless: ['compress', file, '--lossless'],
    linearize: ['optimize', file, '--linearize'],
    number: ['number', file],
    stamp: ['stamp', file, '--text', 'Draft', ...page],
    bookmarks: ['bookmarks', 'clear', file],
    labels: ['labels', 'clear', file],
    crop: ['crop', file, '--margin', '3'],
    attach: ['attach', 'add', file, file],
    encrypt: ['encrypt', file, '--owner-password-file', join(import.meta.dirname, '../fixtures/README.md')],
    incremental: ['rotate', file, '--angle', '90', '--incremental'],
  };
}

/** The flavour that a file of the corpus is named for. */
function flavourOf(path) {
  const [, kind, level] = /PDF_(A|UA)-(\w+)/.exec(path) ?? [];
  if (kind === 'UA') return `ua${level}`;
  return level?.toLowerCase();
}

async function run() {
  const files = readdirSync(folder, { recursive: true })
    .filter((name) => /-pass-.*\.pdf$/.test(name) && flavourOf(name) !== undefined)
    .sort()
    .filter((_, i) => i % every === 0)
    .map((name) => ({ path: join(folder, name), flavour: flavourOf(name) }));
  const before = await judge(
    files.map(({ flavour, path }) => [flavour, path]),
    classes,
  );
  const valid = files.filter((_, i) => before[i].verdict === 'PASS');
  process.stdout.write(`${valid.length} of ${files.length} files are valid before\n`);
  const work = mkdtempSync(join(tmpdir(), 'conformance-'));
  const names = Object.keys(operations('')).filter((name) => only === undefined || only.includes(name));
  for (const name of names) {
    const outputs = valid.map(({ path, flavour }, i) => made(name, path, flavour, join(work, `${name}-${i}.pdf`)));
    const written = outputs.filter(({ exit }) => exit === 0);
    const after = await judge(
      written.map(({ flavour, output }) => [flavour, output]),
      classes,
    );
    report(name, outputs, written, after);
  }
  rmSync(work, { recursive: true });
}

function made(name, path, flavour, output) {
  const line = [...operations(path)[name], '-o', output, '--local', '--json', '-f'];
  const { status, stdout } = spawnSync(process.execPath, ['bin/pdftool.js', ...line], { encoding: 'utf8' });
  const says = /no longer claims/.test(stdout ?? '');
  return { path, flavour, output, exit: status, says };
}

function report(name, outputs, written, after) {
  const kept = after.filter(({ verdict }) => verdict === 'PASS').length;
  const said = written.filter(({ says }, i) => says && after[i].verdict !== 'PASS').length;
  const wrong = written.filter(({ says }, i) => !says && after[i].verdict !== 'PASS');
  const refused = outputs.length - written.length;
  process.stdout.write(
    `${name.padEnd(12)} valid ${kept}, claim taken out ${said}, labelled and not valid ${wrong.length}, refused ${refused}\n`,
  );
  const rules = new Map();
  for (const [i, { says, flavour }] of written.entries()) {
    if (says || after[i].verdict === 'PASS') continue;
    for (const rule of (after[i].rules || after[i].verdict).split(' ')) {
      const key = `${flavour} ${rule}`;
      rules.set(key, (rules.get(key) ?? 0) + 1);
    }
  }
  const most = [...rules].sort((a, b) => b[1] - a[1]).slice(0, 8);
  for (const [rule, count] of most) process.stdout.write(`    ${rule}: ${count}\n`);
}
