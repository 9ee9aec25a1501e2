// Lists, figures and the order of reading that the tags of a document declare (ISO 32000-1, 14.8).
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readDocument } from '../../src/pdf/text/read-document.ts';
import { extractText, markdown } from '../local.ts';
import { context, sourceOf } from './drawing.ts';
import { rawPdf } from './raw-pdf.ts';

const fixture = (name: string) => readFileSync(join(import.meta.dirname, '../fixtures/documents', name));

async function markdownOf(bytes: Uint8Array, mode: 'developer' | 'rag' = 'developer'): Promise<string> {
  const result = await markdown({ file: sourceOf(bytes), mode }, context());
  if (result.kind !== 'record' || !('record' in result)) throw new Error('expected a record');
  return String(result.record.markdown);
}

/** The document without its tags, as qpdf writes it. */
function withoutTags(bytes: Uint8Array): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), 'pdftool-tags-'));
  try {
    const [from, to] = [join(folder, 'in.pdf'), join(folder, 'out.json')];
    writeFileSync(from, bytes);
    execFileSync('qpdf', ['--json-output', from, to]);
    const json = readFileSync(to, 'utf8').replace(/"\/StructTreeRoot": "\d+ \d+ R"/, '"/Nothing": null');
    writeFileSync(to, json);
    execFileSync('qpdf', ['--json-input', to, from]);
    return readFileSync(from);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

it('headings on lines below each other are as many as the tags say, and the title of the contents is one', async () => {
  const headings = async (bytes: Uint8Array) => (await markdownOf(bytes)).match(/^#.*$/gm);
  const bytes = fixture('verapdf--7.2-t27-fail-c.pdf');
  expect(await headings(bytes)).toEqual([
    '# Contents',
    '# Chapter 1',
    '# Chapter 2',
    '## Chapter 2.1',
    '## Chapter 2.2',
  ]);
});

describe('lists', () => {
  it('have their items where the tags say, though marks and answers stand apart', async () => {
    const bytes = fixture('pdfbox--PDFBOX-2725-878725.pdf');
    const items = (text: string) => text.match(/^\d\. .*\?.*$/gm)?.map((line) => line.replace(/ +/g, ' '));
    expect(items(await markdownOf(bytes, 'rag'))).toEqual([
      '1. Are you, or the company you represent, in any way "affiliated" with debtor(s) within the meaning of Bankruptcy Code Section 101(2)? Yes ( ) No ( )',
      '2. Do you, or the company you represent, engage in a business which directly or indirectly competes with any of the businesses of the debtor(s)? Yes ( ) No ( )',
      '3. Have you ever been an officer, director, agent, representative or employee of the debtor(s)? Yes ( ) No ( )',
      '4. As of the petition date, did you own any equity interests in the debtor(s)? Yes ( ) No ( )',
      '5. Was any of the unsecured claim you are asserting acquired after the bankruptcy filing? Yes ( ) No ( )',
      "6. Are you eligible and willing to serve on the unsecured creditor's committee? Yes ( ) No ( )",
    ]);
    expect(items(await markdownOf(withoutTags(bytes), 'rag'))).not.toContain(expect.stringContaining('committee? Yes'));
  });
});

describe('figures', () => {
  it('say what they show where they stand; not in text for retrieval or in plain text', async () => {
    const bytes = fixture('pdfjs--issue9972-1.pdf');
    const text = await markdownOf(bytes);
    expect(text.match(/^!\[.*$/gm)).toEqual(['![Wake-Sleep Calendar]()', '![Strategic Napping Calendar]()']);
    expect(await markdownOf(bytes, 'rag')).not.toContain('![');
    const { record } = await extractText({ file: sourceOf(bytes) }, context());
    expect(record.text).not.toContain('![');
    expect(await markdownOf(withoutTags(bytes))).not.toContain('![');
  });
});

it('a running head that tags call an artifact is left out of a single page, unless nothing else is tagged', async () => {
  const page = (body: string, head = '/F 10 Tf 72 800 Td (Head) Tj') =>
    rawPdf([
      '<</Type/Catalog/Pages 2 0 R/MarkInfo<</Marked true>>/StructTreeRoot 5 0 R>>',
      '<</Type/Pages/Count 1/Kids[3 0 R]>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/StructParents 0/Resources<</Font<</F 7 0 R>>>>>>',
      {
        dict: '',
        stream: `/Artifact <</Type/Pagination>> BDC BT ${head} ET EMC ${body} BDC BT /F 10 Tf 72 700 Td (Body) Tj ET EMC`,
      },
      '<</Type/StructTreeRoot/K 6 0 R/ParentTree<</Nums[0[6 0 R]]>>>>',
      '<</Type/StructElem/S/P/P 5 0 R/Pg 3 0 R/K 0>>',
      '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
    ]);
  expect(await markdownOf(page('/P <</MCID 0>>'))).toBe('Body\n');
  expect(await markdownOf(page('/P <<>>'))).toBe('Head\n\nBody\n');
  // A title, and an imprint of five lines and more, are content wherever a word processor puts them.
  expect(await markdownOf(page('/P <</MCID 0>>', '/F 14 Tf 72 800 Td (Schedule) Tj'))).toContain('Schedule');
  const imprint =
    '/F 10 Tf 12 TL 72 80 Td (All rights) Tj T* (are reserved) Tj T* (by the) Tj T* (owner of) Tj T* (this) Tj';
  expect(await markdownOf(page('/P <</MCID 0>>', imprint))).toMatch(/All rights.*owner of/s);
  // Two lines on the one page of a form are content, unless the page has a number.
  const sender = (last: string) => `/F 10 Tf 12 TL 72 800 Td (Institute of) Tj T* (Technology) Tj T* (${last}) Tj`;
  expect(await markdownOf(page('/P <</MCID 0>>', sender('in Jalandhar')))).toMatch(/Institute of.*Technology.*Body/s);
  expect(await markdownOf(page('/P <</MCID 0>>', sender('Page 7')))).toBe('Body\n');
});

describe('the text that an element stands for', () => {
  /** A page of elements, each with pieces of text at x and y and with what it says that they read. */
  function page(
    elements: readonly { readonly actual?: string; readonly pieces: readonly [text: string, x: number, y: number][] }[],
    marks = '/Marked true',
  ): Uint8Array {
    const stream = elements
      .map(({ pieces }, i) => {
        const shown = pieces.map(([text, x, y]) => `1 0 0 1 ${x} ${y} Tm (${text}) Tj`).join(' ');
        return `/Span <</MCID ${i}>> BDC BT /F 10 Tf ${shown} ET EMC`;
      })
      .join('\n');
    const refs = elements.map((_, i) => `${8 + i} 0 R`).join(' ');
    return rawPdf([
      `<</Type/Catalog/Pages 2 0 R/MarkInfo<<${marks}>>/StructTreeRoot 5 0 R>>`,
      '<</Type/Pages/Count 1/Kids[3 0 R]>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/StructParents 0/Resources<</Font<</F 7 0 R>>>>>>',
      { dict: '', stream },
      `<</Type/StructTreeRoot/K 6 0 R/ParentTree<</Nums[0[${refs}]]>>>>`,
      `<</Type/StructElem/S/P/P 5 0 R/K[${refs}]>>`,
      '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
      ...elements.map(({ actual }, i) => {
        const text = actual === undefined ? '' : `/ActualText(${actual})`;
        return `<</Type/StructElem/S/Span/P 6 0 R/Pg 3 0 R${text}/K ${i}>>`;
      }),
    ]);
  }
  const textOf = async (bytes: Uint8Array) =>
    String((await extractText({ file: sourceOf(bytes) }, context())).record.text);

  /** A name whose letters stand apart and on two baselines. */
  const LOGO = [
    ['L', 72, 700],
    ['A', 82, 702],
    ['TEX', 92, 700],
  ] as [string, number, number][];

  it('replaces the words inside, where each line of them stands', async () => {
    const bytes = page([
      { actual: 'LaTeX', pieces: LOGO },
      {
        actual: 'writes examples',
        pieces: [
          ['writes exam-', 130, 700],
          ['ples', 72, 688],
        ],
      },
      { pieces: [['and more.', 96, 688]] },
    ]);
    expect(await textOf(bytes)).toBe('LaTeX writes exam-\nples and more.\n');
    expect(await markdownOf(bytes)).toBe('LaTeX writes examples and more.\n');
  });

  it('is left where it would hide what the page shows, and where tags are suspect', async () => {
    const wrong = page([
      { actual: 'Site tour', pieces: [['Deal roadshow', 72, 700]] },
      { actual: ' ', pieces: [['Port of loading', 72, 680]] },
      { actual: 'Total of many things that nobody sees on this page', pieces: [['Total', 72, 660]] },
    ]);
    expect((await textOf(wrong)).trim().split(/\n+/)).toEqual(['Deal roadshow', 'Port of loading', 'Total']);
    const suspect = page([{ actual: 'LaTeX', pieces: LOGO }], '/Marked true/Suspects true');
    expect(await textOf(suspect)).not.toContain('LaTeX');
  });
});

describe('the order of reading', () => {
  /** Two notes beside each other, the right one first: `orders` has the marks of each note's lines. */
  function page(orders: readonly (readonly number[])[], more = '/MarkInfo<</Marked true>>'): Uint8Array {
    const lines = [
      'The second note begins here',
      'and ends in this line.',
      'The first note begins here',
      'and ends here too.',
    ];
    const stream = lines
      .map(
        (text, i) => `/P <</MCID ${i}>> BDC BT /F 10 Tf 72 ${700 - 13 * i - (i > 1 ? 60 : 0)} Td (${text}) Tj ET EMC`,
      )
      .join('\n');
    const parents = [0, 1, 2, 3].map((mark) => `${7 + orders.findIndex((marks) => marks.includes(mark))} 0 R`);
    return rawPdf([
      `<</Type/Catalog/Pages 2 0 R${more}/StructTreeRoot 5 0 R>>`,
      '<</Type/Pages/Count 1/Kids[3 0 R]>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/StructParents 0/Resources<</Font<</F 9 0 R>>>>>>',
      { dict: '', stream },
      `<</Type/StructTreeRoot/K 6 0 R/ParentTree<</Nums[0[${parents.join(' ')}]]>>>>`,
      '<</Type/StructElem/S/Document/P 5 0 R/K[7 0 R 8 0 R]>>',
      ...orders.map((marks) => `<</Type/StructElem/S/P/P 6 0 R/Pg 3 0 R/K[${marks.join(' ')}]>>`),
      '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
    ]);
  }
  /** The marks of the first note, then those of the second. */
  const FIRST_THEN_SECOND = [
    [2, 3],
    [0, 1],
  ];
  const startsOf = (text: string) => text.match(/(first|second) note/g);

  it('is that of sound tags', async () => {
    expect(startsOf(await markdownOf(page(FIRST_THEN_SECOND)))).toEqual(['first note', 'second note']);
  });

  it('is that of the page where tags are suspect, or tear lines of a paragraph apart', async () => {
    const asItStands = ['second note', 'first note'];
    expect(startsOf(await markdownOf(page(FIRST_THEN_SECOND, '/MarkInfo<</Marked true/Suspects true>>')))).toEqual(
      asItStands,
    );
    expect(startsOf(await markdownOf(page(FIRST_THEN_SECOND, '')))).toEqual(asItStands);
    expect(
      startsOf(
        await markdownOf(
          page([
            [3, 1],
            [2, 0],
          ]),
        ),
      ),
    ).toEqual(asItStands);
  });
});

it('the language of a document is that of its catalog, where it is one', async () => {
  const page = (lang: string) =>
    rawPdf([
      `<</Type/Catalog/Pages 2 0 R/Lang(${lang})>>`,
      '<</Type/Pages/Count 1/Kids[3 0 R]>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]>>',
    ]);
  const languageOf = async (bytes: Uint8Array) => (await readDocument(sourceOf(bytes), context(), () => {})).language;
  expect(await languageOf(page('de-AT'))).toBe('de-AT');
  expect(await languageOf(page('x-none'))).toBeUndefined();
  expect(await languageOf(page(''))).toBeUndefined();
  expect(await languageOf(fixture('pypdf--git.pdf'))).toBe('fr-FR');
});
