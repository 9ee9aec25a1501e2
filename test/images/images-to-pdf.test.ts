import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Failure } from '../../src/contract/base/failure.ts';
import { CORPUS, missing } from '../corpus/selection.mjs';
import { imagesToPdf as run } from '../local.ts';
import { bytesOf, contextIn, fileSource } from '../shrink/workbench.ts';

const PICTURES = join(import.meta.dirname, '../fixtures/pictures');

interface Entry {
  readonly file: string;
  readonly expect: { readonly 'images-to-pdf'?: string };
}

const folder = mkdtempSync(join(tmpdir(), 'images-'));
const hostile = join(folder, 'hostile');
const entriesOf = (base: string): [string, string, string][] => {
  const list: Entry[] = JSON.parse(readFileSync(join(base, 'manifest.json'), 'utf8'));
  return list.flatMap(({ file, expect: { 'images-to-pdf': outcome } }): [string, string, string][] =>
    outcome === undefined ? [] : [[file, outcome, join(base, file)]],
  );
};
/** Every picture of the corpus and of its generator, with the outcome that is expected. */
function entries(): [string, string, string][] {
  if (missing() !== undefined) return [];
  execFileSync('python3', [join(CORPUS, 'make-adversarial.py'), hostile], { stdio: 'ignore' });
  return [...entriesOf(CORPUS), ...entriesOf(hostile)];
}
/** Inverted by sharp, which takes every CMYK JPEG for one of Adobe's. */
const NO_REFERENCE = new Set(['jpeg-cmyk-no-adobe.jpg']);

const work = join(folder, 'work');
beforeAll(() => execFileSync('mkdir', ['-p', work]));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a picture that does not say its resolution', () => {
  test.each([
    ['gray', 3000, 2000, 792, 528],
    ['square', 3000, 3000, 595.28, 595.28],
    ['upright', 1000, 4000, 198, 792],
    ['icon', 60, 40, 60, 40],
  ])('%s: a page that fits A4 and Letter, or a point a pixel', async (name, width, height, wide, high) => {
    const path = join(work, `${name}.png`);
    // A pixel a millimetre stands for no resolution; without its chunk there is none either.
    const bytes = await sharp({ create: { width, height, channels: 3, background: '#888' } })
      .toColourspace('b-w')
      .png()
      .toBuffer();
    const chunk = bytes.indexOf('pHYs') - 4;
    const bare = Buffer.concat([bytes.subarray(0, chunk), bytes.subarray(chunk + 21)]);
    writeFileSync(path, name === 'gray' ? bytes : bare);
    const warned: string[] = [];
    const hear = (warning: Error) => void warned.push(warning.name);
    process.on('warning', hear);
    const { body } = await run({ file: [fileSource(path)] }, contextIn(work));
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', hear);
    expect(warned).toEqual([]);
    const pdf = join(work, `${name}.pdf`);
    writeFileSync(pdf, await bytesOf(body));
    const [, x = '', y = ''] =
      /Page size:\s+([\d.]+) x ([\d.]+)/.exec(execFileSync('pdfinfo', [pdf], { encoding: 'utf8' })) ?? [];
    expect(Number(x)).toBeCloseTo(wide, 1);
    expect(Number(y)).toBeCloseTo(high, 1);
    // What compress goes by: pixels to the inch of the page.
    const listed = execFileSync('pdfimages', ['-list', pdf], { encoding: 'utf8' }).trim().split('\n').at(-1) ?? '';
    expect(Number(listed.trim().split(/\s+/)[12])).toBeCloseTo((72 * width) / wide, -1);
  });
});

/** RGB pixels of the only page at one pixel a point. */
function render(pdf: string): { width: number; height: number; pixels: Buffer }[] {
  execFileSync('mutool', ['draw', '-q', '-r', '72', '-c', 'rgb', '-o', join(work, 'm.ppm'), pdf], { stdio: 'pipe' });
  execFileSync('pdftoppm', ['-r', '72', pdf, join(work, 'p')], { stdio: 'pipe' });
  return ['m.ppm', 'p-1.ppm'].map((name) => {
    const bytes = readFileSync(join(work, name));
    const [, width = '', height = ''] = /^P6\s+(\d+)\s+(\d+)\s+255\s/.exec(bytes.toString('latin1', 0, 40)) ?? [];
    return { width: +width, height: +height, pixels: bytes.subarray(bytes.length - +width * +height * 3) };
  });
}

function difference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  expect(a.length).toBe(b.length);
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += Math.abs(a[i]! - b[i]!);
  return sum / a.length;
}

/** The mean colour of each quarter of a picture. */
function quarters(pixels: Uint8Array, width: number): number[] {
  const sums = new Array<number>(12).fill(0);
  const counts = new Array<number>(12).fill(0);
  const height = pixels.length / 3 / width;
  for (let i = 0; i < pixels.length; i++) {
    const at = Math.floor(i / 3);
    const cell = ((Math.floor(at / width) * 2 >= height ? 2 : 0) + ((at % width) * 2 >= width ? 1 : 0)) * 3 + (i % 3);
    sums[cell]! += pixels[i]!;
    counts[cell]! += 1;
  }
  return sums.map((sum, i) => sum / Math.max(1, counts[i]!));
}

