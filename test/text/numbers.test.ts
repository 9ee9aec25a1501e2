// Rows of a table that a program wrote as one string: no digit may leave its number. Judged by pdftotext.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { extractText } from '../local.ts';
import { context, sourceOf } from './drawing.ts';
import { pageOf } from './raw-pdf.ts';

const numbersIn = (text: string) => [...text.matchAll(/\d+(?:[.,]\d+)*/g)].map(([number]) => number).sort();

/** The numbers of a page as pdftool reads them, and as pdftotext does. */
async function numbersOf(content: string, page = ''): Promise<{ ours: string[]; theirs: string[] }> {
  const bytes = pageOf(content, { page });
  const { record } = await extractText({ file: sourceOf(bytes) }, context());
  const folder = mkdtempSync(join(tmpdir(), 'pdftool-numbers-'));
  try {
    writeFileSync(join(folder, 'in.pdf'), bytes);
    const other = execFileSync('pdftotext', [join(folder, 'in.pdf'), '-'], { encoding: 'utf8' });
    return { ours: numbersIn(String(record.text)), theirs: numbersIn(other) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

// The distance of the cells is character spacing, which the numbers take back: as in nics-background-checks-2015-11.pdf.
const wide = '2.61 Tc [(01) 2625 (5) 2625 (,) 2598 (0) 2625 (0) 2625 (5) 246 (1) 2625 (4) 2625 (,) 2598 (7)] TJ 0 Tc';
const narrow = '0.277 Tc [(45) 291 (5) 291 (9)] TJ 0 Tc';

it.each(['', '/Rotate 90', '/Rotate 180'])('spacing that is taken back parts cells (%s)', async (page) => {
  const { ours, theirs } = await numbersOf(
    `BT /F 1 Tf 6 0 0 6 50 700 Tm ${wide} ET BT 6 0 0 6 50 692 Tm ${narrow} ET`,
    page,
  );
  expect(ours).toEqual(['0', '14,7', '15,005', '4', '559']);
  expect(ours).toEqual(theirs);
});

it('letters of a spaced word stay together', async () => {
  const bytes = pageOf('BT /F 12 Tf 0.3 Tw 4 Tc 50 700 Td (TITLE) Tj [(T) 120 (o) (p)] TJ ET');
  const { record } = await extractText({ file: sourceOf(bytes) }, context());
  expect(record.text).toBe('TITLETop\n');
});

it('cells that are too full for their columns stay apart where they lie over each other', async () => {
  const { ours, theirs } = await numbersOf(
    'BT /F 10 Tf 50 700 Td (BILL 141, 144, 156, 155) Tj 60 0 Td (26406576) Tj ET',
  );
  expect(ours).toEqual(['141', '144', '155', '156', '26406576']);
  expect(ours).toEqual(theirs);
});
