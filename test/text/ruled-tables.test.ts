import { expect, it } from 'vitest';
import { markdown } from '../local.ts';
import { context, draw, type Pen, sourceOf } from './drawing.ts';
import { pageOf } from './raw-pdf.ts';

async function textIn(bytes: Uint8Array): Promise<string> {
  const input = { file: sourceOf(bytes), mode: 'rag', output_format: 'markdown', no_anchors: true } as const;
  const result = await markdown(input, context());
  if (result.kind !== 'bytes') throw new Error('expected bytes');
  const parts: Uint8Array[] = [];
  for await (const part of result.body.open(new AbortController().signal)) parts.push(part);
  return Buffer.concat(parts).toString('utf8');
}

const textOf = async (page: (pen: Pen) => void) => textIn(await draw(page));

const PROSE = 'A line of text that stands around the table and fills the page from one side to the other side.';

it('a rule may be interrupted between its columns', async () => {
  const text = await textOf((pen) => {
    for (const [part, top] of [100, 250].entries()) {
      pen.rule(72, top, 500, top);
      for (const [from, to] of [
        [72, 248],
        [252, 376],
        [380, 500],
      ] as const)
        for (const y of [top + 18, top + 100]) pen.rule(from, y, to, y);
      for (const [i, row] of [
        ['Choice', 'Mail', 'Total'],
        [`Robert Casey ${part}`, '9', '46'],
        ['Dave Sunday', '36', '398'],
        ['John Thomas', '3', '7'],
        ['Marty Selker', '4', '9'],
      ].entries())
        for (const [k, cell] of row.entries()) pen.text(cell, [76, 260, 400][k] ?? 0, top + 13 + (i && 4) + 17 * i);
      pen.text('Cast', 180, top + 116);
      pen.text('52', 260, top + 116);
      pen.text('472', 400, top + 116);
    }
  });
  expect(text.match(/<table>|^\| --- /gm)).toHaveLength(1);
  expect(text.match(/472/g)).toHaveLength(2);
});

it('a head above the first rule belongs to the table, as does the first row where rules are drawn below rows only', async () => {
  const text = await textOf((pen) => {
    pen.lines([PROSE, PROSE], 72, 60);
    pen.text('Parameter', 90, 128, { font: 'bold' });
    pen.text('Description', 260, 128, { font: 'bold' });
    for (const [i, [name, one, two]] of [
      ['Workbook', 'Name of the workbook that takes the', 'imported data, or none'],
      ['Delimiter', 'The value between two columns of the', 'file, most often a tab'],
      ['Separator', 'The sign of decimals of the source, a', 'point or a comma'],
    ].entries()) {
      pen.rule(72, 136 + 36 * i, 500, 136 + 36 * i);
      pen.text(name ?? '', 76, 150 + 36 * i);
      pen.text(one ?? '', 200, 150 + 36 * i);
      pen.text(two ?? '', 200, 162 + 36 * i);
    }
    pen.rule(72, 244, 500, 244);
  });
  expect(text).toContain('| Parameter | Description |\n| --- | --- |\n| Workbook |');

  const below = await textOf((pen) => {
    pen.lines([PROSE, PROSE], 72, 60);
    for (const [i, row] of [
      ['Generic', 'This one'],
      ['Scripted tree', 'A model with explicit knowledge of it'],
      ['No integration', 'Booking in first-class calendars'],
      ['English first', 'Languages switch within a conversation'],
      ['Closed pool', 'The data of a customer are isolated'],
    ].entries()) {
      for (const [k, cell] of row.entries()) pen.text(cell, 76 + 170 * k, 130 + 27 * i);
      if (i > 0) pen.rule(72, 140 + 27 * i, 500, 140 + 27 * i);
    }
  });
  expect(below).toContain('| Generic | This one |\n| --- | --- |\n| Scripted tree |');
});

