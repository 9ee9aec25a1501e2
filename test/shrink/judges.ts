import { spawnSync } from 'node:child_process';

/** Every page by two programs, as one buffer each. */
export function pictures(pdf: string, dpi = 40): [Buffer, Buffer] {
  const resolution = ['-r', String(dpi)];
  const mupdf = spawnSync('mutool', ['draw', '-q', ...resolution, '-F', 'ppm', '-o', '-', pdf], { maxBuffer: 1 << 28 });
  const poppler = spawnSync('pdftoppm', [...resolution, pdf], { maxBuffer: 1 << 28 });
  return [mupdf.stdout, poppler.stdout];
}

export const textOf = (pdf: string) =>
  spawnSync('pdftotext', ['-layout', pdf, '-'], { maxBuffer: 1 << 28 }).stdout.toString();

export const check = (pdf: string) => spawnSync('qpdf', ['--check', pdf]);
