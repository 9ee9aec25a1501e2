// What one reader cannot read, and words in places that only programs read, are never clean. In this process, without the program.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { askingEyes } from '../../src/contract/questions.ts';
import { answerQuestions } from '../../src/local/redaction/answer-questions.ts';
import { openPdf } from '../../src/pdf/file/open.ts';
import { memorySource } from '../../src/pdf/file/read/memory-source.ts';
import { readPages } from '../../src/pdf/file/read/page-tree.ts';
import { applyRegions } from '../../src/pdf/redact/apply-regions.ts';
import { checkDocument } from '../../src/pdf/redact/check-document.ts';
import type { Recognise } from '../../src/pdf/redact/find/pictures-of-words.ts';
import { inspectDocument } from '../../src/pdf/redact/inspect-document.ts';
import { buildDocument, NOTHING } from '../../src/pdf/redact/output/build-document.ts';
import { pageOf, rawPdf } from '../text/raw-pdf.ts';

const WASM = 'node_modules/@embedpdf/pdfium/dist/pdfium.wasm';
const eyes = askingEyes(
  answerQuestions(() => readFileSync(WASM), new AbortController().signal),
  () => {},
);

const tools = { openProbe: eyes.open, yieldNow: async () => {}, progress() {} };

async function opened(bytes: Uint8Array) {
  const file = await openPdf(memorySource(bytes, 'made.pdf'));
  return { file, tree: readPages(file), scanned: false };
}

const check = async (bytes: Uint8Array, term: string, recognise?: Recognise) =>
  checkDocument(await opened(bytes), { regions: [], terms: [term], label: undefined }, { ...tools, recognise });

/** OCR that reads these words on every page. */
const reads =
  (...words: string[]): Recognise =>
  (pages) => {
    const line = words.map((text, i) => ({ text, box: [100 * i, 100, 100 * i + 90, 120] as const }));
    return Promise.resolve(new Map(pages.map((page) => [page, { lines: [line], width: 600, height: 800 }])));
  };

const regionsOf = async (bytes: Uint8Array, ...terms: string[]) =>
  (await inspectDocument(await opened(bytes), { terms, expressions: [], kinds: [] }, { ...tools, match: () => [] }))
    .regions;

const OPTIONS = { style: { fill: [0, 0, 0] as const, label: undefined }, strict: false, raster: false, clean: false };

const redacted = async (bytes: Uint8Array, ...terms: string[]) =>
  applyRegions(await opened(bytes), { ...OPTIONS, regions: await regionsOf(bytes, ...terms) }, tools);

const never = () => {
  throw new Error('there is no picture');
};

const line = (text: string) => `BT /F 14 Tf 40 200 Td (${text}) Tj ET`;