it('the border of a page is no table around the one in it', async () => {
  const text = await textOf((pen) => {
    for (const x of [30, 565]) pen.rule(x, 30, x, 812);
    for (const y of [30, 812]) pen.rule(30, y, 565, y);
    pen.text('Results of the precincts', 72, 80, { size: 16 });
    for (let i = 0; i < 9; i += 2) pen.shade(72, 120 + 20 * i, 523, 140 + 20 * i);
    for (let i = 0; i < 10; i++) pen.rule(72, 120 + 20 * i, 523, 120 + 20 * i);
    for (const x of [72, 200, 400, 523]) pen.rule(x, 120, x, 300);
    for (let i = 0; i < 9; i++) {
      pen.text(`Code ${i}`, 410, 134 + 20 * i);
      pen.text(`${i + 1}`, 80, 134 + 20 * i);
      pen.text(`Name of the field ${'abcdefghi'[i]}`, 210, 134 + 20 * i);
    }
    pen.lines([PROSE.slice(0, 60), PROSE.slice(0, 60)], 72, 340);
  });
  expect(text).toMatch(/^#* ?Results of the precincts$/m);
  expect(text).toContain('| 9 | Name of the field i | Code 8 |\n\nA line of text');
});

it('a column of numbers without lines has a cell for each', async () => {
  const text = await textOf((pen) => {
    for (const x of [72, 250, 400, 460]) pen.rule(x, 100, x, 240);
    for (let i = 0; i < 8; i++) pen.rule(72, 100 + 20 * i, i === 0 || i === 1 || i === 7 ? 460 : 400, 100 + 20 * i);
    for (const [i, row] of [
      ['Office', 'Name', 'Votes'],
      ['Mayor', 'Kevin Murphy', '36'],
      ['Mayor', 'Jim Kunzler', '27'],
      ['Mayor', 'Tammy Bohn', '1'],
      ['Council', 'Evan Winder', '13'],
      ['Council', 'Don Compton', '4'],
    ].entries())
      for (const [k, cell] of row.entries()) pen.text(cell, [80, 260, 420][k] ?? 0, 114 + 20 * i);
  });
  expect(text).toContain('| Mayor | Jim Kunzler | 27 |');
  expect(text).toContain('| Council | Don Compton | 4 |');
});

it('programs with numbered lines are no tables, with comments beside them or in a frame', async () => {
  const lines = [
    'e = search(S, x)',
    'f = node(x, e, next)',
    'e.prev = f',
    'r = flip()',
    'while r do',
    'e = up(e)',
    'end while',
  ];
  const program = await textOf((pen) => {
    pen.rule(72, 90, 500, 90);
    for (const [i, line] of lines.entries()) {
      pen.text(`${i + 1}:`, 76, 106 + 14 * i);
      pen.text(line, 96, 106 + 14 * i);
      if (i === 0) pen.text('the same as above', 300, 106);
    }
    pen.rule(72, 196, 500, 196);
  });
  expect(program).not.toContain('|');

  const framed = await textOf((pen) => {
    for (const y of [90, 196]) pen.rule(72, y, 500, y);
    for (const x of [72, 500]) pen.rule(x, 90, x, 196);
    for (const [i, line] of lines.entries()) {
      pen.shade(72, 94 + 14 * i, 500, 101 + 14 * i);
      pen.text(`${i + 1}`, 76, 106 + 14 * i, { size: 8 });
      pen.text(line, 84, 106 + 14 * i, { font: 'mono' });
    }
  });
  expect(framed).not.toContain('|');
});

it('sentences are no rows where formulas in them are drawn, nor are equations with their numbers', async () => {
  const sentences = await textOf((pen) => {
    for (const [i, [a, b, c]] of [
      ['3. Clauses with both', 'and', ', since all of them are'],
      ['4. Literals of one kind', 'but', ', which nothing says'],
      ['5. Clauses of two', 'and', ', or of three kinds'],
      ['6. Others are left', 'so', ', as is said above'],
    ].entries()) {
      pen.text(a ?? '', 72, 100 + 14 * i);
      pen.text(b ?? '', 200, 100 + 14 * i);
      pen.text(c ?? '', 250, 100 + 14 * i);
    }
  });
  expect(sentences).not.toContain('|');

  const equations = await textOf((pen) => {
    for (const [i, line] of [
      'f(a, 2k) = sin(a)',
      'f(a, 2k+1) = cos(a)',
      'g(a, 3k+1) = tan(a)',
      'g(a, 4k+1) = cot(a)',
    ].entries()) {
      pen.text(line, 200, 100 + 16 * i);
      pen.text(`(${i + 2})`, 400, 100 + 16 * i);
    }
  });
  expect(equations).not.toContain('|');
});

it('a matrix between large brackets is no table', async () => {
  const row = (y: number, bracket: string, cells: string) =>
    `/S 10 Tf 1 0 0 1 192 ${y} Tm <${bracket}> Tj /F 10 Tf ${[...cells].map((cell, i) => `1 0 0 1 ${205 + 30 * i} ${y} Tm (${cell}) Tj`).join(' ')}`;
  const text = `BT ${row(700, 'E9', '1000')} ${row(686, 'EA', '0100')} ${row(672, 'EA', '0010')} ${row(658, 'EB', '0001')} ET`;
  const bytes = pageOf(text, {
    resources: '',
    more: ['<</Type/Font/Subtype/Type1/BaseFont/Symbol>>'],
  });
  const named = Buffer.from(
    Buffer.from(bytes).toString('latin1').replace('/F 5 0 R>>', '/F 5 0 R/S 6 0 R>>'),
    'latin1',
  );
  expect(await textIn(named)).not.toContain('|');
});

it('the title of a section is no row of the table below it', async () => {
  const text = await textOf((pen) => {
    pen.text('4.2', 72, 100, { size: 12, font: 'bold' });
    pen.text('Requirements', 130, 100, { size: 12, font: 'bold' });
    for (const [i, row] of [
      ['Name', 'Count'],
      ['Events', '6'],
      ['Prizes', '8'],
      ['Servers', '15'],
    ].entries())
      for (const [k, cell] of row.entries()) pen.text(cell, 72 + 60 * k, 122 + 16 * i);
  });
  expect(text).toMatch(/^#+ 4\.2 Requirements$/m);
  expect(text).toContain('| Name | Count |');
});

it('columns of a newspaper are no table, with a rule above and below them', async () => {
  const columns = [
    [
      'A group of people was',
      'found today to have had',
      'a part in the plot that',
      'was made in the town by',
      'those who had come there',
      'in the morning and left',
      'on the day after that',
    ],
    [
      'believed to have been in',
      'the gang that fired the',
      'shots of which one was',
      'heard in the city hall',
      'where the duke had been',
      'welcomed by the mayor of',
      'the town an hour before',
    ],
    [
      'Nobody has told so far',
      'what will be done with',
      'the men who were taken',
      'into custody on Sunday',
      'and who are held in the',
      'barracks at the edge of',
      'the town until the trial',
    ],
  ];
  const text = await textOf((pen) => {
    for (const y of [100, 200]) pen.rule(72, y, 500, y);
    for (const [k, lines] of columns.entries()) pen.lines(lines, 76 + 142 * k, 114);
  });
  expect(text).not.toContain('|');
});

it('authors beside each other, with their addresses below, are no table', async () => {
  const text = await textOf((pen) => {
    pen.text('Shares without Limits', 200, 80, { size: 16 });
    for (const [i, row] of [
      ['Anatoly Smith', 'Simon Baker'],
      ['BlockWorks', 'BlockWorks'],
      ['a@blockworks.com', 's@blockworks.com'],
    ].entries())
      for (const [k, cell] of row.entries()) pen.text(cell, 150 + 150 * k, 110 + 13 * i);
    pen.lines([PROSE, PROSE], 72, 180);
  });
  expect(text).not.toContain('|');
});

it('no part of a head of several lines is taken above the first rule', async () => {
  const text = await textOf((pen) => {
    pen.text('Current period in all', 200, 108);
    pen.text('Last period in all', 360, 108);
    for (const [k, year] of ['Unit', '2018', '2017', '2016', '2015'].entries()) pen.text(year, 80 + 80 * k, 122);
    for (const [i, row] of [
      ['Cash', '3,907', '17,822', '1,487', '6,782'],
      ['Stocks', '1,514', '6,907', '4,812', '2,114'],
      ['Taxes', '2,052', '9,361', '6,727', '3,067'],
    ].entries()) {
      pen.rule(72, 128 + 18 * i, 480, 128 + 18 * i);
      for (const [k, cell] of row.entries()) pen.text(cell, 80 + 80 * k, 140 + 18 * i);
    }
    pen.rule(72, 182, 480, 182);
  });
  expect(text).not.toMatch(/\n\| Unit \|/);
  expect(text.indexOf('Current period')).toBeLessThan(text.indexOf('2018'));
});

it('rules below columns of numbers make no frame that leaves the names out', async () => {
  const text = await textOf((pen) => {
    for (const [i, row] of [
      ['Assets', '2018', '2017'],
      ['Cash', '3,907', '17,822'],
      ['Stocks', '1,487', '6,782'],
      ['Current', '5,394', '24,604'],
      ['Plant', '799', '3,644'],
      ['Goodwill', '20', '92'],
      ['Total', '6,213', '28,340'],
    ].entries())
      for (const [k, cell] of row.entries()) pen.text(cell, [76, 310, 395][k] ?? 0, 100 + 20 * i);
    for (const y of [106, 146, 166, 206, 226]) for (const x of [290, 375]) pen.rule(x, y, x + 80, y);
  });
  expect(text).toContain('| Cash | 3,907 | 17,822 |');
});
