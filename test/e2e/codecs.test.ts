/** Pictures in a PDF reach a codec only as what they say they are, and nothing that it does keeps a run from ending. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { CLEAN, folder, PROGRAM, pdftool } from './pdftool.ts';

const NESTED = Array.from(
  { length: 8 },
  (_, i) => `<g id="a${i + 1}">${`<use xlink:href="#a${i}"/>`.repeat(10)}</g>`,
).join('');
/** Draws 10^6 rectangles under a filter: minutes of work for a renderer of SVG. */
const SVG = Buffer.from(
  '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="2000" ' +
    `height="2000"><defs><g id="a0"><rect width="2000" height="2000" fill="red" opacity=".01"/></g>${NESTED}</defs>` +
    `<use xlink:href="#a6"/><!-- ${'x'.repeat(60_000)} --></svg>`,
);

/** A page that shows one picture of 2,000 by 2,000 pixels, whose stream is called a JPEG. */
function pdfWith(data: Uint8Array): Buffer {
  const content = 'q 600 0 0 800 0 0 cm /I Do Q';
  const dict = '/Width 2000/Height 2000/BitsPerComponent 8/ColorSpace/DeviceRGB/Filter/DCTDecode';
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Resources<</XObject<</I 5 0 R>>>>/Contents 4 0 R>>',
    `<</Length ${content.length}>>stream\n${content}\nendstream`,
    `<</Type/XObject/Subtype/Image${dict}/Length ${data.length}>>stream\n${Buffer.from(data).toString('latin1')}\nendstream`,
  ];
  let text = '%PDF-1.5\n';
  const rows = objects.map((object, i) => {
    const row = `${String(text.length).padStart(10, '0')} 00000 n \n`;
    text += `${i + 1} 0 obj${object}\nendobj\n`;
    return row;
  });
  const end = `trailer<</Size 6/Root 1 0 R>>\nstartxref\n${text.length}\n%%EOF\n`;
  return Buffer.from(`${text}xref\n0 6\n0000000000 65535 f \n${rows.join('')}${end}`, 'latin1');
}

const noise = () => {
  let state = 1;
  return Uint8Array.from({ length: 2000 * 2000 * 3 }, () => (state = (state * 1103515245 + 12345) & 0x7fffffff) >> 16);
};

describe('a stream that says it is a JPEG', () => {
  it.each([
    ['an SVG', async () => SVG],
    [
      'a PNG',
      () =>
        sharp(noise(), { raw: { width: 2000, height: 2000, channels: 3 } })
          .png({ compressionLevel: 1 })
          .toBuffer(),
    ],
    [
      'a TIFF behind a JPEG mark',
      async () => Buffer.concat([Buffer.from('ffd8ff', 'hex'), Buffer.from('II*\0'), Buffer.alloc(60_000)]),
    ],
  ])(
    'and is %s is left as it is',
    async (_, make) => {
      using here = folder();
      const data = await make();
      writeFileSync(here.at('a.pdf'), pdfWith(data));
      const run = await pdftool(['compress', 'a.pdf', '--quality', '50', '-o', 'b.pdf'], { cwd: here.path });
      expect(run.exitCode).toBe(0);
      expect(readFileSync(here.at('b.pdf')).includes(data)).toBe(true);
    },
    20_000,
  );

  it('and is one of another size than its dictionary claims is bounded by its own headers', async () => {
    using here = folder();
    const jpeg = await sharp(noise(), { raw: { width: 2000, height: 2000, channels: 3 } })
      .jpeg()
      .toBuffer();
    const frame = jpeg.indexOf(Buffer.from('ffc0', 'hex'));
    jpeg.writeUInt16BE(65_000, frame + 5);
    jpeg.writeUInt16BE(65_000, frame + 7);
    writeFileSync(here.at('a.pdf'), pdfWith(jpeg));
    const run = await pdftool(['compress', 'a.pdf', '-v', '-o', 'b.pdf'], { cwd: here.path });
    expect([run.exitCode, run.stderr]).toEqual([0, expect.stringMatching(/65000 by 65000 pixels; the limit is/)]);
  }, 20_000);
});

describe('pictures that are coded anew', () => {
  it('are told of with the time of each step', async () => {
    using here = folder();
    const plain = { create: { width: 600, height: 600, channels: 3, background: '#48c' } } as const;
    const jpeg = await sharp(plain).jpeg({ quality: 100, chromaSubsampling: '4:4:4' }).toBuffer();
    writeFileSync(here.at('a.pdf'), pdfWith(jpeg));
    const run = await pdftool(['compress', 'a.pdf', '-v', '-o', 'b.pdf'], { cwd: here.path });
    expect([run.exitCode, run.stderr]).toEqual([
      0,
      expect.stringMatching(/pictures took decode \d+ ms, .*code \d+ ms/),
    ]);
  }, 20_000);
});

describe('a codec that is busy', () => {
  it('is ended with the run at the first signal', async () => {
    using here = folder();
    const pixels = noise();
    const large = await sharp(pixels, { raw: { width: 2000, height: 2000, channels: 3 } })
      .jpeg({ quality: 95 })
      .toBuffer();
    writeFileSync(here.at('a.pdf'), pdfWith(large));
    const args = ['compress', 'a.pdf', '--target-bytes', '2000', '-o', 'b.pdf'];
    const child = spawn(process.execPath, [PROGRAM, ...args], { cwd: here.path, env: CLEAN, stdio: 'ignore' });
    // Its child is the codec, which is given the picture a moment later.
    const children = `/proc/${child.pid}/task/${child.pid}/children`;
    while (child.exitCode === null && readFileSync(children, 'utf8') === '') await sleep(5);
    await sleep(150);
    expect(child.exitCode).toBe(null);
    const began = Date.now();
    child.kill('SIGTERM');
    const [code, signal] = await once(child, 'exit');
    expect(code ?? signal).toSatisfy((end) => end === 143 || end === 'SIGTERM');
    expect(Date.now() - began).toBeLessThan(2_500);
    expect(here.list()).toEqual(['a.pdf']);
  }, 20_000);
});

describe('a signal while the program is loaded', () => {
  it('ends it by the table, with one line', async () => {
    using here = folder();
    writeFileSync(here.at('a.pdf'), pdfWith(SVG));
    // As early as its own first line: bin/pdftool.js is loaded, the rest of the program is not.
    const early = `process.nextTick=((next)=>next)(process.nextTick);process.argv.splice(1,1,${JSON.stringify(PROGRAM)});
      const Module=require('node:module');const load=Module._load;
      Module._load=(name,...rest)=>{if(/dist.main/.test(name))process.kill(process.pid,'SIGINT');return load(name,...rest)};
      require(${JSON.stringify(PROGRAM)})`;
    const args = ['-e', early, 'x', 'compress', 'a.pdf', '-o', 'b.pdf'];
    const child = spawn(process.execPath, args, { cwd: here.path, env: CLEAN });
    let said = '';
    child.stderr.on('data', (piece) => (said += piece));
    const [code] = await once(child, 'close');
    expect([code, said.match(/^error:.*$/gm)]).toEqual([130, ['error: interrupted']]);
    expect(here.list()).toEqual(['a.pdf']);
  });
});
