import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { check, firstPage, look, tags } from './judges.ts';
import { OutputFolder, pdfOf } from './run.ts';

const FIXTURES = join(import.meta.dirname, '../fixtures');
let folder: OutputFolder;
beforeAll(() => {
  folder = new OutputFolder();
});
afterAll(() => folder.close());

const outlines = join(FIXTURES, 'outlines.pdf');

describe('pages split off', () => {
  it('keep the bookmarks that lead to them, under those they stood under', async () => {
    const whole = look(outlines);
    const { paths } = await folder.split(outlines, [
      [6, 14],
      [20, 30],
    ]);
    for (const [i, [start, end]] of [[6, 14] as const, [20, 30] as const].entries()) {
      const part = look(paths[i]!);
      const led = whole.outlines.filter(([, , page]) => page !== null && page >= start && page <= end);
      expect(led.length).toBeGreaterThan(0);
      const kept = part.outlines.filter(([, , page]) => page !== null);
      expect(kept).toEqual(led.map(([depth, title, page]) => [depth, title, page! - start + 1]));
      // What else is there leads nowhere and has something below it.
      for (const [j, [depth, , page]] of part.outlines.entries()) {
        if (page === null) expect(part.outlines[j + 1]?.[0]).toBe(depth + 1);
      }
      expect(part.labels).toEqual(whole.labels.slice(start - 1, end));
      expect(part.destinations.map(([page, view, name]) => [page + start - 1, view, name])).toEqual(
        whole.destinations.filter(([page]) => page >= start && page <= end),
      );
      expect(check(paths[i]!).status).toBe(0);
      expect(firstPage(paths[i]!) === firstPage(outlines, start)).toBe(true);
    }
  });

  const linked = pdfOf([
    '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[7 0 R 10 0 R]/CO[7 0 R 10 0 R]>>/Names<</Dests<</Names[(one)[3 0 R/Fit](two)[4 0 R/Fit]]>>>>>>',
    '<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Annots[5 0 R 6 0 R 8 0 R 11 0 R]>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Annots[9 0 R 10 0 R]>>',
    '<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/Dest(one)>>',
    '<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/GoTo/D(two)>>>>',
    '<</FT/Tx/T(both)/V(value)/Kids[8 0 R 9 0 R]>>',
    '<</Type/Annot/Subtype/Widget/Rect[0 0 9 9]/Parent 7 0 R>>',
    '<</Type/Annot/Subtype/Widget/Rect[0 0 9 9]/Parent 7 0 R>>',
    '<</Type/Annot/Subtype/Widget/Rect[0 0 9 9]/FT/Tx/T(second)/V(other)>>',
    '<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/Dest[4 0 R/Fit]>>',
  ]);

  it('lose links to pages left behind, and keep the fields that are on them', async () => {
    const { paths } = await folder.split(folder.keep('linked.pdf', linked), [
      [1, 1],
      [2, 2],
    ]);
    const [first, second] = paths.map(look);
    expect(first!.links).toEqual([[1, '1 ["/Fit"]']]);
    expect(first!.destinations.map(([, , name]) => name)).toEqual(['one']);
    expect(first!.fields.map(({ name }) => name)).toEqual(['both']);
    expect(second!.fields.map(({ name }) => name).sort()).toEqual(['both', 'second']);
    expect(second!.links).toEqual([]);
    for (const path of paths) expect(check(path).status).toBe(0);
  });
});

describe('links of pages split off', () => {
  const away = [
    '/A<</S/GoTo/D(two)>>',
    '/A << /D (two) /S /GoTo >>',
    '/A<</Type/Action/S/GoTo/D(two)>>',
    '/A<</S/GoTo/D<74776F>>>',
    '/A<</S/GoTo/D(t\\167o)>>',
    '/A<</S/GoTo/D/old>>',
    '/A<</S/GoTo/D[4 0 R/Fit]>>',
    '/A 5 0 R',
    '/A<</S/GoTo/D(object)>>',
    '/A<</S/GoTo/D(wrapped)>>',
    '/Dest(two)',
    '/Dest 6 0 R',
    '/#41<</S/GoTo/D(two)>>',
  ];
  const here = [
    '/A<</S/GoTo/D(one)>>',
    '/A<</S/GoTo/D(nobody)>>',
    '/A<</S/GoToR/F(a.pdf)/D(two)>>',
    '/A<</S/URI/URI(two)>>',
    '/A<</S/GoTo/Dx(two)>>',
    '/A<</S/URI/URI(a)/Next<</S/GoTo/D(two)>>>>',
    '/Dest(one)',
    '',
  ];
  const links = [...away, ...here];
  const first = 9;
  const refs = links.map((_, i) => `${first + i} 0 R`).join(' ');
  const document = pdfOf([
    '<</Type/Catalog/Pages 2 0 R/Dests<</old[4 0 R/Fit]>>/Names<</Dests<</Kids[8 0 R]>>>>>>',
    '<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Annots[${refs}]>>`,
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]>>',
    '<</S/GoTo/D(two)>>',
    '[4 0 R/XYZ 0 0 null]',
    '<</D [4 0 R/Fit]>>',
    '<</Limits[(object)(wrapped)]/Names[(object)6 0 R(one)[3 0 R/Fit](two)[4 0 R/Fit](wrapped)7 0 R]>>',
    ...links.map((link, i) => `<</Type/Annot/Subtype/Link/Rect[0 0 ${i + 1} 9]${link}>>`),
  ]);

  it('go where they lead to others, however that is written, and stay otherwise', async () => {
    const { paths } = await folder.split(folder.keep('links.pdf', document), [
      [1, 1],
      [2, 2],
    ]);
    const text = execFileSync('qpdf', ['--qdf', '--object-streams=disable', paths[0]!, '-'], { encoding: 'latin1' });
    const kept = [...text.matchAll(/\/Rect \[\s+0\s+0\s+(\d+)\s+9\s+\]/g)].map((match) => Number(match[1]));
    expect(kept.sort((a, b) => a - b)).toEqual(here.map((_, i) => away.length + i + 1));
    const [one, two] = paths.map((path) => look(path).destinations.map(([, , name]) => name));
    expect(one).toEqual(['one']);
    expect(two!.sort()).toEqual(['object', 'old', 'two', 'wrapped']);
    for (const path of paths) expect(check(path).status).toBe(0);
  });
});

