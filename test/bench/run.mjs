#!/usr/bin/env node
// Times pdftool and its peers as whole processes, by turns, and says which cases are over their bars.
// run.mjs [--case NAME]… [--runs N] [--program FILE] [--list] [--table]
//   --table: measures the cases of the table in docs/comparison.md and writes it there. Only on a machine that is idle.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { CASES, MOST_MEMORY } from './cases.mjs';
import { FOLDER } from './inputs.mjs';
import { interleave, median } from './measure.mjs';
import { measuredTable, ROWS, withTable } from './table.mjs';

const { values } = parseArgs({
  options: {
    case: { type: 'string', multiple: true },
    runs: { type: 'string' },
    program: { type: 'string', default: join(import.meta.dirname, '../../bin/pdftool.js') },
    list: { type: 'boolean', default: false },
    table: { type: 'boolean', default: false },
  },
});
const program = resolve(values.program);
const known = CASES.map(({ name }) => name);
const wanted = values.table ? Object.keys(ROWS) : values.case;
const results = {};
const unknown = (wanted ?? []).filter((name) => !known.includes(name));

if (values.list) {
  for (const { name, says } of CASES) process.stdout.write(`${name.padEnd(16)} ${says}\n`);
} else if (unknown.length > 0) {
  process.stderr.write(`there is no case ${unknown.join(', ')}; there are ${known.join(', ')}\n`);
  process.exitCode = 2;
} else if (!existsSync('/usr/bin/time')) {
  process.stderr.write('the bench needs /usr/bin/time (apt-get install time)\n');
  process.exitCode = 2;
} else {
  process.stdout.write(
    `Node ${process.versions.node}; medians, pair by pair; text by CPU time, the rest by the clock; MB = 1,000,000 bytes\n`,
  );
  process.stdout.write(`${row('case', 'pdftool', 'peer', 'ratio', 'bar', '', 'size')}\n`);
  if (process.env.NODE_EXTRA_CA_CERTS !== undefined)
    process.stdout.write('NODE_EXTRA_CA_CERTS slows each start of Node 20 here: kept beside node -e 0 alone\n');
  const chosen = CASES.filter(({ name }) => wanted === undefined || wanted.includes(name));
  const failures = chosen.flatMap(measureCase);
  for (const failure of failures) process.stdout.write(`over the bar: ${failure}\n`);
  process.exitCode = failures.length === 0 ? 0 : 1;
  if (values.table) {
    const document = join(import.meta.dirname, '../../docs/comparison.md');
    writeFileSync(document, withTable(readFileSync(document, 'utf8'), measuredTable(process.versions.node, results)));
  }
}

/** Prints a line for each peer; returns what is over its bar, of time, memory or size. */
function measureCase(spec) {
  const runs = values.runs === undefined ? spec.runs : Number(values.runs);
  const commands = { pdftool: (out) => [process.execPath, program, ...spec.args(out), ...quietly(spec)] };
  for (const name of Object.keys(spec.peers('', program))) commands[name] = (out) => spec.peers(out, program)[name];
  const measured = interleave(commands, { runs, folder: join(FOLDER, 'out'), asItIs: spec.asItIs === true });
  results[spec.name] = measured;
  const { pdftool, ...peers } = measured;
  const failures = [];
  const peak = Math.max(...pdftool.bytes);
  const most = spec.memory ?? MOST_MEMORY;
  if (peak > most) failures.push(`${spec.name}: ${megabytes(peak)} MB of memory, bar ${megabytes(most)}`);
  const time = ({ ms, cpu }) => (spec.cpu === true ? cpu : ms);
  const seconds = median(time(pdftool)) / 1000;
  if (seconds > (spec.seconds ?? Number.POSITIVE_INFINITY))
    failures.push(`${spec.name}: ${seconds} s, bar ${spec.seconds}`);
  for (const [name, peer] of Object.entries(peers)) {
    const ratio = median(time(pdftool).map((ms, i) => ms / time(peer)[i]));
    const bar = spec.bars[name];
    const passed = bar === undefined || ratio <= bar;
    const size = pdftool.size > 0 && peer.size > 0 ? (pdftool.size / peer.size).toFixed(3) : '';
    const verdict = bar === undefined ? '' : passed ? 'pass' : 'FAIL';
    process.stdout.write(
      `${row(spec.says, cost(pdftool, time), `${name} ${cost(peer, time)}`, ratio.toFixed(3), bar ?? '', verdict, size)}\n`,
    );
    if (!passed) failures.push(`${spec.name}: ${ratio.toFixed(3)} x ${name}, bar ${bar}`);
    if (spec.sized === true && name === 'qpdf' && pdftool.size > peer.size) {
      failures.push(`${spec.name}: output of ${pdftool.size} bytes, qpdf's ${peer.size}`);
    }
  }
  return failures;
}

function quietly({ name }) {
  return name === 'version' || name === 'help' ? [] : ['--local', '--quiet'];
}

function cost(measured, time) {
  return `${median(time(measured)).toFixed(0)} ms ${megabytes(median(measured.bytes))} MB`;
}

function megabytes(bytes) {
  return (bytes / 1_000_000).toFixed(0);
}

function row(says, program, peer, ratio, bar, verdict, size) {
  const cells = [says.padEnd(34), program.padStart(15), peer.padStart(25), ratio.padStart(7)];
  return [...cells, String(bar).padStart(5), verdict.padStart(5), size.padStart(7)].join('  ').trimEnd();
}
