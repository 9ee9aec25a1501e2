// What becomes of damaged files that readers disagree on, or that only others can read.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pdfOf } from '../structure/run.ts';
import { folder, pdftool } from './pdftool.ts';

const LOREM = join(import.meta.dirname, '../fixtures/lorem-ipsum.pdf');

/** One of its three pages does not say that it is one, and the root speaks of two: pdf-lib and pdf.js find two. */
const DISPUTED = pdfOf([
  '<</Type/Catalog/Pages 2 0 R>>',
  '<</Type/Pages/Kids[3 0 R 4 0 R 5 0 R]/Count 2/MediaBox[0 0 99 99]>>',
  '<</Type/Page/Parent 2 0 R>>',
  '<</Type/Page/Parent 2 0 R>>',
  '<</Parent 2 0 R/MediaBox[0 0 99 99]>>',
]);

/** Its page says nothing of what a page has; PDFium and pdf.js take it for one, because it is where one should be. */
const THEIRS = pdfOf([
  '<</Type/Catalog/Pages 2 0 R>>',
  '<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 99 99]>>',
  '<</Type t 2 0 R/Annots[]>>',
]);

function pagesOf(path: string): string {
  return execFileSync('qpdf', ['--show-npages', path], { encoding: 'utf8' }).trim();
}

describe('a file that readers disagree on', () => {
  it('is refused, and the message names the counts and the flag', async () => {
    using here = folder();
    writeFileSync(here.at('a.pdf'), DISPUTED);
    const { exitCode, stderr } = await pdftool(['rotate', 'a.pdf', '--angle', '90', '-o', 'out.pdf'], {
      cwd: here.path,
    });
    expect(exitCode).toBe(6);
    expect(stderr).toMatch(/3 pages found in it; pdf-lib finds 2 pages; pdf\.js finds 2 pages/);
    expect(stderr).toContain('--salvage');
    expect(here.list()).toEqual(['a.pdf']);
  });

  it.each([['rotate', '--angle', '90'], ['compress'], ['merge', 'lorem.pdf']])(
    'is salvaged by %s with --salvage: exit 3, and a warning',
    async (command, ...more) => {
      using here = folder();
      writeFileSync(here.at('a.pdf'), DISPUTED);
      writeFileSync(here.at('lorem.pdf'), readFileSync(LOREM));
      const args = [command, 'a.pdf', ...more, '--salvage', '--json', '-o', 'out.pdf'];
      const { exitCode, stdout, stderr } = await pdftool(args, { cwd: here.path });
      expect(exitCode).toBe(3);
      expect(stderr).toContain('it was salvaged');
      expect(JSON.parse(stdout).warnings.join('\n')).toMatch(/a\.pdf is damaged and what is likeliest was taken of it/);
      expect(pagesOf(here.at('out.pdf'))).toBe(command === 'merge' ? '7' : '3');
    },
  );

  it('is salvaged among others of a batch', async () => {
    using here = folder();
    writeFileSync(here.at('a.pdf'), DISPUTED);
    writeFileSync(here.at('lorem.pdf'), readFileSync(LOREM));
    const args = ['rotate', 'a.pdf', 'lorem.pdf', '--angle', '90', '--salvage', '--out-dir', 'out', '-j', '2'];
    const { exitCode } = await pdftool(args, { cwd: here.path });
    expect(exitCode).toBe(3);
    expect(pagesOf(here.at('out/a-rotated.pdf'))).toBe('3');
  });

  it('is not salvaged by the service', async () => {
    using here = folder();
    writeFileSync(here.at('a.pdf'), DISPUTED);
    const { exitCode, stderr } = await pdftool(['info', 'a.pdf', '--salvage', '--remote'], {
      cwd: here.path,
      env: { PDFTOOL_API_KEY: 'key', PDFTOOL_BASE_URL: 'http://127.0.0.1:9' },
    });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('--salvage works on this machine alone')]);
  });
});

describe('a file that says itself that it has more pages than can be found', () => {
  it('is refused, however many others find fewer', async () => {
    using here = folder();
    const cut = pdfOf([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R]/Count 3>>',
      '<</Type/Page/Parent 2 0 R/Resources<</Font<</F 9 0 R>>>>/MediaBox[0 0 99 99]>>',
    ]);
    writeFileSync(here.at('cut.pdf'), cut);
    const args = ['rotate', 'cut.pdf', '--angle', '90', '-o', 'out.pdf'];
    const strict = await pdftool(args, { cwd: here.path });
    expect([strict.exitCode, strict.stderr]).toEqual([6, expect.stringContaining('it has 3 pages; found: 1')]);
    const salvaged = await pdftool([...args, '--salvage'], { cwd: here.path });
    expect([salvaged.exitCode, pagesOf(here.at('out.pdf'))]).toEqual([3, '1']);
  });
});

