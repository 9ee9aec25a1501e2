import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseType1 } from '../../src/pdf/fonts/programs/type1.ts';
import { runCharstring } from '../../src/pdf/fonts/programs/type1-charstring.ts';
import { convertType1 } from '../../src/pdf/fonts/programs/type1-to-cff.ts';
import { writeCharstring } from '../../src/pdf/fonts/programs/type2-charstring.ts';
import { assembleType1, charstring, specimen, USUAL_SUBRS } from './assemble.ts';

const DOCUMENTS = join(import.meta.dirname, '../fixtures/documents');
/** Those with Type 1 programs in them. */
const WITH_TYPE1 = ['sample-files--pdflatex-image.pdf', 'sample-files--mistitled_outlines_example.pdf'];

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fonts-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Pixels of the specimen page, by two independent programs. */
function pixels(font: Uint8Array, kind: 'FontFile' | 'FontFile3', names: readonly string[]): [Buffer, Buffer] {
  const pdf = join(folder, `${kind}.pdf`);
  writeFileSync(pdf, specimen(font, kind, names));
  execFileSync('mutool', ['draw', '-q', '-r', '150', '-c', 'gray', '-o', join(folder, 'mutool.pgm'), pdf], {
    stdio: 'pipe',
  });
  execFileSync('pdftoppm', ['-r', '150', '-gray', pdf, join(folder, 'poppler')], { stdio: 'pipe' });
  return [readFileSync(join(folder, 'mutool.pgm')), readFileSync(join(folder, 'poppler-1.pgm'))];
}

function convert(program: Uint8Array): Extract<ReturnType<typeof convertType1>, { cff: unknown }> {
  const result = convertType1(program);
  if ('reason' in result) throw new Error(`left alone: ${result.reason}`);
  return result;
}

function expectSamePixels(program: Uint8Array): void {
  const names = [...parseType1(program).glyphs.keys()].filter((name) => name !== '.notdef');
  const { cff } = convert(program);
  const before = pixels(program, 'FontFile', names);
  const after = pixels(cff, 'FontFile3', names);
  for (const page of before)
    expect(
      page.some((byte, i) => i > 20 && byte < 128),
      'the page shows something',
    ).toBe(true);
  expect(after[0].equals(before[0]), 'mutool draws the same').toBe(true);
  expect(after[1].equals(before[1]), 'pdftoppm draws the same').toBe(true);
}

const SQUARE = '0 0 rmoveto 300 hlineto 400 vlineto -300 hlineto closepath';
const NOTDEF = '0 250 hsbw endchar';

/** Seven moves, collected by the subroutines every font has. */
const flex = (...moves: string[]) => `1 callsubr ${moves.map((move) => `${move} rmoveto 2 callsubr`).join(' ')}`;

/** Every construction the format has, in one small font. */
const BUILT = {
  '.notdef': NOTDEF,
  A: `40 520 hsbw 0 20 hstem 380 20 hstem 0 30 vstem ${SQUARE} 5 4 callsubr 60 60 rmoveto 100 hlineto 6 4 callsubr 100 vlineto closepath endchar`,
  B: `30 700 hsbw 0 50 rmoveto ${flex('100 40', '-60 -40', '20 15', '40 0', '60 0', '30 -15', '20 0')} 50 240 50 0 callsubr 0 -300 rlineto closepath endchar`,
  F: `30 700 hsbw 0 50 rmoveto ${flex('100 40', '-60 -40', '20 5', '40 10', '60 0', '30 -5', '20 -10')} 50 240 50 0 callsubr 0 -300 rlineto closepath endchar`,
  G: `30 700 hsbw 0 50 rmoveto ${flex('100 40', '-60 -40', '20 5', '40 10', '60 0', '30 -5', '20 20')} 70 240 80 0 callsubr 0 -300 rlineto closepath endchar`,
  C: '20 600 hsbw 100 100 rmoveto 50 100 100 50 hvcurveto 60 30 -20 70 vhcurveto -10 20 -30 40 -50 10 rrcurveto 100 -10 rlineto -20 -300 rlineto -30 -40 -60 0 -90 20 rrcurveto closepath endchar',
  D: '10 1799 3 div hsbw 1 3 div 200 7 div rmoveto 1000 3 div hlineto 100 3 div 400 rlineto closepath endchar',
  m: `20 900 hsbw 0 30 200 30 400 30 vstem3 0 20 180 20 360 20 hstem3 ${SQUARE} 400 0 rmoveto 100 -200 rlineto 50 600 rlineto closepath endchar`,
  acute: '100 333 hsbw 0 500 rmoveto 80 160 rlineto 40 -10 rlineto closepath dotsection endchar',
  Aacute: '40 520 hsbw 100 150 20 65 194 seac',
  E: '10 20 600 0 sbw 0 20 hstem 5 5 rmoveto 30 40 rlineto 60 vlineto closepath 5 5 rmoveto 1 1 rmoveto 200 300 rlineto 10 hlineto closepath endchar',
}; // biome-ignore format: one glyph a line

