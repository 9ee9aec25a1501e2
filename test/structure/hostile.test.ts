import { statSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { processorTime } from '../processor-time.ts';
import { check, look } from './judges.ts';
import { OutputFolder, pdfOf } from './run.ts';

let folder: OutputFolder;
beforeAll(() => {
  folder = new OutputFolder();
});
afterAll(() => folder.close());

/** Catalog entries, and objects from 4 on. */
const TRAPS: Readonly<Record<string, readonly [entries: string, ...objects: string[]]>> = {
  'bookmarks in a circle': [
    '/Outlines<</First 4 0 R/Last 5 0 R>>',
    '<</Title(a)/Next 5 0 R/First 5 0 R/Dest[3 0 R/Fit]>>',
    '<</Title(b)/Next 4 0 R/First 4 0 R/Dest[3 0 R/Fit]>>',
  ],
  'a bookmark that is the page': ['/Outlines<</First 3 0 R>>'],
  'bookmarks that are numbers': ['/Outlines<</First 7/Last(x)>>'],
  'a name tree in a circle': [
    '/Names<</Dests 4 0 R>>',
    '<</Kids[4 0 R 5 0 R]>>',
    '<</Kids[4 0 R]/Names[(a)[3 0 R/Fit]]>>',
  ],
  'names that are no strings': ['/Names<</Dests<</Names[1 2 /a/b(c)]>>/EmbeddedFiles 3 0 R/JavaScript 99 0 R>>'],
  'labels in a circle': ['/PageLabels 4 0 R', '<</Kids[4 0 R]/Nums[-5<</S/Q>> 0<</S/D/St -1>> 1e9<</P 4 0 R>>]>>'],
  'fields in a circle': ['/AcroForm<</Fields[4 0 R 4 0 R 3 0 R]>>', '<</T(a)/Kids[4 0 R]/Parent 4 0 R>>'],
  'a form that is a list': ['/AcroForm[1 2 3]'],
  'layers that are pages': ['/OCProperties<</OCGs[3 0 R 2 0 R 1 0 R]/D<</OFF 4 0 R/Order[[[[3 0 R]]]]>>>>', '[3 0 R]'],
  'tags in a circle': [
    '/MarkInfo<</Marked true>>/StructTreeRoot 4 0 R',
    '<</K 5 0 R/ParentTree 6 0 R/IDTree 6 0 R/RoleMap<</X/X>>>>',
    '<</S/P/P 5 0 R/K[5 0 R 4 0 R 3 0 R]/Pg 3 0 R>>',
    '<</Kids[6 0 R]/Nums[0 5 0 R -1 5 0 R 0 5 0 R]/Names[(a)5 0 R]>>',
  ],
  'values that lead to themselves': ['/Lang 4 0 R/Names 5 0 R/Outlines 6 0 R', '5 0 R', '4 0 R', '6 0 R'],
  'a catalog full of wrong kinds': [
    '/Names 3/Dests(x)/PageLabels/A/OCProperties[]/StructTreeRoot true/AF 3 0 R/Threads 5/Lang 3 0 R',
  ],
};

function trap([entries, ...objects]: readonly [string, ...string[]]): string {
  return pdfOf([
    `<</Type/Catalog/Pages 2 0 R${entries}>>`,
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/StructParents 0>>',
    ...objects,
  ]);
}

describe('structure made to trap a reader', () => {
  it('a page where the root of the tree should be', async () => {
    const path = folder.keep('root.pdf', pdfOf(['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Page/MediaBox[0 0 9 9]>>']));
    const { path: merged } = await folder.merge([path, path]);
    expect(look(merged).pages).toBe(2);
    expect(check(merged).status).toBe(0);
  });

  it('a root whose resources every page would get for itself', async () => {
    const fonts = Array.from({ length: 1_000 }, (_, i) => `/F${i} 3 0 R`).join('');
    const page = '<</Type/Page/Parent 2 0 R>>';
    const root = `<</Type/Pages/Count 7/MediaBox[0 0 9 9]/Resources<</Font<<${fonts}>>>>/Kids[4 0 R 5 0 R 6 0 R]>>`;
    const font = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>';
    const path = folder.keep('root.pdf', pdfOf(['<</Type/Catalog/Pages 2 0 R>>', root, font, page, page, page]));
    const { path: merged } = await folder.merge([path, path]);
    expect(look(merged).pages).toBe(6);
    expect(check(merged).status).toBe(0);
    expect(statSync(merged).size).toBeLessThan(2.5 * statSync(path).size);
  });

  it('a hundred thousand bookmarks that lead to one page', async () => {
    const marks = Array.from(
      { length: 100_000 },
      (_, i) => `<</Title(a)/Dest[3 0 R/Fit]/Parent 4 0 R/Next ${6 + i} 0 R>>`,
    );
    const path = folder.keep('marks.pdf', trap(['/Outlines 4 0 R', '<</First 5 0 R>>', ...marks]));
    const began = processorTime();
    const { paths } = await folder.split(path, [[1, 1]]);
    expect(processorTime() - began).toBeLessThan(20_000);
    expect(paths).toHaveLength(1);
  });

  it.each(Object.entries(TRAPS))('%s', async (_name, made) => {
    const path = folder.keep('trap.pdf', trap(made));
    const { path: merged } = await folder.merge([path, path]);
    expect(look(merged).pages).toBe(2);
    expect(check(merged).text).not.toMatch(/not.*page|damaged/i);
    const { paths } = await folder.split(path, [[1, 1]]);
    expect(look(paths[0]!).pages).toBe(1);
    expect((await folder.info(path)).record).toMatchObject({ page_count: 1 });
  });

  it('a stream that holds too much is refused, with the file named', async () => {
    const bomb = deflateSync(Buffer.alloc((256 << 20) + 1024), { level: 1 }).toString('latin1');
    const entries = `/Type/ObjStm/N 1/First 4/Filter/FlateDecode/Length ${bomb.length}`;
    const text = trap(['', `<<${entries}>>stream\n${bomb}\nendstream`]).replace(/startxref\n\d+/, 'startxref\n7');
    const [plain, path] = [folder.keep('plain.pdf', trap([''])), folder.keep('bomb.pdf', text)];
    const message = `bomb.pdf: a compressed stream holds more than 256 MiB`;
    await expect(folder.mergeRaw([plain, path])).rejects.toMatchObject({ kind: 'limit', message });
  });

  it('a million and more names are refused, with the limit named', async () => {
    const kids = Array.from({ length: 1100 }, (_, i) => `${6 + i} 0 R`).join(' ');
    const names = Array.from({ length: 1000 }, (_, i) => `(n${i})5 0 R`).join(' ');
    // The leaves differ in one name only, yet each must be looked at.
    const leaves = Array.from({ length: 1100 }, (_, i) => `<</Names[${names.replaceAll('(n', `(${i}n`)}]>>`);
    const path = folder.keep(
      'names.pdf',
      trap(['/Names<</Dests 4 0 R>>', `<</Kids[${kids}]>>`, '[3 0 R/Fit]', ...leaves]),
    );
    await expect(folder.mergeRaw([path, path])).rejects.toMatchObject({ kind: 'limit', message: /1,000,000 names/ });
  });

  it('a page that is a string in hexadecimal is no page', async () => {
    const path = folder.keep(
      'string.pdf',
      pdfOf([
        '<</Type/Catalog/Pages 2 0 R>>',
        '<</Type/Pages/Count 1/Kids[3 0 R]>>',
        '<> /Type/Page/MediaBox[0 0 9 9]>>',
      ]),
    );
    await expect(folder.mergeRaw([path, path])).rejects.toMatchObject({ code: 'unprocessable' });
  });
});

/** A page whose objects stand in object stream 5, with `entries`; object 4 of it is a number. */
function packed(entries: string, number: (length: number) => number): string {
  const objects: [number, string][] = [
    [1, '<</Type/Catalog/Pages 2 0 R>>'],
    [2, '<</Type/Pages/Kids[3 0 R]/Count 1>>'],
    [3, '<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]>>'],
  ];
  const header = (all: typeof objects) => {
    let at = 0;
    return all.map(([num, text]) => `${num} ${((at += text.length + 1)) - text.length - 1} `).join('');
  };
  const all = (value: number): typeof objects => [...objects, [4, String(value).padEnd(4)]];
  const first = header(all(0)).length;
  const bodyOf = (value: number) =>
    `${header(all(value))}${all(value)
      .map(([, text]) => `${text} `)
      .join('')}`;
  const body = bodyOf(number(bodyOf(0).length));
  const start = '%PDF-1.5\n';
  const stream = `5 0 obj\n<</Type/ObjStm/N 4/First ${first}/Length ${body.length}${entries}>>stream\n${body}\nendstream\nendobj\n`;
  const rows = [
    [0, 0, 0],
    ...[0, 1, 2, 3].map((i) => [2, 5, i]),
    [1, start.length, 0],
    [1, start.length + stream.length, 0],
  ];
  const data = Buffer.from(rows.flatMap(([kind = 0, place = 0, index = 0]) => [kind, place >> 8, place & 255, index]));
  const table = `6 0 obj\n<</Type/XRef/Size 7/W[1 2 1]/Root 1 0 R/Length ${data.length}>>stream\n${data.toString('latin1')}\nendstream\nendobj\n`;
  return `${start}${stream}${table}startxref\n${start.length + stream.length}\n%%EOF\n`;
}

describe('an object stream that needs one of its own objects to be read', () => {
  it('is read up to its end, where that object is its length', async () => {
    const path = folder.keep(
      'length.pdf',
      packed('/Length 4 0 R', (length) => length),
    );
    expect((await folder.info(path)).record).toMatchObject({ page_count: 1 });
  });

  it.each(['/Filter 4 0 R', '/DecodeParms 4 0 R', '/First 4 0 R'])('is damage, where it is %s', async (entry) => {
    const path = folder.keep(
      'entry.pdf',
      packed(entry, () => 4),
    );
    await expect(folder.info(path)).rejects.toMatchObject({ kind: 'damaged' });
  });
});
