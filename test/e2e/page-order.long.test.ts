// Pages taken, dropped, reversed and ordered, merges of some pages, and every way of splitting: on the built program.
import { execFileSync } from 'node:child_process';
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { PDFDocument, PDFName, type PDFRef, PDFString } from 'pdf-lib';
import { describe, expect, it } from 'vitest';
import { makePdf } from './make-pdf.ts';
import { CLEAN, type Folder, folder, pdftool } from './pdftool.ts';

/** A PDF whose pages say `a1`, `a2` and so on; those of `empty` say nothing. */
async function write(here: Folder, name: string, letter: string, count: number, empty: readonly number[] = []) {
  const document = await PDFDocument.create();
  for (let page = 1; page <= count; page += 1) {
    const leaf = document.addPage([200, 200]);
    if (!empty.includes(page)) leaf.drawText(`${letter}${page}`, { x: 20, y: 100 });
  }
  writeFileSync(here.at(name), await document.save());
}

const run = (here: Folder, line: string) => pdftool(line.split(' '), { cwd: here.path });
/** What the pages say, in their order. */
const said = (path: string) => execFileSync('pdftotext', [path, '-'], { encoding: 'utf8' }).match(/[a-z]\d+/g) ?? [];
const clean = (path: string) => execFileSync('qpdf', ['--check', path], { stdio: 'ignore' });

describe('pages', () => {
  it.each([
    ['take a.pdf 3,1-2,3', 'a-pages.pdf', ['a3', 'a1', 'a2', 'a3']],
    ['take a.pdf r2- -o out.pdf', 'out.pdf', ['a8', 'a9']],
    ['take --pages 1 a.pdf', 'a-pages.pdf', ['a1']],
    ['drop a.pdf 2-8', 'a-dropped.pdf', ['a1', 'a9']],
    ['reverse a.pdf -o out.pdf', 'out.pdf', ['a9', 'a8', 'a7', 'a6', 'a5', 'a4', 'a3', 'a2', 'a1']],
    ['reverse a.pdf 1,4,9', 'a-reversed.pdf', ['a9', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7', 'a8', 'a1']],
    ['order a.pdf 5,2', 'a-ordered.pdf', ['a5', 'a2', 'a1', 'a3', 'a4', 'a6', 'a7', 'a8', 'a9']],
  ])('%s', async (line, name, texts) => {
    using here = folder();
    await write(here, 'a.pdf', 'a', 9);
    const { exitCode, stderr } = await run(here, `pages ${line} --local`);
    expect({ exitCode, stderr: stderr.includes('error') }).toEqual({ exitCode: 0, stderr: false });
    expect(said(here.at(name))).toEqual(texts);
    clean(here.at(name));
  });

  it('of several files go into a folder', async () => {
    using here = folder();
    await write(here, 'a.pdf', 'a', 3);
    await write(here, 'b.pdf', 'b', 3);
    expect((await run(here, 'pages take a.pdf b.pdf 1,z --out-dir out -j 2')).exitCode).toBe(0);
    expect(readdirSync(here.at('out')).sort()).toEqual(['a-pages.pdf', 'b-pages.pdf']);
    expect(said(here.at('out/b-pages.pdf'))).toEqual(['b1', 'b3']);
  });

  it.each([
    ['take a.pdf', 'pages take needs PAGES'],
    ['take a.pdf 12', 'a.pdf has 9 pages; there is no page 12'],
    ['take a.pdf 1-x', 'expected pages such as'],
    ['drop a.pdf 1-z', 'none would be left'],
    ['order a.pdf 1,1', 'names page 1 twice'],
    ['take nothing.pdf 1', 'nothing.pdf'],
  ])('%s says what is wrong and writes nothing', async (line, says) => {
    using here = folder();
    makePdf(here.at('a.pdf'), { pages: 9 });
    const { exitCode, stderr } = await run(here, `pages ${line}`);
    expect(exitCode).not.toBe(0);
    expect(stderr).toContain(says);
    expect(here.list()).toEqual(['a.pdf']);
  });

  it('of an encrypted file need its password', async () => {
    using here = folder();
    makePdf(here.at('a.pdf'), { pages: 3 });
    execFileSync('qpdf', ['--encrypt', 'user', 'owner', '256', '--', here.at('a.pdf'), here.at('locked.pdf')]);
    expect((await run(here, 'pages take locked.pdf 2')).exitCode).toBe(7);
    writeFileSync(here.at('password'), 'user\n');
    const { exitCode, stderr } = await run(here, 'pages take locked.pdf 2 --password-file password');
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr: expect.stringContaining('was encrypted; the output is not'),
    });
  });
});

