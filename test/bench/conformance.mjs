// Valid PDF/A and PDF/UA files through every operation that writes a PDF, judged by veraPDF before and after.
//   npm run build; node test/bench/conformance.mjs FOLDER [--every N] [--from N] [--only rotate,merge] [--pairs N] [--minutes N]
// FOLDER holds veraPDF's corpus, whose files named -pass- are taken, or the files of test/fixtures/conformance. Operations on one file run as batches over all of them;
// those on several files start a process each, for every Nth file (--pairs, 10 unless given). No operation begins after
// --minutes. Prints, for each operation: how
// many stay valid, how many lose the claim and say so, how many are refused, and how many are labelled and not valid, or lost
// the claim without a word: both must be none, or it ends with 1.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { judge, judgeClasses } from '../conformance/judge.mjs';

const [folder, ...rest] = process.argv.slice(2);
const option = (name) => (rest.includes(name) ? rest[rest.indexOf(name) + 1] : undefined);
const every = Number(option('--every') ?? 1);
const from = Number(option('--from') ?? 0);
const minutes = Number(option('--minutes') ?? Number.POSITIVE_INFINITY);
const pairs = Number(option('--pairs') ?? 10);
const only = option('--only')?.split(',');
const classes = judgeClasses();
const FIXTURES = join(import.meta.dirname, '../fixtures');
/** Files that one process works on. */
const BATCH = 200;

/** Lines of the command, without the file and what comes out. `flavour`: what the output is to be, where that changes. */
const SINGLE = {
  rotate: { line: ['rotate', '--angle', '90'] },
  incremental: { line: ['rotate', '--angle', '90', '--incremental'] },
  split: { line: ['split', '--ranges', '1'] },
  take: { line: ['pages', 'take', '--pages', '1'] },
  reverse: { line: ['pages', 'reverse'] },
  meta: { line: ['meta', 'set', '--title', 'A new title', '--author', 'Somebody'] },
  'meta-clear': { line: ['meta', 'clear', '--fields', 'title,author'] },
  bookmarks: { line: ['bookmarks', 'clear'] },
  labels: { line: ['labels', 'clear'] },
  compress: { line: ['compress'] },
  lossless: { line: ['compress', '--lossless'] },
  linearize: { line: ['optimize', '--linearize'] },
  number: { line: ['number'] },
  stamp: { line: ['stamp', '--text', 'Draft', '--rotation', '45'] },
  faint: { line: ['stamp', '--text', 'Draft', '--opacity', '0.3'] },
  picture: { line: ['stamp', '--image', join(FIXTURES, 'pictures/pdfbox--png_alpha_gray.png')] },
  crop: { line: ['crop', '--margin', '3'] },
  resize: { line: ['resize', '--paper', 'A5'] },
  nup: { line: ['nup', '--per-sheet', '2'] },
  blank: { line: ['blank', '--first'] },
  ocr: { line: ['ocr'] },
  fill: { line: ['form', 'fill', '--values', '{}'] },
  flatten: { line: ['form', 'flatten'] },
  encrypt: { line: ['encrypt', '--owner-password-file', join(FIXTURES, 'README.md')] },
  archive: { line: ['archive'], flavour: '2b' },
};

const PAIR = {
  merge: (file) => ['merge', file, file],
  'merge-compress': (file) => ['merge-compress', file, file],
  overlay: (file) => ['overlay', file, '--pdf', file],
  attach: (file) => ['attach', 'add', file, join(FIXTURES, 'README.md')],
};

if (folder === undefined || classes.path === undefined) {
  process.stderr.write(`${classes.why ?? 'usage: conformance.mjs FOLDER'}\n`);
  process.exitCode = 2;
} else {
  await run();
}

/** The flavour that a file is named for, or its folder: PDF_A-2b, PDF_UA-1, pdfa1-pass-a, pdfa-2b.pdf. */
function flavourOf(path) {
  const [, kind, level] = /PDF_?(A|UA)-?(\d\w?)/i.exec(path) ?? [];
  if (kind?.toUpperCase() === 'UA') return `ua${level}`;
  return level === undefined || level.length > 1 || level === '4' ? level?.toLowerCase() : `${level}b`;
}

async function run() {
  const work = mkdtempSync(join(tmpdir(), 'conformance-'));
  const inputs = join(work, 'inputs');
  mkdirSync(inputs);
  const files = readdirSync(folder, { recursive: true })
    .filter((name) => /-pass-.*\.pdf$|^pdfu?a-\w+\.pdf$/.test(name) && flavourOf(name) !== undefined)
    .sort()
    .filter((_, i) => i % every === from % every)
    .map((name, i) => {
      const path = join(inputs, `${i}-${basename(name).replaceAll(' ', '_')}`);
      copyFileSync(join(folder, name), path);
      return { path, flavour: flavourOf(name) };
    });
  const before = await judge(
    files.map(({ flavour, path }) => [flavour, path]),
    classes,
  );
  const valid = files.filter((_, i) => before[i].verdict === 'PASS');
  process.stdout.write(`${valid.length} of ${files.length} files are valid before\n`);
  const made = [];
  for (const name of [...Object.keys(SINGLE), ...Object.keys(PAIR)]) {
    if (only !== undefined && !only.includes(name)) continue;
    if (performance.now() > minutes * 60_000) {
      process.stdout.write(`${name} did not begin\n`);
      continue;
    }
    const out = join(work, name);
    mkdirSync(out);
    const rows = name in PAIR ? inPairs(name, valid, out) : inBatches(name, valid, out);
    made.push({ name, rows, written: rows.filter(({ output }) => output !== undefined) });
  }
  // One run of the judge for all: it takes seconds to start.
  const after = await judge(
    made.flatMap(({ name, written }) => written.map((row) => [SINGLE[name]?.flavour ?? row.flavour, row.output])),
    classes,
  );
  for (const { name, rows, written } of made) report(name, rows, written, after.splice(0, written.length));
  rmSync(work, { recursive: true });
}

