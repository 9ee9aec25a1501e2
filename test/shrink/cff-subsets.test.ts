import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { openCff } from '../../src/pdf/fonts/programs/cff-program.ts';
import type { CffIndex } from '../../src/pdf/fonts/programs/cff-reader.ts';
import { allGlyphs, cffWithGlyphs } from '../../src/pdf/fonts/programs/cff-subset.ts';
import { STANDARD_ENCODING } from '../../src/pdf/fonts/programs/standard-strings.ts';
import { assembleType1 } from '../fonts/assemble.ts';
import { assembleNumbered } from '../fonts/assemble-cff.ts';
import { expectFewer, FILLED_IN, small } from './font-documents.ts';
import { pdfBytes, stream } from './written-pdf.ts';

/** A whole font with subroutines, as pdf.js carries it: CFF, whatever its name ends in. */
const manifest = createRequire(import.meta.url).resolve('pdfjs-dist/package.json');
const serif = readFileSync(join(dirname(manifest), 'standard_fonts', 'FoxitSerif.pfb'));

const folder = mkdtempSync(join(tmpdir(), 'cff-subsets-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Lines that do not deflate, different for each glyph and each part of one. */
function scribble(seed: number, lines: number): string {
  let state = seed * 7919 + 1;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state >>> 16) % 200;
  };
  return Array.from({ length: lines }, () => `${next() - 100} ${next() - 100} rlineto`).join(' ');
}

/** Glyph g has the number g times `step`; each calls a global subroutine, and one of its dictionary behind a mask. */
const GLYPHS = 80;
const numberedBy = (step: number) =>
  assembleNumbered({
    charstrings: Array.from({ length: GLYPHS }, (_, glyph) =>
      glyph === 0
        ? 'endchar'
        : `0 20 hstemhm 0 20 40 20 hintmask mask:e0 300 300 rmoveto ${glyph - 107} callgsubr ${(glyph >> 1) - 107} callsubr endchar`,
    ),
    numbers: Array.from({ length: GLYPHS }, (_, glyph) => glyph * step),
    globals: Array.from({ length: GLYPHS }, (_, i) => `${scribble(i, 20)} return`),
    locals: [0, 1].map((list) =>
      Array.from({ length: GLYPHS }, (_, i) => `${scribble(1000 * (list + 1) + i, 20)} return`),
    ),
    select: Array.from({ length: GLYPHS }, (_, glyph) => glyph & 1),
  });
const numbered = numberedBy(2);
const pencil = assembleType1({
  glyphs: Object.fromEntries(
    ['.notdef', ...'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'acute', 'Eacute'].map((name, i) => [
      name,
      name === 'Eacute'
        ? `0 600 hsbw 0 100 200 ${code('E')} ${code('acute')} seac`
        : `0 600 hsbw 300 300 rmoveto ${scribble(i, 40)} closepath endchar`,
    ]),
  ),
});
function code(name: string): number {
  return [...STANDARD_ENCODING].find(([, other]) => other === name)?.[0] ?? 0;
}

const SIMPLE =
  '<</Type/Font/Subtype/Type1/BaseFont/Test/Encoding/WinAnsiEncoding/FirstChar 32/LastChar 33/Widths[278 278]/FontDescriptor 6 0 R>>';
const WITH_DIFFERENCES = SIMPLE.replace('/WinAnsiEncoding', '<</Differences[65/germandbls/eacute/Eacute]>>');
const OWN_ENCODING = SIMPLE.replace('/Encoding/WinAnsiEncoding', '');
const COMPOSITE = '<</Type/Font/Subtype/Type0/BaseFont/Test/Encoding/Identity-H/DescendantFonts[8 0 R]>>';
const DESCENDANT =
  '<</Type/Font/Subtype/CIDFontType0/BaseFont/Test/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/DW 600/FontDescriptor 6 0 R>>';

interface Parts {
  readonly font: string;
  readonly content: string;
  readonly program?: Buffer;
  /** The entry of the descriptor that names the program, and the program's own kind. */
  readonly entry?: 'FontFile' | 'FontFile3';
  readonly kind?: 'Type1C' | 'CIDFontType0C' | 'OpenType';
  readonly catalog?: string;
}

