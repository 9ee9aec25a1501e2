import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { similarity } from '../../src/pdf/shrink/layers/ssim.ts';
import { compress } from '../local.ts';
import { check, pictures, textOf } from './judges.ts';
import { bytesOf, contextIn, fileSource } from './workbench.ts';
import { pdfBytes, stream } from './written-pdf.ts';

const folder = mkdtempSync(join(tmpdir(), 'layers-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const DPI = 300;
const [WIDTH, HEIGHT] = [1_500, 2_000];
const [WIDE, HIGH] = [(WIDTH * 72) / DPI, (HEIGHT * 72) / DPI];
/** Letters of the standard font, as MuPDF draws them. */
const printed = (colorOf: (line: number) => string) =>
  Array.from({ length: 34 }, (_, i) => {
    const color = colorOf(i);
    return `${color} BT /F 10 Tf 30 ${HIGH - 30 - i * 13} Td (Line ${i} of a page that somebody printed, and then scanned again) Tj ET`;
  }).join('\n');
const RED_AND_BLACK = printed((line) => (line % 10 === 3 ? '0.8 0 0 rg' : '0 g'));
const BLACK = printed(() => '0 g');
/** Beams of music, which a lens lets grow together. */
const BEAMS = Array.from({ length: 9 }, (_, i) => `200 ${40 + i * 3.3} 90 2.9 re`).join(' ');

let text: Buffer;
let beams: Buffer;
let photo: Buffer;

beforeAll(async () => {
  text = await scanOfPrinted(RED_AND_BLACK);
  beams = await scanOfPrinted(`${BLACK} 0 g ${BEAMS} f`);
  // All tones, of all sizes, as of leaves.
  photo = await scanned((x, y, channel) => {
    const waves = Math.sin(x / 5 + channel) * Math.cos(y / 6) + Math.sin((x + y) / 23) + Math.sin((x * y) / 40_000);
    return 128 + waves * 42;
  });
});

async function scanOfPrinted(content: string): Promise<Buffer> {
  const path = join(folder, 'printed.pdf');
  writeFileSync(
    path,
    pdfBytes([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${WIDE} ${HIGH}]/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Times-Roman>>>>>>/Contents 4 0 R>>`,
      stream('', content),
    ]),
  );
  const drawn = execFileSync('mutool', ['draw', '-q', '-r', String(DPI), '-F', 'png', '-o', '-', path]);
  const paper = await sharp(drawn).flatten({ background: '#fff' }).blur(0.7).raw().toBuffer();
  return scanned((x, y, channel) => paper[(y * WIDTH + x) * 3 + channel]!);
}

/** On tinted paper with grain, as a JPEG. */
function scanned(light: (x: number, y: number, channel: number) => number): Promise<Buffer> {
  const pixels = Buffer.alloc(WIDTH * HEIGHT * 3);
  for (let y = 0, at = 0, seed = 1; y < HEIGHT; y++)
    for (let x = 0; x < WIDTH; x++)
      for (let channel = 0; channel < 3; channel++) {
        seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
        const grain = (seed >>> 24) / 32 - 4;
        pixels[at++] = Math.max(0, Math.min(255, 20 + light(x, y, channel) * 0.88 - channel * 3 + grain));
      }
  const raw = { width: WIDTH, height: HEIGHT, channels: 3 } as const;
  return sharp(pixels, { raw }).jpeg({ quality: 90 }).toBuffer();
}

/** A page of a scan, and the words somebody recognised in it. */
function scanOf(jpeg: Buffer, name: string, state = ''): string {
  const shape = `/Type/XObject/Subtype/Image/Width ${WIDTH}/Height ${HEIGHT}/BitsPerComponent 8/ColorSpace/DeviceRGB`;
  const resources = `/XObject<</I 4 0 R>>/ExtGState<</S<<${state}>>>>/Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>`;
  const path = join(folder, name);
  writeFileSync(
    path,
    pdfBytes([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${WIDE} ${HIGH}]/Resources<<${resources}>>/Contents 5 0 R>>`,
      stream(`${shape}/Filter/DCTDecode`, jpeg),
      stream('', `q /S gs ${WIDE} 0 0 ${HIGH} 0 0 cm /I Do Q BT 3 Tr /F 9 Tf 30 40 Td (hidden words) Tj ET`),
    ]),
  );
  return path;
}

async function shrunk(path: string, options: Omit<Parameters<typeof compress>[0], 'file'> = {}) {
  const result = await compress({ file: fileSource(path), ...options }, contextIn(folder));
  const bytes = await bytesOf(result.body);
  const pdf = join(folder, 'result.pdf');
  writeFileSync(pdf, bytes);
  return { pdf, bytes, details: result.kind === 'bytes' ? result.details : undefined };
}

/** Type, width, bits and coding of each picture. */
const listed = (pdf: string) =>
  execFileSync('pdfimages', ['-list', pdf])
    .toString()
    .split('\n')
    .slice(2)
    .filter(Boolean)
    .map((line) => line.trim().split(/\s+/))
    .map((row) => `${row[2]} ${row[3]} ${row[7]} ${row[8]}`);

/** How alike two documents are at the resolution of the scan, by two renderers. */
function alike(a: string, b: string): number[] {
  const [before, after] = [pictures(a, DPI), pictures(b, DPI)];
  return before.map((ppm, i) => {
    const pixels = (bytes: Buffer) => bytes.subarray(bytes.length - WIDTH * HEIGHT * 3);
    return similarity(pixels(ppm), pixels(after[i]!), WIDTH, HEIGHT, 3);
  });
}

describe('a scanned page of text', () => {
  test('comes in layers, a good deal smaller and no less alike than in one', async () => {
    const path = scanOf(text, 'text.pdf');
    const one = await shrunk(path, { no_mrc: true });
    expect(listed(one.pdf)).toHaveLength(1);
    const likeOne = alike(path, one.pdf);
    const { pdf, bytes } = await shrunk(path);
    expect(listed(pdf)).toContainEqual(expect.stringMatching(`(mask|stencil) ${WIDTH} 1 jbig2`));
    expect(bytes.length).toBeLessThan(one.bytes.length * 0.7);
    expect(check(pdf).status).toBe(0);
    expect(textOf(pdf)).toBe(textOf(path));
    for (const [i, like] of alike(path, pdf).entries()) expect(like).toBeGreaterThan(likeOne[i]! - 0.002);
    expect((await shrunk(path)).bytes.equals(bytes)).toBe(true);
  });
  test('takes the first good answer, in one layer, where it is to be fast', async () => {
    const path = scanOf(text, 'text.pdf');
    const { pdf, bytes } = await shrunk(path, { fast: true });
    expect(listed(pdf)).toHaveLength(1);
    expect(bytes.length).toBeLessThan(text.length * 0.8);
    expect(check(pdf).status).toBe(0);
    // One layer at 150 dpi, judged at 300: what a careful search of its quality comes to.
    const careful = alike(path, (await shrunk(path, { no_mrc: true })).pdf);
    for (const [i, like] of alike(path, pdf).entries())
      expect(like, `${like} beside ${careful[i]}`).toBeGreaterThan(careful[i]! - 0.01);
  });
  test('keeps the colour of its letters', async () => {
    const path = scanOf(text, 'text.pdf');
    const { pdf } = await shrunk(path);
    const redness = (file: string) => {
      const [ppm] = pictures(file, DPI);
      const from = ppm.length - WIDTH * HEIGHT * 3;
      let red = 0;
      for (let i = from; i < ppm.length; i += 3) if (ppm[i]! > 120 && ppm[i + 1]! < 90) red += 1;
      return red;
    };
    expect(redness(path)).toBeGreaterThan(2_000);
    expect(redness(pdf) / redness(path)).toBeGreaterThan(0.6);
  });
  test('stays readable under a target that its letters fit in, and says what became of it', async () => {
    const path = scanOf(text, 'text.pdf');
    const target = 20_000;
    const one = await shrunk(path, { no_mrc: true, target_bytes: target, allow_unreadable: true });
    const [mupdfOne, popplerOne] = alike(path, one.pdf);
    const { pdf, bytes, details } = await shrunk(path, { target_bytes: target });
    expect([one.bytes.length, bytes.length].every((size) => size <= target)).toBe(true);
    const [mupdf, poppler] = alike(path, pdf);
    expect(mupdf).toBeGreaterThan(mupdfOne! + 0.02);
    expect(poppler).toBeGreaterThan(popplerOne! + 0.02);
    expect(details).toEqual({
      pictures: [{ object: 4, original_bytes: text.length, output_bytes: expect.any(Number), coding: 'layers' }],
    });
    expect(check(pdf).status).toBe(0);
  });
  test('is left in one layer where strokes of it would grow together', async () => {
    const path = scanOf(beams, 'beams.pdf');
    expect(listed((await shrunk(path)).pdf)).toHaveLength(1);
    expect(listed((await shrunk(path, { target_bytes: 40_000 })).pdf)).toHaveLength(1);
  });
  test('is left in one layer where something on its page is transparent', async () => {
    const { pdf } = await shrunk(scanOf(text, 'pale.pdf', '/ca 0.5'));
    expect(listed(pdf)).toHaveLength(1);
  });
  test('becomes black and white when asked', async () => {
    const { pdf } = await shrunk(scanOf(text, 'text.pdf'), { bilevel: true });
    expect(listed(pdf)).toEqual([`image ${WIDTH} 1 jbig2`]);
    expect(check(pdf).status).toBe(0);
    const [ppm] = pictures(pdf, DPI);
    const black = ppm.subarray(-WIDTH * HEIGHT * 3).filter((sample) => sample < 128).length / (WIDTH * HEIGHT * 3);
    expect(black).toBeGreaterThan(0.02);
    expect(black).toBeLessThan(0.15);
  });
});

describe('a photograph that fills a page', () => {
  test.each([{}, { bilevel: true }])('stays in one layer, %o', async (options) => {
    const path = scanOf(photo, 'photo.pdf');
    const { pdf } = await shrunk(path, options);
    expect(listed(pdf).map((row) => row.split(' ')[3])).toEqual(['jpeg']);
    expect(readFileSync(pdf).length).toBeLessThanOrEqual(readFileSync(path).length);
  });
});