const SUBRS = [...USUAL_SUBRS, '60 20 hstem 60 100 vstem return', '160 -21 hstem return'];
const built = (change: Partial<Parameters<typeof assembleType1>[0]> = {}) =>
  assembleType1({ glyphs: BUILT, subrs: SUBRS, ...change });

describe('a font with every construction of the format', () => {
  test('draws the same in two renderers', () => {
    expectSamePixels(built());
  });
  test('is read as hexadecimal, unencrypted charstrings and PFB segments alike', () => {
    const { cff } = convert(built());
    expect(Buffer.from(convert(built({ hex: true })).cff).equals(cff)).toBe(true);
    expect(Buffer.from(convert(built({ lenIV: -1 })).cff).equals(cff)).toBe(true);
    const plain = built();
    const pfb = Buffer.concat([Buffer.from([0x80, 1, ...le(plain.length)]), plain, Buffer.from([0x80, 3])]);
    expect(Buffer.from(convert(pfb).cff).equals(cff)).toBe(true);
  });
  test('gives its own encoding back, without names it has no glyph for', () => {
    const encoding =
      '256 array 0 1 255 {1 index exch /.notdef put} for dup 65 /m put dup 8#102 /A put dup 67 /none put readonly def';
    expect([...convert(built({ encoding })).encoding]).toEqual([
      [65, 'm'],
      [66, 'A'],
    ]);
  });
});

function le(length: number): number[] {
  return [length & 255, (length >> 8) & 255, (length >> 16) & 255, length >>> 24];
}

describe('real fonts', () => {
  test.each(WITH_TYPE1)('every font of %s draws the same in two renderers', (file) => {
    execFileSync('mutool', ['extract', join(DOCUMENTS, file)], { cwd: folder, stdio: 'pipe' });
    const fonts = readdirSync(folder).filter((name) => name.endsWith('.pfa'));
    expect(fonts.length).toBeGreaterThan(0);
    for (const name of fonts) expectSamePixels(readFileSync(join(folder, name)));
  });
});