function pdfWith({
  font,
  content,
  program = serif,
  entry = 'FontFile3',
  kind = 'Type1C',
  catalog = '',
}: Parts): string {
  const path = join(folder, 'whole.pdf');
  const descriptor = `<</Type/FontDescriptor/FontName/Test/Flags 4/FontBBox[-544 -303 1302 980]/ItalicAngle 0/Ascent 905/Descent -212/CapHeight 729/StemV 80/${entry} 7 0 R>>`;
  const clear = program.indexOf('eexec') + 6;
  const entries =
    entry === 'FontFile' ? `/Length1 ${clear}/Length2 ${program.length - clear}/Length3 0` : `/Subtype/${kind}`;
  const page = '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 100]/Resources<</Font<</F 5 0 R>>>>/Contents 4 0 R>>';
  const objects = [
    `<</Type/Catalog/Pages 2 0 R${catalog}>>`,
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    page,
    stream('', content),
    font,
    descriptor,
    stream(entries, program),
    DESCENDANT,
  ];
  writeFileSync(path, pdfBytes(objects));
  return path;
}

const text = (string: string) => `BT /F 24 Tf 10 40 Td ${string} Tj ET`;
/** Less than this is a font of few glyphs; each whole one takes twice as much and more. */
const FEW = 3_500;
const NUMBERED = { font: COMPOSITE, program: numbered, kind: 'CIDFontType0C' } as const;

/** As an OpenType program, with a table that only those need who set text. */
function openType(cff: Buffer): Buffer {
  const glyphs = allGlyphs(openCff(cff)!).length;
  const table = (size: number, ...numbers: [at: number, value: number][]) => {
    const bytes = Buffer.alloc(size);
    for (const [at, value] of numbers) bytes.writeUInt16BE(value, at);
    return bytes;
  };
  const tables: [string, Buffer][] = [
    ['CFF ', cff],
    ['cmap', table(4)],
    ['head', table(54, [0, 1], [12, 0x5f0f], [14, 0x3cf5], [18, 1000])],
    ['hhea', table(36, [0, 1], [34, 1])],
    ['hmtx', table(2 + 2 * glyphs, [0, 600])],
    ['maxp', table(6, [1, 0x5000], [4, glyphs])],
    ['GPOS', Buffer.from(Array.from({ length: 4_000 }, (_, i) => (i * 2654435761) >>> 24))],
  ];
  const head = Buffer.alloc(12 + 16 * tables.length);
  head.write('OTTO', 'latin1');
  head.writeUInt16BE(tables.length, 4);
  let at = head.length;
  for (const [i, [tag, data]] of tables.entries()) {
    head.write(tag, 12 + 16 * i, 'latin1');
    head.writeUInt32BE(at, 20 + 16 * i);
    head.writeUInt32BE(data.length, 24 + 16 * i);
    at += data.length;
  }
  return Buffer.concat([head, ...tables.map(([, data]) => data)]);
}
const OPEN_TYPE = { program: openType(serif), kind: 'OpenType' } as const;

describe('a document with a whole font', () => {
  test.each<[string, Parts]>([
    ['simple', { font: SIMPLE, content: text('(Re\\351 & co.)') }],
    ['simple, with names of its own', { font: WITH_DIFFERENCES, content: text('(ABC)') }],
    ['simple, by the program’s own encoding', { font: OWN_ENCODING, content: text('(d\\256k)') }],
    ['composite', { ...NUMBERED, content: text('<0002000a0050>') }],
    ['simple, in OpenType', { ...OPEN_TYPE, font: SIMPLE, content: text('(Re\\351 & co.)') }],
    [
      'composite, in OpenType',
      { font: COMPOSITE, program: openType(numberedBy(1)), kind: 'OpenType', content: text('<0002000a0040>') },
    ],
    [
      'Type 1, with an accented glyph',
      { font: WITH_DIFFERENCES, content: text('(ZC)'), program: pencil, entry: 'FontFile' },
    ],
  ])('%s keeps the glyphs it shows and no others', async (_, parts) => {
    await expectFewer(pdfWith(parts), FEW, 150);
  });

  test.each<[string, Parts]>([
    ['that fields are filled in with', { font: SIMPLE, content: text('(a)'), catalog: FILLED_IN }],
    [
      'of an encoding that is not followed',
      { ...NUMBERED, font: COMPOSITE.replace('Identity-H', 'UniGB-UTF16-H'), content: text('<0002>') },
    ],
    ['of an encoding for small capitals', { font: SIMPLE.replace('WinAnsi', 'MacExpert'), content: text('(a)') }],
    [
      'in OpenType, whose numbers are not those of its places',
      { font: COMPOSITE, program: openType(numbered), kind: 'OpenType', content: text('<0002000a0050>') },
    ],
    ['in OpenType, without an encoding', { ...OPEN_TYPE, font: OWN_ENCODING, content: text('(a)') }],
    ['of numbers, in a simple font', { ...NUMBERED, font: SIMPLE, content: text('(a)') }],
    ['whose text is long for it', { font: SIMPLE, content: text('(a)').repeat(1500) }],
  ])('%s keeps it whole', async (_, parts) => {
    const { bytes } = await small(pdfWith(parts));
    expect(bytes).toBeGreaterThan(FEW * 2);
  });
});

