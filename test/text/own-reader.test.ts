import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { OwnPages } from '../../src/pdf/text/content/own-pages.ts';
import type { PageContent, Word } from '../../src/pdf/text/content/page-content.ts';
import { openText } from '../../src/pdf/text/pdfjs/parts.ts';
import { PdfjsPages } from '../../src/pdf/text/pdfjs/pdfjs-pages.ts';
import { extractText, markdown } from '../local.ts';
import { processorTime } from '../processor-time.ts';
import { context, draw, sourceOf } from './drawing.ts';
import { pageOf } from './raw-pdf.ts';

const FIXTURES = join(import.meta.dirname, '../fixtures');

/** Every page by both readers; of a page that ours leaves, its reason. */
async function bothReaders(bytes: Uint8Array, name: string): Promise<[PageContent | string, PageContent][]> {
  const source = sourceOf(bytes, name);
  const ctx = context();
  const opened = await openText(source, ctx);
  const own = new OwnPages(opened.file);
  const theirs = new PdfjsPages(source, opened, ctx);
  try {
    const pages: [PageContent | string, PageContent][] = [];
    for (const [i, page] of opened.tree.pages.entries()) {
      pages.push([own.read(page), await theirs.page(i + 1, (drawing) => own.addFields(page, drawing))]);
    }
    return pages;
  } finally {
    await theirs.close();
  }
}

/** What layout works with but for where it is. */
function seen({ direction, words, turned, rules, fills }: PageContent): unknown {
  const word = ({ text, face, spaced }: Word) => [text, face.bold, face.italic, face.mono, spaced].join(' ');
  const others = turned.flatMap((each) => each.words.map(word));
  return { direction, words: words.map(word), others, rules: rules.length, fills: fills.length };
}

/** The largest distance between two lists of words that have the same texts, in points. */
function distance(a: PageContent, b: PageContent): number {
  const places = ({ width, height, words }: PageContent) => [
    width,
    height,
    ...words.flatMap(({ x0, x1, y, size }) => [x0, x1, y, size]),
  ];
  const others = places(b);
  return Math.max(...places(a).map((place, i) => Math.abs(place - others[i]!)));
}

async function expectSame(bytes: Uint8Array, name = 'in.pdf'): Promise<void> {
  for (const [own, theirs] of await bothReaders(bytes, name)) {
    if (typeof own === 'string') throw new Error(`our own reader left a page: ${own}`);
    expect(seen(own)).toEqual(seen(theirs));
    expect(distance(own, theirs)).toBeLessThan(0.05);
  }
}

async function textOf(bytes: Uint8Array): Promise<string> {
  const { record } = await extractText({ file: sourceOf(bytes) }, context());
  return String(record.text);
}

