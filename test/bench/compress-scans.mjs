#!/usr/bin/env node
// Scans alone: sizes beside what they were, beside one layer, and beside jbig2enc where it is there.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { line } from './compress-bars.mjs';
import { documents } from './compress-inputs.mjs';
import { ours } from './compress-peers.mjs';
import { identical, likeness, render } from './pages-alike.mjs';
import { drawScan } from './scans.mjs';

const PAGES = 12;
/** Name, its printed pages, how it is scanned, options, and what its size is measured against and held to. */
const SCANS = [
  ['1 bit in Flate, to its size', 'R-admin.pdf', { kind: 'flate', dpi: 300, pages: '10,20,30' }, ['--lossless'], 0.45],
  ['1 bit in Group 4, to its size', 'refman.pdf', { kind: 'g4', dpi: 300, pages: '10,20,30' }, ['--lossless'], 0.7],
  ['colour text, to one layer', 'R-intro.pdf', { kind: 'color', dpi: 300, pages: '10,24' }, [], 0.5],
  ['colour pages, to one layer', 'en-eyes.pdf', { kind: 'color', dpi: 300, pages: '8,12,15' }, [], 0.5],
  ['colour lists, to one layer', 'freedombox-manual.pdf', { kind: 'color', dpi: 300, pages: '12,30' }, [], 0.5],
];
const program = join(import.meta.dirname, '../../bin/pdftool.js');
const folder = mkdtempSync(join(tmpdir(), 'bench-scans-'));
const printed = documents();
const bars = [];

for (const [name, file, how, options, bar] of SCANS) {
  const [scan, out, one] = ['scan', 'out', 'one'].map((each) => join(folder, `${each}.pdf`));
  await drawScan(
    scan,
    printed.find((path) => path.endsWith(`/${file}`)),
    how,
  );
  const bits = options.length > 0;
  compress(scan, out, options);
  if (!bits) compress(scan, one, ['--no-mrc']);
  bars.push(line(name, sizeOf(out) / sizeOf(bits ? scan : one), bar, file));
  const before = render(scan, PAGES);
  if (bits) bars.push(line(`${name}: other pixels`, Number(!identical(scan, out, PAGES)), 0, file));
  else bars.push(line(`${name}: lacks in SSIM`, 1 - Math.min(...likeness(before, render(out, PAGES))), 0.03, file));
  if (bits && spawnSync('jbig2', ['--version']).error === undefined)
    bars.push(line(`${name}: to jbig2enc`, sizeOf(out) / byJbig2enc(scan), 1.03, file));
}
for (const { text } of bars) process.stdout.write(`${text}\n`);
if (bars.some(({ passed }) => !passed)) process.exitCode = 1;
rmSync(folder, { recursive: true, force: true });

/** Bytes of the pictures by jbig2enc, each a generic region. */
function byJbig2enc(scan) {
  execFileSync('pdfimages', [scan, join(folder, 'bits')]);
  const pictures = readdirSync(folder).filter((name) => name.endsWith('.pbm'));
  const bytes = pictures.map((name) => execFileSync('jbig2', ['-p', '-d', join(folder, name)]).length);
  for (const name of pictures) rmSync(join(folder, name));
  return bytes.reduce((sum, each) => sum + each, 0);
}

function compress(from, to, options) {
  const [command, ...args] = ours(program, from, to, ...options);
  const { status } = spawnSync(command, args);
  if (status !== 0) throw new Error(`pdftool compress ended with ${status}`);
}

function sizeOf(path) {
  return statSync(path).size;
}
