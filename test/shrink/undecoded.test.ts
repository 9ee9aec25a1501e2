// A stream that cannot be decoded costs no file: it is copied as found, and named.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { PDFS } from '../hostile/pdfs.ts';
import { compress } from '../local.ts';
import { pdfOf } from '../structure/run.ts';
import { bytesOf, contextIn, fileSource } from './workbench.ts';

const folder = mkdtempSync(join(tmpdir(), 'undecoded-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Flate data whose middle is something else. */
const BROKEN = (() => {
  const bytes = deflateSync(Buffer.from('0 0 9 9 re f\n'.repeat(400) + Math.PI));
  bytes.fill(0x5a, 12, 30);
  return bytes.toString('latin1');
})();
const GOOD = deflateSync(Buffer.from('1 1 5 5 re f')).toString('latin1');

const stream = (entries: string, data: string) => `<<${entries}/Length ${data.length}>>stream\n${data}\nendstream`;
const flate = (data: string, entries = '') => stream(`/Filter/FlateDecode${entries}`, data);

const DOCUMENT = pdfOf([
  '<</Type/Catalog/Pages 2 0 R>>',
  '<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2/MediaBox[0 0 99 99]>>',
  '<</Type/Page/Parent 2 0 R/Contents 5 0 R>>',
  '<</Type/Page/Parent 2 0 R/Contents 6 0 R/Resources<</XObject<</I 7 0 R>>/Font<</F 8 0 R>>>>>>',
  flate(GOOD),
  flate(BROKEN),
  flate(BROKEN, '/Type/XObject/Subtype/Image/Width 40/Height 40/ColorSpace/DeviceGray/BitsPerComponent 8'),
  '<</Type/Font/Subtype/Type1/BaseFont/Foo/FontDescriptor 9 0 R/FirstChar 65/LastChar 65/Widths[500]>>',
  '<</Type/FontDescriptor/FontName/Foo/Flags 4/FontFile 10 0 R>>',
  flate(BROKEN, '/Length1 9/Length2 9/Length3 0'),
]);

test.each([
  ['as usual', {}],
  ['without loss', { lossless: true }],
  ['in grey', { grayscale: true }],
  ['to a target', { target_bytes: 500 }],
])('%s', async (_, options) => {
  const path = join(folder, 'broken.pdf');
  writeFileSync(path, DOCUMENT, 'latin1');
  const { body, pages, warnings } = await compress({ file: fileSource(path), ...options }, contextIn(folder));
  expect(pages).toBe(2);
  const [said = ''] = (warnings ?? []).filter((warning) => warning.includes('cannot be decoded'));
  expect(said).toMatch(/copied as found/);
  expect(said).toContain('object 10 of page 2');
  const bytes = Buffer.from(await bytesOf(body)).toString('latin1');
  expect(bytes).toContain(BROKEN);
  expect(readFileSync(path, 'latin1')).toBe(DOCUMENT);
});

test('content that inflates to forty times its bytes is no stream that cannot be decoded', async () => {
  const lines = Array.from({ length: 3000 }, (_, i) => `${(i * 7919) % 6007} ${i} 9 9 re f\n`.repeat(60)).join('');
  const content = deflateSync(Buffer.from(lines)).toString('latin1');
  expect(content.length).toBeGreaterThan(16 << 10);
  const path = join(folder, 'dense.pdf');
  const page = '<</Type/Page/Parent 2 0 R/Contents 4 0 R>>';
  const tree = '<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 99 99]>>';
  const document = pdfOf(['<</Type/Catalog/Pages 2 0 R>>', tree, page, flate(content)]);
  writeFileSync(path, document, 'latin1');
  const { warnings } = await compress({ file: fileSource(path) }, contextIn(folder));
  expect(warnings).toEqual([]);
});

test('a fax of 2^31 columns stays as it is', async () => {
  const path = join(folder, 'fax.pdf');
  writeFileSync(path, PDFS['fax of 2^31 columns']?.() ?? '');
  const result = await compress({ file: fileSource(path) }, contextIn(folder));
  expect((await bytesOf(result.body)).length).toBeGreaterThan(0);
});
