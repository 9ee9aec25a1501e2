#!/usr/bin/env node
// The bench of images-to-pdf: 25 JPEGs of about 1 MB beside img2pdf, and that their bytes are in the PDF as they
// were. node test/bench/images-to-pdf.mjs [--program bin/pdftool.js] [--runs N]
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { FOLDER } from './inputs.mjs';
import { interleave, median } from './measure.mjs';
import { jpegOfNoise } from './photos.mjs';

const { values } = parseArgs({
  options: {
    program: { type: 'string', default: join(import.meta.dirname, '../../bin/pdftool.js') },
    runs: { type: 'string', default: '5' },
  },
});
const COUNT = 25;
/** Comes to about a megabyte. */
const SIZE = [1400, 1050];
const BAR = 0.45;

const jpegs = photos();
const folder = mkdtempSync(join(tmpdir(), 'bench-images-'));
const options = ['--local', '-q', '-f', '--no-progress'];
const { ours, img2pdf } = interleave(
  {
    ours: (out) => [process.execPath, values.program, 'images-to-pdf', ...jpegs, '-o', out, ...options],
    img2pdf: (out) => ['img2pdf', '--output', out, ...jpegs],
  },
  { runs: Number(values.runs), folder },
);
const ratio = median(ours.ms) / median(img2pdf.ms);
process.stdout.write(
  `${COUNT} JPEGs: ours ${median(ours.ms).toFixed(0)} ms, img2pdf ${median(img2pdf.ms).toFixed(0)} ms, ratio ${ratio.toFixed(3)} (bar ${BAR}), CPU ${(median(ours.cpu) / median(img2pdf.cpu)).toFixed(3)}\n`,
);
const pdf = join(folder, 'images.pdf');
execFileSync(process.execPath, [values.program, 'images-to-pdf', ...jpegs, '-o', pdf, ...options]);
execFileSync('pdfimages', ['-all', pdf, join(folder, 'image')]);
const hash = (path) => createHash('sha256').update(readFileSync(path)).digest('hex');
const found = readdirSync(folder).filter((name) => name.startsWith('image-'));
const equal = found.sort().filter((name, i) => hash(join(folder, name)) === hash(jpegs[i])).length;
process.stdout.write(`streams equal by sha256: ${equal} of ${COUNT}\n`);
if (ratio > BAR || equal !== COUNT || found.length !== COUNT) process.exitCode = 1;
rmSync(folder, { recursive: true, force: true });

/** Paths of the pictures, drawn where they are not there. */
function photos() {
  const to = join(FOLDER, 'jpegs');
  mkdirSync(to, { recursive: true });
  return Array.from({ length: COUNT }, (_, i) => {
    const path = join(to, `${String(i).padStart(2, '0')}.jpg`);
    if (!existsSync(path)) writeFileSync(path, jpegOfNoise(i + 1, SIZE));
    return path;
  });
}
