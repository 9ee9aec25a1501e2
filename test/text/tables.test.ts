import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { extractText, markdown } from '../local.ts';
import { context, draw, type Pen, sourceOf } from './drawing.ts';
import { pageOf } from './raw-pdf.ts';

async function textOf(...pages: ((pen: Pen) => void)[]): Promise<string> {
  return textIn(await draw(...pages));
}

/** Of a document in the fixtures. */
async function documentText(name: string): Promise<string> {
  return textIn(await readFile(new URL(`../fixtures/documents/${name}.pdf`, import.meta.url)));
}

async function textIn(bytes: Uint8Array): Promise<string> {
  const input = {
    file: sourceOf(bytes),
    mode: 'rag',
    output_format: 'markdown',
    no_anchors: true,
  } as const;
  const result = await markdown(input, context());
  if (result.kind !== 'bytes') throw new Error('expected bytes');
  const parts: Uint8Array[] = [];
  for await (const part of result.body.open(new AbortController().signal)) parts.push(part);
  return Buffer.concat(parts).toString('utf8');
}

function cells(pen: Pen, rows: readonly (readonly string[])[], xs: readonly number[], y: number, pitch: number): void {
  for (const [r, row] of rows.entries())
    for (const [c, cell] of row.entries()) if (cell !== '') pen.text(cell, xs[c]!, y + pitch * r);
}

const PROSE = 'A line of text that stands around the table and fills the page from one side to the other side.';
const PLACES = [
  ['Place', 'Founded', 'Area', 'Visited'],
  ['Upper Harbour', 'KX-823', '58.5 km', '16 Feb 2028'],
  ['Silver Forest', 'KX-906', '30.4 km', '11 May 1999'],
  ['Winter Garden', 'A-626', '91.3 km', '1 May 2013'],
  ['Marble Bridge', 'KX-240', '70.2 km', '28 Mar 2016'],
];