describe('redact check', () => {
  it('does not call a page clean that its own reader cannot take apart', async () => {
    const inItself = {
      dict: '/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X 6 0 R>>>>',
      stream: '/X Do',
    };
    const page = pageOf(`${line('Some line')} /X Do`, { resources: '/XObject<</X 6 0 R>>', more: [inItself] });
    const { leaks } = await check(page, 'Nobody');
    expect(leaks).toMatchObject([{ page: 1, what: 'a page that one reader cannot read', by: ['pdftool'] }]);
  });

  it('finds short words in the data of a form and in scripts, which are streams', async () => {
    const form = rawPdf([
      '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[]/XFA 5 0 R>>/OpenAction<</S/JavaScript/JS 6 0 R>>>>',
      '<</Type/Pages/Count 1/Kids[3 0 R]>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 300]/Contents 4 0 R/Resources<<>>>>',
      { dict: '', stream: '0 g' },
      { dict: '', stream: '<xfa:datasets><name>Anna</name></xfa:datasets>' },
      { dict: '', stream: 'var who = "Ines";\napp.alert(who);' },
    ]);
    expect((await check(form, 'Anna')).leaks).toMatchObject([{ where: 'form fields', count: 1 }]);
    expect((await check(form, 'Ines')).leaks).toMatchObject([{ where: 'other strings', count: 1 }]);
    expect((await check(form, 'Nobody')).leaks).toEqual([]);
  });

  it('does not call a scan clean that nothing could read, and a blank page it does', async () => {
    const picture = 'q 200 0 0 100 40 40 cm BI /W 1 /H 1 /CS /G /BPC 8 ID x EI Q';
    const unread = { page: 1, what: 'a page without text that nothing here can read', count: 1 };
    expect((await check(pageOf(picture), 'Nobody')).leaks).toEqual([unread]);
    expect((await check(pageOf('0 g'), 'Nobody')).leaks).toEqual([]);
    expect((await check(pageOf(`${line('Some line')} ${picture}`), 'Nobody')).leaks).toEqual([]);
  });

  it('names a page on which fonts do not tell what their letters are', async () => {
    const map = '1 begincodespacerange <00><ff> endcodespacerange 1 beginbfrange <20><7e><e020> endbfrange';
    const font = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode 6 0 R>>';
    const page = pageOf(line('Gonzalez'), { font, more: [{ dict: '', stream: map }] });
    const { unread } = await check(page, 'Nobody');
    expect(unread).toContainEqual({ page: 1, what: 'outlines', count: 8 });
  });

  it('reads the letters that are drawn where the text says others, and calls such a page clean only where OCR has read it too', async () => {
    const map = '1 begincodespacerange <00><ff> endcodespacerange 1 beginbfrange <20><7e><0021> endbfrange';
    const font = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding/ToUnicode 6 0 R>>';
    const page = pageOf(line('Gonzalez'), { font, more: [{ dict: '', stream: map }] });
    const disguised = { page: 1, what: 'letters that are other ones than the text says', count: 8, by: ['pdftool'] };
    const { leaks, unread } = await check(page, 'Nobody');
    expect([leaks, unread]).toEqual([[disguised], [{ page: 1, what: 'outlines', count: 8 }]]);
    const word = { page: 1, what: 'a word that was looked for' };
    expect((await check(page, 'Gonzalez')).leaks).toMatchObject([word, disguised]);
    expect((await check(page, 'Hpo{bmf{')).leaks).toMatchObject([word, disguised]);
    expect(await regionsOf(page, 'Gonzalez')).toHaveLength(1);
    // What OCR has read as well is no doubt any more.
    expect((await check(page, 'Nobody', reads('Gonzalez'))).leaks).toEqual([]);
    expect((await check(page, 'Anybody', reads('Anybody'))).leaks).toMatchObject([{ ...word, by: ['OCR'] }]);
  });

  it('finds words that a soft mask draws, and names the pages whose masks are pictures', async () => {
    const mask = (content: string, resources: string) => [
      '<</Type/ExtGState/SMask<</S/Luminosity/G 7 0 R>>>>',
      {
        dict: `/Type/XObject/Subtype/Form/BBox[0 0 595 842]/Group<</S/Transparency/CS/DeviceGray>>/Resources<<${resources}>>`,
        stream: content,
      },
      {
        dict: '/Type/XObject/Subtype/Image/Width 8/Height 8/BitsPerComponent 1/ColorSpace/DeviceGray',
        stream: 'abcdefgh',
      },
    ];
    const resources = '/ExtGState<</M 6 0 R>>';
    const content = `${line('Some line')} /M gs 1 0 0 rg 0 0 595 842 re f`;
    const words = pageOf(content, { resources, more: mask(`1 g ${line('Gonzalez')}`, '/Font<</F 5 0 R>>') });
    expect((await check(words, 'Gonzalez')).leaks).toMatchObject([{ page: 1, what: 'a word that was looked for' }]);
    const { bytes } = await redacted(words, 'Gonzalez');
    expect((await check(bytes, 'Gonzalez')).leaks).toEqual([]);
    const drawn = mask('q 200 0 0 80 40 400 cm /X Do Q', '/XObject<</X 8 0 R>>');
    const picture = pageOf(content, { resources, more: drawn });
    expect((await check(picture, 'Nobody')).unread).toEqual([{ page: 1, what: 'pictures', count: 1 }]);
    expect((await check(picture, 'Gonzalez', reads('Gonzalez'))).leaks).toMatchObject([{ page: 1, by: ['OCR'] }]);
  });
});