function pdftool(line) {
  const { stdout, stderr } = spawnSync(process.execPath, ['bin/pdftool.js', ...line, '--local', '--json', '-f'], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  return `${stdout}\n${stderr}`.split('\n').flatMap((text) => {
    try {
      return [JSON.parse(text)];
    } catch {
      return [];
    }
  });
}

function inBatches(name, valid, out) {
  const rows = [];
  for (let from = 0; from < valid.length; from += BATCH) {
    const some = valid.slice(from, from + BATCH);
    // A batch has two files at least.
    const files = some.map(({ path }) => path);
    const told = pdftool([...SINGLE[name].line, ...files, '--out-dir', out]);
    const byInput = new Map(told.map((record) => [record.input, record]));
    rows.push(...some.map((row) => rowOf(row, byInput.get(row.path))));
  }
  return rows;
}

function inPairs(name, valid, out) {
  return valid
    .filter((_, i) => i % pairs === 0)
    .map((row) => {
      const output = join(out, basename(row.path));
      return rowOf(row, pdftool([...PAIR[name](row.path), '-o', output])[0]);
    });
}

function rowOf(row, record) {
  const output = record?.output?.path ?? record?.outputs?.[0]?.path;
  // Parts stand in a folder.
  const isFolder = output !== undefined && statSync(output, { throwIfNoEntry: false })?.isDirectory() === true;
  const path = isFolder ? join(output, readdirSync(output)[0]) : output;
  const found = path !== undefined && existsSync(path) ? path : undefined;
  const warnings = JSON.stringify(record?.warnings ?? []);
  // A lower level of the same part is judged as that.
  const [, lower] = /the output claims PDF\/A-(\w+) instead/.exec(warnings) ?? [];
  const flavour = row.flavour.startsWith('ua') ? row.flavour : (lower ?? row.flavour);
  return {
    ...row,
    flavour,
    output: found,
    says: /no longer claims/.test(warnings),
    falls: lower !== undefined,
    record,
  };
}

/** What files claim, as `info` tells. */
function claimsOf(paths) {
  const claims = new Map();
  for (let from = 0; from < paths.length; from += BATCH) {
    const some = paths.slice(from, from + BATCH);
    for (const record of pdftool(['info', ...some, ...(some.length === 1 ? [some[0]] : [])]))
      claims.set(record.input ?? some[0], JSON.stringify(record));
  }
  return claims;
}

function report(name, rows, written, after) {
  const failed = written.filter((_, i) => after[i].verdict !== 'PASS');
  const claims = claimsOf(failed.map(({ output }) => output));
  const isLabelled = ({ output, flavour }) =>
    (flavour.startsWith('ua') ? /PDF\/UA-\d/ : /PDF\/A-\d/).test(claims.get(output) ?? 'PDF/A-0 PDF/UA-0');
  const labelled = failed.filter(isLabelled);
  const silent = failed.filter((row) => !isLabelled(row) && !row.says);
  if (labelled.length + silent.length > 0) process.exitCode = 1;
  const said = failed.length - labelled.length - silent.length;
  const refused = rows.length - written.length;
  const fallen = rows.filter(({ falls }) => falls).length;
  process.stdout.write(
    `${name.padEnd(14)} of ${rows.length}: valid ${written.length - failed.length} (${fallen} at a lower level), claim taken out ${said}, labelled and not valid ${labelled.length}, lost in silence ${silent.length}, refused ${refused}\n`,
  );
  const why = new Map();
  const count = (key) => why.set(key, (why.get(key) ?? 0) + 1);
  for (const [i, row] of written.entries()) {
    if (!labelled.includes(row) && !silent.includes(row)) continue;
    for (const rule of (after[i].rules || after[i].verdict).split(' '))
      count(`${silent.includes(row) ? 'silent ' : ''}${row.flavour} ${rule}, such as ${basename(row.path)}`);
  }
  for (const { record, output, says } of rows)
    if (says) count(`taken out: ${/no longer claims it: ([^"]*)/.exec(JSON.stringify(record.warnings))?.[1]}`);
    else if (output === undefined)
      count(`refused: ${String(record?.error?.message ?? 'without a record').slice(-120)}`);
  for (const [key, times] of [...why].sort(([, a], [, b]) => b - a).slice(0, 12))
    process.stdout.write(`   ${times} × ${key}\n`);
}