describe('both readers see the same', () => {
  it.each(readdirSync(FIXTURES).filter((name) => name.endsWith('.pdf')))('in %s', async (name) => {
    await expectSame(readFileSync(join(FIXTURES, name)), name);
  });

  it('in fonts that every reader has, regular, bold and fixed-pitch', async () => {
    await expectSame(
      await draw((pen) => {
        pen.text('Regular: AVATAR, “quoted” – 12 €', 72, 72);
        pen.text('Bold: fluffy', 72, 90, { font: 'bold' });
        pen.text('Mono: if (a) { b(); }', 72, 110, { font: 'mono' });
        pen.rule(72, 130, 300, 130);
      }),
    );
  });

  it.each([
    ['strings in all their forms', 'BT /F 12 Tf 72 700 Td (a\\(b\\)\\101\\\nc) Tj <48 656C 6c6F2> Tj ET'],
    ['arrays with gaps', 'BT /F 12 Tf 72 700 Td [(glu)-20(ed)-900(apart) 40(x)]TJ ET'],
    [
      'lines by T*, quote and double quote',
      'BT /F 12 Tf 14 TL 72 700 Td (one) Tj T* (two) Tj (three) \' 3 1 (four) " ET',
    ],
    ['rise, scale and spacing', 'BT /F 12 Tf 80 Tz 2 Tc 5 Tw 3 Ts 72 700 Td (wide and raised) Tj ET'],
    [
      'matrices',
      'q 2 0 0 2 10 10 cm BT /F 6 Tf 1 0 0 1 30 300 Tm (scaled) Tj ET Q BT /F 9 Tf 0 1 -1 0 50 50 Tm (up) Tj ET',
    ],
    ['numbers that are badly written', 'BT /F +12. Tf --72 700.5.3 Td (odd) Tj .5 0 Td (numbers) Tj ET'],
    ['an inline image', 'q BI /W 1 /H 1 /BPC 8 /CS /G ID \x80 EI Q BT /F 12 Tf 72 700 Td (after it) Tj ET'],
    ['areas and their colours', '1 g 72 72 200 40 re f 0 g 72 200 200 40 re f 1 0 0 RG 72 300 m 300 300 l S'],
    [
      'artifacts',
      '/Artifact BMC BT /F 9 Tf 72 800 Td (head) Tj ET EMC /P <</MCID 3>> BDC BT /F 9 Tf 72 700 Td (text) Tj ET EMC',
    ],
    ['an operator that lacks its operands', 'BT /F 12 Tf 72 700 Td (kept) Tj 5 Td Tm cm re (too) Tj ET'],
    ['words on themselves', 'BT /F 12 Tf 72 700 Td (Bold) Tj 0.2 0 Td (Bold) Tj ET'],
    ['more restored than saved', 'Q Q BT /F 12 Tf 72 700 Td (still) Tj ET Q'],
  ])('%s', async (_name, content) => {
    await expectSame(pageOf(content));
  });

  it.each([0, 90, 180, 270])('on a page turned by %i degrees and cropped', async (turn) => {
    const page = `/Rotate ${turn}/CropBox[20 30 500 800]`;
    await expectSame(pageOf('BT /F 12 Tf 72 700 Td (Turned with its page) Tj ET', { page }));
  });

  it('in forms within forms', async () => {
    const form = (stream: string, dict = '') => ({
      dict: `/Type/XObject/Subtype/Form/BBox[0 0 500 500]/Matrix[1 0 0 1 20 20]${dict}`,
      stream,
    });
    const bytes = pageOf('BT /F 12 Tf ET q 1 0 0 1 50 50 cm /A Do Q BT 72 700 Td (outside) Tj ET', {
      resources: '/XObject<</A 6 0 R>>',
      more: [
        form('q BT /F 10 Tf 10 100 Td (first) Tj ET /B Do', '/Resources<</Font<</F 5 0 R>>/XObject<</B 7 0 R>>>>'),
        form('q Q BT /F 8 Tf 10 50 Td (second) Tj ET', '/Resources<</Font<</F 5 0 R>>>>'),
      ],
    });
    await expectSame(bytes);
    expect(await textOf(bytes)).toMatch(/first[\s\S]*second/);
  });

  it.each([
    ['differences', '/Encoding<</Differences[65/eacute/Omega/uni4E2D/fi]>>'],
    ['no encoding', '/FirstChar 65/Widths[700 700 700 700]'],
    ['MacRoman', '/Encoding/MacRomanEncoding'],
  ])('in a font with %s', async (_name, encoding) => {
    const font = `<</Type/Font/Subtype/Type1/BaseFont/Times-Roman${encoding}>>`;
    await expectSame(pageOf('BT /F 12 Tf 72 700 Td (ABCD\\216) Tj ET', { font }));
  });

  it('through a map of codes to characters', async () => {
    const map = [
      '1 begincodespacerange <0000> <ffff> endcodespacerange',
      '2 beginbfchar <0001> <0048> <0002> <D835DC9E> endbfchar',
      '2 beginbfrange <0010> <0012> <00660069> <0020> <0021> [<4E2D> <6587>] endbfrange',
    ].join('\n');
    const bytes = pageOf('BT /F 12 Tf 72 700 Td <00010002001000120020002100ff> Tj ET', {
      font: '<</Type/Font/Subtype/Type0/BaseFont/X/Encoding/Identity-H/DescendantFonts[6 0 R]/ToUnicode 7 0 R>>',
      more: [
        '<</Type/Font/Subtype/CIDFontType2/BaseFont/X/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/DW 500/W[1[600 700] 16 18 400]/FontDescriptor 8 0 R>>',
        { dict: '', stream: map },
        '<</Type/FontDescriptor/FontName/X/Flags 4/ItalicAngle 0/Ascent 800/Descent -200/CapHeight 700/StemV 80/FontBBox[0 0 1000 1000]>>',
      ],
    });
    await expectSame(bytes);
    // The last code is not in the map.
    expect(await textOf(bytes)).toContain('文\ufffd\n');
  });

  it('by the numbers of glyphs, where a program in the file has no map', async () => {
    const manifest = createRequire(import.meta.url).resolve('pdfjs-dist/package.json');
    const program = readFileSync(join(dirname(manifest), 'standard_fonts', 'LiberationSans-Regular.ttf'));
    const bytes = pageOf('BT /F 12 Tf 72 700 Td <0024002500260000002700ff> Tj ET', {
      font: '<</Type/Font/Subtype/Type0/BaseFont/X/Encoding/Identity-H/DescendantFonts[6 0 R]>>',
      more: [
        '<</Type/Font/Subtype/CIDFontType2/BaseFont/X/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/DW 500/W[36[600 700]]/FontDescriptor 7 0 R>>',
        '<</Type/FontDescriptor/FontName/X/Flags 4/ItalicAngle 0/Ascent 800/Descent -200/CapHeight 700/StemV 80/FontBBox[0 0 1000 1000]/FontFile2 8 0 R>>',
        { dict: `/Length1 ${program.length}`, stream: program.toString('latin1') },
      ],
    });
    await expectSame(bytes);
    expect(await textOf(bytes)).toBe("$%&'ÿ\n");
  });

  it('by names of variants and ligatures', async () => {
    const font = '<</Type/Font/Subtype/Type1/BaseFont/Times-Roman/Encoding<</Differences[1/six.lf/f_f_i/g.sc]>>>>';
    expect(await textOf(pageOf('BT /F 12 Tf 72 700 Td <010203> Tj ET', { font }))).toBe('6ffig\n');
  });

  it('in a font of drawn glyphs that does not say how high they are', async () => {
    const glyph = { dict: '', stream: '5 0 d0 0 0 4 6 re f' };
    const bytes = pageOf('BT /F 10 Tf 72 700 Td (ab) Tj 13 0 Td (ba) Tj ET', {
      font: '<</Type/Font/Subtype/Type3/FontBBox[0 0 0 0]/FontMatrix[0.1 0 0 0.1 0 0]/FirstChar 97/LastChar 98/Widths[5 5]/Encoding<</Differences[97/a/b]>>/CharProcs<</a 6 0 R/b 6 0 R>>>>',
      more: [glyph],
    });
    expect(await textOf(bytes)).toBe('ab ba\n');
  });
});

