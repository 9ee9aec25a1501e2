import { unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import type { Result } from '../../src/contract/base/ports.ts';
import { extractText, markdown, tables } from '../local.ts';
import { context, draw, type Pen, sourceOf } from './drawing.ts';

const FIGURES = [
  ['Item', 'Code', 'Price', 'Sold', 'Share'],
  ['Apples, red', '007', '1.50', '1,234', '12'],
  ['=SUM(A1)', '012', '20.00', '12,345,678', '3,4'],
  ['Pears & "figs"', '9', '0.75', '10', '5'],
];

function grid(pen: Pen): void {
  const xs = [60, 180, 260, 340, 430, 520];
  for (const x of xs) pen.rule(x, 90, x, 90 + 20 * FIGURES.length);
  for (let r = 0; r <= FIGURES.length; r++) pen.rule(60, 90 + 20 * r, 520, 90 + 20 * r);
  for (const [r, row] of FIGURES.entries())
    for (const [c, cell] of row.entries()) pen.text(cell, xs[c]! + 4, 104 + 20 * r);
}

async function bytesOf(result: Result): Promise<Buffer> {
  if (result.kind !== 'bytes') throw new Error(`expected bytes, found ${result.kind}`);
  const parts: Uint8Array[] = [];
  for await (const part of result.body.open(new AbortController().signal)) parts.push(part);
  return Buffer.concat(parts);
}

async function sourceOfRows(rows: readonly (readonly string[])[]) {
  const bytes = await draw((pen) => {
    for (const x of [60, 180, 300]) pen.rule(x, 90, x, 90 + 20 * rows.length);
    for (let r = 0; r <= rows.length; r++) pen.rule(60, 90 + 20 * r, 300, 90 + 20 * r);
    for (const [r, row] of rows.entries())
      for (const [c, cell] of row.entries()) pen.text(cell, 64 + 120 * c, 104 + 20 * r);
  });
  return sourceOf(bytes);
}

const spans = (pen: Pen) => {
  for (const y of [90, 110, 130]) pen.rule(60, y, 300, y);
  for (const x of [60, 300]) pen.rule(x, 90, x, 130);
  for (const x of [140, 220]) pen.rule(x, 110, x, 130);
  pen.text('Turnover of both years', 64, 104);
  for (const [i, text] of ['North', '12', '14'].entries()) pen.text(text, 64 + 80 * i, 124);
};

/** The document writes long-term, training and storage elsewhere, and never initializ. */
const brokenWords = (pen: Pen) => {
  pen.text('A long-term plan for each training of storage stands above its table.', 60, 60);
  for (const y of [90, 110, 150, 190]) pen.rule(60, y, 300, y);
  for (const x of [60, 180, 300]) pen.rule(x, 90, x, 190);
  for (const [i, text] of ['State', 'Meaning'].entries()) pen.text(text, 64 + 120 * i, 104);
  for (const [i, text] of ['initializ-', 'a long-'].entries()) pen.text(text, 64 + 120 * i, 124);
  for (const [i, text] of ['ing', 'term job'].entries()) pen.text(text, 64 + 120 * i, 138);
  for (const [i, text] of ['termin-', 'a storage-'].entries()) pen.text(text, 64 + 120 * i, 164);
  for (const [i, text] of ['ated', 'training'].entries()) pen.text(text, 64 + 120 * i, 178);
};

describe('tables', () => {
  it.each([
    ['csv', 'initializing,a long-term job\r\nterminated,a storage-training\r\n'],
    ['markdown', '| initializing | a long-term job |\n| terminated | a storage-training |\n'],
  ] as const)('have words whole that lines of a cell break, as %s', async (format, row) => {
    const file = sourceOf(await draw(brokenWords));
    const text = (await bytesOf(await tables({ file, format }, context()))).toString('utf8');
    expect(text.endsWith(row)).toBe(true);
    const document = await markdown({ file, mode: 'rag', output_format: 'markdown', no_anchors: true }, context());
    expect((await bytesOf(document)).toString('utf8')).toContain('| initializing | a long-term job |');
    const plain = await extractText({ file }, context());
    expect(plain).toMatchObject({ record: { text: expect.stringContaining('initializing  a long-term job') } });
  });

  it('are CSV one after the other, with an empty line between', async () => {
    const file = sourceOf(await draw(grid, spans));
    const text = (await bytesOf(await tables({ file }, context()))).toString('utf8');
    expect(text.split('\r\n').slice(1, 7)).toEqual([
      '"Apples, red",007,1.50,"1,234",12',
      '=SUM(A1),012,20.00,"12,345,678","3,4"',
      '"Pears & ""figs""",9,0.75,10,5',
      '',
      'Turnover of both years,,',
      'North,12,14',
    ]);
  });

  it('are a workbook whose numbers are numbers only where no digit is lost and the column leaves no doubt', async () => {
    const file = sourceOf(await draw(grid));
    const zip = unzipSync(await bytesOf(await tables({ file, format: 'xlsx' }, context())));
    const sheet = Buffer.from(zip['xl/worksheets/sheet1.xml']!).toString();
    const cell = (at: string) =>
      new RegExp(`<c r="${at}"[^>]*>(.*?)</c>`).exec(sheet)?.[1]?.replace(/<\/?(is|t)[^>]*>/g, '');
    // Codes keep their zeros; 3,4 may be a decimal or a list, so its column stays text in a table with 1.50.
    expect(['B2', 'E2', 'E3'].map(cell)).toEqual(['007', '12', '3,4']);
    expect(['C2', 'C3', 'D2', 'D3'].map(cell)).toEqual(['1.5', '20', '1234', '12345678'].map((n) => `<v>${n}</v>`));
    expect(['A3', 'A4'].map(cell)).toEqual(['=SUM(A1)', 'Pears &amp; &quot;figs&quot;']);
    expect(Buffer.from(zip['xl/styles.xml']!).toString()).toContain('formatCode="0.00"');
    expect(sheet).not.toContain('<f>');
  });

  it('leave 1,234 and 1.234 as text where nothing tells thousands from decimals', async () => {
    for (const [rows, expected] of [
      [
        [
          ['a', 'b'],
          ['1,234', '12'],
          ['2,345', '7'],
        ],
        undefined,
      ],
      [
        [
          ['a', 'b'],
          ['1.234', '12'],
          ['2.345', '7'],
        ],
        undefined,
      ],
      [
        [
          ['a', 'b'],
          ['1.234', '12,5'],
          ['2.345', '7,25'],
        ],
        1234,
      ],
      [
        [
          ['a', 'b'],
          ['1,234', '12.5'],
          ['2,345', '7.25'],
        ],
        1234,
      ],
    ] as const) {
      const result = await tables({ file: await sourceOfRows(rows), format: 'json' }, context());
      const [table] = (result.kind === 'record' ? result.record.tables : []) as { cells: { value?: number }[] }[];
      expect(table?.cells[2]?.value, rows[1].join()).toBe(expected);
    }
  });

  it('tell the span and the place of each cell in JSON', async () => {
    const file = sourceOf(await draw(spans));
    const result = await tables({ file, format: 'json' }, context());
    if (result.kind !== 'record') throw new Error('expected a record');
    const [table] = result.record.tables as { cells: Record<string, unknown>[]; page: number; columns: number }[];
    expect(table).toMatchObject({ page: 1, number: 1, rows: 2, columns: 3 });
    expect(table?.cells[0]).toMatchObject({
      row: 1,
      column: 1,
      colspan: 3,
      rowspan: 1,
      text: 'Turnover of both years',
    });
    expect(table?.cells[2]).toMatchObject({ row: 2, column: 2, text: '12', value: 12 });
    const [left, top, right, bottom] = (table?.cells[2]?.box ?? []) as number[];
    expect(left).toBeCloseTo(144, 0);
    expect(right! - left!).toBeCloseTo(11.1, 0);
    expect([top! < 124, bottom! > 124]).toEqual([true, true]);
  });

  it('are one file each where that is asked for', async () => {
    const file = sourceOf(await draw(grid, grid));
    const result = await tables({ file, format: 'csv-files', pages: [2] }, context());
    expect(result.kind === 'parts' && result.parts.map(({ name }) => name)).toEqual(['page-002-table-1.csv']);
  });

  it('that are missing are a failure of a file, and an empty list in JSON', async () => {
    const file = sourceOf(await draw((pen) => pen.text('A line of text, and no table at all.', 72, 80)));
    await expect(tables({ file }, context())).rejects.toThrow('in.pdf has no tables');
    expect(await tables({ file, format: 'json' }, context())).toMatchObject({ record: { tables: [] } });
    const empty = sourceOf(await draw(() => undefined));
    await expect(tables({ file: empty, format: 'json' }, context())).rejects.toThrow('no text layer');
  });

  it('have the columns of their text where only the head has upright lines', async () => {
    const xs = [60, 180, 300, 420];
    const file = sourceOf(
      await draw((pen) => {
        for (let r = 0; r <= 4; r++) pen.rule(60, 90 + 20 * r, 420, 90 + 20 * r);
        for (const x of xs) pen.rule(x, 90, x, x === 60 || x === 420 ? 170 : 110);
        const rows = [
          ['Country', 'Domestic', 'Imported'],
          ['Austria', '86.2', '13.8'],
          ['Cyprus', '81.0', '3.8'],
          ['Estonia', '94.2', '5.8'],
        ];
        for (const [r, row] of rows.entries())
          for (const [c, cell] of row.entries()) pen.text(cell, xs[c]! + 4, 104 + 20 * r);
      }),
    );
    const text = (await bytesOf(await tables({ file }, context()))).toString('utf8');
    expect(text).toBe('Country,Domestic,Imported\r\nAustria,86.2,13.8\r\nCyprus,81.0,3.8\r\nEstonia,94.2,5.8\r\n');
  });
});
