import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PDFDocument, PDFName } from 'pdf-lib';
import { afterAll, describe, expect, test } from 'vitest';
import { openTrueType, withGlyphs } from '../../src/pdf/fonts/programs/truetype.ts';
import { characterMaps, glyphNames } from '../../src/pdf/fonts/programs/truetype-lookup.ts';
import { expectFewer, FILLED_IN, small } from './font-documents.ts';
import { pictures } from './judges.ts';
import { pdfBytes, stream } from './written-pdf.ts';

/** A whole font of 139 KB deflated, as pdf.js carries it (SIL Open Font License). */
const manifest = createRequire(import.meta.url).resolve('pdfjs-dist/package.json');
const program = readFileSync(join(dirname(manifest), 'standard_fonts', 'LiberationSans-Regular.ttf'));
const whole = openTrueType(program);
if (whole === undefined) throw new Error('the font of pdf.js is no TrueType');
const [firstMap] = (characterMaps(whole) ?? []).filter((map) => map(0x41) > 0);
const glyphOf = (text: string) => [...text].map((letter) => firstMap?.(letter.codePointAt(0) ?? 0) ?? 0);

const folder = mkdtempSync(join(tmpdir(), 'font-subsets-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const DESCRIPTOR =
  '<</Type/FontDescriptor/FontName/LiberationSans/Flags 32/FontBBox[-544 -303 1302 980]/ItalicAngle 0/Ascent 905/Descent -212/CapHeight 729/StemV 80/FontFile2 7 0 R>>';
const SIMPLE =
  '<</Type/Font/Subtype/TrueType/BaseFont/LiberationSans/Encoding/WinAnsiEncoding/FirstChar 32/LastChar 33/Widths[278 278]/FontDescriptor 6 0 R>>';
const WITH_DIFFERENCES = SIMPLE.replace(
  '/WinAnsiEncoding',
  '<</BaseEncoding/MacRomanEncoding/Differences[65/Omega/eacute]>>',
);
const COMPOSITE = '<</Type/Font/Subtype/Type0/BaseFont/LiberationSans/Encoding/Identity-H/DescendantFonts[8 0 R]>>';
const DESCENDANT =
  '<</Type/Font/Subtype/CIDFontType2/BaseFont/LiberationSans/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/CIDToGIDMap/Identity/DW 600/FontDescriptor 6 0 R>>';

interface Parts {
  readonly font: string;
  readonly content: string;
  readonly catalog?: string;
  readonly more?: readonly (string | Buffer)[];
  readonly resources?: string;
  readonly fonts?: string;
}

/** The page's font is object 5, the program object 7; object 9 and on are `more`. */
function pdfWith({ font, content, catalog = '', more = [], resources = '', fonts = '' }: Parts): string {
  const path = join(folder, 'whole.pdf');
  const page = `<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 100]/Resources<</Font<</F 5 0 R${fonts}>>${resources}>>/Contents 4 0 R>>`;
  const objects = [
    `<</Type/Catalog/Pages 2 0 R${catalog}>>`,
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    page,
    stream('', content),
    font,
    DESCRIPTOR,
    stream(`/Length1 ${program.length}`, program),
    DESCENDANT,
    ...more,
  ];
  writeFileSync(path, pdfBytes(objects));
  return path;
}

const hex = (glyphs: readonly number[]) => glyphs.map((glyph) => glyph.toString(16).padStart(4, '0')).join('');
const text = (string: string) => `BT /F 24 Tf 10 40 Td ${string} Tj ET`;
/** Less than this is a font of few glyphs; the whole one takes ten times as much. */
const FEW = 30_000;

describe('a document with a whole font', () => {
  test.each<[string, Parts]>([
    ['simple', { font: SIMPLE, content: text('(Ren\\351 & co.)') }],
    ['simple, with names of its own', { font: WITH_DIFFERENCES, content: text('(ABC \\216)') }],
    ['composite', { font: COMPOSITE, content: text(`<${hex(glyphOf('Ångström Ж'))}>`) }],
    [
      'used by a form and by strings in a list',
      {
        font: SIMPLE,
        content: 'BT /F 20 Tf 10 60 Td [(Kern)-120(ed)] TJ ET /X Do',
        resources: '/XObject<</X 9 0 R>>',
        more: [
          stream(
            '/Type/XObject/Subtype/Form/BBox[0 0 300 100]/Resources<</Font<</G 5 0 R>>>>',
            'BT /G 18 Tf 10 20 Td (quiz 7) Tj ET',
          ),
        ],
      },
    ],
    [
      'used by glyphs that are drawn, under a key written with numbers',
      {
        font: SIMPLE,
        content: `${text('(a)')} BT /D 20 Tf 10 10 Td (x) Tj ET`,
        fonts: '/D 9 0 R',
        more: [
          '<</Type/Font/Subtype/Type3/FontBBox[0 0 1000 1000]/FontMatrix[.001 0 0 .001 0 0]/CharProc#73 10 0 R/Encoding<</Differences[120/drawn]>>/FirstChar 120/LastChar 120/Widths[1000]/Resources<</Font<</G 5 0 R>>>>>>',
          '<</drawn 11 0 R>>',
          stream('', '1000 0 d0 BT /G 1000 Tf (quiz) Tj ET'),
        ],
      },
    ],
    ['set before what saves and restores it', { font: SIMPLE, content: 'BT /F 24 Tf q Q 10 40 Td (saved) Tj ET' }],
  ])('%s keeps the glyphs it shows and no others', async (_, parts) => {
    await expectFewer(pdfWith(parts), FEW, 100);
  });

  test.each<[string, Parts]>([
    ['of numbers that fields are filled in with', { font: COMPOSITE, content: text('<0041>'), catalog: FILLED_IN }],
    [
      'that a form may use without saying so',
      {
        font: SIMPLE,
        content: `${text('(a)')} /X Do`,
        resources: '/XObject<</X 9 0 R>>',
        more: [stream('/Type/XObject/Subtype/Form/BBox[0 0 300 100]', 'BT /F 18 Tf 10 20 Td (quiz) Tj ET')],
      },
    ],
    [
      'of an encoding that is not followed',
      { font: COMPOSITE.replace('Identity-H', 'UniGB-UTF16-H'), content: text('<0041>') },
    ],
    [
      'that a page has besides as a font without a number',
      { font: SIMPLE, content: `${text('(a)')} BT /H 9 Tf (bcd) Tj ET`, fonts: `/H ${SIMPLE}` },
    ],
  ])('%s keeps it whole', async (_, parts) => {
    const { bytes } = await small(pdfWith(parts));
    expect(bytes).toBeGreaterThan(FEW * 3);
  });
});

test('a font of codes that fields are filled in with keeps the glyphs of all 256', async () => {
  const { pdf, bytes } = await small(pdfWith({ font: SIMPLE, content: text('(a)'), catalog: FILLED_IN }));
  expect(bytes).toBeLessThan(FEW * 3);
  // Somebody fills in a field: every code from the space on, with the program that is left.
  const every = Array.from({ length: 224 }, (_, i) => `\\${(i + 32).toString(8).padStart(3, '0')}`).join('');
  const filled = async (path: string) => {
    const document = await PDFDocument.load(readFileSync(path));
    const content = document.context.flateStream(`BT /F 1.9 Tf 5 40 Td (${every}) Tj ET`);
    document.getPage(0).node.set(PDFName.of('Contents'), document.context.register(content));
    const to = join(folder, 'filled.pdf');
    writeFileSync(to, await document.save());
    return pictures(to, 300);
  };
  const [mupdf, poppler] = await filled(pdf);
  const [mupdfWhole, popplerWhole] = await filled(pdfWith({ font: SIMPLE, content: '' }));
  expect(new Set(mupdfWhole).size).toBeGreaterThan(2);
  expect(mupdf.equals(mupdfWhole)).toBe(true);
  expect(poppler.equals(popplerWhole)).toBe(true);
});

describe('a program with fewer glyphs', () => {
  test('has what its glyphs are composed of, under the same numbers', () => {
    const [glyph = 0] = glyphOf('Å');
    const font = openTrueType(withGlyphs(whole, [glyph], true));
    const size = (number: number) => (font?.places[number + 1] ?? 0) - (font?.places[number] ?? 0);
    expect(font?.glyphs).toBe(whole.glyphs);
    expect(size(glyph)).toBe((whole.places[glyph + 1] ?? 0) - (whole.places[glyph] ?? 0));
    const [base = 0, other = 0] = glyphOf('AB');
    expect(size(base)).toBeGreaterThan(0);
    expect(size(other)).toBe(0);
  });

  test('finds glyphs as before, by code and by name', () => {
    const font = openTrueType(withGlyphs(whole, glyphOf('x'), true));
    expect(font && characterMaps(font)?.map((map) => map(0x78))).toEqual(characterMaps(whole)?.map((map) => map(0x78)));
    expect(font && glyphNames(font)).toEqual(glyphNames(whole));
    expect(glyphNames(whole)[glyphOf('x')[0] ?? 0]).toBe('x');
  });

  test.each([
    ['cut short', program.subarray(0, 5000)],
    ['another kind of font', Buffer.from('OTTO\0\0\0\0\0\0\0\0')],
    ['nothing', new Uint8Array(0)],
  ])('is not made of one that is %s', (_, bytes) => {
    expect(openTrueType(bytes)).toBeUndefined();
  });
});
