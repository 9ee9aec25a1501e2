// Pages taken, in any order, of one file or several: what is on them and what belongs to them is as it was.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Failure } from '../../src/contract/base/failure.ts';
import { check, firstPage, look, tags } from './judges.ts';
import { OutputFolder, pdfOf } from './run.ts';

const FIXTURES = join(import.meta.dirname, '../fixtures');
const fixture = (name: string) => join(FIXTURES, name);
let folder: OutputFolder;
beforeAll(() => {
  folder = new OutputFolder();
});
afterAll(() => folder.close());

/** The page as another library draws it. */
function mutool(file: string, page: number): string {
  const args = ['draw', '-q', '-r', '40', '-c', 'gray', '-F', 'pgm', '-o', '-', file, String(page)];
  return execFileSync('mutool', args, { encoding: 'latin1', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'] });
}

describe('pages taken', () => {
  it.each([
    ['guide.pdf', '5,1-2,5'],
    ['inherited.pdf', 'z-1'],
    ['rotated-mixed.pdf', 'z,1'],
    ['shared-resources.pdf', 'r1,1,1'],
    ['linearized.pdf', '1'],
    ['object-streams.pdf', 'z-1'],
    ['hybrid-xref.pdf', '4-2'],
    ['outlines.pdf', '30,6-8'],
    ['documents/pdfbox--acroform.pdf', '1,1'],
    ['documents/pypdf--git.pdf', '1'],
  ])('of %s (%s) look as they did', async (name, range) => {
    const source = fixture(name);
    const { path } = await folder.take(source, range);
    expect(check(path)).toMatchObject({ status: 0 });
    const count = look(source).pages;
    const ends = (word: string) => (word === 'z' || word === 'r1' ? count : Number(word));
    const pages = range.split(',').flatMap((part) => {
      const [from = 0, to = from] = part.split('-').map(ends);
      const length = Math.abs(to - from) + 1;
      return Array.from({ length }, (_, i) => from + (to < from ? -i : i));
    });
    expect(look(path).pages).toBe(pages.length);
    for (const [i, page] of pages.entries()) {
      expect(firstPage(path, i + 1) === firstPage(source, page), `page ${i + 1} by poppler`).toBe(true);
      expect(mutool(path, i + 1) === mutool(source, page), `page ${i + 1} by mupdf`).toBe(true);
    }
  });

  it('keep their bookmarks, names and labels', async () => {
    const source = fixture('outlines.pdf');
    const whole = look(source);
    const { path } = await folder.take(source, '20-30,6-14');
    const places = [...Array.from({ length: 11 }, (_, i) => 20 + i), ...Array.from({ length: 9 }, (_, i) => 6 + i)];
    const moved = (page: number) => places.indexOf(page) + 1;
    const part = look(path);
    expect(part.outlines.filter(([, , page]) => page !== null)).toEqual(
      whole.outlines
        .filter(([, , page]) => page !== null && places.includes(page))
        .map(([depth, title, page]) => [depth, title, page === null ? null : moved(page)]),
    );
    expect(part.destinations.map(([page, view, name]) => `${name} ${page} ${view}`).sort()).toEqual(
      whole.destinations
        .filter(([page]) => places.includes(page))
        .map(([page, view, name]) => `${name} ${moved(page)} ${view}`)
        .sort(),
    );
    expect(part.labels).toEqual(places.map((page) => whole.labels[page - 1]));
  });

  it('keep what is the document as a whole: attachments, metadata, scripts', async () => {
    const source = folder.keep(
      'whole.pdf',
      pdfOf([
        '<</Type/Catalog/Pages 2 0 R/Lang(en)/PageMode/UseAttachments/OpenAction[4 0 R/Fit]/Names<</EmbeddedFiles<</Names[(a)5 0 R]>>>>>>',
        '<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2>>',
        '<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]>>',
        '<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]>>',
        '<</Type/Filespec/F(a.txt)/UF(a.txt)/EF<</F 6 0 R>>>>',
        '<</Type/EmbeddedFile/Length 3>>stream\nabc\nendstream',
      ]),
    );
    const { path } = await folder.take(source, '1');
    expect(look(path).attachments).toEqual([{ key: 'a', name: 'a.txt' }]);
    const text = execFileSync('qpdf', ['--qdf', '--object-streams=disable', path, '-'], { encoding: 'latin1' });
    expect(text).toContain('/UseAttachments');
    // It would open at a page that is not there.
    expect(text).not.toContain('/OpenAction');
  });

  const form = pdfOf([
    '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[7 0 R 10 0 R]/CO[7 0 R 10 0 R]>>>>',
    '<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Annots[5 0 R 6 0 R 8 0 R]>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Annots[9 0 R 10 0 R]>>',
    '<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/Dest[3 0 R/Fit]>>',
    '<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/GoTo/D[4 0 R/Fit]>>>>',
    '<</FT/Tx/T(both)/V(value)/Kids[8 0 R 9 0 R]>>',
    '<</Type/Annot/Subtype/Widget/Rect[0 0 9 9]/Parent 7 0 R>>',
    '<</Type/Annot/Subtype/Widget/Rect[0 0 9 9]/Parent 7 0 R>>',
    '<</Type/Annot/Subtype/Widget/Rect[0 0 9 9]/FT/Tx/T(second)/V(other)>>',
  ]);

  it('have annotations of their own where a page is taken twice', async () => {
    const { path } = await folder.take(folder.keep('form.pdf', form), '2,1,2');
    expect(check(path)).toMatchObject({ status: 0 });
    const seen = look(path);
    expect(seen.links).toEqual([
      [2, '2 ["/Fit"]'],
      [2, '1 ["/Fit"]'],
    ]);
    const names = seen.fields.map(({ name }) => name);
    expect(names.filter((name) => name === 'both')).toHaveLength(3);
    expect(names.filter((name) => name === 'second')).toHaveLength(1);
    expect(names.filter((name) => /^second_\d+$/.test(name))).toHaveLength(1);
    const json = JSON.parse(
      execFileSync('qpdf', ['--json=2', '--json-key=pages', '--json-key=qpdf', path], { encoding: 'utf8' }),
    );
    const objects = json.qpdf[1] as Record<string, { value?: Record<string, unknown> }>;
    const lists = (json.pages as { object: string }[]).map(
      ({ object }) => objects[`obj:${object}`]?.value?.['/Annots'],
    );
    const all = lists.flat();
    expect(new Set(all).size).toBe(all.length);
  });

  it('lose the fields of pages that are left behind, and links to them', async () => {
    const { path } = await folder.take(folder.keep('form.pdf', form), '1');
    const seen = look(path);
    expect(seen.links).toEqual([[1, '1 ["/Fit"]']]);
    expect(seen.fields.map(({ name }) => name)).toEqual(['both']);
  });

  it('keep the names and links that lead to them, however a destination is written', async () => {
    const shapes = (page: string, other: string): Record<string, string> => ({
      array: `[${page}/XYZ 0 9 null]`,
      dictionary: `<</D[${page}/Fit]>>`,
      comment: `<</D %[${other}\n [ %x\n ${page}/Fit]>>`,
      hexadecimal: `<</#44[${page}/Fit]>>`,
      decoy: `<</SD[${other}/Fit]/D[${page}/Fit]>>`,
    });
    const [first, second] = [shapes('3 0 R', '4 0 R'), shapes('4 0 R', '3 0 R')];
    const texts = [
      ...Object.entries(first).map(([shape, text]) => [`${shape} here`, text] as const),
      ...Object.entries(second).map(([shape, text]) => [`${shape} away`, text] as const),
    ];
    const refs = (from: number) => texts.map((_, i) => `${from + i} 0 R`);
    const names = texts.map(([name], i) => `(${name})${refs(5)[i]}`);
    const source = pdfOf([
      `<</Type/Catalog/Pages 2 0 R/Names<</Dests<</Names[${names.join('')}]>>>>>>`,
      '<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2>>',
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Annots[${refs(5 + texts.length).join(' ')}]>>`,
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]>>',
      ...texts.map(([, text]) => text),
      ...texts.map(([name]) => `<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/GoTo/D(${name})>>>>`),
    ]);
    const { path } = await folder.take(folder.keep('shapes.pdf', source), '1');
    expect(check(path)).toMatchObject({ status: 0 });
    const seen = look(path);
    const here = Object.keys(first).map((shape) => `${shape} here`);
    expect(seen.destinations.map(([page, , name]) => `${name} on ${page}`).sort()).toEqual(
      here.map((name) => `${name} on 1`).sort(),
    );
    expect(seen.links).toHaveLength(here.length);
  });

  it('are the same bytes every time', async () => {
    const [first, second] = [
      await folder.take(fixture('guide.pdf'), '9-1'),
      await folder.take(fixture('guide.pdf'), '9-1'),
    ];
    expect(Buffer.compare(readFileSync(first.path), readFileSync(second.path))).toBe(0);
  });

  it('are refused where there is none of that number', async () => {
    const failure = await folder.take(fixture('guide.pdf'), '1,87').catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Failure);
    expect(failure).toMatchObject({
      code: 'usage',
      message: expect.stringContaining('has 86 pages; there is no page 87'),
    });
  });
});

describe('a merge of some pages', () => {
  it('keeps what belongs to each of them', async () => {
    const [first, second] = [fixture('outlines.pdf'), fixture('guide.pdf')];
    const { path } = await folder.merge([first, second, first], { pages: '6-14;z-80;;'.slice(0, -1) });
    expect(check(path)).toMatchObject({ status: 0 });
    const [a, output] = [look(first), look(path)];
    expect(output.pages).toBe(9 + 7 + 30);
    const own = a.outlines.filter(([, , page]) => page !== null && page >= 6 && page <= 14);
    expect(own.length).toBeGreaterThan(0);
    const led = output.outlines.filter(([, , page]) => page !== null && page <= 9);
    expect(led).toEqual(own.map(([depth, title, page]) => [depth, title, (page ?? 0) - 5]));
    expect(output.outlines.filter(([, , page]) => page !== null && page > 16)).toEqual(
      a.outlines.filter(([, , page]) => page !== null).map(([depth, title, page]) => [depth, title, (page ?? 0) + 16]),
    );
    expect(output.labels.slice(0, 9)).toEqual(a.labels.slice(5, 14));
    expect(output.labels.slice(16)).toEqual(a.labels);
    for (const [page, source, from] of [
      [1, first, 6],
      [9, first, 14],
      [10, second, 86],
      [16, second, 80],
      [46, first, 30],
    ] as const) {
      expect(firstPage(path, page) === firstPage(source, from), `page ${page}`).toBe(true);
    }
    const names = output.destinations.map(([, , name]) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  it('takes pages in turn, and the rest of the longer one at the end', async () => {
    const page = (text: string) => {
      const content = `BT /F 20 Tf 10 40 Td (${text}) Tj ET`;
      return [`<</Length ${content.length}>>stream\n${content}\nendstream`];
    };
    const document = (texts: readonly string[]) =>
      pdfOf([
        '<</Type/Catalog/Pages 2 0 R>>',
        `<</Type/Pages/Count ${texts.length}/MediaBox[0 0 99 99]/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>/Kids[${texts.map((_, i) => `${3 + 2 * i} 0 R`).join(' ')}]>>`,
        ...texts.flatMap((text, i) => [`<</Type/Page/Parent 2 0 R/Contents ${4 + 2 * i} 0 R>>`, ...page(text)]),
      ]);
    const fronts = folder.keep('fronts.pdf', document(['a1', 'a3', 'a5', 'a6']));
    const backs = folder.keep('backs.pdf', document(['b4', 'b2']));
    const { path } = await folder.merge([fronts, backs], { pages: ';z-1', interleave: true });
    const text = execFileSync('pdftotext', [path, '-'], { encoding: 'utf8' });
    expect(text.match(/[ab]\d/g)).toEqual(['a1', 'b2', 'a3', 'b4', 'a5', 'a6']);
  });

  it('keeps the tags of the pages that are taken, and of no others', async () => {
    const content = (number: number) => `/P <</MCID 0>> BDC BT /F 12 Tf 9 9 Td (text${number}) Tj ET EMC`;
    const stream = (number: number) => `<</Length ${content(number).length}>>stream\n${content(number)}\nendstream`;
    const leaf = (number: number, contents: number) =>
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents ${contents} 0 R/StructParents ${number}/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>`;
    const source = folder.keep(
      'tagged.pdf',
      pdfOf([
        '<</Type/Catalog/Pages 2 0 R/MarkInfo<</Marked true>>/StructTreeRoot 5 0 R>>',
        '<</Type/Pages/Count 2/Kids[3 0 R 4 0 R]>>',
        leaf(0, 9),
        leaf(1, 10),
        '<</Type/StructTreeRoot/K 6 0 R/ParentTree<</Nums[0[7 0 R]1[8 0 R]]>>/IDTree<</Names[(id)7 0 R]>>>>',
        '<</Type/StructElem/S/Document/P 5 0 R/K[7 0 R 8 0 R]>>',
        '<</Type/StructElem/S/P/P 6 0 R/Pg 3 0 R/K 0/ID(id)>>',
        '<</Type/StructElem/S/P/P 6 0 R/Pg 4 0 R/K 0>>',
        stream(1),
        stream(2),
      ]),
    );
    const { path, warnings } = await folder.merge([source, source], { pages: '2;1,2' });
    expect(check(path)).toMatchObject({ status: 0 });
    expect(warnings).toEqual([]);
    expect(tags(path).match(/text\d/g)).toEqual(['text2', 'text1', 'text2']);
  });

  it('asks for no more ranges than there are files', async () => {
    await expect(folder.merge([fixture('guide.pdf'), fixture('outlines.pdf')], { pages: '1;2;3' })).rejects.toThrow(
      '3 page ranges for 2 files',
    );
  });
});
