// Pages that become pictures: their text layer never stands in the way of the redaction.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { execa } from 'execa';
import { afterAll, expect, it } from 'vitest';
import { folder, pdftool } from '../e2e/pdftool.ts';
import { pageOf, rawPdf } from '../text/raw-pdf.ts';

const here = folder();
afterAll(() => here[Symbol.dispose]());

/** A Type 3 font whose glyph claims a box of six times its height, so that a region covers little of it. */
const TALL = rawPdf([
  '<</Type/Catalog/Pages 2 0 R>>',
  '<</Type/Pages/Count 1/Kids[3 0 R]>>',
  '<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 300]/Contents 4 0 R/Resources<</Font<</F 5 0 R/H 7 0 R>>>>>>',
  { dict: '', stream: 'BT /F 20 Tf 50 100 Td (*) Tj ET BT /H 12 Tf 50 40 Td (Some line of text) Tj ET' },
  `<</Type/Font/Subtype/Type3/FontBBox[0 0 1000 6000]/FontMatrix[.001 0 0 .001 0 0]/FirstChar 42/LastChar 42/Widths[1000]
    /Encoding<</Type/Encoding/Differences[42/asterisk]>>/CharProcs<</asterisk 6 0 R>>/Resources<<>>>>`,
  { dict: '', stream: '1000 0 0 0 800 6000 d1 0 0 800 700 re f' },
  '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
]);

it('a picture whose text layer reaches into a region loses the words close to it, and that is said', async () => {
  writeFileSync(here.at('tall.pdf'), TALL);
  const sourceSha256 = createHash('sha256')
    .update(readFileSync(here.at('tall.pdf')))
    .digest('hex');
  const regions = [{ page: 1, x: 0.05, y: 0.277, w: 0.5, h: 0.09 }];
  writeFileSync(here.at('regions.json'), JSON.stringify({ reviewed: true, sourceSha256, regions }));
  const args = ['redact', 'apply', 'tall.pdf', '--regions', 'regions.json', '--raster', '-o', 'out.pdf'];
  const run = await pdftool(args, { cwd: here.path });
  expect([run.exitCode, run.stderr]).toEqual([
    0,
    expect.stringContaining('words close to its regions can no longer be searched'),
  ]);
  expect((await execa('pdftotext', [here.at('out.pdf'), '-'])).stdout.trim()).toBe('Some line of text');
});

it('a picture keeps right-to-left words as other programs read them', async () => {
  const map =
    '1 begincodespacerange <00><ff> endcodespacerange 1 beginbfrange <41><44>[<0645><0627><0644><0633>] endbfrange';
  const font = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode 6 0 R>>';
  const page = pageOf('BT /F 20 Tf 50 400 Td (ABCD) Tj ET', { font, more: [{ dict: '', stream: map }] });
  writeFileSync(here.at('rtl.pdf'), page);
  const sourceSha256 = createHash('sha256').update(page).digest('hex');
  const regions = [{ page: 1, x: 0.5, y: 0.1, w: 0.2, h: 0.05 }];
  writeFileSync(here.at('rtl.json'), JSON.stringify({ reviewed: true, sourceSha256, regions }));
  const args = ['redact', 'apply', 'rtl.pdf', '--regions', 'rtl.json', '--raster', '-o', 'rtl-out.pdf'];
  expect((await pdftool(args, { cwd: here.path })).exitCode).toBe(0);
  const read = async (name: string) =>
    (await execa('pdftotext', [here.at(name), '-'])).stdout.match(/\p{sc=Arabic}+/gu);
  expect(await read('rtl.pdf')).toEqual(['\u0633\u0644\u0627\u0645']);
  expect(await read('rtl-out.pdf')).toEqual(await read('rtl.pdf'));
});
