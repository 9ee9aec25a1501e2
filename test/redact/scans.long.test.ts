// Scans: words in pictures are found where --ocr asks for it, here and in serve, and their pixels go.
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { folder, pdftool } from '../e2e/pdftool.ts';
import { killServers, remote, serve } from '../serve/program.ts';

const hasTesseract = spawnSync('tesseract', ['--version']).status === 0;
const here = folder();
afterAll(() => {
  killServers();
  here[Symbol.dispose]();
});
const LINES = [
  'The letter was written by Josephine Baker in the winter of that year,',
  'and sent to josephine.baker@example.com from the harbour office.',
  'Nothing in this line has to go anywhere at all.',
];

interface Found {
  readonly regions: readonly { page: number; x: number; y: number; w: number; h: number; kind: string }[];
  readonly pages_without_text: readonly number[];
  readonly ocr_pages?: readonly number[];
}
const found = (name: string) => JSON.parse(readFileSync(here.at(name), 'utf8')) as Found;

/** What tesseract reads in a page. */
function read(name: string): string {
  const picture = execFileSync('pdftoppm', ['-r', '200', '-gray', '-png', '-singlefile', here.at(name)]);
  return execFileSync('tesseract', ['stdin', 'stdout'], {
    input: picture,
    stdio: ['pipe', 'pipe', 'ignore'],
  }).toString();
}

describe.skipIf(!hasTesseract)('a scan', { timeout: 120_000 }, () => {
  beforeAll(async () => {
    const document = await PDFDocument.create();
    const font = await document.embedFont(StandardFonts.TimesRoman);
    const page = document.addPage([612, 300]);
    for (const [i, line] of LINES.entries()) page.drawText(line, { x: 60, y: 220 - 30 * i, size: 14, font });
    writeFileSync(here.at('text.pdf'), await document.save());
    execFileSync('pdftoppm', ['-r', '200', '-gray', '-png', '-singlefile', here.at('text.pdf'), here.at('scan')]);
    await pdftool(['images-to-pdf', 'scan.png', '-o', 'scan.pdf'], { cwd: here.path });
  });

  it('has nothing to be found in it, and what helps is named', async () => {
    const run = await pdftool(['redact', 'inspect', 'scan.pdf', '--find', 'Josephine', '-o', 'none.json'], {
      cwd: here.path,
      env: { PATH: '/nonexistent' },
    });
    expect([run.exitCode, run.stderr]).toEqual([
      3,
      expect.stringMatching(/page 1 has no text .* install tesseract and have OCR read/),
    ]);
    expect(run.stderr).toContain('page 1 has pictures that may hold words');
    expect(run.stderr).toContain('"Josephine" was found nowhere');
    expect(found('none.json')).toMatchObject({ regions: [], pages_without_text: [1] });
  });

  const inspect = ['redact', 'inspect', 'scan.pdf', '--ocr', '--find', 'Josephine Baker', '--kinds', 'email'];

  it('is recognised with --ocr, and what is found goes from its picture', async () => {
    const run = await pdftool([...inspect, '-o', 'regions.json'], { cwd: here.path });
    expect([run.exitCode, run.stderr]).toEqual([0, expect.stringContaining('were recognised in pictures (tesseract')]);
    const { regions, ...rest } = found('regions.json');
    expect(rest).toMatchObject({ pages_without_text: [], ocr_pages: [1] });
    expect(regions.map(({ kind }) => kind)).toEqual(['text', 'email']);
    // Where poppler has the words in the document that was scanned.
    const bbox = execFileSync('pdftotext', ['-bbox', here.at('text.pdf'), '-'], { encoding: 'utf8' });
    const [, x0, y0] = /xMin="([\d.]+)" yMin="([\d.]+)"[^>]*>Josephine/.exec(bbox)!;
    const [, x1, y1] = /xMax="([\d.]+)" yMax="([\d.]+)">Baker/.exec(bbox)!;
    const [{ x, y, w, h } = { x: 0, y: 0, w: 0, h: 0 }] = regions;
    const box = [x * 612, y * 300, (x + w) * 612, (y + h) * 300];
    for (const [i, side] of [x0, y0, x1, y1].entries()) expect(Math.abs(box[i]! - Number(side))).toBeLessThan(6);
    expect(readFileSync(here.at('regions.json'), 'utf8')).not.toMatch(/josephine/i);
    const apply = ['redact', 'apply', 'scan.pdf', '--regions', 'regions.json', '--reviewed', '-o', 'out.pdf'];
    expect((await pdftool(apply, { cwd: here.path })).exitCode).toBe(0);
    expect(read('scan.pdf')).toMatch(/Josephine[\s\S]*josephine\.baker@/);
    expect(read('out.pdf')).not.toMatch(/josephine|baker/i);
    expect(read('out.pdf')).toContain('Nothing in this line has to go');
    execFileSync('qpdf', ['--check', here.at('out.pdf')]);
  });

  it('is inspected so by serve', async () => {
    const served = await serve(here);
    const env = remote(served, served.key);
    const run = await pdftool([...inspect, '-o', 'served.json'], { cwd: here.path, env });
    expect(run.exitCode).toBe(0);
    const plain = ({ regions }: Found) => regions.map(({ page, x, y, w, h, kind }) => [page, x, y, w, h, kind]);
    expect(plain(found('served.json'))).toEqual(plain(found('regions.json')));
  });
});
