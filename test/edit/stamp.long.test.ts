// Stamps stand where they are asked for on pages as they are shown, and nothing else of a page changes.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { number, overlay, stamp } from '../local.ts';
import { createContext } from '../properties/context.ts';
import { Bench, byMupdf, byPdfium, byPoppler, bytesIn, dark, open, pagesWith, textOf, wordsOf } from './bench.ts';

const FIXTURES = resolve(import.meta.dirname, '../fixtures');
const LOREM = `${FIXTURES}/lorem-ipsum.pdf`;
const FONT = '/usr/share/fonts/truetype/dejavu/DejaVuSerif.ttf';
/** With outlines of PostScript. */
const OTF = '/usr/share/fonts/opentype/urw-base35/URWBookman-LightItalic.otf';
const bench = new Bench();
afterAll(() => bench.close());

/** Turned, cropped, beside the origin, and with graphics states that are left open and closed too often. */
const PAGES = bench.keep(
  'pages.pdf',
  pagesWith(
    [
      '/MediaBox[0 0 300 400]',
      '/MediaBox[0 0 300 400]/CropBox[20 30 250 350]/Rotate 90',
      '/MediaBox[-50 0 300 400]/CropBox[-20 30 250 350]/Rotate 180',
      '/MediaBox[100 100 400 500]/Rotate 270',
    ],
    'Q Q q 2 0 0 2 50 50 cm q 0 1 -1 0 0 0 cm BT /F 6 Tf 30 -40 Td (body) Tj ET',
  ),
);

