// The pictures inside: JPEGs byte for byte, others by their pixels, masks applied, with where they are shown.
import { readFileSync, writeFileSync } from 'node:fs';
import { PDFDocument } from 'pdf-lib';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { folder, pdftool } from '../e2e/pdftool.ts';
import { pdfOf } from '../structure/run.ts';

async function makeDocument(path: string): Promise<{ jpeg: Buffer; clear: Buffer }> {
  const noise = Buffer.from(Array.from({ length: 40 * 30 * 3 }, (_, i) => (i * 7919) % 256));
  const image = sharp(noise, { raw: { width: 40, height: 30, channels: 3 } });
  const jpeg = await image.jpeg({ quality: 80 }).toBuffer();
  const clear = Buffer.alloc(20 * 10 * 4);
  for (let i = 0; i < 200; i += 1) clear.set([i, 255 - i, 90, i % 20 < 10 ? 255 : 0], 4 * i);
  const png = await sharp(clear, { raw: { width: 20, height: 10, channels: 4 } })
    .png()
    .toBuffer();
  const document = await PDFDocument.create();
  const [one, other] = [await document.embedJpg(jpeg), await document.embedPng(png)];
  const first = document.addPage([200, 200]);
  first.drawImage(one, { x: 10, y: 10, width: 80, height: 60 });
  first.drawImage(other, { x: 100, y: 100, width: 20, height: 10 });
  document.addPage([200, 200]).drawImage(one, { x: 0, y: 0, width: 40, height: 30 });
  writeFileSync(path, await document.save());
  return { jpeg, clear };
}

it('takes pictures out as they are, each once', async () => {
  using here = folder();
  const { jpeg, clear } = await makeDocument(here.at('a.pdf'));
  const run = await pdftool(['images', 'a.pdf'], { cwd: here.path });
  expect(run.stdout).toBe('a-pictures/page-001-1.jpg\na-pictures/page-001-2.png\n');
  expect(readFileSync(here.at('a-pictures/page-001-1.jpg')).equals(jpeg)).toBe(true);
  const { data, info } = await sharp(here.at('a-pictures/page-001-2.png')).raw().toBuffer({ resolveWithObject: true });
  expect(info).toMatchObject({ width: 20, height: 10, channels: 4 });
  for (let i = 0; i < clear.length; i += 4) {
    expect(data[i + 3]).toBe(clear[i + 3]);
    if (clear[i + 3] === 255) expect([...data.subarray(i, i + 3)]).toEqual([...clear.subarray(i, i + 3)]);
  }
});

it('lists them, and writes none', async () => {
  using here = folder();
  await makeDocument(here.at('a.pdf'));
  const run = await pdftool(['images', 'a.pdf', '--list', '--json'], { cwd: here.path });
  const name = 'page-001-1.jpg';
  expect(JSON.parse(run.stdout).pictures).toEqual([
    {
      page: 1,
      number: 1,
      width: 40,
      height: 30,
      x_dpi: 36,
      y_dpi: 36,
      masked: false,
      filter: 'DCTDecode',
      type: 'jpeg',
      name,
    },
    {
      page: 1,
      number: 2,
      width: 20,
      height: 10,
      x_dpi: 72,
      y_dpi: 72,
      masked: true,
      filter: 'FlateDecode',
      type: 'png',
      name: 'page-001-2.png',
    },
    {
      page: 2,
      number: 1,
      width: 40,
      height: 30,
      x_dpi: 72,
      y_dpi: 72,
      masked: false,
      filter: 'DCTDecode',
      type: 'jpeg',
      name,
    },
  ]);
  const shown = await pdftool(['images', 'a.pdf', '--list', '--pages', '2'], { cwd: here.path });
  expect(shown.stdout).toMatch(/^page {2}number {2}width.*\n2 {5}1 {7}40 /);
  expect(here.list()).toEqual(['a.pdf']);
});

it('says where there are none', async () => {
  using here = folder();
  const document = await PDFDocument.create();
  document.addPage();
  writeFileSync(here.at('blank.pdf'), await document.save());
  const run = await pdftool(['images', 'blank.pdf'], { cwd: here.path });
  expect(run).toMatchObject({ exitCode: 6, stderr: expect.stringContaining('blank.pdf has no pictures') });
  expect(here.list()).toEqual(['blank.pdf']);
});

it('takes those of tiling patterns, soft masks and annotations out too', async () => {
  using here = folder();
  const image = (shade: number) =>
    `<</Type/XObject/Subtype/Image/Width 2/Height 1/BitsPerComponent 8/ColorSpace/DeviceGray/Length 2>>stream\n${String.fromCharCode(shade, shade + 1)}\nendstream`;
  const form = (entries: string, content: string) =>
    `<<${entries}/Length ${content.length}>>stream\n${content}\nendstream`;
  const content = 'q 2 0 0 2 0 0 cm /G gs /Pattern cs /P scn 0 0 90 90 re f q';
  const document = pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Count 2/Kids[3 0 R 13 0 R]>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R/Resources<</Pattern<</P 5 0 R>>/ExtGState<</G 6 0 R>>>>/Annots[7 0 R]>>',
    form('', content),
    form(
      '/Type/Pattern/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 20 10]/XStep 20/YStep 10/Resources<</XObject<</I 8 0 R>>>>',
      'q 20 0 0 10 0 0 cm /I Do Q',
    ),
    '<</Type/ExtGState/SMask<</S/Luminosity/G 9 0 R>>>>',
    '<</Type/Annot/Subtype/Stamp/Rect[0 0 50 50]/AP<</N 10 0 R>>>>',
    image(10),
    form(
      '/Type/XObject/Subtype/Form/BBox[0 0 100 100]/Group<</S/Transparency/CS/DeviceGray>>/Resources<</XObject<</I 11 0 R>>>>',
      'q 72 0 0 36 0 0 cm /I Do Q',
    ),
    form('/BBox[0 0 10 10]/Resources<</XObject<</I 12 0 R>>>>', 'q 10 0 0 10 0 0 cm /I Do Q'),
    image(50),
    image(90),
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>',
  ]);
  writeFileSync(here.at('hidden.pdf'), document, 'latin1');
  const run = await pdftool(['images', 'hidden.pdf', '--list', '--json'], { cwd: here.path });
  const listed = JSON.parse(run.stdout).pictures as { page: number; x_dpi: number }[];
  // 2 pixels across 20, 50 and, behind the matrix of the page, 144 points.
  expect(listed.map(({ page, x_dpi }) => [page, x_dpi]).sort()).toEqual([
    [1, 1],
    [1, 3],
    [1, 7],
  ]);
  const taken = await pdftool(['images', 'hidden.pdf', '-o', 'out'], { cwd: here.path });
  expect(taken.exitCode).toBe(0);
  const shades = await Promise.all(
    [1, 2, 3].map((i) =>
      sharp(here.at(`out/page-001-${i}.png`))
        .greyscale()
        .raw()
        .toBuffer(),
    ),
  );
  expect(shades.map(([first]) => first).sort()).toEqual([10, 50, 90]);
});