test('a program whose uses are not followed loses what none of its glyphs calls', async () => {
  const path = pdfWith({ ...NUMBERED, font: COMPOSITE.replace('Identity-H', 'UniGB-UTF16-H'), content: '' });
  const { bytes } = await small(path);
  expect(bytes).toBeLessThan(deflateSync(numbered, { level: 9 }).length * 0.8);
});

/** Items of which something is left. */
function left({ places }: CffIndex): readonly number[] {
  return places.slice(1).flatMap((end, i) => (end - places[i]! > 1 ? [i] : []));
}

describe('a program with fewer glyphs', () => {
  test('has the same names, codes and length, and its glyphs as they were', () => {
    const whole = openCff(serif)!;
    const glyph = whole.names?.indexOf('R') ?? 0;
    const made = cffWithGlyphs(whole, [glyph]);
    const font = openCff(made)!;
    expect(made.length).toBe(serif.length);
    expect([font.names, font.encoding]).toEqual([whole.names, whole.encoding]);
    const charstring = (program: typeof whole) =>
      Buffer.from(program.bytes.subarray(program.charstrings.places[glyph], program.charstrings.places[glyph + 1]));
    expect(charstring(font).equals(charstring(whole))).toBe(true);
    expect(left(font.charstrings)).toEqual([0, glyph]);
  });

  test('has the subroutines that its glyphs call, of each dictionary', () => {
    const font = openCff(cffWithGlyphs(openCff(numbered)!, [6, 7]))!;
    expect(left(font.globals)).toEqual([6, 7]);
    expect([left(font.localsOf(6)!), left(font.localsOf(7)!)]).toEqual([[3], [3]]);
    expect(font.localsOf(6)).not.toBe(font.localsOf(7));
    expect(font.numbers?.slice(0, 3)).toEqual([0, 2, 4]);
  });

  test('has all glyphs where all are wanted, and no subroutine that none of them calls', () => {
    const whole = openCff(numbered)!;
    const font = openCff(cffWithGlyphs(whole, allGlyphs(whole)))!;
    expect(font.charstrings).toEqual(whole.charstrings);
    const half = Array.from({ length: GLYPHS / 2 }, (_, i) => i);
    expect([left(font.localsOf(0)!), left(font.localsOf(1)!)]).toEqual([half.slice(1), half]);
  });

  const glyph = (charstring: string) =>
    openCff(
      assembleNumbered({
        charstrings: ['endchar', charstring],
        numbers: [0, 1],
        globals: ['return'],
        locals: [[]],
        select: [0, 0],
      }),
    )!;
  test.each([
    ['that calls what is not there', '5 callgsubr endchar'],
    ['that computes which subroutine it calls', '-100 -7 add callgsubr endchar'],
    ['that has no subroutines of its own, and calls one', '-107 callsubr endchar'],
  ])('is not made for a glyph %s', (_, charstring) => {
    expect(() => cffWithGlyphs(glyph(charstring), [1])).toThrow();
    expect(() => cffWithGlyphs(glyph(charstring), [0])).not.toThrow();
  });

  test('is not made of a program whose charset lies among its glyphs', () => {
    const other = Buffer.from(numbered);
    // In the dictionary: charset, choice of dictionaries, glyphs, each a byte and a number of four before its operator.
    const charset = other.indexOf(Buffer.from([15, 29])) - 4;
    other.copyWithin(charset, charset + 13, charset + 17);
    other.writeInt32BE(other.readInt32BE(charset) + 3, charset);
    expect(openCff(numbered)).toBeDefined();
    expect(() => openCff(other) ?? raise()).toThrow('no program');
  });

  test('is not made of a program that is cut short, or of another kind', () => {
    for (const end of [3, 60, 2000, 12_000]) expect(() => openCff(serif.subarray(0, end)) ?? raise()).toThrow();
    expect(openCff(Buffer.from('%!PS-AdobeFont-1.0'))).toBeUndefined();
  });
});

function raise(): never {
  throw new RangeError('no program');
}