if (missing() !== undefined) test.skip(`pictures of the corpus: ${missing()}`, () => {});

describe.each(entries())('%s (%s)', (file, outcome, path) => {
  test('becomes an upright page or is refused', async () => {
    const kinds = outcome.replace(/^(ok|refuse|either):?/, '').split('|');
    let pdf: string;
    try {
      await run({ file: [fileSource(path)], dpi: 72 }, contextIn(work));
      pdf = join(work, 'images.pdf');
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      expect(outcome, error.message).toMatch(/^(refuse|either)/);
      expect(kinds).toContain(error.kind);
      expect(error.code).toBe('unprocessable');
      expect(error.message.startsWith(file.replace(/^.*\//, ''))).toBe(true);
      return;
    }
    expect(outcome).toMatch(/^(ok|either)/);
    const check = spawnSync('qpdf', ['--check', pdf]);
    expect(check.status, check.stderr.toString()).toBe(0);
    // What is damaged but readable is shown differently by every reader.
    if (!outcome.startsWith('ok') || NO_REFERENCE.has(file)) return;
    const [mupdf, poppler] = render(pdf);
    const { data, info } = await sharp(path, { ignoreIcc: true })
      .rotate()
      .flatten({ background: 'white' })
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true });
    for (const page of [mupdf, poppler]) expect([page!.width, page!.height]).toEqual([info.width, info.height]);
    // CMYK has no one way to RGB; a picture that is inverted differs by far more.
    const tolerance = /cmyk|ycck|four_components/.test(file) ? 40 : /jpe?g$/.test(file) ? 4 : 1;
    expect(difference(mupdf!.pixels, data)).toBeLessThan(tolerance);
    // Poppler scales pictures by a pixel more than asked for and obeys profiles, so that only quarters of larger ones compare.
    if (Math.min(info.width, info.height) < 64 || file.includes('romm')) return;
    expect(difference(quarters(poppler!.pixels, info.width), quarters(data, info.width))).toBeLessThan(16);
  });
});

describe('bytes', () => {
  test('of JPEG files are embedded unchanged', async () => {
    const files = ['exif--Portrait_5.jpg', 'image-rs--cat.jpg', 'pdfbox--jpegcmyk.jpg'].map((name) =>
      join(PICTURES, name),
    );
    await run({ file: files.map(fileSource) }, contextIn(work));
    execFileSync('pdfimages', ['-all', join(work, 'images.pdf'), join(work, 'out')]);
    const sums = (paths: string[]) =>
      paths.map((path) => createHash('sha256').update(readFileSync(path)).digest('hex')).sort();
    const extracted = readdirSync(work)
      .filter((name) => name.startsWith('out-'))
      .map((name) => join(work, name));
    expect(sums(extracted)).toEqual(sums(files));
  });
  test('of a PNG without alpha are its own data', async () => {
    const path = join(PICTURES, 'ljt--testorig.png');
    await run({ file: [fileSource(path)] }, contextIn(work));
    const file = readFileSync(path);
    const length = file.readUInt32BE(file.indexOf('IDAT') - 4);
    const data = file.subarray(file.indexOf('IDAT') + 4, file.indexOf('IDAT') + 4 + length);
    expect(readFileSync(join(work, 'images.pdf')).includes(data)).toBe(true);
  });
  test('are the same in two runs', async () => {
    const path = join(PICTURES, 'pdfbox--png_alpha_gray.png');
    const once = async () => {
      await run({ file: [fileSource(path)] }, contextIn(work));
      return readFileSync(join(work, 'images.pdf'));
    };
    expect((await once()).equals(await once())).toBe(true);
  });
});

describe('pages', () => {
  const photo = join(PICTURES, 'exif--Portrait_6.jpg');
  const size = async (input: Omit<Parameters<typeof run>[0], 'file'>) => {
    await run({ file: [fileSource(photo)], ...input }, contextIn(work));
    const found = /Page size:\s+([\d.]+) x ([\d.]+)/.exec(
      execFileSync('pdfinfo', [join(work, 'images.pdf')]).toString(),
    );
    return [Number(found?.[1]), Number(found?.[2])];
  };
  test('are as large as the upright picture', async () => expect(await size({ dpi: 144 })).toEqual([600, 900]));
  test('have a margin', async () => expect(await size({ dpi: 144, margin: 10 })).toEqual([620, 920]));
  test('are of the paper asked for', async () => expect(await size({ page_size: 'A4' })).toEqual([595.276, 841.89]));
  test('are no larger than readers show', async () => expect(await size({ dpi: 8 })).toEqual([9600, 14400]));
});
