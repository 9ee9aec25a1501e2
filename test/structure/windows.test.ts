import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RandomAccess } from '../../src/contract/base/ports.ts';
import { openSound } from '../../src/pdf/file/read/open-by-table.ts';
import { countPages } from '../../src/pdf/file/read/page-tree.ts';
import { check, firstPage, look } from './judges.ts';
import { OutputFolder, pdfOf } from './run.ts';

let folder: OutputFolder;
beforeAll(() => {
  folder = new OutputFolder();
});
afterAll(() => folder.close());

/** Bytes that are read at once (windows.ts), and more of them than are held. */
const WINDOW = 256 * 1024;
const MANY = 12;

/** The object, and behind its value so many bytes that nobody needs. */
function padded(object: string, bytes: number): string {
  return `${object}\n%${'x'.repeat(bytes)}`;
}

function titles(path: string): string[] {
  return look(path).outlines.map(([, title]) => title);
}

describe('bookmarks of pages split off', () => {
  it('lead where they did, though names fill the memory that the first one was read from', async () => {
    const leaves = Array.from({ length: MANY }, (_, i) => {
      const name = i < 2 ? `name${i}` : `other${String(i).padStart(2, '0')}`;
      return padded(`<</Limits[(${name})(${name})]/Names[(${name})[${3 + (i % 2)} 0 R/Fit]]>>`, WINDOW + 8192);
    });
    const file = pdfOf([
      '<</Type/Catalog/Pages 2 0 R/Outlines 5 0 R/Names<</Dests 10 0 R>>>>',
      '<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]>>',
      '<</Type/Outlines/First 6 0 R/Last 7 0 R/Count 2>>',
      '<</Title(first)/Parent 5 0 R/A 8 0 R/Next 7 0 R>>',
      '<</Title(second)/Parent 5 0 R/A 9 0 R/Prev 6 0 R>>',
      '<</S/GoTo/D(name0)>>',
      '<</S/GoTo/D(name1)>>',
      `<</Kids[${leaves.map((_, i) => `${11 + i} 0 R`).join(' ')}]>>`,
      ...leaves,
    ]);
    const { paths, result } = await folder.split(folder.keep('lazy.pdf', file), [
      [1, 1],
      [2, 2],
    ]);
    expect(paths.map(titles)).toEqual([['first'], ['second']]);
    expect(result.warnings).toEqual([]);
  });

  it('are kept where a name is longer than what was read of the file', async () => {
    const name = 'n'.repeat(9000);
    const objects = [
      '<</Type/Catalog/Pages 2 0 R/Outlines 4 0 R/Names<</Dests<</Names[(a)[3 0 R/Fit]]>>>>>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]>>',
      '<</Type/Outlines/First 5 0 R/Last 6 0 R/Count 2>>',
      '<</Title(first)/Parent 4 0 R/Dest(a)/Next 6 0 R>>',
      '<</Title(second)/Parent 4 0 R/A 7 0 R/Prev 5 0 R>>',
      `<</S/GoTo/D(${name})>>`,
    ];
    const place = pdfOf(objects).indexOf('7 0 obj');
    objects[5] = padded(objects[5]!, WINDOW - 400 - place);
    const { paths, result } = await folder.split(folder.keep('long.pdf', pdfOf(objects)), [[1, 1]]);
    expect(titles(paths[0]!)).toEqual(['first']);
    expect(result.warnings).toEqual([]);
  });
});

describe('resources of pages split off', () => {
  const font = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>';
  const content = '<</Length 29>>stream\nBT /F1 20 Tf 9 9 Td (x) Tj ET\nendstream';
  const sharing = (first: string, more: readonly string[] = []): string =>
    pdfOf([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2>>',
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents 5 0 R${first}>>`,
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents 5 0 R/Resources 6 0 R>>',
      content,
      '<</Font<</F1 7 0 R/F2 8 0 R>>>>',
      font,
      font.replace('Helvetica', 'Courier'),
      '<</Font<<>>>>',
      ...more,
    ]);

  it.each([
    ['/Resources 9 0 R/Resources 6 0 R'],
    ['/Resources<</Font<<>>>>/Resources 6 0 R'],
    ['/Resources 6 0 R/Resources<</Font<</F1 7 0 R>>>>'],
  ])('are those that count where there are two: %s', async (first) => {
    const path = folder.keep('twice.pdf', sharing(first));
    const { paths } = await folder.split(path, [[1, 1]]);
    expect(firstPage(paths[0]!) === firstPage(path, 1)).toBe(true);
    expect(readFileSync(paths[0]!, 'latin1')).toContain('Helvetica');
    // A page that stays as it is keeps both keys, of which qpdf warns (3).
    expect([0, 3]).toContain(check(paths[0]!).status);
  });

  it('are without what the page does not use, though its /Rotate is read from elsewhere', async () => {
    const hops = Array.from({ length: MANY }, (_, i) => padded(i + 1 < MANY ? `${11 + i} 0 R` : '90', WINDOW + 8192));
    const path = folder.keep('turned.pdf', sharing('/Resources 6 0 R/Rotate 10 0 R', hops));
    const { paths } = await folder.split(path, [[1, 1]]);
    const text = readFileSync(paths[0]!, 'latin1');
    expect(text).toContain('Helvetica');
    expect(text).not.toContain('Courier');
  });
});

it('a file of pictures is opened without reading them', async () => {
  const picture = `<</Type/XObject/Subtype/Image/Filter/DCTDecode/Length ${2 * WINDOW}>>stream\n${'x'.repeat(2 * WINDOW)}\nendstream`;
  const text = pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]>>',
    ...Array<string>(MANY).fill(picture),
  ]);
  const bytes = Buffer.from(text, 'latin1');
  let read = 0;
  const source: RandomAccess = {
    name: 'pictures.pdf',
    size: bytes.length,
    read(into, position) {
      const part = bytes.subarray(position, position + into.length);
      into.set(part);
      read += part.length;
      return part.length;
    },
    open: () => Readable.from([bytes]),
  };
  expect(countPages(await openSound(source))).toBe(1);
  // Of 24 windows the first and the last two.
  expect(read).toBeLessThan(4 * WINDOW);
});
