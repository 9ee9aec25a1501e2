import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPicturePages } from './picture-pages.mjs';

const [WIDTH, HEIGHT] = [2400, 1800];
/** Noise is coarser than pixels, as detail of a photo is, so that a JPEG comes out at a few MB. */
const GRAIN = 2;

/** Writes a PDF of at least `bytes` bytes, one JPEG of noise a page, each of its own. */
export function drawPhotos(out, bytes) {
  const pdf = openPicturePages(out);
  for (let seed = 1; pdf.size < bytes; seed += 1)
    pdf.addPage(colour(jpegOfNoise(seed), WIDTH, HEIGHT, '/Filter/DCTDecode'));
  pdf.close();
}

function colour(data, width, height, coding = '') {
  const entries = `/ColorSpace/DeviceRGB/BitsPerComponent 8/Width ${width}/Height ${height}${coding}`;
  return { data, entries, sides: [600, 450] };
}

/** Poppler draws a page of noise and encodes it: no codec of our own, no picture of anybody. */
export function jpegOfNoise(seed, [wide, high] = [WIDTH, HEIGHT]) {
  const folder = mkdtempSync(join(tmpdir(), 'pdftool-bench-'));
  try {
    const page = join(folder, 'noise.pdf');
    const [width, height] = [wide / GRAIN, high / GRAIN];
    const pdf = openPicturePages(page);
    pdf.addPage(colour(noise(width * height * 3, seed), width, height));
    pdf.close();
    const scale = ['-scale-to-x', String(wide), '-scale-to-y', String(high)];
    execFileSync('pdftoppm', ['-jpeg', '-jpegopt', 'quality=92', '-singlefile', ...scale, page, join(folder, 'noise')]);
    return readFileSync(join(folder, 'noise.jpg'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The same bytes for the same seed (Numerical Recipes' generator). */
function noise(length, seed) {
  const bytes = Buffer.alloc(length);
  let state = seed;
  for (let i = 0; i < length; i += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bytes[i] = state >>> 24;
  }
  return bytes;
}
