import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { check, look, tags } from './judges.ts';
import { OutputFolder, pdfOf } from './run.ts';

let folder: OutputFolder;
beforeAll(() => {
  folder = new OutputFolder();
});
afterAll(() => folder.close());

interface Tagged {
  readonly role?: string;
  /** Entries of the element, of the root and of the catalog. */
  readonly element?: string;
  readonly root?: string;
  readonly catalog?: string;
  /** The key of the page, and that of the tree. */
  readonly keys?: readonly [page: number, tree: number];
  readonly more?: readonly string[];
}

/** A page with one element, whose text is its role. */
function tagged({ role = 'P', element = '', root = '', catalog = '', keys = [0, 0], more = [] }: Tagged): string {
  const content = `/${role} <</MCID 0>> BDC BT /F 12 Tf 9 9 Td (${role}) Tj ET EMC`;
  return pdfOf([
    `<</Type/Catalog/Pages 2 0 R/MarkInfo<</Marked true>>/StructTreeRoot 4 0 R${catalog}>>`,
    '<</Type/Pages/Count 1/Kids[3 0 R]>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents 6 0 R/StructParents ${keys[0]}/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>`,
    `<</Type/StructTreeRoot/K 5 0 R/ParentTree<</Nums[${keys[1]}[5 0 R]]>>${root}>>`,
    `<</Type/StructElem/S/${role}/P 4 0 R/Pg 3 0 R/K 0${element}>>`,
    `<</Length ${content.length}>>stream\n${content}\nendstream`,
    ...more,
  ]);
}

async function merged(...inputs: readonly string[]): Promise<string> {
  const { path } = await folder.merge(inputs.map((content, i) => folder.keep(`tagged-${i}.pdf`, content)));
  expect(check(path)).toMatchObject({ status: 0 });
  return path;
}

function plain(path: string): string {
  return execFileSync('qpdf', ['--qdf', '--object-streams=disable', path, '-'], { encoding: 'latin1' });
}

describe('a merge', () => {
  it('keeps roles apart that are the same name and lead elsewhere by the next one', async () => {
    const path = await merged(
      tagged({ role: 'X', root: '/RoleMap<</X/Y/Y/H1>>' }),
      tagged({ role: 'X', root: '/RoleMap<</X/Y/Y/P>>' }),
      tagged({ role: 'X', root: '/RoleMap<</X/Y/Y/X>>' }),
    );
    const [first, second] = [...tags(path).matchAll(/^(\w+) \(block\)/gm)].map(([, role]) => role);
    expect([first, second]).toEqual(['H1', 'P']);
  });

  it('lets no page find tags of the next input under a key that leads to nothing', async () => {
    const path = await merged(
      tagged({ keys: [5, 0], root: '/ParentTreeNextKey 9' }),
      tagged({ keys: [4, 4] }),
      tagged({ root: '/ParentTreeNextKey 1000000000' }),
    );
    const text = plain(path);
    const numbers = (key: string): string[] => [...text.matchAll(new RegExp(`/${key} (\\d+)`, 'g'))].map(([, n]) => n!);
    expect(numbers('StructParents')).toEqual(['5', '13', '14']);
    expect(numbers('ParentTreeNextKey')).toEqual(['15']);
  });

  it('renames identifiers where cells name their headers, also in an array of its own', async () => {
    const cell = {
      root: '/IDTree<</Names[(id)5 0 R]>>',
      element: '/ID(id)/A<</O/Table/Headers 7 0 R>>',
      more: ['[(id)]'],
    };
    const text = plain(await merged(tagged(cell), tagged(cell)));
    expect(text.match(/\(id\)/g)).toHaveLength(3);
    expect(text.match(/\(id-2\)/g)).toHaveLength(3);
  });

  it('of documents of PDF 2.0 has one of them above theirs', async () => {
    const space = { role: 'Document', element: '/NS 7 0 R', more: ['<</Type/Namespace/NS(http://iso.org/pdf2/ssn)>>'] };
    const parents = async (...inputs: Tagged[]): Promise<(string | undefined)[]> => {
      const text = plain(await merged(...inputs.map(tagged)));
      return [...text.matchAll(/\/P (\d+) 0 R\s+(?:\/Pg \d+ 0 R\s+)?\/S \/Document/g)].map(([, num]) => num);
    };
    const [above, below, ...others] = (await parents(space, space)).sort();
    expect(new Set([above, below, ...others]).size).toBe(2);
    expect(others).toHaveLength(1);
    const mixed = await parents(space, { role: 'Document' });
    expect([mixed.length, new Set(mixed).size]).toEqual([2, 1]);
  });

  it('that keeps no tags keeps none by way of bookmarks', async () => {
    const bookmarks = {
      catalog: '/Outlines 7 0 R',
      more: [
        '<</First 8 0 R/Last 8 0 R/Count 1>>',
        '<</Title(x)/Parent 7 0 R/Dest[3 0 R/Fit]/SE 5 0 R/First 9 0 R/Last 9 0 R/Count -1>>',
        '<</Title(y)/Parent 8 0 R/A<</S/GoTo/D[3 0 R/Fit]/SD[5 0 R/Fit]>>/SE 5 0 R>>',
      ],
    };
    const untagged = pdfOf([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Count 1/Kids[3 0 R]>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>',
    ]);
    const path = await merged(tagged(bookmarks), untagged);
    expect(look(path).outlines).toHaveLength(2);
    expect(plain(path)).not.toMatch(/StructElem|StructTreeRoot/);
    expect(plain(await merged(tagged(bookmarks), tagged({}))).match(/\/SE \d+ 0 R/g)).toHaveLength(2);
  });
});

