import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { encodeJbig2 } from '../../src/pdf/images/jbig2/encode.ts';
import { pdfBytes, stream } from '../shrink/written-pdf.ts';

const folder = mkdtempSync(join(tmpdir(), 'jbig2-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Pseudo-random numbers from 0 to 255, the same each time. */
function noise(seed: number): () => number {
  return () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return seed >>> 24;
  };
}

/** Rows of a picture: a pixel is 1 where `isWhite` says so. */
function picture(width: number, height: number, isWhite: (x: number, y: number) => boolean): Uint8Array {
  const stride = (width + 7) >> 3;
  const rows = new Uint8Array(stride * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) if (isWhite(x, y)) rows[y * stride + (x >> 3)]! |= 0x80 >> (x & 7);
  return rows;
}

const next = noise(7);
const PICTURES: [string, number, number, (x: number, y: number) => boolean][] = [
  ['white', 64, 40, () => true],
  ['black', 65, 40, () => false],
  ['one pixel', 1, 1, () => false],
  ['narrower than the template', 3, 50, (x, y) => (x + y) % 3 === 0],
  ['noise', 257, 311, () => next() > 127],
  ['noise that is mostly white', 1_021, 200, () => next() > 3],
  ['lines and circles', 1_000, 700, (x, y) => y % 40 > 2 && Math.hypot(x - 500, y - 350) % 60 > 4],
];

/** What a program makes of it, as the rows of a PBM file, in which 1 is black. */
const DECODERS: [string, (pdf: string, jbig2: string) => Buffer][] = [
  [
    'poppler',
    (pdf) => {
      execFileSync('pdfimages', [pdf, join(folder, 'poppler')]);
      return readFileSync(join(folder, 'poppler-000.pbm'));
    },
  ],
  [
    'mupdf',
    (pdf) => {
      const out = join(folder, 'mupdf.pbm');
      execFileSync('mutool', ['draw', '-q', '-r', '72', '-o', out, pdf], { stdio: 'pipe' });
      return readFileSync(out);
    },
  ],
];

it.each(PICTURES)('%s comes back pixel by pixel', (_name, width, height, isWhite) => {
  const rows = picture(width, height, isWhite);
  const data = encodeJbig2(rows, width, height);
  const shape = `/Type/XObject/Subtype/Image/Width ${width}/Height ${height}/ColorSpace/DeviceGray/BitsPerComponent 1`;
  const pdf = join(folder, 'picture.pdf');
  writeFileSync(
    pdf,
    pdfBytes([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${width} ${height}]/Resources<</XObject<</I 4 0 R>>>>/Contents 5 0 R>>`,
      stream(`${shape}/Filter/JBIG2Decode`, Buffer.from(data)),
      stream('', `${width} 0 0 ${height} 0 0 cm /I Do`),
    ]),
  );
  for (const [name, decode] of DECODERS) {
    const pbm = decode(pdf, pdf);
    const header = /^P4\s+(?:#.*\n)?(\d+)\s+(\d+)\s/.exec(pbm.toString('latin1', 0, 80));
    expect([Number(header?.[1]), Number(header?.[2])], name).toEqual([width, height]);
    const found = pbm.subarray(header?.[0].length);
    const stride = (width + 7) >> 3;
    const different = [...Array(width * height).keys()].filter((pixel) => {
      const [x, y] = [pixel % width, Math.floor(pixel / width)];
      const bit = (bytes: Uint8Array) => (bytes[y * stride + (x >> 3)]! >> (7 - (x & 7))) & 1;
      return bit(found) === bit(rows);
    });
    expect(different.length, name).toBe(0);
  }
});

it('takes less than deflate for what looks like a page', () => {
  const rows = picture(1_000, 700, (x, y) => y % 40 > 2 && Math.hypot(x - 500, y - 350) % 60 > 4);
  expect(encodeJbig2(rows, 1_000, 700).length).toBeLessThan(rows.length / 20);
});
