import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { check, look, tags } from './judges.ts';
import { OutputFolder, pdfOf } from './run.ts';

let folder: OutputFolder;
beforeAll(() => {
  folder = new OutputFolder();
});
afterAll(() => folder.close());

const content = '/Fm Do % endstream';
const DOCUMENT = [
  '<</Type/Catalog/Pages 2 0 R/AcroForm 5 0 R/Outlines 7 0 R/PageLabels<</Nums[0<</S/r>>]>>/OCProperties 9 0 R/MarkInfo<</Marked true>>/StructTreeRoot 11 0 R>>',
  '<</Type/Pages/Count 2/Kids[3 0 R 4 0 R]/MediaBox[0 0 200 100]/Resources<</Font<</F 10 0 R>>>>>>',
  '<</Type/Page/Parent 2 0 R/Annots[6 0 R]/Contents 12 0 R/StructParents 0/UserUnit 2>>',
  '<</Type/Page/Parent 2 0 R>>',
  '<</Fields[6 0 R]/SigFlags 1>>',
  '<</Type/Annot/Subtype/Widget/FT/Tx/T(name)/V(value)/Rect[0 0 9 9]/P 3 0 R>>',
  '<</First 8 0 R/Last 8 0 R/Count 1>>',
  '<</Title(first)/Parent 7 0 R/A<</S/GoTo/D[3 0 R/Fit]>>>>',
  '<</OCGs[13 0 R]/D<</BaseState/OFF>>>>',
  '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  '<</Type/StructTreeRoot/K 14 0 R/ParentTree<</Nums[0[14 0 R]]>>>>',
  `<</Length ${content.length}>>stream\n${content}\nendstream`,
  '<</Type/OCG/Name(layer)>>',
  '<</Type/StructElem/S/P/P 11 0 R/Pg 3 0 R/K 0>>',
];
/** Every name, number, truth and string that is the value of an entry is an object of its own, but for what a field holds. */
const REFERRED = referred(DOCUMENT);
/** The first letter of every key and of every name is written as #xx. */
const DISGUISED = DOCUMENT.map((object) => {
  return object.replace(/^.*?(?=stream|$)/, (dict) =>
    dict.replace(/\/(\w)/g, (_, letter: string) => `/#${letter.charCodeAt(0).toString(16)}`),
  );
});

function referred(objects: readonly string[]): string[] {
  const own: string[] = [];
  const moved = objects.map((object) => {
    return object.replace(
      /(\/(?!V\()[A-Z]\w*)(\/\w+|\(\w+\)|true| ?\d+(?! \d+ R)(?=[/>]))(?=[/>])/g,
      (_, key, value) => {
        own.push(String(value).trim());
        return `${key} ${objects.length + own.length} 0 R`;
      },
    );
  });
  return [...moved, ...own];
}

describe.each([
  ['references', REFERRED],
  ['names with #xx', DISGUISED],
])('%s', (_, objects) => {
  const write = (): [string, string] => [
    folder.keep('usual.pdf', pdfOf(DOCUMENT)),
    folder.keep('other.pdf', pdfOf(objects)),
  ];

  it('are legal', () => {
    const [usual, other] = write();
    expect(check(usual)).toMatchObject({ status: 0 });
    expect(check(other)).toMatchObject({ status: 0 });
  });

  it('change nothing in a merge', async () => {
    const [usual, other] = write();
    const [expected, found] = [await folder.merge([usual, usual]), await folder.merge([other, other])];
    expect(look(found.path)).toEqual(look(expected.path));
    expect(look(found.path).fields.map(({ name }) => name)).toEqual(['name', 'name_2']);
    expect(look(found.path).layers).toMatchObject([{ hidden: true }, { hidden: true }]);
    expect(found.warnings).toEqual(expected.warnings.map((each) => each.replace('usual', 'other')));
    expect(check(found.path)).toMatchObject({ status: 0 });
    expect((await folder.info(found.path)).record.details).toMatchObject({ tagged: true });
  });

  it('change nothing in a split', async () => {
    const ranges = [
      [1, 1],
      [2, 2],
    ] as const;
    const [usual, other] = write();
    const [expected, found] = [await folder.split(usual, ranges), await folder.split(other, ranges)];
    expect(found.paths.map(look)).toEqual(expected.paths.map(look));
    expect(tags(found.paths[0]!)).toMatch(/P \(block\)/);
    expect(look(found.paths[0]!)).toMatchObject({ outlines: [[0, 'first', 1]], labels: ['|/r|1'] });
    for (const path of found.paths) expect(check(path)).toMatchObject({ status: 0 });
  });

  it('change nothing in what info tells', async () => {
    const [usual, other] = write();
    const [expected, found] = [await folder.info(usual), await folder.info(other)];
    const { bytes: _bytes, ...details } = Object(expected.record.details);
    expect(found.record.details).toMatchObject(details);
    expect(details).toMatchObject({
      page_sizes: { '400 x 200 pt': '1' },
      fonts_not_embedded: ['Helvetica'],
      tagged: true,
    });
  });
});

describe('a document without pages', () => {
  it.each(['/#50ages', '3 0 R'])('is none where its root is of the type %s', async (type) => {
    const path = folder.keep(
      'none.pdf',
      pdfOf(['<</Type/Catalog/Pages 2 0 R>>', `<</Type ${type}/Count 0/Kids[]>>`, '/Pages']),
    );
    await expect(folder.mergeRaw([path, path])).rejects.toMatchObject({ kind: 'no-pages' });
  });
});

describe('a number of pages', () => {
  it('that is no whole number, which some readers take for 0, is written anew', async () => {
    const tree = '<</Type/Pages/Count 1.0/Kids[3 0 R]>>';
    const page = '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>';
    const { path } = await folder.merge([
      folder.keep('real.pdf', pdfOf(['<</Type/Catalog/Pages 2 0 R>>', tree, page])),
    ]);
    expect(look(path).pages).toBe(1);
    expect(readFileSync(path, 'latin1')).not.toContain('1.0');
  });
});