describe('what ours does not know', () => {
  it('is left to pdf.js: a predefined map for Chinese', async () => {
    const bytes = pageOf('BT /F 12 Tf 72 700 Td <4F60597D> Tj ET', {
      font: '<</Type/Font/Subtype/Type0/BaseFont/STSong-Light/Encoding/UniGB-UCS2-H/DescendantFonts[6 0 R]>>',
      more: [
        '<</Type/Font/Subtype/CIDFontType0/BaseFont/STSong-Light/CIDSystemInfo<</Registry(Adobe)/Ordering(GB1)/Supplement 4>>/FontDescriptor 7 0 R>>',
        '<</Type/FontDescriptor/FontName/STSong-Light/Flags 6/ItalicAngle 0/Ascent 752/Descent -271/CapHeight 737/StemV 58/FontBBox[-25 -254 1000 880]>>',
      ],
    });
    const [[own]] = (await bothReaders(bytes, 'in.pdf')) as [[PageContent | string, PageContent]];
    expect(own).toBe('encoding');
    expect(await textOf(bytes)).toBe('你好\n');
  });
});

describe('content made to exhaust', () => {
  it('a hundred thousand q are read at once', async () => {
    const began = processorTime();
    const text = await textOf(
      pageOf(`${'q '.repeat(100_000)}BT /F 12 Tf 72 700 Td (deep) Tj ET${' Q'.repeat(100_000)}`),
    );
    expect(text).toBe('deep\n');
    expect(processorTime() - began).toBeLessThan(5_000);
  });

  it('a form that draws itself ends', async () => {
    const form = {
      dict: '/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</A 6 0 R>>>>',
      stream: '/A Do /A Do',
    };
    const bytes = pageOf('/A Do BT /F 12 Tf 72 700 Td (done) Tj ET', {
      resources: '/XObject<</A 6 0 R>>',
      more: [form],
    });
    expect(await textOf(bytes)).toBe('done\n');
  });

  it('forms that multiply are refused at a limit', async () => {
    const form = (next: number) => ({
      dict: `/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</A ${next} 0 R>>>>`,
      stream: '/A Do '.repeat(30),
    });
    const more = [7, 8, 9, 10, 11].map(form);
    const bytes = pageOf('/A Do', { resources: '/XObject<</A 6 0 R>>', more: [...more, form(99)] });
    await expect(textOf(bytes)).rejects.toMatchObject({ code: 'unprocessable', kind: 'limit' });
  });
});

