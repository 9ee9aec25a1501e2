#!/usr/bin/env node
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { held, line } from './compress-bars.mjs';
import { documents, isTex, photosOf } from './compress-inputs.mjs';
import { gs, ours, qpdf } from './compress-peers.mjs';
import { interleave } from './measure.mjs';
import { identical, likeness, render, sameText } from './pages-alike.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    program: { type: 'string', default: join(import.meta.dirname, '../../bin/pdftool.js') },
    pages: { type: 'string', default: '12' },
    runs: { type: 'string', default: '3' },
    under: { type: 'string', default: '' },
  },
});
const folder = mkdtempSync(join(tmpdir(), 'bench-compress-'));
const program = resolve(values.program);
const rows = [];
const failed = [];
const said = (text) => process.stdout.write(`${text}\n`);

for (const file of positionals.length > 0 ? positionals.map((each) => resolve(each)) : documents()) {
  const row = measured(file);
  if (row === undefined) continue;
  rows.push(row);
  const { sizes, alike, same, times } = row;
  const part = (name) => `${name} ${(sizes[name] / sizes.input).toFixed(3)}`;
  const differs = [...(same.text ? [] : ['TEXT DIFFERS']), ...(same.pixels ? [] : ['PIXELS DIFFER'])];
  const seconds = ({ ms, cpu }) => `${(ms / 1000).toFixed(2)} s, CPU ${(cpu / 1000).toFixed(2)}`;
  const timed = times === undefined ? [] : [`ours ${seconds(times.ours)}`, `gs ${seconds(times.gs)}`];
  const parts = ['ours', 'exact', 'qpdf', 'gs'].map(part).join(' ');
  const likes = `alike ${alike.ours.toFixed(4)}, gs ${alike.gs.toFixed(4)}`;
  said(
    [`${basename(file).padEnd(34)} ${String(sizes.input).padStart(9)} ${parts}`, likes, ...timed, ...differs].join(
      '; ',
    ),
  );
}
const bars = held(rows);
if (positionals.length === 0) {
  const large = photosOf(100_000_000);
  const { run } = interleave({ run: (out) => ours(program, large, out) }, { runs: 1, folder });
  bars.push(line('memory for 100 MB of photos, in MB', run.bytes[0] / 1_000_000, 300, ''));
}
said('');
for (const { text } of bars) said(text);
for (const file of failed) said(`${basename(file)}: pdftool failed`);
if (failed.length > 0 || bars.some(({ passed }) => !passed)) process.exitCode = 1;
rmSync(folder, { recursive: true, force: true });

/** Undefined where the program fails, which is the bench's failure. */
function measured(file) {
  const out = Object.fromEntries(['ours', 'exact', 'qpdf', 'gs'].map((name) => [name, join(folder, `${name}.pdf`)]));
  for (const path of Object.values(out)) rmSync(path, { force: true });
  const runs = [ours(program, file, out.ours), ours(program, file, out.exact, '--lossless')];
  if (runs.some(([command, ...args]) => spawnSync(command, args).status !== 0)) {
    failed.push(file);
    return undefined;
  }
  for (const [command, ...args] of [qpdf(file, out.qpdf), gs(file, out.gs)]) spawnSync(command, args);
  const before = render(file, values.pages);
  const alike = (path) => Math.min(...likeness(before, render(path, values.pages)));
  const sizes = Object.entries({ input: file, ...out }).map(([name, path]) => [name, sizeOf(path)]);
  return {
    sizes: Object.fromEntries(sizes),
    tex: isTex(file),
    alike: { ours: alike(out.ours), gs: alike(out.gs) },
    same: {
      text: sameText(file, out.ours) && sameText(file, out.exact),
      pixels: identical(file, out.exact, values.pages),
    },
    times: values.runs === '0' ? undefined : timesOf(file),
  };
}

function timesOf(file) {
  const script = join(import.meta.dirname, 'compress-times.mjs');
  const [command, ...args] = [
    ...values.under.split(' ').filter(Boolean),
    process.execPath,
    script,
    program,
    file,
    values.runs,
  ];
  const { status, stdout, stderr } = spawnSync(command, args);
  if (status !== 0) process.stderr.write(`no times of ${basename(file)}: ${stderr}\n`);
  return status === 0 ? JSON.parse(stdout.toString()) : undefined;
}

/** What a peer could not write is of no size. */
function sizeOf(path) {
  return statSync(path, { throwIfNoEntry: false })?.size ?? Number.NaN;
}