describe('text', () => {
  it.each([
    ['top-left', 0, 0],
    ['top-right', 1, 0],
    ['bottom-left', 0, 1],
    ['bottom-right', 1, 1],
    ['center', 0.5, 0.5],
    ['bottom', 0.5, 1],
    ['right', 1, 0.5],
  ] as const)('stands at %s of every page, upright', async (position, right, down) => {
    const { path } = await bench.make(stamp, {
      file: open(PAGES),
      text: 'St{page}of{pages}',
      position,
      margin: 10,
      size: 12,
    });
    for (const [i, { width, height, words }] of wordsOf(path).entries()) {
      const [x0, y0, x1, y1] = words.find(({ text }) => text === `St${i + 1}of4`)?.box ?? [0, 0, 0, 0];
      expect(x1 - x0).toBeGreaterThan(30);
      expect(y1 - y0).toBeLessThan(20);
      expect((x0 + x1) / 2).toBeCloseTo(10 + (x1 - x0) / 2 + right * (width - 20 - (x1 - x0)), 0);
      expect(Math.abs((y0 + y1) / 2 - (17 + down * (height - 34)))).toBeLessThan(5);
    }
  });

  it('leaves the rest of each page as it was, to two programs', async () => {
    const { path } = await bench.make(stamp, {
      file: open(LOREM),
      text: 'DRAFT',
      position: 'bottom',
      color: '#ff0000',
    });
    for (const draw of [byPoppler, byMupdf]) {
      const [before, after] = [draw(LOREM), draw(path)];
      const upper = Math.floor(before.height * 0.9) * before.width;
      expect(Buffer.compare(before.pixels.subarray(0, upper), after.pixels.subarray(0, upper))).toBe(0);
      expect(Buffer.compare(before.pixels, after.pixels)).not.toBe(0);
    }
    expect(textOf(path)).toContain('DRAFT');
  });

  it('is written in a given font, of which only what is shown goes in', async () => {
    if (!existsSync(FONT)) return;
    const { path } = await bench.make(stamp, { file: open(PAGES), text: 'Ωж≠ {page}', font_file: open(FONT) });
    expect(textOf(path)).toContain('Ωж≠ 2');
    expect(execFileSync('pdffonts', [path], { encoding: 'utf8' })).toMatch(
      /[A-Z]{6}\+DejaVuSerif\s+CID TrueType\s+Identity-H\s+yes yes yes/,
    );
    expect(bytesIn(path).length).toBeLessThan(40_000);
    for (const draw of [byPoppler, byMupdf]) expect(dark(draw(path), [0.2, 0.4, 0.8, 0.6])).toBeGreaterThan(100);
  });

  it('is written in Liberation Sans where a standard font lacks a character, with what is shown of it', async () => {
    const text = 'Łukasz Ελλάδα Жук {page}';
    const { path } = await bench.make(stamp, { file: open(PAGES), text, font: 'Times-Bold' });
    expect(textOf(path)).toContain('Łukasz Ελλάδα Жук 2');
    expect(execFileSync('pdffonts', [path], { encoding: 'utf8' })).toMatch(
      /[A-Z]{6}\+LiberationSans-Bold\s+CID TrueType\s+Identity-H\s+yes yes yes/,
    );
    expect(bytesIn(path).length).toBeLessThan(30_000);
    const shades = [byPoppler(path), byMupdf(path), await byPdfium(path)].map((seen) => dark(seen, [0, 0, 1, 1]));
    expect(Math.min(...shades)).toBeGreaterThan(100);
    expect(Math.max(...shades)).toBeLessThan(1.5 * Math.min(...shades));
    // What joins marks to letters asks for no other font.
    const plain = await bench.make(stamp, { file: open(PAGES), text: 'cafe\u0301' });
    expect(execFileSync('pdffonts', [plain.path], { encoding: 'utf8' })).not.toContain('Liberation');
    expect(textOf(plain.path)).toContain('café');
  });

  it('is written in an OpenType font with outlines of PostScript', async () => {
    if (!existsSync(OTF)) return;
    const { path } = await bench.make(stamp, { file: open(PAGES), text: 'Żółw Œ ffi {page}', font_file: open(OTF) });
    expect(textOf(path)).toContain('Żółw Œ ffi 2');
    expect(execFileSync('pdffonts', [path], { encoding: 'utf8' })).toMatch(
      /[A-Z]{6}\+URWBookman-LightItalic\s+CID Type 0C\s+Identity-H\s+yes yes yes/,
    );
    expect(bytesIn(path).length).toBeLessThan(20_000);
    const [poppler, mupdf] = [byPoppler(path), byMupdf(path)].map((picture) => dark(picture, [0, 0, 1, 1]));
    expect(poppler).toBeGreaterThan(100);
    expect(Math.abs((poppler ?? 0) - (mupdf ?? 0))).toBeLessThan((poppler ?? 0) * 0.15);
  });

  it.each(['Symbol', 'ZapfDingbats', 'Courier-Bold', 'Times-Italic'] as const)('is written in %s', async (font) => {
    const text = font === 'Symbol' ? 'αβ' : font === 'ZapfDingbats' ? '✓' : 'Grüße';
    const { path } = await bench.make(stamp, { file: open(LOREM), text, font, pages: [1] });
    expect(textOf(path)).toContain(text);
  });

  it.each([
    [{ text: '漢' }, /neither Helvetica nor Liberation Sans has the character '漢'/],
    [{ text: 'שלום' }, /runs from right to left/],
    [{ text: '{pag}' }, /\{pag\} stands for nothing/],
    [{ text: 'a', color: 'pinkish' }, /color: expected/],
    [{ text: 'a', margin: 5000 }, /leaves no room/],
    [{ text: 'a', pages: [9] }, /there is no page 9/],
    [{}, /needs something/],
    [{ text: 'a', font_file: open(LOREM) }, /is no TrueType or OpenType font/],
    [{ pdf: open(FONT) }, /DejaVuSerif\.ttf/],
  ])('refuses %j', async (wish, message) => {
    await expect(stamp({ file: open(PAGES), ...wish }, createContext())).rejects.toThrow(message);
  });

  it.each([
    ['漢字', 'Noto Sans SC'],
    ['あ', 'Noto Sans JP'],
    ['ქ', 'Noto Sans Georgian'],
  ])('names the font to install for %s', async (text, family) => {
    const refused = stamp({ file: open(PAGES), text }, createContext());
    await expect(refused).rejects.toMatchObject({ hint: expect.arrayContaining([family]) });
  });

  it.each([stamp, number])(
    'fits pages that are smaller than the usual margins, and says so of a margin that was given',
    async (run) => {
      const tiny = bench.keep('tiny.pdf', pagesWith(['/MediaBox[0 0 50 40]'], ' '));
      const { path } = await bench.make(run, { file: open(tiny), text: 'small', format: '77' } as never);
      for (const draw of [byPoppler, byMupdf]) expect(dark(draw(path), [0, 0, 1, 1])).toBeGreaterThan(5);
      await expect(run({ file: open(tiny), text: 'small', margin: 36 } as never, createContext())).rejects.toThrow(
        /margin=36 leaves no room/,
      );
    },
  );

  it('is put on a page that was stamped before', async () => {
    const first = await bench.make(stamp, { file: open(PAGES), text: 'one', position: 'top', opacity: 0.5 });
    const { path } = await bench.make(stamp, {
      file: open(first.path),
      text: 'two',
      font: 'Courier',
      position: 'center',
    });
    for (const { words } of wordsOf(path))
      expect(words.map(({ text }) => text)).toEqual(expect.arrayContaining(['one', 'two']));
  });

  it('gives pages that share their resources one copy of them', async () => {
    const many = bench.keep('many.pdf', pagesWith(Array.from({ length: 500 }, () => '/MediaBox[0 0 300 400]')));
    const { path } = await bench.make(stamp, { file: open(many), text: '{page}' });
    expect(bytesIn(path).length).toBeLessThan(500 * 700);
  });

  it('makes the same bytes of the same input', async () => {
    const make = async () => bytesIn((await bench.make(stamp, { file: open(LOREM), text: '{page} {file}' })).path);
    expect(Buffer.compare(await make(), await make())).toBe(0);
  });
});

