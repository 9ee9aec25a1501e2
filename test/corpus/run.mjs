#!/usr/bin/env node
import { rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { invoke, LONGEST } from './invoke.mjs';
import { CASES } from './operations.mjs';
import { entriesOf, missing, OPERATIONS } from './selection.mjs';
import { problemsOf } from './verdict.mjs';

const { values } = parseArgs({
  options: {
    set: { type: 'string', default: 'plain' },
    only: { type: 'string' },
    op: { type: 'string', multiple: true },
    program: { type: 'string', default: join(import.meta.dirname, '../../bin/pdftool.js') },
    jobs: { type: 'string', default: '2' },
    /** Seconds a run may take; more than the rule's 20 only where the machine is busy with other work. */
    patience: { type: 'string', default: String(LONGEST / 1000) },
    /** Folders of runs that failed stay, and are named. */
    keep: { type: 'boolean', default: false },
    /** `2/5`: the second of five parts of the files, so that each ends within a time limit. */
    part: { type: 'string', default: '1/1' },
    /** A file that gets every result as JSON. */
    report: { type: 'string' },
  },
});
const program = resolve(values.program);
const ops = values.op ?? OPERATIONS;

const reason = missing();
if (reason !== undefined) {
  process.stdout.write(`skipped: ${reason}\n`);
} else {
  const [part, parts] = values.part.split('/').map(Number);
  const entries = (await entriesOf(values.set, values.only)).filter((_, i) => i % parts === part - 1);
  const work = entries.flatMap((entry) => ops.filter((op) => op in entry.expect).map((op) => ({ entry, op })));
  const results = [];
  // Ctrl-C, or a time limit around this: what was found so far is printed.
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => work.splice(0));
  const workers = Array.from({ length: Number(values.jobs) }, async () => {
    for (let next = work.shift(); next !== undefined; next = work.shift()) results.push(await attempt(next));
  });
  await Promise.all(workers);
  print(entries.length, results);
  if (values.report !== undefined) writeFileSync(values.report, JSON.stringify(results));
  process.exitCode = results.length > 0 && results.every(({ problems }) => problems.length === 0) ? 0 : 1;
}

async function attempt({ entry, op }) {
  const run = await invoke(program, CASES[op].args(entry.path), Number(values.patience) * 1000);
  const problems = (await problemsOf(op, entry, run)).map((each) => each.replaceAll(entry.path, entry.file));
  const kept = values.keep && problems.length > 0;
  if (!kept) rmSync(run.folder, { recursive: true, force: true });
  return {
    file: entry.file,
    class: entry.class,
    op,
    expected: entry.expect[op],
    exit: run.code ?? run.signal,
    ms: run.ms,
    mib: run.memory === undefined ? undefined : Math.round(run.memory / 1048576),
    problems,
    ...(kept && { folder: run.folder }),
  };
}

function print(files, results) {
  const failed = results.filter(({ problems }) => problems.length > 0);
  for (const [name, ofClass] of grouped(failed, (each) => each.class)) {
    process.stdout.write(`\n${name}\n`);
    // The same words for several operations on a file are said once.
    for (const [, same] of grouped(ofClass, ({ file, problems }) => `${file} ${problems.join()}`)) {
      const [{ file, expected, problems }] = same;
      process.stdout.write(`  ${file} ${same.map(({ op }) => op).join(' ')} (${expected})\n`);
      for (const problem of problems) process.stdout.write(`      ${problem}\n`);
      for (const { folder } of same) if (folder !== undefined) process.stdout.write(`      kept in ${folder}\n`);
    }
  }
  process.stdout.write(`\n${values.set}: ${files} files\n`);
  for (const op of ops) {
    const all = results.filter((each) => each.op === op);
    const good = all.filter(({ problems }) => problems.length === 0);
    const slowest = all.reduce((a, b) => (b.ms > a.ms ? b : a), { ms: 0, file: '-' });
    const widest = all.reduce((a, b) => ((b.mib ?? 0) > a.mib ? b : a), { mib: 0, file: '-' });
    process.stdout.write(
      `${op.padEnd(6)} ${good.length} of ${all.length} right; slowest ${slowest.ms} ms (${slowest.file}), ` +
        `most memory ${widest.mib} MiB (${widest.file})\n`,
    );
  }
}

function grouped(list, keyOf) {
  const groups = new Map();
  for (const each of list) groups.set(keyOf(each), [...(groups.get(keyOf(each)) ?? []), each]);
  return [...groups].sort(([a], [b]) => a.localeCompare(b));
}