it('an invisible space over a visible word does not part it', async () => {
  const text = '(loa) Tj 3 Tr 1 0 0 1 74 700 Tm ( ) Tj 0 Tr 1 0 0 1 88.7 700 Tm (ns) Tj';
  const bytes = pageOf(`BT /F 12 Tf 1 0 0 1 72 700 Tm ${text} ET`);
  expect((await extractText({ file: sourceOf(bytes) }, context())).record.text).toBe('loans\n');
});

it('tilted labels are whole, and apart from each other', async () => {
  const [x, y] = [0.5, 0.866];
  const label = (text: string, from: number) =>
    [...text].map((each, i) => `${x} ${y} ${-y} ${x} ${from + 7 * i * x} ${500 + 7 * i * y} Tm (${each}) Tj`).join(' ');
  const bytes = pageOf(`BT /F 10 Tf ${label('Oct 10', 100)} ${label('Nov 10', 200)} ET`, {
    font: '<</Type/Font/Subtype/Type1/BaseFont/Courier/FirstChar 32/LastChar 126/Widths[600]/FontDescriptor<</Type/FontDescriptor/FontName/Courier/Flags 33/MissingWidth 600>>>>',
  });
  expect((await textOf(bytes)).trim().split('\n').sort()).toEqual(['Nov 10', 'Oct 10']);
});

it('codes that only number the glyphs of a font are no characters', async () => {
  const font =
    '<</Type/Font/Subtype/Type1/BaseFont/AAAAAA+Cambria/FirstChar 2/LastChar 5/Widths[500 500 500 500]/Encoding<</Type/Encoding/Differences[2/g18/g152/g135/g148]>>>>';
  const bytes = pageOf('BT /G 12 Tf 72 700 Td <02030405> Tj ET', { resources: '/Font<</G 6 0 R>>', more: [font] });
  expect((await extractText({ file: sourceOf(bytes), allow_empty: true }, context())).record.text).toBe(
    '\ufffd\ufffd\ufffd\ufffd\n',
  );
});

describe('links', () => {
  it('that go on in the next line are one link, and an address in brackets is none', async () => {
    const link = (rect: string, address: string) =>
      `<</Type/Annot/Subtype/Link/Rect[${rect}]/A<</S/URI/URI(${address})>>>>`;
    const bytes = pageOf(
      'BT /F 12 Tf 72 700 Td (Whoever would like to know more about it may read) Tj 0 -14 Td (the manual, \\(http://example.org/\\) for all.) Tj ET',
      {
        page: '/Annots[6 0 R 7 0 R 8 0 R]',
        more: [
          link('295 695 400 715', 'https://example.org/manual'),
          link('72 681 128 699', 'https://example.org/manual'),
          link('134 681 242 699', 'http://example.org/'),
        ],
      },
    );
    const result = await markdown({ file: sourceOf(bytes), mode: 'developer' }, context());
    expect(result.kind === 'record' && result.record.markdown).toContain(
      '[may read the manual,](https://example.org/manual) (http://example.org/) for all.',
    );
  });

  it('are written for readers, and left out of text for retrieval', async () => {
    const bytes = pageOf('BT /F 12 Tf 72 700 Td (See the manual for more.) Tj ET', {
      page: '/Annots[6 0 R]',
      more: ['<</Type/Annot/Subtype/Link/Rect[95 695 157 715]/A<</S/URI/URI(https://example.org/a b)>>>>'],
    });
    const written = async (mode: 'developer' | 'rag') => {
      const result = await markdown({ file: sourceOf(bytes), mode }, context());
      return result.kind === 'record' ? result.record.markdown : undefined;
    };
    expect(await written('developer')).toContain('[the manual](https://example.org/a%20b)');
    expect(await written('rag')).toBe('See the manual for more.\n');
  });
});

it('says in a warning what was mended in a damaged file', async () => {
  const bytes = pageOf('BT /F 12 Tf 72 700 Td (Saved) Tj ET');
  const damaged = Buffer.from(
    Buffer.from(bytes)
      .toString('latin1')
      .replace(/startxref\n\d+/, 'startxref\n7'),
    'latin1',
  );
  const expected = ['in.pdf is damaged and was repaired: its cross-reference table was made anew'];
  const text = await extractText({ file: sourceOf(damaged) }, context());
  expect(text.record.text).toBe('Saved\n');
  expect(text.warnings).toEqual(expected);
  const read = await markdown({ file: sourceOf(damaged) }, context());
  expect(read.warnings).toEqual(expected);
  expect(read.kind === 'record' && read.record.warnings).toEqual(expected);
});
