import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Failure } from '../../src/contract/base/failure.ts';
import {
  formatPages,
  isFixed,
  parsePageRange,
  resolveGroups,
  resolvePages,
  spansOf,
} from '../../src/contract/page-range.ts';
import { makePdf } from '../e2e/make-pdf.ts';
import { folder } from '../e2e/pdftool.ts';

const pages = (text: string, count = 10) => resolvePages(parsePageRange(text), count, 'a.pdf');

function failure(run: () => unknown): Failure {
  try {
    run();
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new TypeError('expected a failure');
}

describe('pages', () => {
  it.each([
    ['7', [7]],
    ['1-3,7', [1, 2, 3, 7]],
    [' 1 - 3 , 7 ', [1, 2, 3, 7]],
    ['z', [10]],
    ['last', [10]],
    ['end', [10]],
    ['r1', [10]],
    ['r2', [9]],
    ['r3-r1', [8, 9, 10]],
    ['r3-z', [8, 9, 10]],
    ['8-', [8, 9, 10]],
    ['-3', [1, 2, 3]],
    ['-r8', [1, 2, 3]],
    ['3-1', [3, 2, 1]],
    ['z-8', [10, 9, 8]],
    ['2,2,1', [2, 2, 1]],
    ['all', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]],
    ['odd', [1, 3, 5, 7, 9]],
    ['even', [2, 4, 6, 8, 10]],
    ['even,1', [2, 4, 6, 8, 10, 1]],
    ['!5', [1, 2, 3, 4, 6, 7, 8, 9, 10]],
    ['x5', [1, 2, 3, 4, 6, 7, 8, 9, 10]],
    ['x5-', [1, 2, 3, 4]],
    ['!1-3,!z', [4, 5, 6, 7, 8, 9]],
    ['1-6,!odd', [2, 4, 6]],
    ['odd,!4', [1, 3, 5, 7, 9]],
    [':odd', [1, 3, 5, 7, 9]],
    [':even', [2, 4, 6, 8, 10]],
    ['2-5:odd', [2, 4]],
    ['2-5:even', [3, 5]],
    ['z-1:odd', [10, 8, 6, 4, 2]],
    ['5,1-4:even', [1, 3]],
    ['2-5,!4:even', [3]],
  ])('%j of 10', (text, expected) => expect(pages(text)).toEqual(expected));

  it('are those of the example in qpdf’s manual', () => {
    expect(pages('4-10,x7-9,12-8,xr5', 15)).toEqual([4, 5, 6, 10, 12, 10, 9, 8]);
  });

  it('are apart for each range between commas', () => {
    const groups = resolveGroups(parsePageRange('1-3,4-6,!5,z:odd'), 9);
    expect(groups).toEqual([[1, 3], [6], []]);
    expect(groups.map(spansOf)).toEqual([
      [
        [1, 1],
        [3, 3],
      ],
      [[6, 6]],
      [],
    ]);
  });

  it('are fixed where no word counts from the end', () => {
    expect(['1-3,7', '1-9,!5', '7-3', '2-5:even'].map((text) => isFixed(parsePageRange(text)))).toEqual(
      Array(4).fill(true),
    );
    expect(['7-', 'z', '1-r2', 'odd', '!5', '1-3,!z'].map((text) => isFixed(parsePageRange(text)))).toEqual(
      Array(6).fill(false),
    );
  });
});

