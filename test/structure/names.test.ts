import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { check, look, namesIn } from './judges.ts';
import { OutputFolder, pdfOf } from './run.ts';

let folder: OutputFolder;
beforeAll(() => {
  folder = new OutputFolder();
});
afterAll(() => folder.close());

/** Two pages (3 and 4), the root of the names (5), and more objects from 6 on. */
function documentOf(root: string, objects: readonly string[], link = ''): string {
  return pdfOf([
    '<</Type/Catalog/Pages 2 0 R/Names<</Dests 5 0 R>>>>',
    '<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]${link}>>`,
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>',
    root,
    ...objects,
  ]);
}

/** Merged with a file that has one other name: a tree that comes alone moves as it is. */
async function merged(name: string, pdf: string): Promise<string> {
  const other = folder.keep('other.pdf', documentOf('<</Names[(zz)[3 0 R/Fit]]>>', []));
  const { path } = await folder.merge([folder.keep(name, pdf), other]);
  expect(check(path).status).toBe(0);
  return path;
}

const plain = (path: string): string =>
  execFileSync('qpdf', ['--qdf', '--object-streams=disable', path, '-'], { encoding: 'latin1' });

/** What stands behind a name in the tree of a document. */
function standsAs(path: string, name: string): string | undefined {
  const leaf = /\/Names \[([\s\S]*?)\n {2}\]\n/.exec(plain(path))?.[1] ?? '';
  return new RegExp(`\\(${name}\\)\\s+(<<|\\[|\\d+ 0 R)`).exec(leaf)?.[1];
}

describe('a destination', () => {
  const FIT = '<</D[4 0 R/Fit]>>';

  it('stands in the tree where it is small and nothing but its name leads to it, and else is an object once', async () => {
    const long = `<</D[4 0 R/Fit]/Comment(${'long '.repeat(40)})>>`;
    const names = '(alone)6 0 R(array)7 0 R(linked)8 0 R(long)9 0 R(twice)10 0 R(twin)10 0 R(script)11 0 R';
    const path = await merged(
      'kinds.pdf',
      documentOf(
        `<</Names[${names}]>>`,
        [FIT, '[ 4 0 R % a page\n/XYZ 1 2 null ]', FIT, long, FIT, '<</D[4 0 R/Fit]/A<</S/JavaScript/JS(1)>>>>'],
        '/Annots[<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/Dest 8 0 R>>]',
      ),
    );
    expect(standsAs(path, 'alone')).toBe('<<');
    expect(standsAs(path, 'array')).toBe('[');
    for (const name of ['linked', 'long', 'twice', 'twin', 'script']) expect(standsAs(path, name)).toMatch(/0 R/);
    const { destinations, links } = look(path);
    expect(destinations.map(([page, , name]) => [page, name])).toEqual(
      expect.arrayContaining([...'alone array linked long twice twin'.split(' ').map((name) => [2, name]), [3, 'zz']]),
    );
    expect(links.map(([page, target]) => [page, target?.split(' ')[0]])).toEqual([[1, '2']]);
    expect(plain(path).match(/\(long long/g)).toHaveLength(1);
  });

  it('leads to its page after a merge of merges', async () => {
    const one = documentOf('<</Names[(a)6 0 R(b)[3 0 R/Fit](c)<</D[4 0 R/XYZ 1.5 -2 null]>>]>>', [FIT]);
    let path = await merged('again.pdf', one);
    for (const name of ['again-2.pdf', 'again-3.pdf']) {
      const { path: next } = await folder.merge([path, folder.keep(name, one)]);
      path = next;
    }
    expect(check(path).status).toBe(0);
    expect(
      look(path)
        .destinations.map(([page, , name]) => `${name} ${page}`)
        .sort(),
    ).toEqual(['a 2', 'b 1', 'c 2', 'zz 3', 'a-2 6', 'b-2 5', 'c-2 6', 'a-3 8', 'b-3 7', 'c-3 8'].sort());
  });
});

describe('names are read', () => {
  const D = '[3 0 R/Fit]';
  it.each<[how: string, root: string, objects: readonly string[], names: readonly string[]]>([
    [
      'with escapes and in hexadecimal',
      `<</Names[(a\\(b\\051\\\n)${D}<6 2>6 0 R(c(d))6 0 R]>>`,
      [D],
      ['a(b)', 'b', 'c(d)'],
    ],
    [
      'with limits before and behind',
      '<</Kids[6 0 R 7 0 R]>>',
      [`<</Limits[(a)(b\\()]/Names[(a)${D}(b\\()8 0 R]>>`, '<</Names[\n(c)\r\n8 0 R\t]/Limits [ <63>(c) ] >>', D],
      ['a', 'b(', 'c'],
    ],
    ['where there are comments', `<</Names[(a)%(x)\n${D}(b)6 0 R]%\n>>`, [D], ['a', 'b']],
    ['where values are nested', `<</Names[(a)<</D[3 0 R/Fit]/X<</Y[(b)]>>>>(c)6 0 R]>>`, [D], ['a', 'c']],
    ['where a name stands at the end without a value', `<</Names[(a)${D}(b)6 0 R(c)]>>`, [D], ['a', 'b']],
    [
      'where one is there twice',
      `<</Kids[6 0 R 7 0 R]>>`,
      [`<</Names[(a)${D}(b)${D}]>>`, `<</Names[(a)[4 0 R/Fit]]>>`],
      ['a', 'b'],
    ],
    ['where a node is leaf and more', `<</Kids[6 0 R]/Names[(a)${D}]>>`, [`<</Names[(b)${D}]>>`], ['a', 'b']],
    ['where other keys stand between', `<</Type/Tree/Names[(a)${D}(b)6 0 R]>>`, [D], ['a', 'b']],
  ])('%s', async (how, root, objects, names) => {
    const path = await merged(`${how.replaceAll(' ', '-')}.pdf`, documentOf(root, objects));
    expect(namesIn(path).sort()).toEqual([...names, 'zz'].sort());
    expect(look(path).destinations.map(([page, , name]) => [name, page])).toEqual(
      expect.arrayContaining([
        [names[0], 1],
        ['zz', 3],
      ]),
    );
  });
});
