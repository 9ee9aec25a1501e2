import { expect, it } from 'vitest';
import { tables } from '../local.ts';
import { context, sourceOf } from './drawing.ts';
import { rawPdf } from './raw-pdf.ts';

/** Cells far apart and out of line, so that nothing but the tags makes a table of them: text, x, y. */
const CELLS = [
  ['Turnover', 72, 700],
  ['North', 72, 600],
  ['12', 300, 600],
  ['South', 72, 450],
  ['15', 330, 450],
] as const;

/** A table of three rows, whose first has one cell over both columns; `order`: the marked content of each of the five cells. */
function tagged(order: readonly number[]): Uint8Array {
  const stream = CELLS.map(
    ([text, x, y], i) => `/Span <</MCID ${i}>> BDC BT /F 10 Tf ${x} ${y} Td (${text}) Tj ET EMC`,
  ).join('\n');
  const cell = (parent: number, mark: number, more = '') =>
    `<</Type/StructElem/S/TD/P ${parent} 0 R/Pg 3 0 R/K ${order[mark]}${more}>>`;
  const parents = order.map((_, mark) => `${10 + order.indexOf(mark)} 0 R`).join(' ');
  return rawPdf([
    '<</Type/Catalog/Pages 2 0 R/MarkInfo<</Marked true>>/StructTreeRoot 5 0 R>>',
    '<</Type/Pages/Count 1/Kids[3 0 R]>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/StructParents 0/Resources<</Font<</F 15 0 R>>>>>>',
    { dict: '', stream },
    `<</Type/StructTreeRoot/K 6 0 R/ParentTree<</Nums[0[${parents}]]>>>>`,
    '<</Type/StructElem/S/Table/P 5 0 R/K[7 0 R 8 0 R 9 0 R]>>',
    '<</Type/StructElem/S/TR/P 6 0 R/K[10 0 R]>>',
    '<</Type/StructElem/S/TR/P 6 0 R/K[11 0 R 12 0 R]>>',
    '<</Type/StructElem/S/TR/P 6 0 R/K[13 0 R 14 0 R]>>',
    cell(7, 0, '/A<</O/Table/ColSpan 2>>'),
    cell(8, 1),
    cell(8, 2),
    cell(9, 3),
    cell(9, 4),
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
  ]);
}

async function read(bytes: Uint8Array): Promise<unknown> {
  const result = await tables({ file: sourceOf(bytes), format: 'json' }, context());
  return result.kind === 'record' ? result.record.tables : undefined;
}

it('a table that sound tags declare has their rows and spans', async () => {
  expect(await read(tagged([0, 1, 2, 3, 4]))).toMatchObject([
    {
      rows: 3,
      columns: 2,
      cells: [
        { text: 'Turnover', row: 1, column: 1, colspan: 2 },
        { text: 'North', row: 2, column: 1 },
        { text: '12', row: 2, column: 2 },
        { text: 'South', row: 3, column: 1 },
        { text: '15', row: 3, column: 2 },
      ],
    },
  ]);
});

it('tags that disagree with what stands on the page are left', async () => {
  // The figures are said to be names of the other row, so that rows run over each other and to the left.
  expect(await read(tagged([4, 2, 3, 1, 0]))).toEqual([]);
});