describe('a merge', () => {
  it.each([
    ['a.pdf --pages 1-2 b.pdf --pages z-1', ['a1', 'a2', 'b3', 'b2', 'b1']],
    ['a.pdf b.pdf --pages=2', ['a1', 'a2', 'a3', 'a4', 'b2']],
    ['a.pdf --pages 1 a.pdf --pages 4', ['a1', 'a4']],
    ['a.pdf b.pdf --interleave', ['a1', 'b1', 'a2', 'b2', 'a3', 'b3', 'a4']],
    ['a.pdf --pages r1,1 b.pdf --pages z-1 --interleave', ['a4', 'b3', 'a1', 'b2', 'b1']],
    ['b.pdf --pages 1 a.pdf --pages 2 --sort natural', ['a2', 'b1']],
  ])('of %s', async (line, texts) => {
    using here = folder();
    await write(here, 'a.pdf', 'a', 4);
    await write(here, 'b.pdf', 'b', 3);
    expect((await run(here, `merge ${line} -o out.pdf`)).exitCode).toBe(0);
    expect(said(here.at('out.pdf'))).toEqual(texts);
    clean(here.at('out.pdf'));
  });

  it.each([
    ['--pages 1 a.pdf b.pdf', 'stands before the first file'],
    ['a.pdf --pages 1 --pages 2 b.pdf', 'a.pdf has two ranges: write 1,2'],
    ['a.pdf --pages 1- b.pdf --pages x', '--pages'],
    ['a.pdf --pages 9 b.pdf', 'a.pdf has 4 pages; there is no page 9'],
  ])('of %s is refused', async (line, says) => {
    using here = folder();
    await write(here, 'a.pdf', 'a', 4);
    await write(here, 'b.pdf', 'b', 3);
    const { exitCode, stderr } = await run(here, `merge ${line}`);
    expect({ exitCode, says: stderr.includes(says) }).toEqual({ exitCode: 2, says: true });
    expect(here.list()).toEqual(['a.pdf', 'b.pdf']);
  });
});

/** Bookmarks of two levels: One (page 1), Two (3), Two and a half (5, below it), `A/B:C` (7). */
async function book(here: Folder) {
  const document = await PDFDocument.create();
  const pages = Array.from({ length: 8 }, (_, i) => {
    const page = document.addPage([200, 200]);
    page.drawText(`c${i + 1}`, { x: 20, y: 100 });
    return page.ref;
  });
  const { context } = document;
  const [root, one, two, half, last] = [0, 1, 2, 3, 4].map(() => context.nextRef()) as [
    PDFRef,
    PDFRef,
    PDFRef,
    PDFRef,
    PDFRef,
  ];
  const item = (title: string, page: number, more: object) =>
    context.obj({ Title: PDFString.of(title), Dest: [pages[page - 1] ?? null, 'Fit'], ...more });
  context.assign(root, context.obj({ First: one, Last: last, Count: 4 }));
  context.assign(one, item('One', 1, { Parent: root, Next: two }));
  context.assign(two, item('Two', 3, { Parent: root, Prev: one, Next: last, First: half, Last: half, Count: 1 }));
  context.assign(half, item('Two and a half', 5, { Parent: two }));
  context.assign(last, item('A/B:C', 7, { Parent: root, Prev: two }));
  document.catalog.set(PDFName.of('Outlines'), root);
  writeFileSync(here.at('book.pdf'), await document.save());
}

