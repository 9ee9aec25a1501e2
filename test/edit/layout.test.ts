// Pages on sheets, on other paper, cut, and with empty ones between: judged by what two programs draw and read.
import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { degrees, PDFDocument, PDFName } from 'pdf-lib';
import { afterAll, describe, expect, it } from 'vitest';
import { bookletOrder } from '../../src/pdf/edit/layout/nup.ts';
import { blank, crop, nup, resize } from '../local.ts';
import { createContext } from '../properties/context.ts';
import { look } from '../structure/judges.ts';
import { Bench, byMupdf, byPoppler, dark, open, pagesWith, wordsOf } from './bench.ts';

const FIXTURES = resolve(import.meta.dirname, '../fixtures');
const LOREM = `${FIXTURES}/lorem-ipsum.pdf`;
const bench = new Bench();
afterAll(() => bench.close());

const PAGES = bench.keep(
  'pages.pdf',
  pagesWith([
    '/MediaBox[0 0 300 400]',
    '/MediaBox[0 0 300 400]/CropBox[20 30 250 350]/Rotate 90',
    '/MediaBox[-50 0 300 400]/CropBox[-20 30 250 350]/Rotate 180',
    '/MediaBox[10 10 310 410]/Rotate 270',
  ]),
);

describe('nup', () => {
  it('puts pages on sheets in rows, upright, and draws all of each', async () => {
    const { path } = await bench.make(nup, { file: open(PAGES), per_sheet: 4, border: true });
    const [sheet] = wordsOf(path);
    expect(wordsOf(path).length).toBe(1);
    expect(sheet?.words.filter(({ text }) => text === 'body').length).toBe(4);
    for (const draw of [byPoppler, byMupdf]) {
      const picture = draw(path);
      expect([picture.width, picture.height]).toEqual([596, 842].map((side) => expect.closeTo(side, -1)));
      for (const [x, y] of [
        [0, 0],
        [0.5, 0],
        [0, 0.5],
        [0.5, 0.5],
      ] as const) {
        expect(dark(picture, [x, y, x + 0.5, y + 0.5])).toBeGreaterThan(40);
      }
    }
  });

  it('shows what notes and fields show', async () => {
    const document = await PDFDocument.create();
    const field = document.getForm().createTextField('a');
    field.setText('typed');
    field.addToPage(document.addPage([200, 200]), { x: 20, y: 80, width: 100, height: 20 });
    const form = bench.keep('form.pdf', await document.save());
    const { path } = await bench.make(nup, { file: open(form), per_sheet: 2 });
    expect(wordsOf(path)[0]?.words.map(({ text }) => text)).toEqual(['typed']);
  });

  it('says that links are left out', async () => {
    const link = '/Annots[<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/Dest[5 0 R/Fit]>>]';
    const box = '/MediaBox[0 0 300 400]';
    const linked = bench.keep('linked.pdf', pagesWith([box, `${box}${link}`]));
    const { warnings } = await bench.make(nup, { file: open(linked), per_sheet: 2 });
    expect(warnings).toEqual([expect.stringMatching(/linked\.pdf: links on 1 page are left out$/)]);
    expect((await bench.make(nup, { file: open(PAGES), per_sheet: 2 })).warnings).toEqual([]);
  });

  it('has the order of a booklet', () => {
    expect(bookletOrder([1, 2, 3, 4])).toEqual([4, 1, 2, 3]);
    expect(bookletOrder([1, 2, 3, 4, 5, 6])).toEqual([undefined, 1, 2, undefined, 6, 3, 4, 5]);
  });

  it.each([
    [{ per_sheet: 4, margin: 400 }, /leave no room/],
    [{ per_sheet: 4, booklet: true }, /booklet needs per_sheet=2/],
    [{ per_sheet: 4, pages: [9] }, /there is no page 9/],
  ])('refuses %j', async (wish, message) => {
    await expect(nup({ file: open(PAGES), ...wish }, createContext())).rejects.toThrow(message);
  });
});

describe('crop', () => {
  it('cuts edges of pages as they are shown', async () => {
    const { path } = await bench.make(crop, { file: open(PAGES), left: 10, right: 20, top: 30, bottom: 40 });
    for (const draw of [byPoppler, byMupdf]) {
      for (const page of [1, 2, 3, 4]) {
        const [before, after] = [draw(PAGES, page), draw(path, page)];
        expect([after.width, after.height]).toEqual([before.width - 30, before.height - 70]);
        // What is left is where it was.
        let apart = 0;
        for (let y = 0; y < after.height; y++) {
          for (let x = 0; x < after.width; x++) {
            const [a, b] = [after.pixels[y * after.width + x]!, before.pixels[(y + 30) * before.width + x + 10]!];
            if (Math.abs(a - b) > 64) apart += 1;
          }
        }
        expect(apart).toBeLessThan(8);
      }
    }
  });

  it.each([
    [{ margin: 150 }, /nothing would be left of page 1/],
    [{ margin: 1, pages: [7] }, /there is no page 7/],
  ])('refuses %j', async (wish, message) => {
    await expect(crop({ file: open(PAGES), ...wish }, createContext())).rejects.toThrow(message);
  });
});