describe('pages taken', () => {
  /** Two pages with a row of a table each: a cell with text, an empty one, and one with an empty paragraph. */
  const table = (more: readonly string[] = [], entries = ''): string => {
    const content = '/TD <</MCID 0>> BDC BT /F 12 Tf 9 9 Td (cell) Tj ET EMC';
    const font = '/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>';
    const page = (key: number): string =>
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents 5 0 R/StructParents ${key}${font}${key === 0 ? entries : ''}>>`;
    const row = (at: number, key: number): string[] => [
      `<</Type/StructElem/S/TR/P 7 0 R/K[${at + 1} 0 R ${at + 2} 0 R ${at + 3} 0 R]>>`,
      `<</Type/StructElem/S/TD/T(text ${key})/P ${at} 0 R/Pg ${key + 3} 0 R/K 0/Ref[${at} 0 R ${27 - at} 0 R]>>`,
      `<</Type/StructElem/S/TD/T(empty ${key})/P ${at} 0 R>>`,
      `<</Type/StructElem/S/TD/P ${at} 0 R/K ${at + 4} 0 R>>`,
      `<</Type/StructElem/S/P/T(blank ${key})/P ${at + 3} 0 R/K[]>>`,
    ];
    return pdfOf([
      '<</Type/Catalog/Pages 2 0 R/MarkInfo<</Marked true>>/StructTreeRoot 6 0 R>>',
      '<</Type/Pages/Count 2/Kids[3 0 R 4 0 R]>>',
      page(0),
      page(1),
      `<</Length ${content.length}>>stream\n${content}\nendstream`,
      '<</Type/StructTreeRoot/K 7 0 R/ParentTree<</Nums[0[12 0 R]1[17 0 R]]>>>>',
      '<</Type/StructElem/S/Table/P 6 0 R/K[11 0 R 16 0 R 8 0 R]>>',
      '<</Type/StructElem/S/TR/P 7 0 R/T(nothing)>>',
      'null',
      'null',
      ...row(11, 0),
      ...row(16, 1),
      ...more,
    ]);
  };
  const titles = (text: string): string[] => [...text.matchAll(/\/T \((.*?)\)/g)].map(([, title]) => title!).sort();

  it('keep the empty elements of what stays as a whole, and none of what goes', async () => {
    const path = folder.keep('table.pdf', table());
    const all = plain((await folder.take(path, 'z-1')).path);
    expect(titles(all)).toEqual(['blank 0', 'blank 1', 'empty 0', 'empty 1', 'nothing', 'text 0', 'text 1']);
    const one = plain((await folder.take(path, '1')).path);
    expect(titles(one)).toEqual(['blank 0', 'empty 0', 'text 0']);
    expect(one.match(/\/S \/TD/g)).toHaveLength(3);
    expect(one).toMatch(/\/Ref \[\s+\d+ 0 R\s+\]/);
  });

  it('do not bring along elements to which links and bookmarks lead', async () => {
    const action = (at: number): string => `/A<</S/GoTo/D[3 0 R/Fit]/SD[${at} 0 R/Fit]>>`;
    const link = (at: number): string => `<</Type/Annot/Subtype/Link/Rect[0 0 9 9]${action(at)}>>`;
    const path = folder.keep('links.pdf', table([link(12), link(17)], '/Annots[21 0 R 22 0 R]'));
    const { path: taken } = await folder.take(path, '1');
    expect(check(taken)).toMatchObject({ status: 0 });
    const text = plain(taken);
    expect(titles(text)).toEqual(['blank 0', 'empty 0', 'text 0']);
    const [target] = [...text.matchAll(/\/SD \[\s+(\d+) 0 R/g)].map(([, num]) => num);
    const [, element = ''] = new RegExp(`\\n${target} 0 obj\\n([^]*?)endobj`).exec(text) ?? [];
    expect(element).toMatch(/\/T \(text 0\)/);
    expect(element).toMatch(/\/P \d+ 0 R/);
  });
});
