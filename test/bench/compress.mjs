#!/usr/bin/env node
// Owns the bench of compress: sizes beside qpdf and Ghostscript, likeness of every page, equality of text.
//   node test/bench/compress.mjs [--program bin/pdftool.js] [--lossless] [--pages N] FILE...
// Likeness is structural similarity (Wang et al. 2004) of pages rendered by MuPDF at 100 dpi, 8 by 8 windows. A file that
// Ghostscript fails on, or shows with less than 0.9 likeness, is not counted against it.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    program: { type: 'string', default: join(import.meta.dirname, '../../bin/pdftool.js') },
    lossless: { type: 'boolean', default: false },
    pages: { type: 'string', default: '12' },
  },
});
const folder = mkdtempSync(join(tmpdir(), 'bench-compress-'));
const QPDF = ['--object-streams=generate', '--recompress-flate', '--compression-level=9'];
const GS = ['-q', '-dBATCH', '-dNOPAUSE', '-sDEVICE=pdfwrite', '-dPDFSETTINGS=/ebook'];
const ratios = { qpdf: [], gs: [], 'gs CPU': [] };

for (const file of positionals) {
  const out = { ours: join(folder, 'ours.pdf'), qpdf: join(folder, 'qpdf.pdf'), gs: join(folder, 'gs.pdf') };
  const options = ['--local', '--force', '--no-progress', '-q', ...(values.lossless ? ['--lossless'] : [])];
  const ours = timed(process.execPath, [values.program, 'compress', file, '-o', out.ours, ...options]);
  if (ours.status !== 0) {
    process.stdout.write(`${basename(file)}: pdftool ended with ${ours.status}\n`);
    process.exitCode = 1;
    continue;
  }
  spawnSync('qpdf', [...QPDF, file, out.qpdf]);
  const gs = timed('gs', [...GS, `-sOutputFile=${out.gs}`, file]);
  const before = render(file);
  const alike = Math.min(...likeness(before, render(out.ours)));
  const gsAlike = gs.status === 0 ? Math.min(...likeness(before, render(out.gs))) : 0;
  const sameText = text(file) === text(out.ours);
  const size = (path) => statSync(path).size;
  ratios.qpdf.push(size(out.ours) / size(out.qpdf));
  if (gsAlike >= 0.9) ratios.gs.push(size(out.ours) / size(out.gs));
  if (gs.status === 0) ratios['gs CPU'].push(ours.cpu / gs.cpu);
  const row = [size(out.ours), size(out.qpdf), gs.status === 0 ? size(out.gs) : 0].map((bytes) =>
    (bytes / size(file)).toFixed(3),
  );
  process.stdout.write(
    `${basename(file).padEnd(32)} ${String(size(file)).padStart(10)} ours ${row[0]} qpdf ${row[1]} gs ${row[2]} ` +
      `alike ${alike.toFixed(4)} gs ${gsAlike.toFixed(4)} text ${sameText ? 'same' : 'DIFFERS'} cpu ${ours.cpu.toFixed(2)} gs ${gs.cpu.toFixed(2)}\n`,
  );
  if (size(out.ours) > size(file) || !sameText || alike < 0.97) process.exitCode = 1;
}
for (const [name, list] of Object.entries(ratios))
  if (list.length > 0) {
    const mean = Math.exp(list.reduce((sum, ratio) => sum + Math.log(ratio), 0) / list.length);
    process.stdout.write(`geometric mean to ${name}: ${mean.toFixed(3)} (${list.length} files)\n`);
  }
rmSync(folder, { recursive: true, force: true });

/** Runs a program; CPU seconds of it, so that a busy machine changes little. */
function timed(program, args) {
  const report = join(folder, 'time');
  const { status } = spawnSync('/usr/bin/time', ['-o', report, '-f', '%U %S', program, ...args], { timeout: 300_000 });
  const [user, system] = readFileSync(report, 'utf8').trim().split('\n').at(-1).split(' ').map(Number);
  return { status, cpu: user + system };
}

function render(pdf) {
  for (const name of readdirSync(folder)) if (name.startsWith('page-')) rmSync(join(folder, name));
  const to = join(folder, 'page-%03d.pgm');
  spawnSync('mutool', ['draw', '-q', '-r', '100', '-c', 'gray', '-o', to, pdf, `1-${values.pages}`]);
  return readdirSync(folder)
    .filter((name) => name.startsWith('page-'))
    .sort()
    .map((name) => {
      const bytes = readFileSync(join(folder, name));
      const [, width, height] = /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(bytes.toString('latin1', 0, 40));
      return { width: Number(width), height: Number(height), pixels: bytes.subarray(bytes.length - width * height) };
    });
}

function likeness(before, after) {
  if (before.length !== after.length) return [0];
  return before.map((page, i) => {
    const other = after[i];
    return page.width === other.width && page.height === other.height ? similarity(page, other) : 0;
  });
}

function similarity({ width, height, pixels: a }, { pixels: b }) {
  let sum = 0;
  let count = 0;
  for (let y = 0; y + 8 <= height; y += 4)
    for (let x = 0; x + 8 <= width; x += 4) {
      let [sa, sb, aa, bb, ab] = [0, 0, 0, 0, 0];
      for (let j = 0; j < 8; j++)
        for (let i = (y + j) * width + x, end = i + 8; i < end; i++) {
          sa += a[i];
          sb += b[i];
          aa += a[i] * a[i];
          bb += b[i] * b[i];
          ab += a[i] * b[i];
        }
      const [ma, mb] = [sa / 64, sb / 64];
      const [va, vb, cov] = [aa / 64 - ma * ma, bb / 64 - mb * mb, ab / 64 - ma * mb];
      sum += ((2 * ma * mb + 6.5025) * (2 * cov + 58.5225)) / ((ma * ma + mb * mb + 6.5025) * (va + vb + 58.5225));
      count += 1;
    }
  return count === 0 ? 1 : sum / count;
}

function text(pdf) {
  return spawnSync('pdftotext', [pdf, '-'], { maxBuffer: 1 << 28 }).stdout.toString();
}