/** Charstrings typed by hand from TN 5177. */
describe('Type 2 charstrings', () => {
  const translate = (text: string) => writeCharstring(runCharstring(charstring(text), SUBRS.map(charstring)));
  const n = (value: number) => value + 139;
  test('hints that hold throughout are declared from the origin, in order', () => {
    expect(translate('50 500 hsbw 80 20 hstem 0 10 hstem 7 30 vstem 0 0 rmoveto 9 hlineto endchar')).toEqual(
      [n(0), n(10), n(70), n(20), 1, n(57), n(30), 3, n(50), 22, n(9), 6, 14],
    ); // biome-ignore format: bytes
  });
  test('replaced hints become masks over all stems', () => {
    expect(translate('0 500 hsbw 0 10 hstem 0 9 rmoveto 5 4 callsubr 9 hlineto endchar')).toEqual(
      [n(0), n(10), n(50), n(20), 18, n(60), n(100), 19, 0b10000000, n(9), 4, 19, 0b01100000, n(9), 6, 14],
    ); // biome-ignore format: bytes
  });
  test('triple stems become a counter mask', () => {
    expect(translate('0 500 hsbw 0 10 20 10 40 10 vstem3 50 10 vstem 9 hmoveto 9 hlineto endchar')).toEqual(
      [n(0), n(10), n(10), n(10), n(10), n(10), n(0), n(10), 23, 20, 0b11100000, n(9), 22, n(9), 6, 14],
    ); // biome-ignore format: bytes
  });
  test('a level flex has its short form, another one its long form', () => {
    const level = translate(
      `0 500 hsbw 0 0 rmoveto ${flex('100 40', '-60 -40', '20 15', '40 0', '60 0', '30 -15', '20 0')} 50 210 0 0 callsubr endchar`,
    );
    expect(level).toEqual([n(0), 22, n(40), n(20), n(15), n(40), n(60), n(30), n(20), 12, 34, 14]);
    const deep = translate(
      `0 500 hsbw 0 0 rmoveto ${flex('100 40', '-60 -40', '20 15', '40 0', '60 0', '30 -15', '20 0')} 90 210 0 0 callsubr endchar`,
    );
    expect(deep).toEqual([n(0), 22, ...[40, 0, 20, 15, 40, 0, 60, 0, 30, -15, 20, 0, 90].map(n), 12, 35, 14]);
  });
  test('a number that is not whole is written as 16.16', () => {
    expect(translate('0 500 hsbw 1 2 div hmoveto 9 hlineto endchar').slice(0, 6)).toEqual([255, 0, 0, 0x80, 0, 22]);
  });
});

describe('what is left alone, and why', () => {
  test.each([
    ['no font at all', Buffer.from('not a font'), /encrypted part cannot be found/],
    ['a multiple master font', built({ header: '/WeightVector [0.5 0.5] def' }), /multiple master/],
    ['an unknown procedure', built({ glyphs: { A: '0 500 hsbw 1 1 14 callothersubr pop endchar' } }), /procedure 14/],
    ['a missing subroutine', built({ glyphs: { A: '0 500 hsbw 99 callsubr endchar' } }), /subroutine 99/],
    [
      'a subroutine that calls itself',
      built({ subrs: ['0 callsubr'], glyphs: { A: '0 9 hsbw 0 callsubr' } }),
      /too deep/,
    ],
    ['an accent whose base is missing', built({ glyphs: { x: BUILT.Aacute } }), /lacks a part/],
    ['too many numbers', built({ glyphs: { A: '0 500 hsbw 1 2 3 rlineto endchar' } }), /3 numbers for 2/],
    ['a glyph without width', built({ glyphs: { A: '1 1 rmoveto endchar' } }), /no width/],
    ['a path that was not begun', built({ glyphs: { A: '0 500 hsbw 1 1 rlineto endchar' } }), /no start/],
    ['a coordinate out of range', built({ glyphs: { A: '0 500 hsbw 40000 hmoveto 1 hlineto endchar' } }), /40000/],
  ])('%s', (_, program, reason) => {
    expect(convertType1(program)).toEqual({ reason: expect.stringMatching(reason) });
  });
  test('a damaged font is converted or refused, and never throws', () => {
    const program = built();
    const outcomes = { converted: 0, refused: 0 };
    for (let i = 0; i < 400; i++) {
      const damaged = Buffer.from(program);
      for (let k = 0; k < 4; k++) damaged[(i * 7919 + k * 104729) % damaged.length]! ^= 1 << (i % 8);
      const result = convertType1(damaged.subarray(0, damaged.length - ((i * 31) % 300)));
      outcomes['reason' in result ? 'refused' : 'converted'] += 1;
    }
    // Both ways through the converter were tried.
    expect(Math.min(outcomes.converted, outcomes.refused)).toBeGreaterThan(0);
  });
});
