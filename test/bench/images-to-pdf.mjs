#!/usr/bin/env node
// The bench of images-to-pdf: 25 JPEGs of about 1 MB and 10 PNGs of about 2 MB beside img2pdf, and that the bytes of the
// JPEGs and the pixels of the PNGs are in the PDF as they were. node test/bench/images-to-pdf.mjs [--program bin/pdftool.js] [--runs N]
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import { FOLDER } from './inputs.mjs';
import { interleave, median } from './measure.mjs';
import { jpegOfNoise } from './photos.mjs';

const { values } = parseArgs({
  options: {
    program: { type: 'string', default: join(import.meta.dirname, '../../bin/pdftool.js') },
    runs: { type: 'string', default: '5' },
  },
});
/** Comes to about a megabyte as JPEG. */
const SIZE = [1400, 1050];
const CASES = [
  { kind: 'jpg', count: 25, bar: 0.45, sameIn: (path) => hash(readFileSync(path)) },
  { kind: 'png', count: 10, bar: 0.5, sameIn: async (path) => hash(await sharp(path).raw().toBuffer()) },
];
const hash = (bytes) => createHash('sha256').update(bytes).digest('hex');
const options = ['--local', '-q', '-f', '--no-progress'];

for (const { kind, count, bar, sameIn } of CASES) {
  const pictures = await drawn(kind, count);
  const folder = mkdtempSync(join(tmpdir(), 'bench-images-'));
  const { ours, img2pdf } = interleave(
    {
      ours: (out) => [process.execPath, values.program, 'images-to-pdf', ...pictures, '-o', out, ...options],
      img2pdf: (out) => ['img2pdf', '--output', out, ...pictures],
    },
    { runs: Number(values.runs), folder },
  );
  const ratio = median(ours.ms) / median(img2pdf.ms);
  process.stdout.write(
    `${count} ${kind}: ours ${median(ours.ms).toFixed(0)} ms, img2pdf ${median(img2pdf.ms).toFixed(0)} ms, ratio ${ratio.toFixed(3)} (bar ${bar}), CPU ${(median(ours.cpu) / median(img2pdf.cpu)).toFixed(3)}\n`,
  );
  const pdf = join(folder, 'images.pdf');
  execFileSync(process.execPath, [values.program, 'images-to-pdf', ...pictures, '-o', pdf, ...options]);
  execFileSync('pdfimages', [kind === 'jpg' ? '-all' : '-png', pdf, join(folder, 'image')]);
  const found = readdirSync(folder).filter((name) => name.startsWith('image-'));
  let equal = 0;
  for (const [i, name] of found.sort().entries())
    if ((await sameIn(join(folder, name))) === (await sameIn(pictures[i]))) equal += 1;
  process.stdout.write(`equal in the PDF: ${equal} of ${count}\n`);
  if (ratio > bar || equal !== count || found.length !== count) process.exitCode = 1;
  rmSync(folder, { recursive: true, force: true });
}

/** Paths of the pictures, drawn where they are not there. */
async function drawn(kind, count) {
  const to = join(FOLDER, `${kind}s`);
  mkdirSync(to, { recursive: true });
  const paths = Array.from({ length: count }, (_, i) => join(to, `${String(i).padStart(2, '0')}.${kind}`));
  for (const [i, path] of paths.entries()) {
    if (existsSync(path)) continue;
    const jpeg = jpegOfNoise(i + 1, SIZE);
    writeFileSync(path, kind === 'jpg' ? jpeg : await sharp(jpeg).png().toBuffer());
  }
  return paths;
}