describe('split', () => {
  it.each([
    ['--every 3', ['pages-001-003.pdf', 'pages-004-006.pdf', 'pages-007-008.pdf']],
    ['--by-bookmark', ['pages-001-002.pdf', 'pages-003-006.pdf', 'pages-007-008.pdf']],
    ['--by-bookmark 2', ['pages-001-002.pdf', 'pages-003-004.pdf', 'pages-005-006.pdf', 'pages-007-008.pdf']],
    ['--by-bookmark --name {n}-{title}', ['1-One.pdf', '2-Two.pdf', '3-A_B_C.pdf']],
    ['--every 4 --name {stem}_{first}-{last}', ['book_1-4.pdf', 'book_5-8.pdf']],
    ['--every 4 --name same.pdf', ['same-2.pdf', 'same.pdf']],
    ['--every 4 --name {title}', ['One.pdf', 'Two and a half.pdf']],
  ])('%s', async (line, files) => {
    using here = folder();
    await book(here);
    // The file stands behind the flag, which must not take it for its number.
    const { exitCode, stderr } = await pdftool(['split', ...line.split(' '), 'book.pdf', '-o', 'out'], {
      cwd: here.path,
    });
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    expect(readdirSync(here.at('out')).sort()).toEqual(files);
    for (const file of files) clean(here.at(`out/${file}`));
    expect(files.flatMap((file) => said(here.at(`out/${file}`))).sort()).toEqual([
      'c1',
      'c2',
      'c3',
      'c4',
      'c5',
      'c6',
      'c7',
      'c8',
    ]);
  });

  it('--max-size makes files no larger than that, but for a page that is larger alone', async () => {
    using here = folder();
    const guide = `${import.meta.dirname}/../fixtures/guide.pdf`;
    const { exitCode, stderr } = await pdftool(['split', guide, '--max-size', '150KB', '-o', 'out'], {
      cwd: here.path,
    });
    expect(exitCode).toBe(0);
    const files = readdirSync(here.at('out'));
    const sizes = files.map((file) => [file, statSync(here.at(`out/${file}`)).size] as const);
    const large = sizes.filter(([, size]) => size > 150 * 1024).map(([file]) => file);
    expect(large.every((file) => file.startsWith('page-') && stderr.includes(file))).toBe(true);
    expect(files.length).toBeLessThan(8);
    const pages = files.sort().map((file) => /(\d+)(?:-(\d+))?\.pdf/.exec(file)?.slice(1).map(Number) ?? []);
    expect(
      pages.map(([first = 0, last]) => (Number.isNaN(last) ? 1 : (last ?? 0) - first + 1)).reduce((a, b) => a + b),
    ).toBe(86);
  });

  it('--blank cuts at empty pages and leaves them out', async () => {
    using here = folder();
    await write(here, 'scan.pdf', 's', 8, [1, 4, 5, 8]);
    expect((await run(here, 'split scan.pdf --blank -o out')).exitCode).toBe(0);
    expect(readdirSync(here.at('out')).sort()).toEqual(['pages-002-003.pdf', 'pages-006-007.pdf']);
    expect(said(here.at('out/pages-006-007.pdf'))).toEqual(['s6', 's7']);
  });

  it('of one range into a name that ends in .pdf is that file', async () => {
    using here = folder();
    await write(here, 'a.pdf', 'a', 5);
    expect((await run(here, 'split a.pdf --ranges 2-3 -o part.pdf')).stdout).toBe('part.pdf\n');
    expect(said(here.at('part.pdf'))).toEqual(['a2', 'a3']);
    for (const line of ['--ranges 1,3', '--every 2', '']) {
      const { exitCode, stderr } = await run(here, `split a.pdf ${line} -o many.pdf`.replace('  ', ' '));
      expect({ exitCode, stderr }).toEqual({
        exitCode: 2,
        stderr: expect.stringContaining('one file takes one range'),
      });
    }
    expect(here.list()).toEqual(['a.pdf', 'part.pdf']);
  });

  it.each([
    ['--name {page} --every 2', '{page} stands for nothing'],
    ['--every 0', 'at least 1'],
    ['--every 2 --blank', 'exclude each other'],
    ['--by-bookmark', 'has no bookmarks'],
  ])('%s is refused', async (line, says) => {
    using here = folder();
    await write(here, 'a.pdf', 'a', 3);
    const { exitCode, stderr } = await run(here, `split a.pdf ${line}`);
    expect({ failed: exitCode !== 0, says: stderr.includes(says), said: stderr }).toMatchObject({
      failed: true,
      says: true,
    });
    expect(here.list()).toEqual(['a.pdf']);
  });
});

describe('pages of', () => {
  it.each([
    ['extract-text a.pdf --pages 2,4', /^\s*a2\s+a4\s*$/],
    ['markdown a.pdf --pages 2-3', /<a id="page-2"><\/a>[\s\S]*a2[\s\S]*<a id="page-3"><\/a>[\s\S]*a3\s*$/],
    ['to-json a.pdf --pages 4', /"page_number": 4[\s\S]*"text": "a4"/],
    ['info a.pdf --pages 1 --json', /"page_sizes":\{"200 x 200 pt":"1"\}/],
  ])('%s', async (line, expected) => {
    using here = folder();
    await write(here, 'a.pdf', 'a', 5);
    const { exitCode, stdout } = await run(here, line);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: expect.stringMatching(expected) });
    expect(stdout).not.toMatch(/\ba5\b/);
  });

  it('compress are those that the output has', async () => {
    using here = folder();
    await write(here, 'a.pdf', 'a', 5);
    expect((await run(here, 'compress a.pdf --pages 4,2 -o small.pdf')).exitCode).toBe(0);
    expect(said(here.at('small.pdf'))).toEqual(['a2', 'a4']);
  });
});

it.each([
  ['merge a.pdf --pages 1 a.pdf', '--pages'],
  ['merge a.pdf a.pdf --interleave', '--interleave'],
  ['split a.pdf --by-bookmark', '--by-bookmark'],
  ['split a.pdf --max-size 1MB', '--max-size'],
  ['extract-text a.pdf --pages 1', '--pages'],
  ['compress a.pdf --pages 1', '--pages'],
  ['info a.pdf --pages 1', '--pages'],
])('%s is refused by name where a service would not know it', async (line, flag) => {
  using here = folder();
  makePdf(here.at('a.pdf'), { pages: 2 });
  const env = { ...CLEAN, PDFTOOL_API_KEY: 'sk_test_1', PDFTOOL_BASE_URL: 'http://127.0.0.1:9' };
  const { exitCode, stderr } = await pdftool([...line.split(' '), '--remote'], { cwd: here.path, env });
  expect(exitCode).toBe(2);
  expect(stderr).toContain(`${flag}: the service does not have it; nothing was sent`);
});
