// What form fields show is text of the page: values beside their labels, boxes as [x] and [ ].
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { extractText, markdown, toJson } from '../local.ts';
import { context, sourceOf } from './drawing.ts';
import { pageOf, rawPdf } from './raw-pdf.ts';

interface Field {
  readonly entries: string;
  /** Drawn on 100 by 14 points. */
  readonly appearance?: string;
}

/** A page with a label in each line, and a field beside it. */
function form(
  labels: readonly string[],
  fields: readonly Field[],
  acroForm = '',
  font = '/WinAnsiEncoding',
): Uint8Array {
  const lines = labels.map((label, i) => `BT /F 11 Tf 72 ${700 - 30 * i} Td (${label}) Tj ET`);
  const first = 6;
  const annots = fields.map((_, i) => `${first + 2 * i} 0 R`).join(' ');
  return rawPdf([
    `<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[${annots}]${acroForm}>>>>`,
    '<</Type/Pages/Count 1/Kids[3 0 R]>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>/Annots[${annots}]>>`,
    { dict: '', stream: lines.join('\n') },
    `<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding${font}>>`,
    ...fields.flatMap(({ entries, appearance }, i) => [
      `<</Type/Annot/Subtype/Widget/T(f${i})/Rect[170 ${694 - 30 * i} 270 ${708 - 30 * i}]${entries}${
        appearance === undefined ? '' : `/AP<</N ${first + 2 * i + 1} 0 R>>`
      }>>`,
      { dict: '/BBox[0 0 100 14]/Resources<</Font<</F 5 0 R>>>>', stream: appearance ?? '' },
    ]),
  ]);
}

const shown = (text: string) => `/Tx BMC q BT /F 10 Tf 2 4 Td (${text}) Tj ET Q EMC`;
const LABELS = ['Name', 'Amount', 'Country', 'Agree', 'Refuse', 'Secret', 'Note'];
const FIELDS: Field[] = [
  { entries: '/FT/Tx/V(Jackie Doe)', appearance: shown('Jackie Doe') },
  // A script of the form writes the number as people do.
  { entries: '/FT/Tx/V(1234.5)', appearance: shown('1,234.50') },
  { entries: '/FT/Ch/Ff 131072/V(at)/Opt[[(at)(Austria)]]', appearance: shown('Austria') },
  { entries: '/FT/Btn/AS/Yes/V/Yes' },
  { entries: '/FT/Btn/AS/Off/V/Off' },
  { entries: '/FT/Tx/Ff 8192/V(hunter2)', appearance: shown('*******') },
  { entries: '/FT/Tx/F 2/V(hidden)', appearance: shown('hidden') },
];

async function textOf(bytes: Uint8Array): Promise<string> {
  const { record } = await extractText({ file: sourceOf(bytes) }, context());
  return String(record.text);
}

describe('text boxes and stamps', () => {
  it('are text of the page, as their appearance or their contents say', async () => {
    const annotation = (y: number, entries: string) => `<</Type/Annot/Rect[170 ${y} 270 ${y + 14}]${entries}>>`;
    const bytes = pageOf('BT /F 11 Tf 72 700 Td (Label) Tj ET', {
      page: '/Annots[6 0 R 7 0 R 8 0 R 9 0 R]',
      more: [
        annotation(694, '/Subtype/FreeText/Contents(other)/AP<</N 10 0 R>>'),
        annotation(664, '/Subtype/FreeText/Contents(no appearance)/DA(/Helv 10 Tf 0 g)'),
        annotation(634, '/Subtype/Popup/Contents(opened by a click)/AP<</N 10 0 R>>'),
        annotation(604, '/Subtype/FreeText/F 2/Contents(hidden)/AP<</N 10 0 R>>'),
        { dict: '/BBox[0 0 100 14]/Resources<</Font<</F 5 0 R>>>>', stream: shown('Approved') },
      ],
    });
    expect((await textOf(bytes)).split(/\s+/).filter(Boolean)).toEqual(['Label', 'Approved', 'no', 'appearance']);
  });
});

describe('form fields', () => {
  it('stand beside their labels, as pdftotext has them', async () => {
    const bytes = form(LABELS, FIELDS);
    const lines = (await textOf(bytes)).split('\n').flatMap((line) => line.trim().replace(/\s+/g, ' ') || []);
    expect(lines).toEqual([
      'Name Jackie Doe',
      'Amount 1,234.50',
      'Country Austria',
      'Agree [x]',
      'Refuse [ ]',
      'Secret *******',
      'Note',
    ]);
    const folder = mkdtempSync(join(tmpdir(), 'pdftool-form-'));
    try {
      writeFileSync(join(folder, 'in.pdf'), bytes);
      const other = execFileSync('pdftotext', ['-layout', join(folder, 'in.pdf'), '-'], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      for (const line of lines.filter((text) => !text.includes('['))) expect(other.replace(/ +/g, ' ')).toContain(line);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('are in to-json and in Markdown', async () => {
    const file = sourceOf(form(LABELS, FIELDS));
    const json = await toJson({ file }, context());
    if (json.kind !== 'record') throw new TypeError('to-json gives a record');
    const { text, pages } = json.record as { text: string; pages: { text: string }[] };
    for (const told of [text, pages[0]?.text])
      for (const line of ['Name\\s+Jackie Doe', 'Country\\s+Austria', 'Agree\\s+\\[x\\]', 'Refuse\\s+\\[ \\]'])
        expect(told).toMatch(new RegExp(line));
    const written = await markdown({ file }, context());
    expect(written.kind === 'record' && String(written.record.markdown)).toContain('Jackie Doe');
  });

  it('show their values where the viewer makes the appearances', async () => {
    const fields: Field[] = [
      { entries: '/FT/Tx/V(New)', appearance: shown('Old') },
      { entries: '/FT/Ch/Ff 131072/V(at)/Opt[[(at)(Austria)]]' },
      { entries: '/FT/Tx/Ff 8192/V(hunter2)' },
    ];
    const text = await textOf(form(['Name', 'Country', 'Secret'], fields, '/NeedAppearances true'));
    expect(text.replace(/ +/g, ' ').trim().split('\n')).toEqual(['Name New', 'Country Austria', 'Secret']);
  });

  it('are there on pages that are left to pdf.js', async () => {
    // An encoding that our own reader does not know.
    const type0 =
      '/Nonsense/Subtype/Type0/DescendantFonts[<</Type/Font/Subtype/CIDFontType2/BaseFont/X>>]/Encoding/GBK-EUC-H';
    const text = await textOf(form([''], [{ entries: '/FT/Tx/V(Value)', appearance: shown('Value') }], '', type0));
    expect(text.trim()).toBe('Value');
  });

  it('that are ticked or not are list items before their labels', async () => {
    const bytes = form(
      ['', ''],
      ['Yes', 'Off'].map((state) => ({ entries: `/FT/Btn/AS/${state}` })),
    );
    const labelled = Buffer.from(
      Buffer.from(bytes)
        .toString('latin1')
        .replaceAll('72 700 Td () Tj', '280 700 Td (One) Tj')
        .replaceAll('72 670 Td () Tj', '280 670 Td (Two) Tj'),
      'latin1',
    );
    const written = await markdown({ file: sourceOf(labelled) }, context());
    expect(written.kind === 'record' && written.record.markdown).toBe('- [x] One\n- [ ] Two\n');
  });
});
