import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const [WIDTH, HEIGHT] = [2400, 1800];
/** Noise is coarser than pixels, as detail of a photo is, so that a JPEG comes out at a few MB. */
const GRAIN = 2;

/** Writes a PDF of at least `bytes` bytes, one JPEG of noise a page, each of its own. */
export function drawPhotos(out, bytes) {
  const pdf = openPdf(out);
  for (let seed = 1; pdf.size < bytes; seed += 1) pdf.addPage(jpegOfNoise(seed));
  pdf.close();
}

/** Poppler draws a page of noise and encodes it: no codec of our own, no picture of anybody. */
export function jpegOfNoise(seed, [wide, high] = [WIDTH, HEIGHT]) {
  const folder = mkdtempSync(join(tmpdir(), 'pdftool-bench-'));
  try {
    const page = join(folder, 'noise.pdf');
    const [width, height] = [wide / GRAIN, high / GRAIN];
    const pdf = openPdf(page);
    pdf.addPage(noise(width * height * 3, seed), `/Width ${width}/Height ${height}`);
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

/** A writer of one kind of PDF: a picture a page. Without `shape` the picture is a JPEG of the full size. */
function openPdf(path) {
  const file = openSync(path, 'w');
  const offsets = [];
  let size = 0;
  const put = (data) => {
    size += writeSync(file, data);
  };
  const object = (number, ...parts) => {
    offsets[number] = size;
    put(`${number} 0 obj\n`);
    parts.forEach(put);
    put('\nendobj\n');
  };
  const pages = [];
  put('%PDF-1.4\n%\u00e2\u00e3\n');
  return {
    get size() {
      return size;
    },
    addPage(image, shape) {
      const first = 3 + pages.length * 3;
      const look = shape ?? `/Width ${WIDTH}/Height ${HEIGHT}/Filter/DCTDecode`;
      const head = `<</Type/XObject/Subtype/Image/ColorSpace/DeviceRGB/BitsPerComponent 8${look}/Length ${image.length}>>`;
      const content = 'q 600 0 0 450 0 0 cm /I Do Q';
      object(first, `${head}\nstream\n`, image, '\nendstream');
      object(first + 1, `<</Length ${content.length}>>\nstream\n${content}\nendstream`);
      const resources = `/Resources<</XObject<</I ${first} 0 R>>>>`;
      object(first + 2, `<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 450]${resources}/Contents ${first + 1} 0 R>>`);
      pages.push(first + 2);
    },
    close() {
      object(1, '<</Type/Catalog/Pages 2 0 R>>');
      object(2, `<</Type/Pages/Count ${pages.length}/Kids[${pages.map((page) => `${page} 0 R`).join(' ')}]>>`);
      const start = size;
      const entries = offsets.slice(1).map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`);
      put(`xref\n0 ${offsets.length}\n0000000000 65535 f \n${entries.join('')}`);
      put(`trailer\n<</Size ${offsets.length}/Root 1 0 R>>\nstartxref\n${start}\n%%EOF\n`);
      closeSync(file);
    },
  };
}