describe('tables', () => {
  it('are no lists of contents, whose titles lead to their pages', async () => {
    const text = await textOf((pen) => {
      pen.lines([PROSE, PROSE], 72, 80);
      for (const [i, title] of ['Compilation', 'Distribution', 'Integration', 'Directives'].entries()) {
        pen.text(`${i + 1}`, 72, 130 + 28 * i);
        pen.text(title, 90, 130 + 28 * i);
        pen.text(`${3 + i}`, 500, 130 + 28 * i);
        pen.text(`1.${i} ${title}${' .'.repeat(60)}`, 90, 144 + 28 * i);
        pen.text(`${3 + i}`, 500, 144 + 28 * i);
      }
    });
    expect(text).not.toContain('|');
    expect(text).toContain('1.2 Integration … 5');
  });

  it('hold large words that are written across the lines of the paper once', async () => {
    const rules = [700, 666, 632, 598, 564].map((y) => `60 ${y} m 550 ${y} l S`).join(' ');
    const row = (y: number, words: string[]) =>
      words.map((word, i) => `1 0 0 1 ${80 + 160 * i} ${y} Tm (${word}) Tj`).join(' ');
    const text = `BT /F 30 Tf ${row(661, ['Flour', 'Sugar', 'Eggs'])} ${row(627, ['Milk', 'Salt', 'Rice'])} ${row(593, ['Oil', 'Corn', 'Peas'])} ET`;
    const { record } = await extractText({ file: sourceOf(pageOf(`${rules} ${text}`)) }, context());
    expect(String(record.text).split(/\s+/).filter(Boolean).sort()).toEqual([
      'Corn',
      'Eggs',
      'Flour',
      'Milk',
      'Oil',
      'Peas',
      'Rice',
      'Salt',
      'Sugar',
    ]);
  });

  it('have no lines that are white on white', async () => {
    const frame =
      '72 700 m 300 700 l S 72 600 m 300 600 l S 72 500 m 300 500 l S 72 500 m 72 700 l S 180 500 m 180 700 l S';
    const cell = (x: number, y: number) => `1 0 0 1 ${x} ${y} Tm (Cell of words) Tj`;
    const text = `BT /F 10 Tf ${cell(80, 680)} ${cell(190, 620)} ${cell(80, 580)} ${cell(190, 520)} ET`;
    const tableIn = async (content: string) => {
      const input = { file: sourceOf(pageOf(content)), output_format: 'json', mode: 'rag' } as const;
      const result = await markdown(input, context());
      return result.kind === 'record' && String(result.record.markdown).includes('|');
    };
    expect(await tableIn(`${frame} ${text}`)).toBe(true);
    expect(await tableIn(`1 1 1 RG ${frame} ${text}`)).toBe(false);
    expect(await tableIn(`0.8 g 70 490 240 220 re f 1 1 1 RG ${frame} 0 g ${text}`)).toBe(true);
  });

  it('that stand alone below a title are the text that it is larger than', async () => {
    const slide = (title: string) => (pen: Pen) => {
      pen.text(title, 72, 80, { size: 24 });
      cells(pen, PLACES, [72, 160, 300, 400], 120, 14);
    };
    const text = await textOf(slide('Places of the North'), slide('Places of the South'));
    expect(text.match(/^#+ .*/gm)).toEqual(['# Places of the North', '# Places of the South']);
  });

  it('are not read as columns of text, since no line of prose is so short', async () => {
    const text = await textOf((pen) => {
      pen.text(PROSE, 72, 80);
      cells(pen, PLACES, [72, 160, 300, 400], 120, 14);
    });
    expect(text).toContain('| Upper Harbour | KX-823 | 58.5 km | 16 Feb 2028 |');
  });

  it('have rows of several lines where lines of a cell are closer together than rows', async () => {
    const rows = [
      ['Apple', '4', 'One line here'],
      ['Pear', '7', 'A cell that goes on'],
      ['Plum', '9', 'Another that goes on'],
      ['Fig', '2', 'The last of these cells'],
    ];
    const text = await textOf((pen) => {
      cells(pen, [['Name', 'Count', 'Remark']], [72, 160, 220], 100, 0);
      cells(pen, rows, [72, 160, 220], 124, 30);
      for (let i = 1; i < 4; i++) pen.text('in a second line', 220, 124 + 30 * i + 12);
    });
    expect(text).toContain('| Pear | 7 | A cell that goes on in a second line |\n| Plum | 9 |');
  });

  it('keep close rows apart that are whole', async () => {
    const rows = PLACES.slice(1);
    const text = await textOf((pen) => {
      cells(pen, rows.slice(0, 2), [72, 160, 300, 400], 100, 13);
      cells(pen, rows.slice(2), [72, 160, 300, 400], 136, 13);
    });
    expect(text).toContain('| Upper Harbour | KX-823 | 58.5 km | 16 Feb 2028 |');
    expect(text).toContain('| Marble Bridge | KX-240 | 70.2 km | 28 Mar 2016 |');
  });

  it('have columns where upright rules part words that stand close', async () => {
    const rows = [
      ['Sugar', 'Sweet', '12'],
      ['Lemon', 'Sours', '17'],
      ['Chili', 'Sharp', '23'],
      ['Anise', 'Spice', '31'],
    ];
    const text = await textOf((pen) => {
      cells(pen, rows, [72, 106, 140], 100, 16);
      for (const x of [103, 137]) pen.rule(x, 88, x, 154);
    });
    expect(text).toContain('| Lemon | Sours | 17 |');
  });

  it('have a row for each number between the rules of a group', async () => {
    const groups = [
      ['Wheat', 'Barley', 'Oats'],
      ['Sugar', 'Salt'],
      ['Copper', 'Zinc', 'Iron'],
      ['Wool', 'Silk'],
    ];
    const text = await textOf((pen) => {
      let y = 100;
      for (const [g, names] of groups.entries()) {
        pen.rule(72, y, 400, y);
        const rows = names.map((name, i) => [name, `${g}${i}.4`, `${g + 3}${i}.1`]);
        cells(pen, rows, [80, 220, 320], y + 11, 12);
        y += 12 * names.length + 4;
      }
      pen.rule(72, y, 400, y);
      for (const x of [72, 210, 310, 400]) pen.rule(x, 100, x, y);
    });
    expect(text).toContain('| Barley | 01.4 | 31.1 |\n| Oats | 02.4 | 32.1 |\n| Sugar | 10.4 | 40.1 |');
  });

  it('have two columns below a head that spans them', async () => {
    const rows = Array.from({ length: 9 }, (_, i) => [`Item ${i}`, `${i}.50`, `${i + 2}0 %`]);
    const text = await textOf((pen) => {
      pen.text('Name', 72, 86);
      pen.text('Price without Discount', 200, 86);
      cells(pen, rows, [72, 200, 270], 100, 14);
    });
    expect(text).toContain('<td>Item 4</td><td>4.50</td><td>60 %</td>');
  });

  it('have heads as wide as their columns apart, where numbers below are narrower', async () => {
    const rows = ['Arson', 'Fraud', 'Theft', 'Traffic'].map((name, i) => [name, `${i}.5`, `${i + 1}.5`, `${i + 2}.5`]);
    const text = await textOf((pen) => {
      cells(pen, [['Offence', 'All ages', 'Under 18', 'Over 18']], [76, 155, 198, 245], 100, 14);
      cells(pen, rows, [76, 178, 222, 262], 118, 14);
      for (const y of [88, 105, 170]) pen.rule(72, y, 290, y);
      for (const x of [72, 150, 290]) pen.rule(x, 88, x, 170);
    });
    expect(text).toContain('| Offence | All ages | Under 18 | Over 18 |');
    expect(text).toContain('| Fraud | 1.5 | 2.5 | 3.5 |');
  });

  it('keep the dots that lead to a value with its name', async () => {
    const text = await textOf((pen) => {
      for (const [i, name] of ['Tentative tax', 'Total payments', 'Balance due'].entries()) {
        const y = 100 + 20 * i;
        pen.text(name, 80, y);
        for (let x = 160; x < 400; x += 12) pen.text('.', x, y);
        pen.text(`${i}12.50`, 420, y);
        pen.rule(72, y - 14, 480, y - 14);
      }
      pen.rule(72, 146, 480, 146);
      for (const x of [72, 410, 480]) pen.rule(x, 86, x, 146);
    });
    expect(text).toMatch(/^\| Total payments[ .…]+\| 112\.50 \|$/m);
  });

  it('are read line by line where their rows are far apart, however long the cells', async () => {
    const text = await textOf((pen) => {
      for (let r = 0; r < 6; r++)
        for (let c = 0; c < 3; c++) pen.text(`A, B, C = 0.${r}0, 0.${c}0, 0.00`, 60 + 160 * c, 100 + 50 * r);
    });
    expect(text.indexOf('C = 0.00, 0.20')).toBeLessThan(text.indexOf('C = 0.10'));
  });

  it('of others keep the titles between their rows, and rows between their rules', async () => {
    const [missing, health] = await Promise.all([
      documentText('camelot--missing_values'),
      documentText('camelot--district_health'),
    ]);
    expect(missing.match(/<table>/g)).toHaveLength(1);
    expect(missing).toContain('<td>Reported Prevalence of Morbidity</td>');
    expect(health).toMatch(/<tr><td>Children age 6-9 months[^<]+<\/td><td>78.6<\/td><td>75.0<\/td><td>85.9<\/td>/);
  });

  it('have the rows of their text inside a box that has no rules between them', async () => {
    const text = await textOf((pen) => {
      cells(pen, PLACES, [80, 180, 280, 380], 114, 16);
      for (const y of [100, 118, 186]) pen.rule(72, y, 480, y);
      for (const x of [72, 172, 272, 372, 480]) pen.rule(x, 100, x, 186);
    });
    expect(text).toContain('| Silver Forest | KX-906 | 30.4 km | 11 May 1999 |\n| Winter Garden |');
  });

  it('have heads whose upper lines stand above their columns alone', async () => {
    const text = await textOf((pen) => {
      pen.text('Estimated', 300, 96);
      cells(
        pen,
        [['Name', 'Count', 'value'], ...PLACES.slice(1).map((row, i) => [row[0]!, `${i + 3}`, `${i}.25`])],
        [72, 200, 300],
        108,
        15,
      );
    });
    expect(text).toContain('| Name | Count | Estimated value |');
  });

  it('go on below two rules that hold their head', async () => {
    const rows = ['Training', 'Family', 'Both'].flatMap((name, i) => [
      [name, `${i + 6}.988`, `${i + 3}.112`],
      ['', `df = ${i}`, `df = ${i}`],
    ]);
    const text = await textOf((pen) => {
      cells(
        pen,
        [
          ['', 'Multivariate', 'Univariate'],
          ['Effects', '(n = 432)', '(n = 432)'],
        ],
        [80, 250, 380],
        100,
        11,
      );
      for (const y of [88, 116]) pen.rule(80, y, 450, y);
      cells(pen, rows, [80, 250, 380], 130, 11);
      pen.rule(40, 200, 450, 200);
    });
    expect(text).toContain('| Effects | (n = 432) | (n = 432) |\n| Training | 6.988 | 3.112 |');
    expect(text).toContain('|  | df = 0 | df = 0 |\n| Family | 7.988 | 4.112 |');
  });

  it('may be two columns of names', async () => {
    const rows = [
      ['Country', 'Capital'],
      ['Norway', 'Oslo'],
      ['Peru', 'Lima'],
      ['Kenya', 'Nairobi'],
    ];
    const text = await textOf((pen) => {
      pen.text(PROSE, 72, 80);
      cells(pen, rows, [72, 200], 120, 15);
      pen.text(PROSE, 72, 200);
    });
    expect(text).toContain('| Peru | Lima |');
  });

  describe('of invoices', () => {
    const ITEMS = [
      [['1'], ['TB100A4', '4012345001235', '(GTIN)'], ['Dividers'], ['9.90'], ['20'], ['198.00']],
      [['2'], ['AR-7', '4000050986428', '(GTIN)'], ['Yoghurt'], ['5.50'], ['50'], ['275.00']],
    ];
    const HEAD = ['Pos', 'Article', 'Description', 'Price', 'Count', 'Total'];
    const XS = [72, 110, 220, 340, 400, 460];

    it('have rows far apart, and totals centred beside cells of several lines', async () => {
      const text = await textOf((pen) => {
        cells(pen, [HEAD], XS, 100, 12);
        for (const [r, item] of ITEMS.entries())
          for (const [c, lines] of item.entries())
            for (const [i, line] of lines.entries())
              pen.text(line, XS[c]!, 125 + 60 * r + 10 * i + (c === 5 ? 9 : 0), { size: 9 });
      });
      for (const item of ITEMS) expect(text).toContain(`| ${item.map((lines) => lines.join(' ')).join(' | ')} |`);
    });

    it('are not cut into columns of text where names have more lines than their prices', async () => {
      const names = [
        ['Rent for two', 'days, with a', 'guarantee'],
        ['Kilometres', 'of two days'],
        ['Insurance', 'of people'],
      ];
      const text = await textOf((pen) => {
        cells(pen, [HEAD], XS, 100, 12);
        for (const [r, name] of names.entries()) {
          pen.lines(name, XS[2]!, 120 + 60 * r);
          pen.lines([`P-${r}`, 'by the day'], XS[1]!, 120 + 60 * r);
          cells(pen, [[`${r + 1}`, '', '', `86.5${r}`, '2', `173.${r}0`]], XS, 120 + 60 * r, 12);
        }
      });
      for (const [r, name] of names.entries())
        expect(text).toContain(`| ${r + 1} | P-${r} by the day | ${name.join(' ')} | 86.5${r} | 2 | 173.${r}0 |`);
    });
  });

  it('have more than one column, unless each row of one says something of its own', async () => {
    const box = (rows: readonly string[]) => (pen: Pen) => {
      for (const [i, row] of rows.entries()) pen.text(row, 80, 112 + 18 * i);
      for (let i = 0; i <= rows.length; i++) pen.rule(72, 98 + 18 * i, 400, 98 + 18 * i);
      for (const x of [72, 400]) pen.rule(x, 98, x, 98 + 18 * rows.length);
    };
    const entries = ['Areas of competence', 'Sustainable values', 'Social work', 'Green activities', 'Supply'];
    const prose = [
      'The note in this box',
      'goes on from one line',
      'to the next, as notes',
      'do, until it has',
      'ended.',
    ];
    expect(await textOf(box(entries))).toContain('| Social work |\n');
    expect(await textOf(box(prose))).not.toContain('|');
    expect(await textOf(box(['276', '278', '280', '282', '285']))).not.toContain('|');
  });

  it('do not begin with their caption', async () => {
    const text = await textOf((pen) => {
      pen.text('Table 1.4.', 72, 84);
      pen.text('Places and when they were seen', 180, 84);
      cells(pen, PLACES, [72, 180, 280, 380], 100, 15);
    });
    expect(text).toContain('| Place | Founded | Area | Visited |\n| --- |');
    expect(text).not.toContain('| Table 1.4.');
  });

  it('are lists where their first column is one sign, whatever it looks like', async () => {
    const text = await textOf((pen) => {
      for (const [i, row] of PLACES.entries()) {
        pen.text('¦', 72, 100 + 15 * i);
        pen.text(row[0]!, 95, 100 + 15 * i);
        pen.text(row[3]!, 300, 100 + 15 * i);
      }
    });
    expect(text).not.toContain('| --- |');
  });

  describe('of cells with several lines', () => {
    const LINES = [
      [
        ['Nobody who had seen the harbour', 'in those years would have known', 'it again without its ships.'],
        ['A short remark about it.'],
      ],
      [['The forest was sold.'], ['Some say that it was taken, and', 'others that nobody wanted it.']],
      [
        [
          'Two bridges were built in one',
          'winter, and neither of them stood',
          'longer than the winter after it,',
          'as is told.',
        ],
        ['Stones of both are there.'],
      ],
      [['A garden.'], ['It has been closed to people from', 'outside since the great frost.']],
    ] as const;
    const texts = LINES.map((row) => row.map((lines) => lines.join(' ')));

    /** Rows with 10 points of room between them, their cells at one height or at each other's middle; returns the rows' edges. */
    function rowsOfLines(pen: Pen, place: 'top' | 'middle'): number[] {
      const edges = [100];
      for (const row of LINES) {
        const most = Math.max(...row.map((lines) => lines.length));
        const top = edges.at(-1)! + 13;
        for (const [i, lines] of row.entries()) {
          pen.lines(lines, [80, 290][i]!, top + (place === 'middle' ? ((most - lines.length) * 13) / 2 : 0));
        }
        edges.push(edges.at(-1)! + 13 * most + 10);
      }
      return edges;
    }
    const expected = texts
      .slice(1)
      .map((row) => `| ${row.join(' | ')} |`)
      .join('\n');

    it.each(['top', 'middle'] as const)(
      'is not read as columns of text, whose paragraphs part anywhere: %s',
      async (place) => {
        const text = await textOf((pen) => {
          pen.text(PROSE, 72, 70);
          rowsOfLines(pen, place);
        });
        expect(text).toContain(expected);
      },
    );

    it('has a row between two rules, whatever lines they share', async () => {
      const text = await textOf((pen) => {
        for (const y of rowsOfLines(pen, 'middle')) pen.rule(72, y - 2, 480, y - 2);
      });
      expect(text).toContain(expected);
    });

    it('is none where paragraphs of two columns begin at heights of their own', async () => {
      const text = await textOf((pen) => {
        let [left, right] = [100, 100];
        for (const [one, other] of LINES) {
          left = pen.lines(one, 80, left) + 10;
          right = pen.lines([...other, ...one, ...other], 290, right) + 10;
        }
      });
      expect(text).not.toContain('|');
      expect(text.indexOf('as is told.')).toBeLessThan(text.indexOf('A short remark'));
    });
  });

  it('go on across pages, without the head that is there again', async () => {
    const page = (rows: readonly (readonly string[])[], y: number) => (pen: Pen) => {
      const bottom = y + 16 * (rows.length + 1) - 12;
      cells(pen, [PLACES[0]!, ...rows], [80, 180, 280, 380], y, 16);
      for (let line = y - 12; line <= bottom; line += 16) pen.rule(72, line, 480, line);
      for (const x of [72, 172, 272, 372, 480]) pen.rule(x, y - 12, x, bottom);
    };
    const text = await textOf(page(PLACES.slice(1, 3), 740), page(PLACES.slice(3), 72));
    expect(text.match(/\| Place \|/g)).toHaveLength(1);
    expect(text).toContain('| Silver Forest | KX-906 | 30.4 km | 11 May 1999 |\n| Winter Garden |');
  });

  it('keep names of columns that stand upright in their cells', async () => {
    const names = ['Office', 'Total) Tj 0 -11 Td (votes', 'Upper', 'Lower'];
    const show = (text: string, x: number, y: number, turn = '1 0 0 1') =>
      `BT /F 10 Tf ${turn} ${x} ${y} Tm (${text}) Tj ET`;
    const xs = [50, 150, 190, 230, 270];
    const rows = [
      ['Mayor', '321', '200', '121'],
      ['Clerk', '300', '190', '110'],
    ];
    const cells = [
      ...names.map((name, i) => (i === 0 ? show(name, 55, 650) : show(name, (xs[i] ?? 0) + 15, 602, '0 1 -1 0'))),
      ...rows.flatMap((row, i) => row.map((cell, k) => show(cell, (xs[k] ?? 0) + 5, 586 - 20 * i))),
    ];
    const rules = [
      ...xs.map((x) => `${x} 560 m ${x} 700 l`),
      ...[700, 600, 580, 560].map((y) => `50 ${y} m 270 ${y} l`),
    ];
    expect(await textIn(pageOf(`${rules.join(' ')} S ${cells.join(' ')}`))).toBe(
      '| Office | Total votes | Upper | Lower |\n| --- | --- | --- | --- |\n' +
        '| Mayor | 321 | 200 | 121 |\n| Clerk | 300 | 190 | 110 |\n',
    );
  });

  it('are parted by lines that are wider than long', async () => {
    const rows = [
      'Kind,Code,Sum,New',
      'Retail trade,44-45,81,8',
      'Florists,4531,25,7',
      'Bookshops,4532,31,5',
      'Dairies,4451,19,2',
    ];
    const shown = rows.flatMap((row, i) =>
      row.split(',').map((cell, k) => {
        const x = [131 - 6 * cell.length, 135, 180, 230][k];
        return `BT /F 10 Tf ${x} ${722 - 14 * i} Td (${cell}) Tj ET`;
      }),
    );
    const flat = '50 735 m 250 735 l 50 718 m 250 718 l 50 660 m 250 660 l S';
    const upright = '75 w 133 697.5 m 133.3 697.5 l 175 697.5 m 175.3 697.5 l 220 697.5 m 220.3 697.5 l S';
    const font = '<</Type/Font/Subtype/Type1/BaseFont/Courier>>';
    expect(await textIn(pageOf(`${flat} ${upright} ${shown.join(' ')}`, { font }))).toContain(
      '| Florists | 4531 | 25 | 7 |',
    );
  });

  describe('with a head', () => {
    it('keep it across a double rule', async () => {
      const text = await textOf((pen) => {
        for (const y of [88, 104, 107.4, 172]) pen.rule(72, y, 480, y);
        cells(pen, [PLACES[0]!], [80, 180, 280, 380], 100, 16);
        cells(pen, PLACES.slice(1), [80, 180, 280, 380], 119, 16);
      });
      expect(text).toContain('| Place | Founded | Area | Visited |\n| --- |');
      expect(text).toContain('| Marble Bridge | KX-240 |');
    });

    it('read its shaded cells as they are drawn, with the columns and rows they span', async () => {
      const text = await textOf((pen) => {
        for (const [x0, x1, y1] of [
          [72, 170, 96],
          [170, 370, 78],
          [370, 470, 96],
        ] as const)
          pen.shade(x0, 60, x1, y1);
        for (const x of [170, 270]) pen.shade(x, 78, x + 100, 96);
        pen.text('Country', 100, 82);
        pen.text('Average growth', 230, 73);
        // Two names are less than a wide gap apart.
        pen.text('from 2000 to 2004', 178, 91);
        pen.text('from 2004 to 2009', 270, 91);
        pen.text('In 2020', 400, 82);
        for (const [i, name] of ['Cambodia', 'Indonesia', 'Malaysia', 'Thailand'].entries())
          cells(pen, [[name, `${i}.5%`, `${i + 20}.7%`, `${i},272`]], [80, 210, 305, 405], 112 + 17 * i, 17);
      });
      expect(text).toContain(
        '<th rowspan="2">Country</th><th colspan="2">Average growth</th><th rowspan="2">In 2020</th>',
      );
      expect(text).toContain('<td>from 2000 to 2004</td><td>from 2004 to 2009</td>');
    });

    it('part it where only the rows below have upright lines', async () => {
      const text = await textOf((pen) => {
        cells(pen, PLACES, [80, 180, 280, 380], 100, 16);
        for (const y of [88, 104, 120, 136, 152, 168]) pen.rule(72, y, 480, y);
        for (const x of [72, 480]) pen.rule(x, 88, x, 168);
        for (const x of [172, 272, 372]) pen.rule(x, 104, x, 168);
      });
      expect(text).toContain('| Place | Founded | Area | Visited |');
    });

    it('give a name above a rule the columns it joins, and one beside it both lines', async () => {
      const text = await textOf((pen) => {
        for (const y of [88, 124, 192]) pen.rule(72, y, 520, y);
        pen.text('Approach', 80, 100);
        pen.text('In 2019', 240, 100);
        pen.text('In 2020', 420, 100);
        for (const x of [170, 350]) pen.rule(x, 103, x + 160, 103);
        cells(pen, [['Rank', 'Gain', 'Rank', 'Gain']], [180, 280, 360, 460], 119, 16);
        for (let i = 1; i <= 4; i++)
          cells(
            pen,
            [[`Method ${i}`, `${i}0`, `0.${i}5`, `${i}1`, `0.${i}7`]],
            [80, 180, 280, 360, 460],
            122 + 16 * i,
            16,
          );
      });
      expect(text).toContain('<th rowspan="2">Approach</th><th colspan="2">In 2019</th><th colspan="2">In 2020</th>');
      expect(text).toContain('<tr><td>Rank</td><td>Gain</td><td>Rank</td><td>Gain</td></tr>');
    });

    it('may have nothing below it but names: a form to be filled in', async () => {
      const names = ['Potassium', 'Sodium', 'Calcium'];
      const text = await textOf((pen) => {
        for (const y of [88, 160]) pen.rule(72, y, 300, y);
        pen.text('Added cation', 80, 102);
        pen.text('Settling rate of the flakes', 148, 102);
        for (const [i, name] of names.entries()) pen.text(name, 80, 119 + 17 * i);
      });
      expect(text).toContain('| Added cation | Settling rate of the flakes |');
      for (const name of names) expect(text).toContain(`| ${name} |  |`);
    });

    it('may have ruled cells to be filled in', async () => {
      const head = ['Day', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven'];
      const text = await textOf((pen) => {
        for (let i = 0; i <= 11; i++) pen.rule(72, 88 + 16 * i, 472, 88 + 16 * i);
        for (let i = 0; i <= 8; i++) pen.rule(72 + 50 * i, 88, 72 + 50 * i, 264);
        for (const [i, name] of head.entries()) pen.text(name, 76 + 50 * i, 100);
        for (let i = 1; i <= 10; i++) pen.text(`May ${i}`, 76, 100 + 16 * i);
      });
      expect(text).toContain(`| ${head.join(' | ')} |`);
      expect(text).toContain(`| May 7 |${'  |'.repeat(7)}`);
    });
  });

  describe('are not', () => {
    it('charts, whose bars are boxes with a number in each', async () => {
      const heights = [90, 40, 120, 60, 100, 75];
      const text = await textOf((pen) => {
        pen.text(PROSE, 72, 80);
        pen.rule(100, 260, 375, 260);
        for (const [i, height] of heights.entries()) {
          const [x, y] = [100 + 50 * i, 260 - height];
          pen.rule(x, y, x + 25, y);
          for (const side of [x, x + 25]) pen.rule(side, y, side, 260);
          pen.text(`${height / 2}`, x + 5, y + 12);
          pen.text(`${2014 + i}`, x, 275);
        }
        pen.text(PROSE, 72, 300);
      });
      expect(text).not.toMatch(/<table|\|/);
      for (const height of heights) expect(text).toMatch(new RegExp(`\\b${height / 2}\\b`));
      expect(text).toContain('2014 2015 2016 2017 2018 2019');
    });

    it('diagrams, whose boxes lines connect', async () => {
      const boxes = [
        ['Low pressure', 200, 90],
        ['Measure the acid', 120, 150],
        ['Measure the salt', 290, 170],
        ['Wait for an hour', 120, 230],
        ['Ask a colleague', 330, 250],
      ] as const;
      const text = await textOf((pen) => {
        pen.text(PROSE, 72, 70);
        for (const [name, x, y] of boxes) {
          for (const level of [y, y + 24]) pen.rule(x, level, x + 90, level);
          for (const side of [x, x + 90]) pen.rule(side, y, side, y + 24);
          pen.text(name, x + 5, y + 15);
        }
        pen.rule(205, 114, 205, 150);
        pen.rule(289, 114, 289, 130);
        pen.rule(289, 130, 335, 130);
        pen.rule(335, 130, 335, 170);
        pen.rule(165, 174, 165, 230);
        pen.rule(375, 194, 375, 250);
        pen.text(PROSE, 72, 300);
      });
      expect(text).not.toMatch(/<table|\|/);
      for (const [name] of boxes) expect(text).toContain(name);
    });
  });

  describe('with groups of rows between rules', () => {
    const JOBS = [
      ['selection', '24', '0.84'],
      ['text search', '31', '0.90'],
      ['aggregation', '82', '0.94'],
    ];

    it('have a row for each number, and one name for the group', async () => {
      const text = await textOf((pen) => {
        cells(pen, [['Framework', 'Job', 'Seconds', 'Speedup']], [80, 180, 280, 380], 100, 16);
        pen.text('Large Mix', 80, 116);
        cells(pen, JOBS, [180, 280, 380], 116, 12);
        cells(pen, [['Spark', 'ALS', '337', '1.36']], [80, 180, 280, 380], 160, 16);
        for (const y of [88, 104, 148, 164]) pen.rule(72, y, 480, y);
        for (const x of [72, 172, 272, 372, 480]) pen.rule(x, 88, x, 164);
      });
      expect(text).toContain('<td rowspan="3">Large Mix</td><td>selection</td><td>24</td><td>0.84</td>');
      expect(text).toContain('<tr><td>aggregation</td><td>82</td><td>0.94</td></tr>');
    });

    it('have a row for each number that counts up in the first column, whatever is framed beside it', async () => {
      const text = await textOf((pen) => {
        for (const y of [88, 104, 240]) pen.rule(72, y, 480, y);
        for (const y of [150, 178]) pen.rule(240, y, 400, y);
        for (const x of [72, 120, 180, 240, 400, 480]) pen.rule(x, 88, x, 240);
        cells(pen, [['Item', 'Time', 'Station', 'Event', 'Code']], [80, 124, 184, 244, 404], 100, 16);
        cells(pen, [['24', '11:22:21', '', '5 min warning']], [80, 124, 184, 244], 116, 12);
        pen.text('for a change of mode', 244, 128);
        cells(pen, [['25', '11:27:21']], [80, 124], 146, 12);
        pen.text('Recorder ready', 244, 162);
        pen.text('on track 3', 244, 174);
        cells(pen, [['26', '11:40:09', 'Madrid', 'End of recording', '1T']], [80, 124, 184, 244, 404], 194, 12);
      });
      expect(text).toContain('| 24 | 11:22:21 |  | 5 min warning for a change of mode |  |');
      expect(text).toContain('| 25 | 11:27:21 |  | Recorder ready on track 3 |  |');
      expect(text).toContain('| 26 | 11:40:09 | Madrid | End of recording | 1T |');
    });

    it('have a row for each line with three cells', async () => {
      const text = await textOf((pen) => {
        for (const y of [88, 104, 168, 184]) pen.rule(72, y, 480, y);
        cells(pen, [['Dataset', 'Input', 'Tables', 'Content', 'Place']], [80, 180, 260, 330, 410], 100, 16);
        for (const [i, name] of ['TableBank', 'SciTSR', 'PubTabNet', 'FinTabNet'].entries())
          cells(pen, [[name, 'Image', `${i}K of all`, i % 2 ? 'yes' : '']], [80, 180, 260, 330], 116 + 13 * i, 13);
        cells(pen, [['PubTables', 'Page', '948K', 'yes', 'yes']], [80, 180, 260, 330, 410], 180, 16);
      });
      expect(text).toContain('| SciTSR | Image | 1K of all | yes |  |\n| PubTabNet |');
    });
  });

  it('keep the sign of a currency at the edge of a cell with its number', async () => {
    const text = await textOf((pen) => {
      for (const [i, name] of ['Rent', 'Light', 'Water', 'Total'].entries()) {
        pen.text(name, 80, 100 + 16 * i);
        for (const x of [200, 330]) {
          if (i % 3 === 0) pen.text('$', x, 100 + 16 * i);
          pen.text(`${i + 1},250`, x + 60, 100 + 16 * i);
        }
      }
    });
    expect(text).toContain('| Rent | $ 1,250 | $ 1,250 |');
    expect(text).toContain('| Light | 2,250 | 2,250 |');
  });

  describe('are none where', () => {
    const none: Readonly<Record<string, readonly (readonly string[])[]>> = {
      'lines of a program are numbered': ['func solve(a, b):', 'while a > b:', 'a = a - b', 'return a'].map(
        (line, i) => [`${i + 1}`, line],
      ),
      'equations are aligned at their signs': ['one', 'two', 'three'].map((side) => [
        `${side} of all`,
        '=',
        `${side} + n`,
      ]),
      'labels of an axis stand beside a legend': [
        ['400', 'Cached', '8'],
        ['300', 'Stored', '6'],
        ['200', '', '4'],
        ['100', '', '2'],
        ['0', '', '0'],
      ],
    };
    it('labels of references stand before them', async () => {
      const text = await textOf((pen) => {
        for (const [i, name] of ['Brown', 'Green', 'White', 'Black'].entries()) {
          pen.text(`[${i + 1}]`, 80, 100 + 32 * i);
          pen.lines(
            [`A. ${name} and others. All that is known of trees.`, 'In: The great book, 1990.'],
            108,
            100 + 32 * i,
          );
        }
      });
      expect(text).not.toMatch(/^\|/m);
    });

    it.each(Object.keys(none))('%s', async (name) => {
      expect(await textOf((pen) => cells(pen, none[name]!, [80, 180, 280], 100, 15))).not.toMatch(/^\|/m);
    });
  });
});

it('a title above indented rows is none of them', async () => {
  const row = (pen: Pen, y: number, name: string, values: readonly string[], x = 76) => {
    pen.text(name, x, y);
    for (const [i, value] of values.entries()) pen.text(value, 320 + 60 * i, y);
  };
  const titled = await textOf((pen) => {
    row(pen, 102, 'Head of the household', ['Town', 'Land', 'Total']);
    row(pen, 118, 'Sex', []);
    row(pen, 130, 'Men', ['72.2', '78.2', '75.2'], 88);
    row(pen, 142, 'Women', ['27.8', '21.8', '24.8'], 88);
    row(pen, 154, 'Age', []);
    row(pen, 166, 'Under 30', ['12.2', '18.2', '15.2'], 88);
    row(pen, 178, 'Over 30', ['87.8', '81.8', '84.8'], 88);
  });
  expect(titled).toMatch(/\| Sex \| {2}\|/);
  expect(titled).toContain('| Men | 72.2 |');
});

it('contents are no table, under a running head and with ellipses, nor sections that begin with one word', async () => {
  const leader = '\u2026'.repeat(12);
  const contents = await textOf((pen) => {
    pen.text('Safety workgroup', 72, 100);
    pen.text('April 2003', 480, 100);
    for (const [i, [title, page]] of [
      ['Preface', 'ii'],
      ['Introduction', '1'],
      ['Principles', '3'],
      ['Policy', '4'],
    ].entries()) {
      pen.text(`${title}${leader}`, 72, 130 + 16 * i);
      pen.text(page ?? '', 400, 130 + 16 * i);
    }
  });
  expect(contents).not.toContain('|');
  expect(contents).toContain('Preface … ii');

  const sections = await textOf((pen) => {
    for (const [i, title] of ['Short title.', 'Purposes.', 'Definitions.', 'Funding.', 'Plans.'].entries()) {
      pen.text('Sec.', 72, 130 + 16 * i);
      pen.text(`${101 + i}.`, 110, 130 + 16 * i);
      pen.text(title, 150, 130 + 16 * i);
    }
  });
  expect(sections).not.toContain('|');
  expect(sections).toContain('Sec. 103. Definitions.');
});
