import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, describe, expect, test } from 'vitest';
import { Failure } from '../../src/contract/base/failure.ts';
import { similarity } from '../../src/pdf/shrink/layers/ssim.ts';
import { faxed } from '../ccitt/faxed.ts';
import { CORPUS, missing } from '../corpus/selection.mjs';
import { compress, imagesToPdfCompress, mergeCompress } from '../local.ts';
import { logged } from '../properties/context.ts';
import { check, pictures, textOf } from './judges.ts';
import { bytesOf, contextIn, fileSource } from './workbench.ts';
import { pdfBytes, stream } from './written-pdf.ts';

const DOCUMENTS = join(import.meta.dirname, '../fixtures/documents');
const PICTURES = join(import.meta.dirname, '../fixtures/pictures');
interface Entry {
  readonly file: string;
  readonly pages: number | null;
  readonly carried_damage?: boolean;
  readonly expect: { readonly compress?: string };
}
const MANIFEST: Entry[] =
  missing() === undefined ? JSON.parse(readFileSync(join(CORPUS, 'manifest.json'), 'utf8')) : [];

const folder = mkdtempSync(join(tmpdir(), 'compress-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Shrunk {
  readonly pdf: string;
  readonly bytes: number;
  readonly result: Awaited<ReturnType<typeof compress>>;
}

async function shrunk(path: string, options: Omit<Parameters<typeof compress>[0], 'file'> = {}): Promise<Shrunk> {
  const result = await compress({ file: fileSource(path), ...options }, contextIn(folder));
  const pdf = join(folder, 'result.pdf');
  const bytes = await bytesOf(result.body);
  writeFileSync(pdf, bytes);
  return { pdf, bytes: bytes.length, result };
}

/**
 * Files the reader does not open yet are refused; what is asked here is what becomes of those it opens: every third of them,
 * or all with PDFTOOL_LOSSLESS=all.
 */
const READABLE = MANIFEST.filter(
  ({ file, expect: { compress: outcome } }) => file.endsWith('.pdf') && outcome === 'ok',
).filter((_, index) => process.env.PDFTOOL_LOSSLESS === 'all' || index % 3 === 0);

/** Torture tests whose broken or compact syntax the renderers themselves read differently once it stands elsewhere; qpdf finds equal objects. */
const READ_DIFFERENTLY = new Set([
  'pdf/safedocs--CompactedPDFSyntaxTest.pdf',
  'pdf/qpdf--xref-compressed-in-compressed.pdf',
  'pdf/opf--T02-05-01_014_endstream-keyword-missing.pdf',
]);

describe('lossless, on the corpus', () => {
  if (missing() !== undefined) test.skip(`not tried: ${missing()}`, () => {});
  test.each(READABLE.map(({ file, pages, carried_damage }) => [file, pages, carried_damage] as const))(
    '%s shows and says the same',
    async (file, pages, damaged) => {
      const path = join(CORPUS, file);
      let small: Shrunk;
      try {
        small = await shrunk(path, { lossless: true });
      } catch (error) {
        // Repair and decryption are the reader's; nothing is written where it refuses.
        if (error instanceof Failure && ['damaged', 'encrypted', 'no-pages'].includes(error.kind ?? '')) return;
        throw error;
      }
      expect(small.result.measurement?.output_bytes).toBe(small.bytes);
      // Only what had to be repaired may come out larger than it came in.
      if (small.result.warnings?.some((warning) => warning.includes('repaired')) !== true)
        expect(small.bytes).toBeLessThanOrEqual(small.result.measurement!.original_bytes);
      if (pages !== null) expect(small.result.pages).toBe(pages);
      const before = check(path);
      const after = check(small.pdf);
      if (damaged !== true && before.status === 0) expect(after.status, after.stderr.toString()).toBe(0);
      if (READ_DIFFERENTLY.has(file)) return;
      expect(textOf(small.pdf)).toBe(textOf(path));
      const [mupdf, poppler] = pictures(small.pdf);
      const [mupdfBefore, popplerBefore] = pictures(path);
      expect(mupdf.equals(mupdfBefore), 'mutool draws the same').toBe(true);
      expect(poppler.equals(popplerBefore), 'pdftoppm draws the same').toBe(true);
    },
  );
});

function pdfOf(objects: readonly (string | Buffer)[], name: string): string {
  const path = join(folder, name);
  writeFileSync(path, pdfBytes(objects));
  return path;
}

/** A page 4 inches wide that shows the image of object 5. */
const page = (content = 'q 288 0 0 216 0 0 cm /I Do Q') => [
  '<</Type/Catalog/Pages 2 0 R>>',
  '<</Type/Pages/Kids[3 0 R]/Count 1>>',
  '<</Type/Page/Parent 2 0 R/MediaBox[0 0 288 216]/Resources<</XObject<</I 5 0 R>>>>/Contents 4 0 R>>',
  stream('', content),
];

/** A picture with edges, gradients and a little noise, 600 dpi on that page. */
async function photo(channels: 1 | 3 | 4): Promise<Buffer> {
  const [width, height] = [2400, 1800];
  const pixels = Buffer.alloc(width * height * 3);
  for (let i = 0, seed = 1; i < pixels.length; i++) {
    const at = Math.floor(i / 3);
    seed = (seed * 1103515245 + 12345) & 0x7fffffff;
    const wave = Math.sin((at % width) / 90) * 60 + Math.cos(at / width / 70) * 60;
    pixels[i] = 128 + wave + (i % 3) * 12 + (seed >> 27);
  }
  const image = sharp(pixels, { raw: { width, height, channels: 3 } });
  const space = channels === 1 ? 'b-w' : channels === 4 ? 'cmyk' : 'srgb';
  return image.toColourspace(space).jpeg({ quality: 92 }).toBuffer();
}

let fourInks: Promise<Buffer> | undefined;
const inks = () => {
  const made = async () =>
    sharp(await photo(4))
      .resize(1200, 900)
      .toColourspace('cmyk')
      .jpeg({ quality: 95 })
      .toBuffer();
  fourInks ??= made();
  return fourInks;
};
const inkSamples = async () =>
  sharp(await inks())
    .pipelineColourspace('cmyk')
    .toColourspace('cmyk')
    .raw()
    .toBuffer();

const jpegImage = (data: Buffer, space: string, more = '') =>
  stream(
    `/Type/XObject/Subtype/Image/Width 2400/Height 1800/BitsPerComponent 8/ColorSpace/${space}/Filter/DCTDecode${more}`,
    data,
  );

const listed = (pdf: string) =>
  execFileSync('pdfimages', ['-list', pdf])
    .toString()
    .split('\n')
    .slice(2)
    .filter(Boolean)
    .map((line) => line.trim().split(/\s+/));

/** A JBIG2 page of one region of Group 4 (T.88, 6.2.6), as fax machines' coders make it. */
function jbig2OfGroup4(data: Uint8Array, width: number, height: number): Buffer {
  const words = (...values: number[]) =>
    Buffer.concat(values.map((value) => Buffer.from(Uint32Array.of(value).buffer).swap32()));
  const segment = (number: number, type: number, body: Uint8Array) =>
    Buffer.concat([words(number), Buffer.of(type, 0, 1), words(body.length), body]);
  const page = Buffer.concat([words(width, height, 0, 0), Buffer.of(0, 0, 0)]);
  const region = Buffer.concat([words(width, height, 0, 0), Buffer.of(0, 1), data]);
  return Buffer.concat([segment(0, 48, page), segment(1, 38, region)]);
}

describe('pictures of one bit', () => {
  const [width, height] = [613, 400];
  const rows = Buffer.alloc(((width + 7) >> 3) * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      if (Math.hypot(x - 300, y - 200) % 50 > 4) rows[y * ((width + 7) >> 3) + (x >> 3)]! |= 0x80 >> (x & 7);
  const shape = `/Type/XObject/Subtype/Image/Width ${width}/Height ${height}/BitsPerComponent 1`;

  const uses: [string, string][] = [
    ['black and white', '/ColorSpace/DeviceGray'],
    ['the other way round', '/ColorSpace/DeviceGray/Decode[1 0]'],
    ['two colours', '/ColorSpace[/Indexed/DeviceRGB 1<000080ffcc00>]'],
    ['a stencil', '/ImageMask true'],
    ['a stencil the other way round', '/ImageMask true/Decode[1 0]'],
    ['a colour that is left out', '/ColorSpace/DeviceGray/Mask[0 0]'],
  ];
  const group4 = faxed(rows, width, '/K -1');
  const codings: [string, string, Uint8Array][] = [
    ['Flate', '/Filter/FlateDecode', deflateSync(rows)],
    ['Group 4', `/Filter/CCITTFaxDecode/DecodeParms<</K -1/Columns ${width}>>`, group4],
    [
      'Group 3',
      `/Filter[/ASCIIHexDecode/CCITTFaxDecode]/DecodeParms[null<</K 0/Columns ${width}/BlackIs1 true>>]`,
      Buffer.from(`${Buffer.from(faxed(rows, width, '/K 0 /BlackIs1 true')).toString('hex')}>`),
    ],
    ['JBIG2', '/Filter/JBIG2Decode', jbig2OfGroup4(group4, width, height)],
  ];
  const all = codings.flatMap(([name, filter, data]) =>
    uses.map(([use, more]) => [use, name, `${shape}${more}${filter}`, data] as const),
  );

  test.each(all)('%s in %s become smaller JBIG2 and look the same, also with --lossless', async (...given) => {
    const [, , entries, data] = given;
    const image = stream(entries, Buffer.from(data));
    const path = pdfOf([...page('q 1 0 0 rg 288 0 0 216 0 0 cm /I Do Q'), image], 'bits.pdf');
    const before = pictures(path, 150);
    const { pdf } = await shrunk(path, { lossless: true });
    expect(listed(pdf)[0]).toContain('jbig2');
    expect(check(pdf).status).toBe(0);
    const after = pictures(pdf, 150);
    expect([before[0].equals(after[0]), before[1].equals(after[1])]).toEqual([true, true]);
  });

  test('with rows missing stay as they are', async () => {
    const image = stream(`${shape}/ColorSpace/DeviceGray/Filter/FlateDecode`, deflateSync(rows.subarray(0, 9_000)));
    const { pdf } = await shrunk(pdfOf([...page(), image], 'cut.pdf'), { lossless: true });
    expect(listed(pdf)[0]).not.toContain('jbig2');
  });
});

/** Mean difference of two renderings, 0 to 255. */
function distance(a: string, b: string): number {
  const [x] = pictures(a);
  const [y] = pictures(b);
  expect(x.length).toBe(y.length);
  let sum = 0;
  for (let i = 0; i < x.length; i++) sum += Math.abs(x[i]! - y[i]!);
  return sum / x.length;
}

function greyOf(pdf: string): Buffer {
  return execFileSync('mutool', ['draw', '-q', '-r', '40', '-c', 'gray', '-F', 'pgm', '-o', '-', pdf]);
}

/** How two series of samples go together: 1 where they rise and fall together, -1 where they are opposite. */
function together(a: Buffer, b: Buffer): number {
  const mean = (series: Buffer) => series.reduce((sum, each) => sum + each, 0) / series.length;
  const [middleA, middleB] = [mean(a), mean(b)];
  let [ab, aa, bb] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    const [x, y] = [a[i]! - middleA, (b[i] ?? 0) - middleB];
    ab += x * y;
    aa += x * x;
    bb += y * y;
  }
  return ab / Math.sqrt(aa * bb);
}

describe('pictures', () => {
  test.each([
    ['DeviceRGB', 3, ''],
    ['DeviceGray', 1, ''],
    ['DeviceCMYK', 4, '/Decode[1 0 1 0 1 0 1 0]'],
  ] as const)('%s far above 225 dpi comes down to 150 and looks the same', async (space, channels, more) => {
    const path = pdfOf([...page(), jpegImage(await photo(channels), space, more)], 'photo.pdf');
    const { pdf, result } = await shrunk(path);
    expect(result.measurement!.output_bytes).toBeLessThan(result.measurement!.original_bytes / 4);
    expect(listed(pdf).map((row) => [row[3], row[4], row[8]])).toEqual([['600', '450', 'jpeg']]);
    expect(distance(path, pdf)).toBeLessThan(3);
    expect(check(pdf).status).toBe(0);
  });
  test('are not touched by --lossless', async () => {
    const data = await photo(3);
    const { pdf } = await shrunk(pdfOf([...page(), jpegImage(data, 'DeviceRGB')], 'exact.pdf'), { lossless: true });
    expect(readFileSync(pdf).includes(data)).toBe(true);
  });
  test('are not touched where they are less than 2 % of the file, unless something is asked of them', async () => {
    const data = await sharp(await photo(3))
      .blur(40)
      .jpeg({ quality: 60 })
      .toBuffer();
    const noise = Buffer.from(Array.from({ length: 60 * data.length }, (_, i) => (Math.sin(i) * 1e6) & 0xff));
    const path = pdfOf([...page(), jpegImage(data, 'DeviceRGB'), stream('/Type/EmbeddedFile', noise)], 'few.pdf');
    for (const quality of [undefined, 30]) {
      const { pdf } = await shrunk(path, quality === undefined ? {} : { quality });
      expect(readFileSync(pdf).includes(data)).toBe(quality === undefined);
    }
  });
  test('become grey when asked', async () => {
    const path = pdfOf([...page(), jpegImage(await photo(3), 'DeviceRGB')], 'grey.pdf');
    expect(listed((await shrunk(path, { grayscale: true })).pdf)[0]?.[5]).toBe('gray');
  });
  test.each(['', '/Decode[1 0 1 0 1 0]'])(
    'that are drawings become grey when asked, and no lighter or darker %s',
    async (decode) => {
      const [width, height] = [600, 400];
      const colors = [[220, 0, 0], [0, 160, 0], [0, 0, 220], [255, 255, 255]] as const; // biome-ignore format: a table
      const samples = Buffer.alloc(width * height * 3);
      for (let y = 0; y < height; y++)
        for (let x = 0; x < width; x++)
          samples.set(colors[(x % 50 < 4 ? x / 50 : y % 40 < 3 ? y / 40 : 3) & 3]!, (y * width + x) * 3);
      const shape = `/Type/XObject/Subtype/Image/Width ${width}/Height ${height}/BitsPerComponent 8/ColorSpace/DeviceRGB`;
      const image = stream(`${shape}${decode}/Filter/FlateDecode`, deflateSync(samples));
      const path = pdfOf([...page(), image], 'drawing.pdf');
      const { pdf } = await shrunk(path, { grayscale: true });
      expect(listed(pdf).map((row) => row[5])).toEqual(['gray']);
      const [before, after] = [greyOf(path), greyOf(pdf)];
      expect(before.reduce((most, byte, i) => Math.max(most, Math.abs(byte - (after[i] ?? 0))), 0)).toBeLessThan(60);
      expect(before.reduce((sum, byte, i) => sum + Math.abs(byte - (after[i] ?? 0)), 0) / before.length).toBeLessThan(
        6,
      );
      expect(check(pdf).status).toBe(0);
    },
  );
  test('turned around by /Decode come down too, and become grey when asked', async () => {
    const image = jpegImage(await photo(3), 'DeviceRGB', '/Decode[1 0 1 0 1 0]');
    const path = pdfOf([...page(), image], 'negative.pdf');
    for (const grayscale of [false, true]) {
      const { pdf } = await shrunk(path, { grayscale });
      expect(listed(pdf).map((row) => row.slice(3, 6))).toEqual([['600', '450', grayscale ? 'gray' : 'rgb']]);
      const [before, after] = [greyOf(path), greyOf(pdf)];
      const off = before.reduce((sum, byte, i) => sum + Math.abs(byte - (after[i] ?? 0)), 0) / before.length;
      expect(off).toBeLessThan(6);
    }
  });
  test.each([
    ['a JPEG', '/Filter/DCTDecode/Decode[1 0 1 0 1 0 1 0]', inks],
    ['a JPEG that is not turned around', '/Filter/DCTDecode', inks],
    ['samples', '/Filter/FlateDecode', async () => deflateSync(await inkSamples())],
    [
      'samples turned around',
      '/Filter/FlateDecode/Decode[1 0 1 0 1 0 1 0]',
      async () => deflateSync(await inkSamples()),
    ],
  ] as const)('of four inks, %s, come down, or become grey, and look the same', async (_, entries, data) => {
    const shape = '/Type/XObject/Subtype/Image/Width 1200/Height 900/BitsPerComponent 8/ColorSpace/DeviceCMYK';
    const path = pdfOf([...page(), stream(shape + entries, await data())], 'inks.pdf');
    const { pdf } = await shrunk(path);
    expect(listed(pdf).map((row) => row.slice(3, 6))).toEqual([['600', '450', 'cmyk']]);
    expect(distance(path, pdf)).toBeLessThan(3);
    const grey = await shrunk(path, { grayscale: true });
    expect(listed(grey.pdf)[0]?.[5]).toBe('gray');
    // As poppler has it: mupdf takes inks for purer ones than the codec does.
    const [before, after] = [path, grey.pdf].map((each) => execFileSync('pdftoppm', ['-gray', '-r', '40', each])) as [
      Buffer,
      Buffer,
    ];
    // Dark where it was dark: how dark, programs differ in.
    expect(together(before, after)).toBeGreaterThan(0.6);
  });
  test('of numbers of inks come down under a target and look the same', async () => {
    const table = Buffer.from(Array.from({ length: 1024 }, (_, i) => [i / 8, i / 6, 40, 20][i % 4]! & 255));
    const numbers = Buffer.alloc(1200 * 900);
    for (let i = 0, seed = 5; i < numbers.length; i++) {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      numbers[i] = (Math.sin((i % 1200) / 90) + 1) * 100 + (seed >>> 27);
    }
    const space = `[/Indexed/DeviceCMYK 255<${table.toString('hex')}>]`;
    const shape = `/Type/XObject/Subtype/Image/Width 1200/Height 900/BitsPerComponent 8/ColorSpace${space}/Filter/FlateDecode`;
    const path = pdfOf([...page(), stream(shape, deflateSync(numbers))], 'numbers.pdf');
    const { pdf, result } = await shrunk(path, { target_bytes: 30_000 });
    expect(result.measurement?.target_reached).toBe(true);
    expect(listed(pdf)[0]?.[5]).toBe('cmyk');
    expect(distance(path, pdf)).toBeLessThan(4);
  });
  test('of four inks are coded as well as they need to be to look the same', async () => {
    const pixels = Buffer.alloc(600 * 450 * 3);
    for (let i = 0, seed = 7; i < pixels.length; i += 3) {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 1;
      const fine = (((i / 3) % 600) & 2) * 40 + (seed >> 25);
      pixels.fill(60 + fine, i, i + 3);
    }
    const raw = sharp(pixels, { raw: { width: 600, height: 450, channels: 3 } });
    const jpeg = await raw.toColourspace('cmyk').jpeg({ quality: 100 }).toBuffer();
    const shape = '/Type/XObject/Subtype/Image/Width 600/Height 450/BitsPerComponent 8/ColorSpace/DeviceCMYK';
    const path = pdfOf([...page(), stream(`${shape}/Filter/DCTDecode/Decode[1 0 1 0 1 0 1 0]`, jpeg)], 'fine.pdf');
    const likeness = (pdf: string) => {
      const [a, b] = [path, pdf].map((each) => pictures(each, 100)[0].subarray(15)) as [Buffer, Buffer];
      return similarity(a, b, 400, 300, 3);
    };
    expect(likeness((await shrunk(path)).pdf)).toBeGreaterThan(0.97);
  });
  test('keep their soft mask', async () => {
    const mask = Buffer.alloc(2400 * 1800);
    for (let i = 0; i < mask.length; i++) mask[i] = (i % 2400) / 10;
    const path = pdfOf(
      [
        ...page(),
        jpegImage(await photo(3), 'DeviceRGB', '/SMask 6 0 R'),
        stream('/Type/XObject/Subtype/Image/Width 2400/Height 1800/BitsPerComponent 8/ColorSpace/DeviceGray', mask),
      ],
      'masked.pdf',
    );
    const { pdf } = await shrunk(path);
    expect(listed(pdf).map((row) => row[2])).toEqual(['image', 'smask']);
    expect(distance(path, pdf)).toBeLessThan(3);
  });
  test('of one bit stay as they are', async () => {
    const bits = Buffer.alloc((2400 / 8) * 1800);
    for (let i = 0; i < bits.length; i++) bits[i] = (i * 2654435761) >>> 24;
    const image = stream(
      '/Type/XObject/Subtype/Image/Width 2400/Height 1800/BitsPerComponent 1/ColorSpace/DeviceGray',
      bits,
    );
    const path = pdfOf([...page(), image], 'bits.pdf');
    const { pdf } = await shrunk(path);
    expect(listed(pdf)[0]?.slice(3, 5)).toEqual(['2400', '1800']);
    expect(distance(path, pdf)).toBe(0);
  });
});

describe('pictures of few colours', () => {
  const [columns, count] = [403, 300];
  const shape = `/Type/XObject/Subtype/Image/Width ${columns}/Height ${count}/BitsPerComponent 8`;
  /** Rings in so many shades. */
  const drawn = (shades: number, samples: (shade: number, x: number, y: number) => readonly number[]) => {
    const pixels: number[] = [];
    for (let y = 0; y < count; y++)
      for (let x = 0; x < columns; x++)
        pixels.push(...samples(Math.floor(Math.hypot(x - 200, y - 150) / 3) % shades, x, y));
    return deflateSync(Buffer.from(pixels));
  };
  /** A JPEG with a profile that is not sRGB. */
  const wide = () =>
    sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
      .withIccProfile('p3')
      .jpeg()
      .toBuffer();
  const table = (length: number) => Buffer.from(Array.from({ length }, (_, i) => (i * 37) % 251)).toString('hex');
  test.each([
    ['two colours', '/DeviceRGB', drawn(2, (s) => [s * 200, 40, 90]), 1],
    ['200 colours', '/DeviceRGB', drawn(200, (s) => [s, 255 - s, (s * 7) % 256]), 8],
    [
      'four inks, which readers turn into light otherwise where they are in a palette',
      '/DeviceCMYK',
      drawn(12, (s) => [s * 9, 0, s, 255 - s * 20]),
      8,
    ],
    ['colours of a profile', '[/ICCBased 6 0 R]', drawn(9, (s) => [s * 20, 40, 90]), 8],
    [
      'calibrated colours',
      '[/CalRGB<</WhitePoint[0.95 1 1.09]/Gamma[1.8 1.8 1.8]>>]',
      drawn(9, (s) => [s * 20, 40, 90]),
      4,
    ],
    ['shades of grey that are none of four bits', '/DeviceGray', drawn(9, (s) => [s * 13]), 4],
    ['black and white', '/DeviceGray', drawn(2, (s) => [s * 255]), 1],
    ['numbers of which few are used', `[/Indexed/DeviceRGB 255<${table(768)}>]`, drawn(4, (s) => [s * 60]), 2],
    ['numbers of inks', `[/Indexed/DeviceCMYK 255<${table(1024)}>]`, drawn(14, (s) => [s * 11]), 4],
  ] as const)('%s: in as few bits as show the same pixels', async (_, space, data, bits) => {
    const image = stream(`${shape}/ColorSpace${space}/Filter/FlateDecode`, data);
    const { icc = Buffer.alloc(0) } = await sharp(await wide()).metadata();
    const path = pdfOf([...page(), image, stream('/N 3', icc)], 'few.pdf');
    const before = pictures(path, 150);
    const { pdf } = await shrunk(path, { lossless: true });
    expect(listed(pdf)[0]?.[7]).toBe(String(bits));
    expect(check(pdf).status).toBe(0);
    const after = pictures(pdf, 150);
    expect([before[0].equals(after[0]), before[1].equals(after[1])]).toEqual([true, true]);
  });
  test('a soft mask of black and white comes to one bit and stays grey', async () => {
    const image = stream(
      `${shape}/ColorSpace/DeviceRGB/Filter/FlateDecode/SMask 6 0 R`,
      drawn(50, (s) => [s, s, 90]),
    );
    const masks = [drawn(2, (s) => [s * 255]), drawn(7, (s) => [s * 31])];
    for (const [i, mask] of masks.entries()) {
      const soft = stream(`${shape}/ColorSpace/DeviceGray/Filter/FlateDecode`, mask);
      const path = pdfOf([...page('q 0 1 0 rg 0 0 288 216 re f 288 0 0 216 0 0 cm /I Do Q'), image, soft], 'soft.pdf');
      const { pdf } = await shrunk(path, { lossless: true });
      expect(listed(pdf)[1]?.slice(5, 8)).toEqual(['gray', '1', i === 0 ? '1' : '8']);
      const [before, after] = [pictures(path, 150), pictures(pdf, 150)];
      expect([before[0].equals(after[0]), before[1].equals(after[1])]).toEqual([true, true]);
    }
  });
  test('a colour that is left out keeps its number', async () => {
    const image = stream(
      `${shape}/ColorSpace/DeviceRGB/Mask[0 0 0 0 0 0]/Filter/FlateDecode`,
      drawn(5, (s) => [s, 0, s]),
    );
    const { pdf } = await shrunk(pdfOf([...page(), image], 'keyed.pdf'), { lossless: true });
    expect(listed(pdf)[0]?.[5]).toBe('rgb');
  });
  test('a screenshot with edges in more colours gets a palette and looks the same; a photograph gets none', async () => {
    const soft = drawn(1, (_, x, y) => {
      const edge = Math.min(1, Math.max(0, (Math.hypot((x % 40) - 20, (y % 30) - 15) - 9) / 2));
      return [20 + 220 * edge, 30 + ((x * 7 + y) % 3) + 200 * edge, 90 + 150 * edge];
    });
    const path = pdfOf([...page(), stream(`${shape}/ColorSpace/DeviceRGB/Filter/FlateDecode`, soft)], 'shot.pdf');
    const { pdf } = await shrunk(path);
    expect(listed(pdf)[0]?.[5]).toBe('index');
    expect(distance(path, pdf)).toBeLessThan(2);
    const raw = await sharp(await photo(3))
      .resize(800, 600)
      .raw()
      .toBuffer();
    const entries = '/Type/XObject/Subtype/Image/Width 800/Height 600/BitsPerComponent 8/ColorSpace/DeviceRGB';
    const other = await shrunk(pdfOf([...page(), stream(`${entries}/Filter/FlateDecode`, deflateSync(raw))], 'no.pdf'));
    expect(listed(other.pdf)[0]?.[8]).toBe('jpeg');
  });
});

describe('targets', () => {
  test.each([30_000, 60_000, 200_000])('%d bytes are met and used', async (target_bytes) => {
    const path = pdfOf([...page(), jpegImage(await photo(3), 'DeviceRGB')], 'target.pdf');
    const { bytes, result } = await shrunk(path, { target_bytes });
    expect(result.measurement).toEqual({
      original_bytes: readFileSync(path).length,
      output_bytes: bytes,
      target_bytes,
      target_reached: true,
      mode: 'best_effort_repack',
    });
    expect(bytes).toBeLessThanOrEqual(target_bytes);
    expect(bytes).toBeGreaterThan(target_bytes * 0.9);
  });
  test('are searched for without a word of temporary files', async () => {
    const path = pdfOf([...page(), jpegImage(await photo(3), 'DeviceRGB')], 'logged.pdf');
    const { context, untold, lines } = logged(contextIn(folder));
    await compress({ file: fileSource(path), target_bytes: 30_000 }, context);
    expect(lines.join()).toMatch(/fit logged\.pdf.*picture \d+: jpeg/s);
    expect(untold()).toEqual([]);
  });
  test('that cannot be met give the smallest result and say so', async () => {
    const path = join(DOCUMENTS, 'sample-files--pdflatex-image.pdf');
    const { bytes, result } = await shrunk(path, { target_bytes: 100 });
    expect(result.measurement).toMatchObject({ target_bytes: 100, target_reached: false, output_bytes: bytes });
  });
  test('that nothing can meet are named, also where no picture could be reduced', async () => {
    const { bytes, result } = await shrunk(pdfOf([...page()], 'bare.pdf'), { target_bytes: 100 });
    expect(result.warnings).toContain(`bare.pdf: ${bytes} bytes is the smallest size, above the target of 100`);
  });
  test('stop where text in pictures could no longer be read, unless that is allowed', async () => {
    const path = pdfOf([...page(), jpegImage(await photo(3), 'DeviceRGB')], 'floor.pdf');
    const { bytes, pdf, result } = await shrunk(path, { target_bytes: 3_000 });
    expect(result.measurement).toMatchObject({ target_reached: false, output_bytes: bytes });
    expect(result.warnings?.join()).toMatch(
      new RegExp(`^floor\\.pdf: ${bytes} bytes is the smallest size that stays readable.*allow-unreadable`),
    );
    expect(Number(listed(pdf)[0]?.[12])).toBeGreaterThanOrEqual(71);
    const further = await shrunk(path, { target_bytes: 3_000, allow_unreadable: true });
    expect(further.result.measurement?.target_reached).toBe(true);
    expect(further.result.warnings).toEqual([]);
  });
  test('turn pictures of two colours grey where nothing else is enough', async () => {
    const bits = Buffer.alloc((1200 / 8) * 900);
    for (let i = 0, seed = 1; i < bits.length; i++) {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      // Left dark, right light, by the share of black dots.
      bits[i] = seed >>> 24 < ((i % 150) / 150) * 256 ? 0xff : seed >>> 16;
    }
    const shape = '/Type/XObject/Subtype/Image/Width 1200/Height 900/BitsPerComponent 1/ColorSpace';
    const fax = '/Filter/CCITTFaxDecode/DecodeParms<</K -1/Columns 1200>>';
    const group4 = Buffer.from(faxed(bits, 1200, '/K -1'));
    for (const [entries, data] of [
      ['/DeviceGray', bits],
      ['/DeviceGray/Decode[1 0]', bits],
      ['[/Indexed/DeviceRGB 1<000000ffffff>]', bits],
      [`/DeviceGray${fax}`, group4],
      [`/DeviceGray/Decode[1 0]${fax}`, group4],
    ] as const) {
      const path = pdfOf([...page(), stream(shape + entries, data)], 'dots.pdf');
      const { pdf, result } = await shrunk(path, { target_bytes: 20_000 });
      expect(result.measurement?.target_reached).toBe(true);
      expect(check(pdf).status).toBe(0);
      expect(distance(path, pdf)).toBeLessThan(12);
    }
  });
  test('that a lossless result meets leave every pixel', async () => {
    const data = await photo(3);
    const path = pdfOf([...page(), jpegImage(data, 'DeviceRGB')], 'roomy.pdf');
    const { pdf, result } = await shrunk(path, { target_bytes: data.length + 5_000 });
    expect(result.measurement?.target_reached).toBe(true);
    expect(readFileSync(pdf).includes(data)).toBe(true);
  });
});

describe('structure', () => {
  test('equal streams are stored once, what nothing leads to is left out', async () => {
    const data = Buffer.from(Array.from({ length: 9_000 }, (_, i) => (i * 2654435761) >>> 24));
    const image = stream(
      '/Type/XObject/Subtype/Image/Width 100/Height 90/BitsPerComponent 8/ColorSpace/DeviceGray',
      data,
    );
    const objects = page('/I Do /J Do');
    objects[2] = String(objects[2])
      .replace('/I 5 0 R', '/I 5 0 R/J 6 0 R')
      .replace('/Contents', '/PieceInfo<</X 8 0 R>>/Contents');
    const path = pdfOf([...objects, image, image, image, stream('/Private true', data)], 'twins.pdf');
    const { pdf, bytes } = await shrunk(path, { lossless: true });
    expect(bytes).toBeLessThan(11_000);
    expect(listed(pdf)).toHaveLength(2);
    expect(readFileSync(pdf).includes('Private')).toBe(false);
  });
  test('pictures that a page lists but does not draw are left out, and pages that are in no tree', async () => {
    const data = Buffer.from(Array.from({ length: 9_000 }, (_, i) => (i * 2654435761) >>> 24));
    const image = (mark: string) =>
      stream(
        `/Type/XObject/Subtype/Image/Width 100/Height 90/BitsPerComponent 8/ColorSpace/DeviceGray/Mark/${mark}`,
        data,
      );
    const objects = page('q 288 0 0 216 0 0 cm /I Do Q');
    objects[0] = String(objects[0]).replace('/Pages', '/Dests<</old[8 0 R/Fit]>>/Pages');
    objects[2] = String(objects[2]).replace('/I 5 0 R', '/I 5 0 R/Never 6 0 R/Again 5 0 R');
    const orphan = '<</Type/Page/MediaBox[0 0 9 9]/Resources<</XObject<</I 7 0 R>>>>>>';
    const path = pdfOf([...objects, image('Drawn'), image('Listed'), image('Orphan'), orphan], 'unused.pdf');
    const { pdf, bytes } = await shrunk(path, { lossless: true });
    expect(bytes).toBeLessThan(11_000);
    const written = readFileSync(pdf).toString('latin1');
    expect(['Drawn', 'Listed', 'Orphan'].filter((mark) => written.includes(`/Mark/${mark}`))).toEqual(['Drawn']);
    expect(check(pdf).status).toBe(0);
    expect(distance(path, pdf)).toBe(0);
  });
  test('a picture drawn by a form in the name of its page stays', async () => {
    const data = Buffer.from(Array.from({ length: 9_000 }, (_, i) => (i * 2654435761) >>> 24));
    const image = stream(
      '/Type/XObject/Subtype/Image/Width 100/Height 90/BitsPerComponent 8/ColorSpace/DeviceGray',
      data,
    );
    const objects = page('/F Do');
    objects[2] = String(objects[2]).replace('/I 5 0 R', '/I 5 0 R/F 6 0 R');
    const form = stream('/Type/XObject/Subtype/Form/BBox[0 0 288 216]', 'q 288 0 0 216 0 0 cm /I Do Q');
    const path = pdfOf([...objects, image, form], 'named.pdf');
    const { pdf } = await shrunk(path, { lossless: true });
    expect(readFileSync(pdf).includes('/Subtype/Image')).toBe(true);
    expect(distance(path, pdf)).toBe(0);
  });
  test('a file that cannot become smaller is given back as it is', async () => {
    const path = join(folder, 'once.pdf');
    const first = await shrunk(join(DOCUMENTS, 'sample-files--pdflatex-image.pdf'));
    writeFileSync(path, readFileSync(first.pdf));
    const second = await shrunk(path);
    expect(readFileSync(second.pdf).equals(readFileSync(path))).toBe(true);
    expect(second.result.measurement?.output_bytes).toBe(first.bytes);
  });
  test('two runs give the same bytes', async () => {
    const path = join(DOCUMENTS, 'sample-files--mistitled_outlines_example.pdf');
    const once = readFileSync((await shrunk(path)).pdf);
    expect(readFileSync((await shrunk(path)).pdf).equals(once)).toBe(true);
  });
  test('bookmarks, links and fields are kept', async () => {
    const count = (pdf: string, key: string) =>
      execFileSync('qpdf', ['--qdf', '--object-streams=disable', pdf, '-'], { maxBuffer: 1 << 28 })
        .toString('latin1')
        .split(key).length;
    for (const name of ['sample-files--mistitled_outlines_example.pdf', 'pdfbox--acroform.pdf']) {
      const path = join(DOCUMENTS, name);
      const { pdf } = await shrunk(path);
      for (const key of ['/Title', '/FT', '/Subtype /Link', '/Subtype /Widget'])
        expect(count(pdf, key), `${name} ${key}`).toBe(count(path, key));
    }
  });
  test('an interrupt ends it', async () => {
    const controller = new AbortController();
    controller.abort();
    const path = pdfOf([...page(), jpegImage(await photo(3), 'DeviceRGB')], 'interrupted.pdf');
    await expect(compress({ file: fileSource(path) }, contextIn(folder, controller.signal))).rejects.toThrow(/abort/i);
  });
});

describe('in one pass', () => {
  test('merge-compress measures all inputs', async () => {
    const paths = ['sample-files--pdflatex-image.pdf', 'sample-files--mistitled_outlines_example.pdf'].map((name) =>
      join(DOCUMENTS, name),
    );
    const total = paths.reduce((sum, path) => sum + readFileSync(path).length, 0);
    const { measurement, pages, body } = await mergeCompress(
      { file: paths.map(fileSource), target_bytes: 1_000_000 },
      contextIn(folder),
    );
    const bytes = await bytesOf(body);
    expect(measurement).toEqual({
      original_bytes: total,
      output_bytes: bytes.length,
      target_bytes: 1_000_000,
      target_reached: true,
      mode: 'best_effort_repack',
    });
    expect(pages).toBe(5);
    expect(bytes.length).toBeLessThan(total);
  });
  test('images-to-pdf-compress measures all images', async () => {
    const path = join(PICTURES, 'exif--Portrait_6.jpg');
    const { measurement, body } = await imagesToPdfCompress(
      { file: [fileSource(path)], target_bytes: 60_000 },
      contextIn(folder),
    );
    const bytes = await bytesOf(body);
    expect(measurement).toMatchObject({
      original_bytes: readFileSync(path).length,
      output_bytes: bytes.length,
      target_reached: true,
    });
    expect(bytes.length).toBeLessThanOrEqual(60_000);
  });
  test('images-to-pdf-compress stops where a photograph of 25 inches has 72 dpi on a sheet of paper', async () => {
    // 1200 by 1800 pixels at the 72 dpi that cameras write.
    const file = [fileSource(join(PICTURES, 'exif--Portrait_6.jpg'))];
    const { measurement, body, warnings } = await imagesToPdfCompress({ file, target_bytes: 3_000 }, contextIn(folder));
    const path = join(folder, 'photo-floor.pdf');
    writeFileSync(path, await bytesOf(body));
    expect(measurement?.target_reached).toBe(false);
    expect(warnings?.join()).toMatch(/smallest size that stays readable/);
    const [, , , width, height] = listed(path)[0] ?? [];
    expect([Number(width), Number(height)].sort((a, b) => a - b)).toEqual([528, 792]);
  });
});
