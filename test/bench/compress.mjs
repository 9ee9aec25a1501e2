#!/usr/bin/env node
// Owns the bench of compress: sizes and times beside qpdf and Ghostscript, likeness of every page, equality of text.
//   node test/bench/compress.mjs [--program bin/pdftool.js] [--lossless] [--pages N] [FILE...]
// A file that Ghostscript fails on, or shows with less than 0.9 likeness, is not counted against it in size. With
// --lossless pages must be the same to the pixel in MuPDF and Poppler.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { documents } from './compress-inputs.mjs';
import { interleave } from './measure.mjs';
import { identical, likeness, render, sameText } from './pages-alike.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    program: { type: 'string', default: join(import.meta.dirname, '../../bin/pdftool.js') },
    lossless: { type: 'boolean', default: false },
    pages: { type: 'string', default: '12' },
  },
});
const ENOUGH_ALIKE = 0.97;
const QPDF = ['--object-streams=generate', '--recompress-flate', '--compression-level=9'];
const GS = ['-q', '-dBATCH', '-dNOPAUSE', '-sDEVICE=pdfwrite', '-dPDFSETTINGS=/ebook'];
const OURS = ['--local', '--force', '--no-progress', '-q', ...(values.lossless ? ['--lossless'] : [])];
const folder = mkdtempSync(join(tmpdir(), 'bench-compress-'));
const ratios = { 'size to qpdf': [], 'size to gs': [], 'time to gs': [], 'CPU to gs': [] };

for (const file of positionals.length > 0 ? positionals : documents()) {
  const out = { ours: join(folder, 'ours.pdf'), qpdf: join(folder, 'qpdf.pdf'), gs: join(folder, 'gs.pdf') };
  const ours = timed([process.execPath, values.program, 'compress', file, '-o', out.ours, ...OURS]);
  if (ours === undefined) {
    process.stdout.write(`${basename(file)}: pdftool failed\n`);
    process.exitCode = 1;
    continue;
  }
  spawnSync('qpdf', [...QPDF, file, out.qpdf]);
  const gs = values.lossless ? undefined : timed(['gs', ...GS, `-sOutputFile=${out.gs}`, file]);
  const before = render(file, values.pages);
  const alike = Math.min(...likeness(before, render(out.ours, values.pages)));
  const gsAlike = gs === undefined ? 0 : Math.min(...likeness(before, render(out.gs, values.pages)));
  const same = sameText(file, out.ours) && (!values.lossless || identical(file, out.ours, values.pages));
  const size = (path) => statSync(path).size;
  ratios['size to qpdf'].push(size(out.ours) / size(out.qpdf));
  if (gsAlike >= 0.9) ratios['size to gs'].push(size(out.ours) / size(out.gs));
  if (gs !== undefined) {
    ratios['time to gs'].push(ours.ms / gs.ms);
    ratios['CPU to gs'].push(ours.cpu / gs.cpu);
  }
  const part = (path) => (size(path) / size(file)).toFixed(3);
  const seconds = ({ ms, cpu }) => `${(ms / 1000).toFixed(2)} s, CPU ${(cpu / 1000).toFixed(2)}`;
  const peer = gs === undefined ? '' : ` gs ${part(out.gs)} alike ${gsAlike.toFixed(4)} ${seconds(gs)}`;
  process.stdout.write(
    `${basename(file).padEnd(34)} ${String(size(file)).padStart(9)} ours ${part(out.ours)} alike ${alike.toFixed(4)} ` +
      `${same ? 'same' : 'DIFFERENT'} ${values.lossless ? 'text and pixels' : 'text'} ${seconds(ours)} qpdf ${part(out.qpdf)}${peer}\n`,
  );
  if (size(out.ours) > size(file) || !same || alike < ENOUGH_ALIKE) process.exitCode = 1;
}
for (const [name, list] of Object.entries(ratios))
  if (list.length > 0) {
    const mean = Math.exp(list.reduce((sum, ratio) => sum + Math.log(ratio), 0) / list.length);
    process.stdout.write(`geometric mean, ${name}: ${mean.toFixed(3)} (${list.length} files)\n`);
  }
rmSync(folder, { recursive: true, force: true });

/** One run; undefined where the program fails. */
function timed(command) {
  try {
    const { run } = interleave({ run: () => command }, { runs: 1, folder });
    return { ms: run.ms[0], cpu: run.cpu[0] };
  } catch {
    return undefined;
  }
}
