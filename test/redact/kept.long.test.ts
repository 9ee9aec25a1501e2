// What an output keeps besides its pages: title, language, bookmarks, tags and fields that hold nothing secret.
import { readFileSync, writeFileSync } from 'node:fs';
import { execa } from 'execa';
import { PDFDocument } from 'pdf-lib';
import { afterAll, expect, it } from 'vitest';
import { folder, pdftool } from '../e2e/pdftool.ts';
import { rawPdf } from '../text/raw-pdf.ts';

const here = folder();
afterAll(() => here[Symbol.dispose]());

const line = (y: number, text: string) => `BT /F 14 Tf 40 ${y} Td (${text}) Tj ET`;
const widget = (name: string, value: string, y: number, look: number) =>
  `<</Type/Annot/Subtype/Widget/FT/Tx/T(${name})/V(${value})/F 4/P 3 0 R/Rect[200 ${y} 320 ${y + 20}]/DA(/F 12 Tf)/AP<</N ${look} 0 R>>>>`;
const look = (value: string) => ({
  dict: '/Type/XObject/Subtype/Form/BBox[0 0 120 20]/Resources<</Font<</F 5 0 R>>>>',
  stream: `/Tx BMC BT /F 12 Tf 2 5 Td (${value}) Tj ET EMC`,
});

const LETTER = rawPdf([
  '<</Type/Catalog/Pages 2 0 R/Lang(en-GB)/MarkInfo<</Marked true>>/StructTreeRoot 6 0 R/Outlines 11 0 R/AcroForm 14 0 R>>',
  '<</Type/Pages/Count 1/Kids[3 0 R]>>',
  `<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 300]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>/StructParents 0
    /Annots[15 0 R 16 0 R]>>`,
  {
    dict: '',
    stream: `/P<</MCID 0>>BDC ${line(250, 'Letter to Gonzalez')} EMC /Head<</MCID 1>>BDC ${line(220, 'Weather report')} EMC
      /Span<</ActualText(Ampersand)>>BDC ${line(190, '+')} EMC /Span<</ActualText(G. himself)>>BDC ${line(160, 'Gonzalez')} EMC`,
  },
  '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  '<</Type/StructTreeRoot/K 7 0 R/ParentTree 10 0 R/RoleMap<</Head/H1>>>>',
  '<</Type/StructElem/S/Document/P 6 0 R/K[8 0 R 9 0 R]>>',
  '<</Type/StructElem/S/P/P 7 0 R/Pg 3 0 R/K 0/Alt(To that man)>>',
  '<</Type/StructElem/S/Head/P 7 0 R/Pg 3 0 R/K 1/Alt(Rain and wind)>>',
  '<</Nums[0[8 0 R 9 0 R]]>>',
  '<</Type/Outlines/First 12 0 R/Last 13 0 R/Count 2>>',
  '<</Title(On Gonzalez)/Parent 11 0 R/Next 13 0 R/Dest[3 0 R/Fit]>>',
  '<</Title(Weather)/Parent 11 0 R/Prev 12 0 R/Dest[3 0 R/Fit]>>',
  '<</Fields[15 0 R 16 0 R]/DA(/F 12 Tf)/DR<</Font<</F 5 0 R>>>>>>',
  widget('town', 'Cambridge', 100, 17),
  widget('person', 'Mr Gonzalez', 60, 18),
  look('Cambridge'),
  look('Mr Gonzalez'),
]);

async function redacted(...more: string[]) {
  writeFileSync(here.at('letter.pdf'), LETTER);
  const args = ['redact', 'letter.pdf', '--find', 'Gonzalez', '--yes', '-f', '-o', 'out.pdf', ...more];
  const run = await pdftool(args, { cwd: here.path });
  await execa('qpdf', ['--check', here.at('out.pdf')]);
  const { stdout } = await execa('qpdf', [
    '--json=2',
    '--json-key=acroform',
    '--json-key=outlines',
    here.at('out.pdf'),
  ]);
  const { acroform, outlines } = JSON.parse(stdout) as Record<'acroform' | 'outlines', never>;
  const fields = (acroform as { fields: { fullname: string; value: string }[] }).fields;
  return {
    exit: run.exitCode,
    said: run.stderr,
    fields: fields.map(({ fullname, value }) => [fullname, value]),
    bookmarks: (outlines as { title: string }[]).map(({ title }) => title),
    tags: (await execa('pdfinfo', ['-struct-text', here.at('out.pdf')])).stdout,
    bytes: (await execa('qpdf', ['--qdf', '--object-streams=disable', here.at('out.pdf'), '-'])).stdout,
    text: (await execa('pdftotext', [here.at('out.pdf'), '-'])).stdout,
  };
}

it('keeps what holds nothing secret, and says what went', async () => {
  const { exit, said, fields, bookmarks, tags, bytes, text } = await redacted();
  expect([exit, fields, bookmarks]).toEqual([0, [['town', 'u:Cambridge']], ['Weather']]);
  expect(said).toContain('bookmarks: 1 of 2 left out');
  expect(said).toContain('fields: 1 of 2 drawn on their pages');
  expect(tags.split('\n').map((each) => each.trim())).toEqual(
    expect.arrayContaining(['Document', 'H1 (block)', '"Weather report"', 'P (block)', '"Letter to"']),
  );
  expect(bytes).toMatch(/\/Lang \(en-GB\)/);
  expect(bytes).toContain('/Alt (Rain and wind)');
  expect(bytes).not.toMatch(/Gonzalez|that man|G\. himself/);
  expect(text).toContain('Ampersand');
  expect(text).toContain('Cambridge');
  expect(text).not.toContain('Gonzalez');
});

it('keeps nothing but the pages with --clean', async () => {
  const { exit, fields, bookmarks, bytes, text } = await redacted('--clean');
  expect([exit, fields, bookmarks]).toEqual([0, [], []]);
  expect(bytes).not.toMatch(/StructTreeRoot|MarkInfo|Lang|ActualText|AcroForm/);
  expect(text).toContain('Cambridge');
});

it('keeps nothing where a word stands beside the pages alone', async () => {
  const document = await PDFDocument.create();
  document.setTitle('Report on Quorlax');
  document.setLanguage('en');
  document.addPage([300, 200]).drawText('Some line of text', { x: 20, y: 100, size: 12 });
  writeFileSync(here.at('title.pdf'), await document.save());
  const titleOf = async (...find: string[]) => {
    const args = ['redact', 'title.pdf', ...find.flatMap((term) => ['--find', term]), '--yes', '-f', '-o', 'out.pdf'];
    await pdftool(args, { cwd: here.path });
    return (await PDFDocument.load(readFileSync(here.at('out.pdf')))).getTitle();
  };
  expect(await titleOf('line')).toBe('Report on Quorlax');
  expect(await titleOf('line', 'Quorlax')).toBeUndefined();
});
