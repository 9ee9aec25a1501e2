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
import { inspectDocument } from '../../src/pdf/redact/inspect-document.ts';
import { buildDocument, NOTHING } from '../../src/pdf/redact/output/build-document.ts';
import { pageOf, rawPdf } from '../text/raw-pdf.ts';

const WASM = 'node_modules/@embedpdf/pdfium/dist/pdfium.wasm';
const eyes = askingEyes(
  answerQuestions(() => readFileSync(WASM), new AbortController().signal),
  () => {},
);

const tools = { openProbe: eyes.open, turn: async () => {}, progress() {} };

async function opened(bytes: Uint8Array) {
  const file = await openPdf(memorySource(bytes, 'made.pdf'));
  return { file, tree: readPages(file), scanned: false };
}

const check = async (bytes: Uint8Array, term: string) =>
  checkDocument(await opened(bytes), { regions: [], terms: [term], label: undefined }, tools);

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

  it('reads the letters that are drawn where the text says others, and calls such a page clean never', async () => {
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