describe('redact apply', () => {
  it('edits a page on which somebody left a number that was removed elsewhere, and says so', async () => {
    const page = pageOf(`${line('Call 12 34 56')} BT /F 14 Tf 40 150 Td (Room 12 34 56 is free) Tj ET`);
    const regions = await regionsOf(page, '12 34 56');
    expect(regions).toHaveLength(2);
    const options = { ...OPTIONS, regions: regions.slice(0, 1) };
    const { pictures, elsewhere } = await applyRegions(await opened(page), options, tools);
    expect([pictures, elsewhere]).toEqual([[], 1]);
  });

  it('takes the name of a collection of characters, which many fonts have, for no word', async () => {
    const font = '<</Type/Font/Subtype/Type0/BaseFont/F/Encoding/Identity-H/DescendantFonts[6 0 R]/ToUnicode 8 0 R>>';
    const map = '1 begincodespacerange <0000><ffff> endcodespacerange 1 beginbfrange <0020><007e><0020> endbfrange';
    const more = [
      '<</Type/Font/Subtype/CIDFontType2/BaseFont/F/CIDSystemInfo 7 0 R/DW 500/FontDescriptor 9 0 R>>',
      '<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>',
      { dict: '', stream: map },
      '<</Type/FontDescriptor/FontName/F/Flags 4/FontBBox[0 -200 1000 900]/ItalicAngle 0/Ascent 900/Descent -200/StemV 80>>',
    ];
    const code = (text: string) => [...text].map((sign) => `00${sign.charCodeAt(0).toString(16)}`).join('');
    const page = pageOf(`BT /F 14 Tf 40 200 Td <${code('An entity of Adobe')}> Tj ET`, { font, more });
    const { pictures, bytes } = await redacted(page, 'entity', 'Adobe');
    expect(pictures).toEqual([]);
    expect((await check(bytes, 'entity')).leaks).toEqual([]);
    expect((await check(page, 'Identity')).leaks).toEqual([]);
  });

  it('takes words of the format of a font program, and names of glyphs in it, for no words', async () => {
    const page = rawPdf([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Count 1/Kids[3 0 R]>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 300]/Contents 4 0 R/Resources<</Font<</F 5 0 R/G 6 0 R>>>>>>',
      { dict: '', stream: `BT /G 9 Tf ET ${line('The current single copyright')}` },
      '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
      '<</Type/Font/Subtype/Type1/BaseFont/G/FontDescriptor 7 0 R>>',
      '<</Type/FontDescriptor/FontName/G/Flags 4/FontFile 8 0 R>>',
      {
        dict: '/Length1 60/Length2 0/Length3 0',
        stream: '%!PS-AdobeFont-1.0: G\n/quotesingle /copyright currentfile eexec',
      },
    ]);
    expect((await check(page, 'readonly')).leaks).toEqual([]);
    const { pictures, bytes } = await redacted(page, 'current', 'single', 'copyright');
    expect(Buffer.from(bytes).toString('latin1')).toContain('/FontFile');
    expect(pictures).toEqual([]);
    expect((await check(bytes, 'current')).leaks).toEqual([]);
  });

  it('keeps no address with a word that was looked for, of which parts are to be seen', async () => {
    const uri = '<</Type/Annot/Subtype/Link/Rect[40 40 80 60]/A<</S/URI/URI(https://example.com/plugin/)>>>>';
    const content = `${line('The plugin, a plug-in')} BT /F 14 Tf 40 150 Td (The plug in) Tj ET`;
    const { bytes } = await redacted(pageOf(content, { page: `/Annots[${uri}]` }), 'plugin');
    expect((await check(bytes, 'plugin')).leaks).toEqual([]);
    expect(Buffer.from(bytes).toString('latin1')).not.toContain('example.com');
  });

  it('edits a line with many regions, and keeps the words between them', async () => {
    const page = pageOf(
      line('Lili met Wilhelmina and Jill saw Montgomery so Billy went with Maximilian by Illi there'),
    );
    const terms = ['Lili', 'Wilhelmina', 'Jill', 'Montgomery', 'Billy', 'Maximilian', 'Illi'];
    expect((await redacted(page, ...terms)).pictures).toEqual([]);
  });

  it('edits a page on which parts of other lines lie in a region, and those lines stand elsewhere', async () => {
    const lines = [200, 180, 160].map((y) => `BT /F 14 Tf 20 ${y} Td (the enemy will jeopardize six gunboats) Tj ET`);
    const page = pageOf(`${lines.join(' ')} BT /F 14 Tf 90 203 Td (Wilhelmina) Tj ET`);
    const { pictures, bytes } = await redacted(page, 'Wilhelmina');
    expect(pictures).toEqual([]);
    expect((await check(bytes, 'Wilhelmina')).leaks).toEqual([]);
  });

  it('edits a page with a check mark in a font that no file has', async () => {
    const page = rawPdf([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Count 1/Kids[3 0 R]>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 300]/Contents 4 0 R/Resources<</Font<</F 5 0 R/Z 6 0 R>>>>>>',
      { dict: '', stream: `${line('Some Gonzalez here')} BT /Z 14 Tf 20 150 Td (4) Tj ET` },
      '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
      '<</Type/Font/Subtype/Type1/BaseFont/ZapfDingbats>>',
    ]);
    expect((await redacted(page, 'Gonzalez')).pictures).toEqual([]);
  });

  it('takes no letters of neighbours out of lines that run askew', async () => {
    const matrix = (degrees: number) => {
      const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
      return [cos, sin, -sin, cos].map((value) => value.toFixed(4)).join(' ');
    };
    const lines = ['gypsy jugglers fly by', 'ask Wilhelmina today', 'thick dull lilies fold', 'with Wilhelmina there'];
    for (const degrees of [12, 45, -30]) {
      const text = lines.map((said) => `(${said}) Tj 0 -16 Td`).join(' ');
      const page = pageOf(`BT /F 14 Tf ${matrix(degrees)} 150 150 Tm ${text} ET`);
      const { pictures, bytes } = await redacted(page, 'Wilhelmina');
      const { findings } = await buildDocument(await opened(bytes), NOTHING, never, async () => {});
      const left = findings.flatMap(({ letters }) => letters.map((letter) => letter.text)).join('');
      expect([pictures, left.replace(/\s/g, '')]).toEqual([[], lines.join('').replace(/Wilhelmina|\s/g, '')]);
    }
  });

  it('draws appearances that do not say that they are forms', async () => {
    const form = rawPdf([
      '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[5 0 R]>>>>',
      '<</Type/Pages/Count 1/Kids[3 0 R]>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 300]/Contents 4 0 R/Resources<<>>/Annots[5 0 R]>>',
      { dict: '', stream: '0 g' },
      '<</Type/Annot/Subtype/Widget/FT/Tx/T(a)/V(Wilhelmina Bob)/Rect[40 200 300 220]/F 4/AP<</N 6 0 R>>>>',
      { dict: '/BBox[0 0 260 20]/Resources<</Font<</F 7 0 R>>>>', stream: 'BT /F 12 Tf 2 5 Td (Wilhelmina Bob) Tj ET' },
      '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    ]);
    const regions = await regionsOf(form, 'Wilhelmina');
    expect(regions).toHaveLength(1);
    const { bytes } = await applyRegions(await opened(form), { ...OPTIONS, regions, clean: true }, tools);
    const { findings } = await buildDocument(await opened(bytes), NOTHING, never, async () => {});
    expect(
      findings
        .flatMap(({ letters }) => letters.map((letter) => letter.text))
        .join('')
        .trim(),
    ).toBe('Bob');
  });

  it('draws the values of fields that have no appearance, to search them and to keep them', async () => {
    const field = (name: string, value: string, y: number) =>
      `<</Type/Annot/Subtype/Widget/FT/Tx/T(${name})/V ${value}/DA(/Helv 12 Tf 0 g)/Rect[40 ${y} 300 ${y + 20}]/F 4>>`;
    const form = rawPdf([
      '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[5 0 R 6 0 R 7 0 R]/NeedAppearances true>>>>',
      '<</Type/Pages/Count 1/Kids[3 0 R]>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 300]/Contents 4 0 R/Resources<<>>/Annots[5 0 R 6 0 R 7 0 R]>>',
      { dict: '', stream: '0 g' },
      field('a', '(Wilhelmina)', 200),
      field('b', '(Bob \\(and more\\))', 150),
      field('c', '<feff6771>', 100),
    ]);
    const regions = await regionsOf(form, 'Wilhelmina');
    expect(regions).toHaveLength(1);
    const { bytes, bulleted } = await applyRegions(await opened(form), { ...OPTIONS, regions, clean: true }, tools);
    const { findings } = await buildDocument(await opened(bytes), NOTHING, never, async () => {});
    const left = findings.flatMap(({ letters }) => letters.map((letter) => letter.text)).join('');
    expect([left, bulleted]).toEqual(['Bob (and more)\u2022', 1]);
  });
});
