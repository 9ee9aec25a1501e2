// What a redaction costs: processor time and memory of the program and its helper, against mutool reading and qpdf rewriting
// the same document, in one run.
//   node test/bench/redact.mjs
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const PROGRAM = resolve(import.meta.dirname, '../../bin/pdftool.js');
const SOURCE = resolve(import.meta.dirname, '../fixtures/guide.pdf');
const work = mkdtempSync(join(tmpdir(), 'redact-bench-'));

/** User and system seconds of a command and all its children, and the largest of them in MiB. */
function cost(command, args) {
  const timed = spawnSync('/usr/bin/time', ['-f', '%U %S %M', command, ...args], { cwd: work, encoding: 'utf8' });
  const [user = Number.NaN, system = Number.NaN, memory = Number.NaN] = (timed.stderr.trim().split('\n').at(-1) ?? '')
    .split(' ')
    .map(Number);
  if (timed.status !== 0) throw new Error(`${command} ${args.join(' ')}: ${timed.stderr}`);
  return { seconds: user + system, mebibytes: memory / 1024 };
}

/** A document of so many pages of text, and 50 regions in it. */
function prepare(pages) {
  const input = join(work, `${pages}.pdf`);
  spawnSync('qpdf', [
    '--empty',
    '--pages',
    ...Array.from({ length: Math.ceil(pages / 30) }, () => [SOURCE, '1-30']).flat(),
    '--',
    join(work, 'all.pdf'),
  ]);
  spawnSync('qpdf', [join(work, 'all.pdf'), '--pages', '.', `1-${pages}`, '--', input]);
  spawnSync(
    process.execPath,
    [PROGRAM, 'redact', 'inspect', input, '--local', '--find', 'document', '--find', 'page', '-o', 'found.json', '-f'],
    { cwd: work },
  );
  const found = JSON.parse(readFileSync(join(work, 'found.json'), 'utf8'));
  const step = Math.max(1, Math.floor(found.regions.length / 50));
  const regions = found.regions.filter((_, i) => i % step === 0).slice(0, 50);
  writeFileSync(join(work, 'regions.json'), JSON.stringify({ ...found, reviewed: true, regions }));
  return { input, regions: regions.length };
}

for (const pages of [30, 100]) {
  const { input, regions } = prepare(pages);
  const ours = cost(process.execPath, [
    PROGRAM,
    'redact',
    'apply',
    input,
    '--local',
    '--regions',
    'regions.json',
    '-o',
    'out.pdf',
    '-f',
    '-q',
  ]);
  const peer = cost('mutool', ['draw', '-q', '-r', '110', '-o', join(work, 'p%d.pnm'), input]);
  console.log(
    `${pages} pages, ${regions} regions: ${ours.seconds.toFixed(1)} s of processor time, ${ours.mebibytes.toFixed(0)} MiB; drawing them once with mutool ${peer.seconds.toFixed(1)} s: ratio ${(ours.seconds / peer.seconds).toFixed(1)}`,
  );
}
rmSync(work, { recursive: true, force: true });
