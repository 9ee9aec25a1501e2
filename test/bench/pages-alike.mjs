import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The first pages, drawn. */
export function render(pdf, pages) {
  const folder = mkdtempSync(join(tmpdir(), 'bench-pages-'));
  try {
    const to = join(folder, 'page-%04d.pgm');
    spawnSync('mutool', ['draw', '-q', '-r', '100', '-c', 'gray', '-o', to, pdf, `1-${pages}`]);
    return readdirSync(folder)
      .sort()
      .map((name) => {
        const bytes = readFileSync(join(folder, name));
        const [, width, height] = /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(bytes.toString('latin1', 0, 40));
        return { width: Number(width), height: Number(height), pixels: bytes.subarray(bytes.length - width * height) };
      });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Structural similarity (Wang et al. 2004) of each page, windows of 8 by 8; 0 for pages that are not the same size. */
export function likeness(before, after) {
  return compare(before, after, similarity, 0);
}

/** Peak signal to noise of all pages together, in dB; 99 for equal pixels. */
export function noise(before, after) {
  const errors = compare(before, after, squares, Number.POSITIVE_INFINITY);
  const pixels = before.reduce((sum, { width, height }) => sum + width * height, 0);
  const mean = errors.reduce((sum, error) => sum + error, 0) / pixels;
  return mean === 0 ? 99 : Math.min(99, 10 * Math.log10(255 ** 2 / mean));
}

function compare(before, after, measure, unlike) {
  if (before.length !== after.length || before.length === 0) return [unlike];
  return before.map((page, i) => {
    const other = after[i];
    return page.width === other.width && page.height === other.height ? measure(page, other) : unlike;
  });
}

function squares({ pixels: a }, { pixels: b }) {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] - b[i]) ** 2;
  return sum;
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

/** Whether the first pages are the same to the pixel, in colour, by MuPDF and by Poppler. */
export function identical(a, b, pages) {
  const drawn = (pdf) => [
    hash('mutool', ['draw', '-q', '-r', '80', '-o', '-', pdf, `1-${pages}`]),
    hash('pdftoppm', ['-r', '80', '-l', String(pages), pdf]),
  ];
  return drawn(a).join() === drawn(b).join();
}

function hash(program, args) {
  return createHash('sha256')
    .update(spawnSync(program, args, { maxBuffer: 1 << 30 }).stdout)
    .digest('hex');
}

export function sameText(a, b) {
  return text(a) === text(b);
}

function text(pdf) {
  return spawnSync('pdftotext', [pdf, '-'], { maxBuffer: 1 << 28 }).stdout.toString();
}