describe('a sound file', () => {
  it('is not changed by --salvage', async () => {
    using here = folder();
    const args = ['rotate', LOREM, '--angle', '90', '--json', '-o', 'out.pdf', '--salvage'];
    const { exitCode, stdout } = await pdftool(args, { cwd: here.path });
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout).warnings ?? []).toEqual([]);
  });
});

describe('a file in which we find no page and two other readers find one', () => {
  it('is written anew by one of them, and that is said', async () => {
    using here = folder();
    writeFileSync(here.at('theirs.pdf'), THEIRS);
    const { exitCode, stdout } = await pdftool(['merge', 'theirs.pdf', LOREM, '--json', '-o', 'out.pdf'], {
      cwd: here.path,
    });
    expect(exitCode).toBe(0);
    const warnings = JSON.parse(stdout).warnings.join('\n');
    expect(warnings).toMatch(/it was written anew by (PDFium|pdf\.js)/);
    expect(warnings).toMatch(/PDFium finds 1 page; pdf\.js finds 1 page; 1 page taken/);
    expect(pagesOf(here.at('out.pdf'))).toBe('5');
    execFileSync('qpdf', ['--check', here.at('out.pdf')]);
  });

  it('has the same number of pages by info and in a merge', async () => {
    using here = folder();
    writeFileSync(here.at('theirs.pdf'), THEIRS);
    const { stdout } = await pdftool(['info', 'theirs.pdf', '--json'], { cwd: here.path });
    expect(JSON.parse(stdout).page_count).toBe(1);
  });

  it('is not read by others where it was encrypted and the key is lost', async () => {
    using here = folder();
    execFileSync('qpdf', ['--encrypt', '', 'owner', '128', '--use-aes=y', '--', LOREM, here.at('locked.pdf')]);
    const text = readFileSync(here.at('locked.pdf'), 'latin1').replace(/\/Encrypt \d+ 0 R/, (found) =>
      ' '.repeat(found.length),
    );
    const lost = text.replaceAll('/Standard', '/Forgotten').replaceAll('trailer', 'trxiler');
    writeFileSync(here.at('locked.pdf'), Buffer.from(lost.replace(/startxref\s+\d+/, 'startxref\n7'), 'latin1'));
    const { exitCode, stderr } = await pdftool(['info', 'locked.pdf', '--salvage'], { cwd: here.path });
    expect([exitCode, stderr]).toEqual([6, expect.stringMatching(/encrypted|cannot be read/)]);
  });
});

describe('-v', () => {
  it.each([
    [
      'merge',
      [LOREM, 'lost.pdf'],
      /read .*lorem-ipsum\.pdf, 4 pages: .*\n[\s\S]*repaired lost\.pdf, 4 pages: .*\n[\s\S]*copied: .*\nchecked: .*\nwritten out\.pdf/,
    ],
    [
      'rotate',
      ['lost.pdf', '--angle', '90'],
      /opened lost\.pdf: .*\n[\s\S]*repaired lost\.pdf, 4 pages: .*\n[\s\S]*copied: .*\nchecked: .*\nwritten out\.pdf/,
    ],
    ['compress', [LOREM], /read .*lorem-ipsum\.pdf, 4 pages: .*\n[\s\S]*made: .*\nchecked: .*\nwritten out\.pdf/],
    [
      'merge-compress',
      [LOREM, LOREM],
      /read .*lorem-ipsum\.pdf, 4 pages: .*\n[\s\S]*made: .*\nchecked: .*\nwritten out\.pdf/,
    ],
    ['markdown', [LOREM], /read .*lorem-ipsum\.pdf, 4 pages: .*\n[\s\S]*markdown done: .*\nwritten out\.pdf/],
  ])('tells the steps of %s with their times, and no scratch file', async (command, args, steps) => {
    using here = folder();
    const lost = readFileSync(LOREM, 'latin1').replace(/startxref\s+\d+/, 'startxref\n7');
    writeFileSync(here.at('lost.pdf'), lost, 'latin1');
    const out = command === 'markdown' ? 'out.md' : 'out.pdf';
    const { stderr } = await pdftool([command, ...args, '-v', '-o', out], { cwd: here.path });
    expect(stderr).toMatch(new RegExp(steps.source.replace('out\\.pdf', out.replace('.', '\\.'))));
    expect(stderr).not.toMatch(/exact-|target-|pages-of-|images\.pdf|merged\.pdf/);
  });
});