describe('resize', () => {
  it('gives a page a crop box of its own where it would have that of its parent', async () => {
    const document = await PDFDocument.create();
    document.addPage([300, 400]);
    document.catalog.Pages().set(PDFName.of('CropBox'), document.context.obj([0, 0, 20, 20]));
    const inherited = bench.keep('inherited.pdf', await document.save());
    const { path } = await bench.make(resize, { file: open(inherited), width: 200, height: 400 });
    expect(execFileSync('pdfinfo', [path], { encoding: 'utf8' })).toMatch(/Page size: +200 x 400 pts/);
  });

  it('fits pages to a paper, lying or standing as they are', async () => {
    const { path } = await bench.make(resize, { file: open(PAGES), paper: 'A4' });
    const sizes = wordsOf(path).map(({ width, height }) => [width, height]);
    const [short, long] = [expect.closeTo(595.3, -0.5), expect.closeTo(841.9, -0.5)];
    expect(sizes).toEqual([
      [short, long],
      [long, short],
      [short, long],
      [long, short],
    ]);
    for (const draw of [byPoppler, byMupdf]) {
      for (const page of [1, 2, 3, 4]) expect(dark(draw(path, page), [0, 0, 1, 1])).toBeGreaterThan(40);
    }
    const [first] = wordsOf(path);
    const [x0 = 0] = first?.words[0]?.box ?? [];
    expect(x0).toBeGreaterThan(50);
  });

  it('takes links and fields along', async () => {
    const document = await PDFDocument.create();
    const page = document.addPage([200, 100]);
    page.setRotation(degrees(90));
    const field = document.getForm().createTextField('a');
    field.setText('typed');
    field.addToPage(page, { x: 20, y: 40, width: 100, height: 20 });
    const quads = [20, 60, 120, 60, 20, 40, 120, 40];
    const note = document.context.obj({ Type: 'Annot', Subtype: 'Link', Rect: [20, 40, 120, 60], QuadPoints: quads });
    page.node.set(PDFName.of('Annots'), document.context.obj([...(page.node.Annots()?.asArray() ?? []), note]));
    const before = bench.keep('notes.pdf', await document.save());
    const { path } = await bench.make(resize, { file: open(before), width: 200, height: 400 });
    const [one] = (await PDFDocument.load(execFileSync('cat', [path]))).getPages();
    const notes =
      one?.node
        .Annots()
        ?.asArray()
        .map((each) => one.node.context.lookup(each)) ?? [];
    expect(notes.map((each) => String(each)).join(' ')).toMatch(/Rect \[ ?40 80 240 120 ?\]/);
    expect(String(notes[1])).toMatch(/QuadPoints \[ ?40 120 240 120 40 80 240 80 ?\]/);
    for (const draw of [byPoppler, byMupdf]) expect(dark(draw(path), [0, 0, 1, 1])).toBeGreaterThan(30);
  });

  it('moves what bookmarks, names, links and the opening lead to', async () => {
    const pages = ['/MediaBox[0 0 300 400]/Annots[<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/Dest[6 0 R/FitH 300]>>]'];
    const before = bench.keep(
      'places.pdf',
      pagesWith([...pages, '/MediaBox[0 0 300 400]/Rotate 90']).replace(
        '/Catalog/Pages 2 0 R',
        '/Catalog/OpenAction[5 0 R/XYZ 0 400 0]/Names<</Dests<</Names[(a)[5 0 R/FitR 10 20 30 40](b)<</D[6 0 R/XYZ null 100 2]>>]>>>>' +
          '/Dests<</c[5 0 R/Fit]/d[6 0 R/FitBV 300]>>/Pages 2 0 R',
      ),
    );
    const { path } = await bench.make(resize, { file: open(before), width: 600, height: 1000, pages: [1] });
    const text = execFileSync('qpdf', ['--qdf', '--object-streams=disable', path, '-'], { encoding: 'latin1' });
    const found = [...text.replace(/\s+/g, ' ').matchAll(/\[ \d+ 0 R \/((?:XYZ|Fit)[^\]]*) \]/g)].map(
      ([, place]) => place,
    );
    // Twice as large, and 100 points left above and below; the second page is as it was.
    expect(found.toSorted()).toEqual([
      'Fit',
      'FitBV 300',
      'FitH 300',
      'FitR 20 140 60 180',
      'XYZ 0 900 0',
      'XYZ null 100 2',
    ]);
  });

  it('changes the paper alone where the scale is 1', async () => {
    const { path } = await bench.make(resize, { file: open(LOREM), paper: 'A3', scale: 1, pages: [1] });
    const [before, after] = [wordsOf(LOREM)[0], wordsOf(path)[0]];
    const sizes = (words: typeof before) => words?.words.map(({ box }) => box[2] - box[0]);
    expect(sizes(after)).toEqual(sizes(before)?.map((width) => expect.closeTo(width, 1)));
  });
});

describe('blank', () => {
  it('inserts pages, and all else stays with its page', async () => {
    const outlines = `${FIXTURES}/outlines.pdf`;
    const before = look(outlines);
    const { path } = await bench.make(blank, { file: open(outlines), after: [1], first: true, count: 2 });
    const after = look(path);
    expect(after.pages).toBe(before.pages + 4);
    const moved = (page: number | null) => (page === null ? null : page === 1 ? 3 : page + 4);
    expect(after.outlines).toEqual(before.outlines.map(([depth, title, page]) => [depth, title, moved(page)]));
    expect(
      wordsOf(path)
        .slice(0, 2)
        .map(({ words }) => words.length),
    ).toEqual([0, 0]);
  });

  it('goes on counting labels', async () => {
    const labelled = bench.keep(
      'labelled.pdf',
      pagesWith(Array.from({ length: 4 }, () => '/MediaBox[0 0 300 400]')).replace(
        '/Catalog/Pages 2 0 R',
        '/Catalog/PageLabels<</Nums[0<</S/r>>2<</S/D>>]>>/Pages 2 0 R',
      ),
    );
    const { path } = await bench.make(blank, { file: open(labelled), after: [2] });
    expect(look(path).labels).toEqual(['|/r|1', '|/r|2', '|/r|3', '|/D|1', '|/D|2']);
  });
});
