import { describe, expect, it } from 'vitest';
import { markdown } from '../local.ts';
import { processorTime } from '../processor-time.ts';
import { context, sourceOf } from './drawing.ts';
import { rawPdf } from './raw-pdf.ts';

const PROSE = 'body text that runs on and on so that nobody takes it for a title of any kind, as it is long.';

interface Drawn {
  readonly text: string;
  /** Opens marked content around the line. */
  readonly mark?: string;
}

/** Lines of one size and weight with room between them: nothing looks like a heading. */
const linesOf = (lines: readonly (Drawn | string)[]) =>
  lines
    .map((line, i) => {
      const { text, mark = '' } = typeof line === 'string' ? { text: line } : line;
      const shown = `BT /F 10 Tf 72 ${760 - 40 * i} Td (${text}) Tj ET`;
      return mark === '' ? shown : `${mark} BDC ${shown} EMC`;
    })
    .join('\n');

/** Two pages (objects 3 and 5) with a font (7); `more` from object 8. */
function twoPages(catalog: string, first: string, second: string, more: readonly string[], page = ''): Uint8Array {
  const leaf = (contents: number) =>
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents ${contents} 0 R/Resources<</Font<</F 7 0 R>>>>${page}>>`;
  return rawPdf([
    `<</Type/Catalog/Pages 2 0 R${catalog}>>`,
    '<</Type/Pages/Count 2/Kids[3 0 R 5 0 R]>>',
    leaf(4),
    { dict: '', stream: first },
    leaf(6),
    { dict: '', stream: second },
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
    ...more,
  ]);
}

async function textOf(bytes: Uint8Array): Promise<string> {
  const result = await markdown({ file: sourceOf(bytes), output_format: 'json' }, context());
  if (result.kind !== 'record') throw new Error('expected a record');
  return String(result.record.markdown);
}

async function headings(bytes: Uint8Array): Promise<string[]> {
  return (await textOf(bytes)).match(/^#.*$/gm) ?? [];
}

describe('bookmarks', () => {
  const chapter = (title: string, page: number, more: string) => `<</Title(${title})/Dest[${page} 0 R/Fit]${more}>>`;
  const body = linesOf([`One ${PROSE}`, 'The Sea', `Two ${PROSE}`, 'Of Its Fish', `Three ${PROSE}`]);

  it('make headings of lines that read like them, as deep as they stand', async () => {
    const items = [
      '<</First 9 0 R/Last 9 0 R>>',
      chapter('1. The  Sea', 3, '/First 10 0 R/Last 10 0 R'),
      chapter('Of its fish', 3, '/Parent 9 0 R'),
    ];
    expect(await headings(twoPages('/Outlines 8 0 R', body, '', items))).toEqual(['# The Sea', '## Of Its Fish']);
    expect(await headings(twoPages('', body, '', items))).toEqual([]);
  });

  it('that are flat tell titles, but no levels: these the numbers tell', async () => {
    const page = linesOf(['1 The Sea', `One ${PROSE}`, '1.1 Of Its Fish', `Two ${PROSE}`]);
    const items = [
      '<</First 9 0 R/Last 10 0 R>>',
      chapter('The Sea', 3, '/Next 10 0 R'),
      chapter('Of its fish', 3, ''),
    ];
    expect(await headings(twoPages('/Outlines 8 0 R', page, '', items))).toEqual(['# 1 The Sea', '## 1.1 Of Its Fish']);
  });

  it('are found without the word and number of a chapter', async () => {
    const page = linesOf(['Chapter 1 The Sea', `One ${PROSE}`]);
    const bytes = twoPages('/Outlines 8 0 R', page, '', ['<</First 9 0 R>>', chapter('The Sea', 3, '')]);
    expect(await headings(bytes)).toEqual(['# Chapter 1 The Sea']);
  });

  it('mean the page they lead to, by name as well', async () => {
    const items = ['<</First 9 0 R>>', '<</Title(The Sea)/A<</S/GoTo/D(x)>>>>', '<</Names[(x)[5 0 R/Fit]]>>'];
    const names = '/Outlines 8 0 R/Names<</Dests 10 0 R>>';
    expect(await headings(twoPages(names, body, body, items))).toEqual(['# The Sea']);
  });

  it('are not taken for the list of contents above the text', async () => {
    const page = linesOf(['The Sea', `One ${PROSE}`, 'The Sea', `Two ${PROSE}`]);
    const bytes = twoPages('/Outlines 8 0 R', page, '', ['<</First 9 0 R>>', chapter('The Sea', 3, '')]);
    expect(await headings(bytes)).toEqual(['# The Sea']);
    const text = await textOf(bytes);
    expect(text.indexOf('# The Sea')).toBeGreaterThan(text.indexOf('One body'));
  });

  it('of one title by the hundred thousand take no longer than as many others', async () => {
    const count = 100_000;
    const items = Array.from({ length: count }, (_, i) =>
      chapter('The Sea', i < count - 1 ? 5 : 3, i < count - 1 ? `/Next ${10 + i} 0 R` : ''),
    );
    const bytes = twoPages('/Outlines 8 0 R', body, '', ['<</First 9 0 R>>', ...items]);
    const before = processorTime();
    expect(await headings(bytes)).toEqual(['# The Sea']);
    expect(processorTime() - before).toBeLessThan(10_000);
  });

  it('in a circle end, and damaged ones say nothing', async () => {
    const circle = ['<</First 9 0 R>>', chapter('The Sea', 3, '/Next 9 0 R/First 9 0 R')];
    expect(await headings(twoPages('/Outlines 8 0 R', body, '', circle))).toEqual(['# The Sea']);
    const broken = ['<</First 9 0 R>>', '<</Title 99 0 R/Dest(nowhere)/Next(x)>>'];
    expect(await headings(twoPages('/Outlines 8 0 R', body, '', broken))).toEqual([]);
  });
});

describe('tags', () => {
  const tree = (roles: readonly string[]) => [
    '<</Type/StructTreeRoot/ParentTree 9 0 R/RoleMap<</Kapitel/H3/Loop/Loop2/Loop2/Loop>>>>',
    '<</Nums[0[10 0 R 11 0 R]]>>',
    ...roles.map((role) => `<</S/${role}/P 12 0 R>>`),
    '<</S/Sect/P 8 0 R>>',
  ];
  const body = linesOf([
    { text: 'The Sea', mark: '/H1 <</MCID 0>>' },
    `One ${PROSE}`,
    { text: 'Of Its Fish', mark: '/Span <</MCID 1>>' },
    `Two ${PROSE}`,
  ]);
  const tagged = (roles: readonly string[], content = body) =>
    twoPages('/StructTreeRoot 8 0 R', content, '', tree(roles), '/StructParents 0');

  it.each<[readonly string[], readonly string[]]>([
    [
      ['H1', 'H2'],
      ['# The Sea', '## Of Its Fish'],
    ],
    [
      ['Title', 'Kapitel'],
      ['# The Sea', '### Of Its Fish'],
    ],
    [['P', 'H12'], ['###### Of Its Fish']],
    [['Loop', 'LBody'], []],
  ])('%j on lines that look like any other', async (roles, found) => {
    expect(await headings(tagged(roles))).toEqual(found);
  });

  it('of captions and contents: no heading, however large', async () => {
    const large = body.replaceAll('BDC BT /F 10 Tf', 'BDC BT /F 20 Tf');
    expect(await headings(tagged(['P', 'P'], large))).toEqual(['# The Sea', '# Of Its Fish']);
    expect(await headings(tagged(['Caption', 'TOCI'], large))).toEqual([]);
  });

  it('count what a form marks by itself as not of the page', async () => {
    const bytes = rawPdf([
      '<</Type/Catalog/Pages 2 0 R/StructTreeRoot 8 0 R>>',
      '<</Type/Pages/Count 1/Kids[3 0 R]>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/StructParents 0/Resources<</XObject<</X 5 0 R>>>>>>',
      { dict: '', stream: '/X Do' },
      { dict: '/Type/XObject/Subtype/Form/BBox[0 0 595 842]/Resources<</Font<</F 7 0 R>>>>', stream: body },
      'null',
      '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
      ...tree(['H1', 'H2']),
    ]);
    expect(await headings(bytes)).toEqual([]);
  });
});