describe('a picture', () => {
  it('is put over a page, or under it', async () => {
    const image = `${FIXTURES}/pictures/exif--Portrait_6.jpg`;
    const place = { image: open(image), scale: 0.05, position: 'bottom-right', margin: 0 } as const;
    const over = await bench.make(stamp, { file: open(PAGES), ...place });
    const under = await bench.make(stamp, { file: open(PAGES), ...place, under: true });
    for (const { path } of [over, under]) {
      for (const draw of [byPoppler, byMupdf]) {
        for (const page of [1, 2, 3, 4]) expect(dark(draw(path, page), [0.8, 0.8, 1, 1], 250)).toBeGreaterThan(100);
      }
    }
  });

  it('shows through where it is not opaque', async () => {
    const image = open(`${FIXTURES}/pictures/ljt--testorig.png`);
    const [solid, thin] = await Promise.all(
      [1, 0.3].map((opacity) => bench.make(stamp, { file: open(PAGES), image, opacity, scale: 0.3 })),
    );
    for (const draw of [byPoppler, byMupdf]) {
      expect(dark(draw(thin!.path), [0, 0, 1, 1], 100)).toBeLessThan(dark(draw(solid!.path), [0, 0, 1, 1], 100));
    }
  });
});

describe('a page', () => {
  it('is put on pages at its own size', async () => {
    const { path } = await bench.make(stamp, { file: open(PAGES), pdf: open(LOREM), scale: 0.5, pages: [2, 3] });
    const [first, second] = wordsOf(path);
    expect(first?.words.map(({ text }) => text)).not.toContain('LOREM');
    expect(second?.words.map(({ text }) => text)).toContain('LOREM');
  });

  it('is laid over its counterpart, and looks as it did', async () => {
    const blank = bench.keep('blank.pdf', pagesWith(['/MediaBox[0 0 612 792]', '/MediaBox[0 0 612 792]'], ''));
    const { path } = await bench.make(overlay, { file: open(blank), pdf: open(`${FIXTURES}/rotated-mixed.pdf`) });
    const letters = (file: string) => wordsOf(file)[0]?.words.map(({ text }) => text);
    expect(letters(path)).toEqual(letters(`${FIXTURES}/rotated-mixed.pdf`));
  });

  it('of a shorter document comes again where it is told to', async () => {
    const three = bench.keep(
      'three.pdf',
      pagesWith(
        Array.from({ length: 3 }, () => '/MediaBox[0 0 612 792]'),
        '',
      ),
    );
    const one = bench.keep('one.pdf', pagesWith(['/MediaBox[0 0 612 792]']));
    const seen = async (repeat: 'none' | 'last' | 'all') => {
      const { path } = await bench.make(overlay, { file: open(three), pdf: open(one), repeat });
      return wordsOf(path).map(({ words }) => words.length);
    };
    expect(await seen('none')).toEqual([1, 0, 0]);
    expect(await seen('last')).toEqual([1, 1, 1]);
    expect(await seen('all')).toEqual([1, 1, 1]);
  });
});

describe('numbers', () => {
  it('count the pages that are chosen, from where they are told to', async () => {
    const { path } = await bench.make(number, {
      file: open(PAGES),
      pages: [2, 3, 4],
      start: 9,
      format: 'A{page:4}/{pages}',
    });
    expect(wordsOf(path).map(({ words }) => words.map(({ text }) => text).filter((text) => text !== 'body'))).toEqual([
      [],
      ['A0009/11'],
      ['A0010/11'],
      ['A0011/11'],
    ]);
  });
});