describe('refused, with the place', () => {
  it.each([
    ['', /found nothing$/, undefined],
    ['0', 'pages count from 1', 0],
    ['1,,2', /found nothing/, 2],
    ['1,', /found nothing/, 2],
    ['3,', /found nothing/, 2],
    ['1,foo,2', /found 'foo'/, 2],
    ['1-2-3', /found '2-3'/, 2],
    ['-', 'expected a page before or after -', 0],
    ['1.5', /found '1.5'/, 0],
    ['r0', 'pages count from 1', 0],
    ['9999999999', /found '9999999999'/, 0],
    ['1:odd,2', 'expected :odd or :even, and only at the end', 1],
    ['1-3:evn', 'expected :odd or :even, and only at the end', 3],
    ['!', /found nothing/, 1],
    ['1-3,11', 'a.pdf has 10 pages; there is no page 11', 4],
    ['5-12', 'a.pdf has 10 pages; there is no page 12', 2],
    ['r11', 'a.pdf has 10 pages; there is no page r11', 0],
    ['1-3,!11', 'a.pdf has 10 pages; there is no page 11', 5],
    ['1,!1', 'expected at least one page, found none of the 10 pages of a.pdf', 0],
    ['1:even', 'expected at least one page, found none of the 10 pages of a.pdf', 0],
    ['2-5even', "'2-5even' may mean two things", 0],
    ['1,zodd', "'zodd' may mean two things", 2],
    ['1-3,7,!2', '!2 belongs to 7, and page 2 was chosen by a range before it', 6],
    ['1-3\u001b[31m', /found '3\u001b\[31m'/, 2],
  ])('%j', (text, message, at) => {
    const { code, message: said, hint } = failure(() => pages(text));
    const [first = '', shown, mark] = said.split('\n');
    expect(code).toBe('usage');
    if (typeof message === 'string') expect(first).toBe(message);
    else expect(first).toMatch(message);
    expect(hint).toBeDefined();
    if (at === undefined) return expect(shown).toBeUndefined();
    expect(shown).toBe(`  ${text.replace('\u001b', '?')}`);
    expect(mark).toBe(`  ${' '.repeat(at)}^`);
  });

  it('says how a glued suffix is written in either meaning', () => {
    expect(failure(() => pages('2-5even')).hint).toBe(
      'Write 2-5,xodd for the even page numbers, or 2-5:even at the end for every other page.',
    );
    expect([pages('2-5,xodd'), pages('2-5:even')]).toEqual([
      [2, 4],
      [3, 5],
    ]);
  });

  it('keeps the mark below its place in a long range', () => {
    const text = `${'1,'.repeat(500)}oops`;
    const [, shown = '', mark = ''] = failure(() => pages(text)).message.split('\n');
    expect(shown.length).toBeLessThan(70);
    expect(shown.slice(mark.indexOf('^'))).toBe('oops');
  });

  it('in time and memory however often it is repeated', () => {
    expect(failure(() => pages('1-z,'.repeat(50_000).slice(0, -1), 10_000)).message).toContain('at most 1000000 pages');
    expect(pages('1-z,!1-99999', 100_000)).toEqual([100_000]);
  });
});

const page = fc.oneof(
  fc.integer({ min: 1, max: 12 }).map(String),
  fc.integer({ min: 1, max: 12 }).map((number) => `r${number}`),
  fc.constant('z'),
);
const part = fc.oneof(
  page,
  fc.tuple(page, page).map(([from, to]) => `${from}-${to}`),
);
const range = fc
  .tuple(fc.array(part, { minLength: 1, maxLength: 4 }), fc.constantFrom('', ':odd', ':even'))
  .map(([parts, every]) => parts.join(',') + every);

describe('any range', () => {
  it('of qpdf means the same to qpdf', () => {
    using here = folder();
    makePdf(here.at('numbered.pdf'), { pages: 12 });
    const run = (program: string, ...args: string[]) =>
      execFileSync(program, args, { cwd: here.path, encoding: 'utf8' });
    const ours = (text: string): number[] => {
      try {
        return pages(text, 12);
      } catch (error) {
        if (error instanceof Failure && error.message.startsWith('expected at least one page')) return [];
        throw error;
      }
    };
    fc.assert(
      fc.property(range, (text) => {
        run('qpdf', 'numbered.pdf', '--pages', '.', text, '--', 'out.pdf');
        const told = run('qpdf', '--json', '--json-key=qpdf', 'out.pdf');
        const widths = pageWidths(JSON.parse(told));
        expect(ours(text)).toEqual(widths.map((width) => width - 99));
      }),
      { numRuns: 60 },
    );
  });

  it('read back from its shortest spelling is the same pages', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), (list) => {
        expect(pages(formatPages(list), 40)).toEqual(list);
      }),
    );
  });

  it('never fails but with a place or a reason', () => {
    const letters = fc.constantFrom(...'0123456789-,!xz:r lastodeven');
    fc.assert(
      fc.property(fc.string({ unit: letters, maxLength: 20 }), fc.integer({ min: 1, max: 30 }), (text, count) => {
        try {
          for (const each of pages(text, count)) expect(each >= 1 && each <= count).toBe(true);
        } catch (error) {
          if (!(error instanceof Failure)) throw error;
          expect(error.code).toBe('usage');
        }
      }),
    );
  });
});

interface Qpdf {
  readonly qpdf: readonly [unknown, Readonly<Record<string, { value?: Record<string, unknown> }>>];
}

function pageWidths({ qpdf: [, objects] }: Qpdf): number[] {
  const at = (reference: unknown) => objects[`obj:${String(reference)}`]?.value ?? {};
  const root = at(objects.trailer?.value?.['/Root']);
  const kids = at(root['/Pages'])['/Kids'];
  if (!Array.isArray(kids)) return [];
  return kids.map((kid) => Number((at(kid)['/MediaBox'] as number[])[2])); // makePdf wrote the box: 100 points for the first page
}
