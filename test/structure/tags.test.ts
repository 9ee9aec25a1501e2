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

  it('that keeps no tags keeps none by way of bookmarks', async () => {
    const bookmarks = {
      catalog: '/Outlines 7 0 R',
      more: [
        '<</First 8 0 R/Last 8 0 R/Count 1>>',
        '<</Title(x)/Parent 7 0 R/Dest[3 0 R/Fit]/SE 5 0 R/First 9 0 R/Last 9 0 R/Count -1>>',
        '<</Title(y)/Parent 8 0 R/Dest[3 0 R/Fit]/SE 5 0 R>>',
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