describe('annotations of pages split off', () => {
  const away = '<</Type/Annot/Subtype/Link/Rect[0 0 1 9]/Dest[4 0 R/Fit]>>';
  const listed = (annotations: string): string =>
    pdfOf([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2>>',
      `<</Parent 2 0 R${annotations}/Type/Page/MediaBox[0 0 99 99]>>`,
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]>>',
      away,
      '<</Type/Annot/Subtype/Link/Rect[0 0 2 9]/Dest[3 0 R/Fit]>>',
      '[5 0 R 6 0 R]',
      '7 0 R',
      '[ 6 0 R ]',
    ]);

  it.each([
    ['/Annots[5 0 R 6 0 R]', [2]],
    ['/Annots [ 6 0 R\n5 0 R ] ', [2]],
    ['/Annots[5 0 R 6 0 R 5 0 R]', [2]],
    ['/Annots[5 0 R%6 0 R\n6 0 R]', [2]],
    ['/Annots[5 0 R null 6 0 R]', [2]],
    ['/Annots[5 0 R 6 0 R null]', [2]],
    [`/Annots[${away}6 0 R]`, [2]],
    [`/Annots[6 0 R${away}]`, [2]],
    ['/Annots 7 0 R', [2]],
    ['/Annots 8 0 R', [2]],
    ['/Annots 9 0 R', [2]],
    ['/Annots 4 0 R', []],
    ['/Annots 99 0 R', []],
    ['/Annots null', []],
    ['/Annots[]', []],
    ['/#41nnots[5 0 R 6 0 R]', [2]],
    ['/Annots[5 0 R]/Annots[6 0 R 5 0 R]', [2]],
    ['/Annots[5 0 R]', []],
  ])('go where they lead to others, listed as %j', async (annotations, expected) => {
    const path = folder.keep('listed.pdf', listed(annotations));
    const { paths } = await folder.split(path, [[1, 1]]);
    const text = execFileSync('qpdf', ['--qdf', '--object-streams=disable', paths[0]!, '-'], { encoding: 'latin1' });
    const kept = [...text.matchAll(/\/Rect \[\s+0\s+0\s+(\d+)\s+9\s+\]/g)].map((match) => Number(match[1]));
    expect(kept).toEqual(expected);
    expect(check(paths[0]!).status).toBe(0);
  });
});

describe('real documents split', () => {
  it('keep the tags of each page and no others', async () => {
    const path = join(FIXTURES, 'documents/pdfbox--PDFBOX-5792-240045.pdf');
    const { pages } = look(path);
    const ranges = Array.from({ length: pages }, (_, i) => [i + 1, i + 1] as const);
    const { paths } = await folder.split(path, ranges);
    const text = (of: string): string => quoted(tags(of)).sort().join('\n');
    expect(quoted(tags(path)).length).toBeGreaterThan(pages);
    expect(
      paths
        .flatMap((part) => quoted(tags(part)))
        .sort()
        .join('\n'),
    ).toBe(text(path));
    for (const part of paths) expect(check(part).status).toBe(0);
  });

  it('keep layers hidden', async () => {
    const path = join(FIXTURES, 'documents/pypdf--Seige_of_Vicksburg_Sample_OCR.pdf');
    const { paths } = await folder.split(path, [[1, 1]]);
    const whole = look(path).layers;
    for (const layer of look(paths[0]!).layers) expect(whole).toContainEqual(layer);
    expect(look(paths[0]!).layers.length).toBeGreaterThan(0);
  });
});

/** The text that stands in the tags, line by line. */
function quoted(shown: string): string[] {
  return shown.split('\n').flatMap((line) => (/^\s*"/.test(line) ? [line.trim()] : []));
}
