// Folders as inputs of the built program: which files are taken, in which order, and where their outputs stand.
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { makePdf } from './make-pdf.ts';
import { type Folder, folder, pdftool } from './pdftool.ts';

/** PDFs at three levels, and what is none: a text, a hidden folder, a link to a folder. */
function withFolder(): Folder {
  const here = folder();
  for (const name of ['in/sub/deep', 'in/.hidden', 'other']) mkdirSync(here.at(name), { recursive: true });
  makePdf(here.at('in/10.pdf'), { pages: 10 });
  makePdf(here.at('in/2.PDF'), { pages: 2 });
  makePdf(here.at('in/sub/a.pdf'), { pages: 3 });
  makePdf(here.at('in/sub/deep/a.pdf'), { pages: 4 });
  makePdf(here.at('in/.hidden/h.pdf'));
  makePdf(here.at('other/o.pdf'));
  writeFileSync(here.at('in/notes.txt'), 'no PDF');
  symlinkSync(here.at('other'), here.at('in/link'));
  return here;
}

const filesBelow = (here: Folder, name: string) =>
  execFileSync('find', [name, '-type', 'f'], { cwd: here.path, encoding: 'utf8' }).trim().split('\n').sort();
const pagesOf = (path: string) => Number(execFileSync('qpdf', ['--show-npages', path], { encoding: 'utf8' }));

describe('a folder', () => {
  it('stands for its files, 2 before 10, and its outputs for a folder beside', async () => {
    using here = withFolder();
    const run = await pdftool(['rotate', 'in/', '--angle', '90'], { cwd: here.path });
    expect(run.exitCode, run.stderr).toBe(0);
    expect(run.stdout).toBe('in-rotated/2-rotated.pdf\nin-rotated/10-rotated.pdf\n');
    expect(pagesOf(here.at('in-rotated/10-rotated.pdf'))).toBe(10);
  });

  it.each(['1', '3'])('gives its shape to the outputs, with --recursive and -j %s', async (jobs) => {
    using here = withFolder();
    const run = await pdftool(['rotate', 'in', '--recursive', '--angle', '90', '--out-dir', 'new/out', '-j', jobs], {
      cwd: here.path,
    });
    expect(run.exitCode, run.stderr).toBe(0);
    const expected = ['10-rotated.pdf', '2-rotated.pdf', 'sub/a-rotated.pdf', 'sub/deep/a-rotated.pdf'];
    expect(filesBelow(here, 'new')).toEqual(expected.map((name) => `new/out/${name}`));
    expect(pagesOf(here.at('new/out/sub/a-rotated.pdf'))).toBe(3);
    expect(pagesOf(here.at('new/out/sub/deep/a-rotated.pdf'))).toBe(4);
    const again = await pdftool(
      ['rotate', 'in', '--recursive', '--angle', '90', '--out-dir', 'new/out', '--skip-existing'],
      { cwd: here.path },
    );
    expect([again.exitCode, again.stdout]).toEqual([0, '']);
  });

  it('that holds the folder for outputs does not take them for inputs', async () => {
    using here = withFolder();
    const args = ['rotate', '.', '--recursive', '--angle', '90', '-o', 'out', '-q'];
    const first = await pdftool(args, { cwd: here.at('in') });
    const second = await pdftool([...args, '--force'], { cwd: here.at('in') });
    expect([first.exitCode, second.exitCode, second.stdout]).toEqual([0, 0, first.stdout]);
    expect(filesBelow(here, 'in/out')).toHaveLength(4);
  });

  it('is joined in its order, and read record by record', async () => {
    using here = withFolder();
    await pdftool(['merge', 'in', 'other', '-o', 'all.pdf'], { cwd: here.path });
    expect(pagesOf(here.at('all.pdf'))).toBe(13);
    const run = await pdftool(['info', 'in', '--recursive', '--json'], { cwd: here.path });
    const counts = run.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).page_count);
    expect(counts).toEqual([2, 10, 3, 4]);
  });

  it('is planned before it is made', async () => {
    using here = withFolder();
    const run = await pdftool(['rotate', 'in', '--recursive', '--angle', '90', '--plan'], { cwd: here.path });
    expect([run.exitCode, run.stderr]).toEqual([0, '']);
    expect(run.stdout).toMatch(/^Writes +4 outputs in in-rotated$/m);
    expect(here.list()).toEqual(['in', 'other']);
  });

  it.each([
    [['rotate', 'in/sub/..', '--angle', '90', '-o', 'one.pdf'], 2, /-o names one output, and there are 2 files/],
    [['rotate', 'in', '--angle', '90', '-o', '-'], 2, /-o names one output, and there are 2 files/],
    [['rotate', 'empty', '--angle', '90'], 6, /empty is a folder, expected a file, or a folder with a PDF in it/],
    [['rotate', 'deep', '--angle', '90'], 6, /deep is a folder[\s\S]*1 file in folders below it: add --recursive/],
    [['rotate', 'in', 'other', '--angle', '90'], 2, /takes one file, or several with --out-dir/],
    [['form', 'fill', 'in/a.pdf', 'data.csv'], 2, /^error: data\.csv is given with --data: --data data\.csv/],
    [['stamp', 'in/a.pdf', '--text', 'a', '--font', 'x.otf'], 2, /x\.otf; a file is given with --font-file/],
    [['stamp', 'in/a.pdf', 'logo.png'], 2, /^error: logo\.png is given with --image: --image logo\.png/],
  ] as const)('is refused where it does not fit: %j', async (args, code, says) => {
    using here = withFolder();
    mkdirSync(here.at('empty'));
    mkdirSync(here.at('deep/er'), { recursive: true });
    makePdf(here.at('deep/er/x.pdf'));
    const run = await pdftool(args, { cwd: here.path });
    expect([run.exitCode, run.stderr]).toEqual([code, expect.stringMatching(says)]);
    expect(here.list()).toEqual(['deep', 'empty', 'in', 'other']);
  });
});
