// What differs between two documents is found, page by page, and nothing else.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import { wordDifferences } from '../../src/pdf/compare/word-differences.ts';
import { folder, pdftool } from '../e2e/pdftool.ts';

const LOREM = resolve(import.meta.dirname, '../fixtures/lorem-ipsum.pdf');
const GUIDE = resolve(import.meta.dirname, '../fixtures/inherited.pdf');

describe('words', () => {
  it.each([
    ['a b c', 'a b c', [], []],
    ['a b c', 'a x c', ['b'], ['x']],
    ['', 'a b', [], ['a', 'b']],
    ['a b a b', 'b a', ['a', 'b'], []],
    ['one two three four', 'zero one three four five', ['two'], ['zero', 'five']],
  ])('of %j and %j', (first, second, removed, added) => {
    expect(wordDifferences(first, second)).toEqual({ removed, added });
  });

  it('are the fewest that lead from one text to the other', () => {
    let seed = 7;
    const next = (most: number) => (seed = (seed * 16807) % 2147483647) % most;
    for (let round = 0; round < 200; round++) {
      const text = () => Array.from({ length: next(9) }, () => 'abc'[next(3)] ?? '');
      const [a, b] = [text(), text()];
      const { removed, added } = wordDifferences(a.join(' '), b.join(' '));
      expect(removed.length + added.length).toBe(a.length + b.length - 2 * common(a, b));
    }
  });

  it('of long texts that have nothing to do with each other are counted', () => {
    const words = (prefix: string) => Array.from({ length: 5000 }, (_, i) => `${prefix}${i}`).join(' ');
    const { removed, added } = wordDifferences(`same ${words('a')} x`, `same ${words('b')} y`);
    expect([removed.length, added.length]).toEqual([5001, 5001]);
  });
});

/** The length of the longest common subsequence, by the table that every textbook has. */
function common(a: readonly string[], b: readonly string[]): number {
  const rows = [new Array<number>(b.length + 1).fill(0)];
  for (const [i, word] of a.entries()) {
    const row = [0];
    for (const [j, other] of b.entries()) {
      row.push(word === other ? (rows[i]?.[j] ?? 0) + 1 : Math.max(rows[i]?.[j + 1] ?? 0, row[j] ?? 0));
    }
    rows.push(row);
  }
  return rows[a.length]?.[b.length] ?? 0;
}

describe('pdftool compare', () => {
  it('ends with 0 where files are the same, with 1 where they differ, and with another code where it cannot tell', async () => {
    using here = folder();
    const where = { cwd: here.path };
    await pdftool(['stamp', '--local', LOREM, '--text', 'Fresh', '--pages', '2', '-o', 'b.pdf'], where);
    const same = await pdftool(['compare', '--local', LOREM, LOREM], where);
    expect([same.exitCode, same.stdout]).toEqual([0, expect.stringMatching(/are the same: 4 pages/)]);
    const other = await pdftool(['compare', '--local', LOREM, 'b.pdf', '--html', 'report.html'], where);
    expect(other.exitCode).toBe(1);
    expect(other.stdout).toMatch(/1 page differs\npage 2: pixels 0\.\d+ %; words 0 less, 1 more \(\+Fresh\)\n$/);
    const html = readFileSync(here.at('report.html'), 'utf8');
    expect(html).toContain('<ins>Fresh</ins>');
    expect(html.match(/<img /g)?.length).toBe(3);
    expect(html).not.toMatch(/(src|href)="(?!data:)/);
    expect(html).not.toContain(LOREM);
    expect((await pdftool(['compare', '--local', LOREM, 'none.pdf'], where)).exitCode).toBe(6);
    expect((await pdftool(['compare', '--local', LOREM], where)).exitCode).toBe(2);
    expect((await pdftool(['compare', '--local', LOREM, LOREM, LOREM], where)).exitCode).toBe(2);
  });

  it('tells of pages that only one file has, and of pages of another size', async () => {
    using here = folder();
    const where = { cwd: here.path };
    await pdftool(['resize', '--local', GUIDE, '--paper', 'A3', '--pages', '1', '-o', 'a.pdf'], where);
    await pdftool(['blank', '--local', 'a.pdf', '--after', 'z', '-o', 'b.pdf'], where);
    const run = await pdftool(['compare', '--local', GUIDE, 'b.pdf', '--json'], where);
    expect(run.exitCode).toBe(1);
    const { same, pages, differences } = JSON.parse(run.stdout);
    expect(same).toBe(false);
    expect(pages[1]).toBe(pages[0] + 1);
    expect(differences[0]).toMatchObject({ page: 1, what: expect.stringMatching(/^size \d+ by \d+ points, then/) });
    expect(differences.at(-1)).toMatchObject({ page: pages[1], what: 'only in b.pdf' });
    expect(differences.length).toBe(2);
  });

  it('tells of many pages that only one file has in one line', async () => {
    using here = folder();
    const where = { cwd: here.path };
    await pdftool(['pages', 'take', '--local', LOREM, '1-2', '-o', 'two.pdf'], where);
    const pages = (await execa('qpdf', ['--show-npages', LOREM])).stdout;
    const run = await pdftool(['compare', '--local', '--text', LOREM, 'two.pdf'], where);
    expect(run.exitCode).toBe(1);
    expect(run.stdout.split('\n').slice(1)).toEqual([`pages 3 to ${pages}: only in lorem-ipsum.pdf`, '']);
  });
});
