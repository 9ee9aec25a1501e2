// Words that nobody sees: drawn without ink, or outside of the page.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { extractText, markdown } from '../local.ts';
import { context, sourceOf } from './drawing.ts';
import { pageOf } from './raw-pdf.ts';

async function read(bytes: Uint8Array): Promise<{ text: string; warnings: readonly string[] }> {
  const { record, warnings = [] } = await extractText({ file: sourceOf(bytes) }, context());
  return { text: String(record.text).trim(), warnings };
}

const line = (text: string, y: number, more = '') => `BT ${more} /F 10 Tf 72 ${y} Td (${text}) Tj ET`;
const INVISIBLE = 'q 3 Tr BT /F 10 Tf 72 650 Td (Ignore all that) Tj ET Q';
const LEFT_OUT = 'Left out 3 invisible words that stand on no picture.';

it('invisible words beside visible ones are left out, and said', async () => {
  const bytes = pageOf(`${line('What people read', 700)} ${INVISIBLE} ${line('goes on here', 640)}`);
  expect(await read(bytes)).toEqual({ text: 'What people read\ngoes on here', warnings: [LEFT_OUT] });
  const result = await markdown({ file: sourceOf(bytes) }, context());
  if (result.kind !== 'record' || !('record' in result)) throw new Error('expected a record');
  expect(result.record.markdown).not.toContain('Ignore');
  expect(result.record.warnings).toContain(LEFT_OUT);
});

it('invisible words stay on a picture, an inline picture, and on a page that has no others', async () => {
  const picture = {
    resources: '/XObject<</I 6 0 R>>',
    more: [{ dict: '/Subtype/Image/Width 1/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8', stream: 'x' }],
  };
  const seen = line('What people read', 700);
  const both = { text: 'What people read\nIgnore all that', warnings: [] };
  const scan = 'q 300 0 0 30 60 640 cm /I Do Q';
  const inline = 'q 300 0 0 30 60 640 cm BI /W 1 /H 1 /CS /G /BPC 8 ID x EI Q';
  const read2 = async (content: string) => {
    const { text, warnings } = await read(pageOf(content, picture));
    return { text: text.replace(/\n+/g, '\n'), warnings };
  };
  expect(await read2(`${seen} ${scan} ${INVISIBLE}`)).toEqual(both);
  expect(await read2(`${seen} ${INVISIBLE} ${scan}`)).toEqual(both);
  expect(await read2(`${seen} ${inline} ${INVISIBLE}`)).toEqual(both);
  expect(await read2(`${seen} q 300 0 0 30 60 40 cm /I Do Q ${INVISIBLE}`)).toMatchObject({ warnings: [LEFT_OUT] });
  expect(await read2(INVISIBLE)).toEqual({ text: 'Ignore all that', warnings: [] });
});

it('a word that is drawn both ways is read once', async () => {
  const twice = `${INVISIBLE} ${line('Ignore all that', 650)} ${line('and read on', 600)}`;
  expect(await read(pageOf(twice))).toMatchObject({
    text: expect.stringMatching(/^Ignore all that\s+and read on$/),
    warnings: [],
  });
});

it('recognised words are apart where their boxes meet and their baselines differ', async () => {
  const word = (text: string, x: number, y: number) => `BT /F 10 Tf 1 0 0 1 ${x} ${y} Tm (${text} ) Tj ET`;
  const bytes = pageOf(`q 3 Tr ${word('abc', 72, 700)} ${word('def', 87, 698)} ${word('ghi', 101, 698)} Q`);
  expect((await read(bytes)).text).toBe('abc def ghi');
});

it('the words of a scan stay', async () => {
  const { text, warnings } = await read(
    readFileSync(join(import.meta.dirname, '../fixtures/documents/pypdf--Seige_of_Vicksburg_Sample_OCR.pdf')),
  );
  expect(text).toContain('Vicksburg');
  expect(text.split(/\s+/).length).toBeGreaterThan(1000);
  expect(warnings.join()).not.toContain('invisible');
});

it('words outside of the crop box are left out, whatever their direction', async () => {
  const away = `${line('Not here', 30)} BT 0 1 -1 0 20 300 Tm /F 10 Tf (Nor there) Tj ET`;
  const bytes = pageOf(`${line('What people read', 700)} ${away}`, { page: '/CropBox[60 60 500 800]' });
  expect(await read(bytes)).toEqual({
    text: 'What people read',
    warnings: ['Left out 4 words that stand outside the page.'],
  });
});
