#!/usr/bin/env node
// Rotating a file whose stream lengths are wrong, against the same file with right ones: processor time of the process and
// of those it starts, pair by pair. Expected: at most 2. By hand: npm run build && node test/bench/wrong-lengths.mjs
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { median } from './measure.mjs';

const PROGRAM = resolve(import.meta.dirname, '../../bin/pdftool.js');
const folder = mkdtempSync(join(tmpdir(), 'pdftool-bench-lengths-'));
try {
  const streams = Array.from({ length: 200 }, () =>
    randomBytes(100_000).toString('latin1').replaceAll('endstream', ''),
  );
  for (const [name, off] of [
    ['right', 0],
    ['short', -7],
    ['long', 1_000],
  ])
    writeFileSync(join(folder, name), pdf(streams, off));
  const ratios = { short: [], long: [] };
  for (let round = 0; round < 7; round += 1) {
    const right = seconds('right');
    for (const name of Object.keys(ratios)) ratios[name].push(seconds(name) / right);
  }
  for (const [name, all] of Object.entries(ratios))
    process.stdout.write(`lengths too ${name}: ${median(all).toFixed(2)} of the time (bar 2)\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function seconds(name) {
  const words = [
    process.execPath,
    PROGRAM,
    'rotate',
    join(folder, name),
    '--angle',
    '90',
    '--local',
    '--force',
    '-o',
    join(folder, 'out'),
  ];
  const run = spawnSync('sh', ['-c', '"$@" >/dev/null 2>&1; times', 'sh', ...words], { encoding: 'utf8' });
  const [user, system] = run.stdout
    .trim()
    .split('\n')[1]
    .split(' ')
    .map((text) => {
      const [, minutes, rest] = /^(\d+)m([\d.]+)s$/.exec(text);
      return Number(minutes) * 60 + Number(rest);
    });
  return user + system;
}

function pdf(streams, off) {
  const kids = streams.map((_, i) => `${2 * i + 3} 0 R`).join(' ');
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Count ${streams.length}/Kids[${kids}]/MediaBox[0 0 600 800]>>`,
  ];
  for (const [i, data] of streams.entries()) {
    objects.push(
      `<</Type/Page/Parent 2 0 R/Contents ${2 * i + 4} 0 R>>`,
      `<</Length ${data.length + off}>>stream\n${data}\nendstream`,
    );
  }
  const parts = ['%PDF-1.4\n'];
  let at = parts[0].length;
  const rows = objects.map((object, i) => {
    const text = `${i + 1} 0 obj\n${object}\nendobj\n`;
    const row = `${String(at).padStart(10, '0')} 00000 n \n`;
    parts.push(text);
    at += text.length;
    return row;
  });
  parts.push(
    `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows.join('')}trailer<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${at}\n%%EOF\n`,
  );
  return Buffer.from(parts.join(''), 'latin1');
}
