// The order of reading, and what is a heading: one case for each rule.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { partingRules } from '../../src/pdf/text/content/joined-rules.ts';
import { markdown } from '../local.ts';
import { context, draw, type Pen, sourceOf } from './drawing.ts';
import { pageOf } from './raw-pdf.ts';

async function read(bytes: Uint8Array, pages?: number[], mode: 'developer' | 'rag' = 'developer'): Promise<string> {
  const { kind, ...rest } = await markdown({ file: sourceOf(bytes), mode, ...(pages && { pages }) }, context());
  if (kind !== 'record' || !('record' in rest)) throw new Error('expected a record');
  return String(rest.record.markdown);
}

async function headingsOf(work: (pen: Pen) => void): Promise<string[] | null> {
  return (await read(await draw(work))).match(/^#+ .*$/gm);
}

const words = (prefix: string, count: number, length: number) =>
  Array.from({ length: count }, (_, i) =>
    `${prefix}${i} ${'lorem ipsum dolor sit amet '.repeat(4)}`.slice(0, length).trim(),
  );

const BODY = [
  'A paragraph of body text that fills the width of its column from one side to the other, and',
  'goes on in a second line that is as long as the first, so that nobody takes it for a heading,',
  'and ends in a third.',
];

describe('columns', () => {
  it('are read one after the other where text runs round a figure in one of them', async () => {
    const left = [...words('n', 12, 14), ...words('w', 6, 46)];
    const right = words('r', 18, 46);
    const text = await read(
      await draw((pen) => {
        pen.lines(left, 60, 100);
        pen.lines(right, 320, 100);
        pen.rule(305, 90, 305, 340);
      }),
    );
    expect(text.replace(/\s+/g, ' ').trim()).toBe([...left, ...right].join(' '));
  });

  it('are read one after the other where three of them do not share their lines', async () => {
    const columns = ['a', 'b', 'c'].map((name) => words(name, 14, 28));
    const text = await read(
      await draw((pen) => {
        for (const [i, column] of columns.entries()) pen.lines(column, 60 + 170 * i, 100 + 3 * i);
      }),
    );
    expect(text.replace(/\s+/g, ' ').trim()).toBe(columns.flat().join(' '));
  });

  // Found in 027613.pdf (openpreserve/format-corpus).
  it('are read one after the other where they hold entries of contents, which stand far apart', async () => {
    const entry = (title: string, page: number) => `${title} ${'. '.repeat(15 - title.length)}${page}`;
    const left = ['Library', 'About', 'Starting', 'Lists', 'Queries', 'Reports', 'Charts', 'Tables'];
    const right = ['Objects', 'Remote', 'Languages', 'Products', 'Examples', 'Samples', 'Support', 'Options'];
    const text = await read(
      await draw((pen) => {
        for (const [side, titles] of [left, right].entries()) {
          for (const [i, title] of titles.entries()) {
            const [x, y] = [60 + 240 * side, 100 + 36 * i];
            if ((i + side) % 2 === 0) pen.text('Chapter with a long name on', x, y);
            pen.text(entry(title, 10 * i + side), x, y + 12 * ((i + side + 1) % 2));
          }
        }
      }),
    );
    const titles = [...text.matchAll(/(\w+) … /g)].map(([, title]) => title);
    expect(titles).toEqual([...left, ...right]);
  });

  it('are read one after the other where their lines are short, since each character is as wide as two letters', async () => {
    const syllables = [...Array(26).keys()].map((i) => `/uni${(0xac00 + 28 * i).toString(16).toUpperCase()}`);
    const font = `<</Type/Font/Subtype/TrueType/BaseFont/Hangul/FirstChar 32/LastChar 122/Widths[300 ${'1000 '.repeat(90)}]/Encoding<</Differences[32/space 48/zero/one/two/three/four/five/six/seven/eight/nine 97${syllables.join('')}]>>>>`;
    const lines = [0, 1, 2].flatMap((column) =>
      [...Array(14).keys()].map((row) => {
        const text = `${column}${row % 10} abcd efg hijkl`.slice(0, row % 5 === 4 ? 9 : 16);
        return `1 0 0 1 ${60 + 170 * column} ${700 - 14 * row} Tm (${text}) Tj`;
      }),
    );
    const text = await read(pageOf(`BT /F 10 Tf ${lines.join(' ')} ET`, { font }));
    const order = text.match(/\d\d(?= )/g);
    expect(order).toEqual([0, 1, 2].flatMap((column) => [...Array(14).keys()].map((row) => `${column}${row % 10}`)));
  });

  it('are read one after the other where they are narrow and justified, with spaces as wide as the gutters', async () => {
    // Letters of half an em. Every line fills its column, so that few words leave wide spaces.
    const font = `<</Type/Font/Subtype/TrueType/BaseFont/Text/FirstChar 0/LastChar 255/Widths[${'500 '.repeat(256)}]>>`;
    const some = 'a lamp is lit on the tower each night for those who came by ship from afar'.split(' ');
    const [size, inLine, rows] = [8, 22, 40];
    let state = 1;
    const next = () => (state = (state * 48_271) % 2_147_483_647) % some.length;
    const all = Array.from({ length: 1400 }, () => some[next()] ?? '');
    const lines: string[][] = [];
    for (const word of all) {
      const line = lines.at(-1);
      if (line !== undefined && [...line, word].join(' ').length <= inLine) line.push(word);
      else lines.push([word]);
    }
    const shown = lines.slice(0, 5 * rows);
    const drawn = shown.flatMap((line, i) => {
      const [column, row] = [Math.floor(i / rows), i % rows];
      const gap = (0.5 * size * (inLine - line.join('').length)) / Math.max(1, line.length - 1);
      return line.map((word, k) => {
        const before = 0.5 * size * line.slice(0, k).join('').length + k * gap;
        return `1 0 0 1 ${40 + (0.5 * size * inLine + 14) * column + before} ${700 - 10 * row} Tm (${word}) Tj`;
      });
    });
    const text = await read(pageOf(`BT /F ${size} Tf ${drawn.join(' ')} ET`, { font }));
    expect(text.replace(/\s+/g, ' ').trim()).toBe(shown.flat().join(' '));
  });

  it('of a page with a ruled gutter and text round a figure are whole', async () => {
    const text = await read(readFileSync(join(import.meta.dirname, '../fixtures/lorem-ipsum.pdf')), [3]);
    expect(text).toContain('suere. Aliquam erat volutpat. Nam dolor orci, eleifend');
    expect(text).toContain('Integer id porttitor nulla. Integer nec orci vel massa venenatis faucibus nec sit amet');
  });
});

it('boxes beside each other are read one after the other, however few lines they have', async () => {
  const cards = [
    ['Emission factors', 'Estimates for each product', 'from standardized data'],
    ['Advisory and guidance', 'A roadmap step by step', 'and support with your data'],
    ['Why it matters', 'Costly mistakes are avoided'],
  ];
  const text = await read(
    await draw((pen) => {
      pen.text('What we offer', 60, 60, { size: 16 });
      for (const [i, lines] of cards.entries()) {
        const x = 40 + 175 * i;
        // The areas of boxes include their shadows, which overlap.
        pen.shade(x, 100, x + 185, 165);
        pen.lines(lines, x + 15, 120);
      }
    }),
  );
  expect(
    text
      .replace(/^# .*$/m, '')
      .replace(/\s+/g, ' ')
      .trim(),
  ).toBe(cards.flat().join(' '));
});

it('stretched lines of a justified column are no table', async () => {
  // Letters of half an em: every line is 120 points wide, and three words with wide gaps fill it too.
  const font = `<</Type/Font/Subtype/TrueType/BaseFont/Text/FirstChar 0/LastChar 255/Widths[${'500 '.repeat(256)}]>>`;
  const whole = 'lorem ipsum dolor ametus';
  const rows = [...Array(8).keys()].map((row) =>
    row < 5
      ? `1 0 0 1 72 ${700 - 13 * row} Tm (${whole}) Tj`
      : [`72 (could)`, `117 (people)`, `167 (often)`]
          .map((each) => each.replace(' ', ` ${700 - 13 * row} Tm `))
          .map((each) => `1 0 0 1 ${each} Tj`)
          .join(' '),
  );
  rows.push(...[8, 9, 10].map((row) => `1 0 0 1 72 ${700 - 13 * row} Tm (${whole}) Tj`));
  const text = await read(pageOf(`BT /F 10 Tf ${rows.join(' ')} ET`, { font }));
  expect(text.match(/could people often/g)).toHaveLength(3);
});

// Found in 137036.pdf (openpreserve/format-corpus): entries were joined where the line before one was full.
it.each([
  ['entries with a hanging indent are apart', 60, 80],
  ['paragraphs with an indented first line are whole', 80, 60],
])('%s', async (_, first, others) => {
  const names = ['Able', 'Baker', 'Charlie', 'Delta', 'Echo'];
  const text = await read(
    await draw((pen) => {
      for (const [i, name] of names.entries()) {
        const full = 'fills the line from one side of the column to the other, as far as it goes';
        pen.text(`${name} ${full}, and`, first, 100 + 39 * i);
        pen.text(`its second line ${full}, and`, others, 113 + 39 * i);
        pen.text(`its third line ${full}.`, others, 126 + 39 * i);
      }
    }),
  );
  expect(text.trim().split('\n\n')).toHaveLength(names.length);
  expect(text.match(/^\w+/gm)?.filter((word) => names.includes(word))).toEqual(names);
});

it('a line that ends where the next word had no room goes on', async () => {
  const lines = ['Narrow text.', 'Words come', 'after words.', 'Extraordinary', 'length ends', 'lines early.'];
  expect(await read(await draw((pen) => pen.lines(lines, 72, 100)))).toBe(`${lines.join(' ')}\n`);
});

it('a table of contents has a paragraph an entry, its dots one sign', async () => {
  const entries = ['1 First chapter', '1.1 A section of it', '2 Second', '3 Third', '4 Fourth'];
  const text = await read(
    await draw((pen) => {
      pen.text('Contents', 72, 80, { size: 18, font: 'bold' });
      for (const [i, entry] of entries.entries()) pen.text(`${entry} ${'. '.repeat(40)}${i + 3}`, 72, 120 + 14 * i);
    }),
  );
  expect(text).toBe(`# Contents\n\n${entries.map((entry, i) => `${entry} … ${i + 3}`).join('\n\n')}\n`);
});

it('raised digits leave the number before them as it is', async () => {
  const text = await read(
    await draw((pen) => {
      pen.text('In 2013', 72, 100);
      pen.text('4', 105.5, 96, { size: 6 });
      pen.text('there were 10', 116, 100);
      pen.text('23', 178, 96, { size: 6 });
      pen.text('of H', 188, 100);
      pen.text('2', 206.5, 102, { size: 6 });
      pen.text('O', 209.8, 100);
    }),
  );
  expect(text).toBe('In 2013⁴ there were 10²³ of H2O\n');
});

it('letters that are raised a little stand in their word, as in LaTeX', async () => {
  const text = await read(
    await draw((pen) => {
      pen.text('written with L', 72, 100);
      pen.text('A', 127, 98, { size: 7 });
      pen.text('T', 130.2, 100);
      pen.text('E', 134.6, 102);
      pen.text('X here', 140, 100);
    }),
  );
  expect(text).toBe('written with LATEX here\n');
});

it('a formula in a line of text is read where it stands', async () => {
  const content = [
    '/F 12 Tf 1 0 0 1 72 700 Tm (The whole of them all is ) Tj',
    '/X 12 Tf 1 0 0 1 206 709 Tm (P) Tj',
    '/F 7 Tf 1 0 0 1 210 713 Tm (n) Tj 1 0 0 1 207 689 Tm (i=1) Tj',
    '/F 12 Tf 1 0 0 1 224 700 Tm (and its size is finite) Tj',
    '1 0 0 1 72 676 Tm (and a line below it that goes on) Tj',
  ];
  const text = await read(
    pageOf(`BT ${content.join(' ')} ET`, {
      resources: '/Font<</F 5 0 R/X 6 0 R>>',
      more: [
        '<</Type/Font/Subtype/Type1/BaseFont/CMEX10/FirstChar 80/LastChar 80/Widths[1055]/Encoding<</Differences[80/summation]>>/FontDescriptor 7 0 R>>',
        '<</Type/FontDescriptor/FontName/CMEX10/Flags 4>>',
      ],
    }),
  );
  expect(text).toBe('The whole of them all is ∑ n i=1 and its size is finite and a line below it that goes on\n');
});

it('marked content says which text its glyphs stand for, unless that would hide them', async () => {
  const span = (actual: string, shown: string) => `/Span<</ActualText(${actual})>>BDC (${shown}) Tj EMC`;
  const shown = [
    span('[1]', 'x'),
    '( )Tj',
    span('fi', '\\001'),
    '(rst )Tj',
    span(' ', 'kept'),
    '( )Tj',
    span('a', 'b'),
  ];
  const text = await read(pageOf(`BT /F 12 Tf 72 700 Td ${shown.join(' ')} ET`));
  expect(text).toBe('[1] first kept a\n');
});

it('a sentence that a note interrupts at the end of a column goes on behind it, also with a number', async () => {
  const text = await read(
    await draw((pen) => {
      const column = (first: number) =>
        Array.from({ length: 14 }, (_, i) => `line ${first + i} of a text in two columns that is`);
      pen.lines([...column(1), 'one of many lines that end here, the 2nd, the'], 60, 100);
      pen.text('† A note stands at the foot of this column here.', 60, 310, { size: 8 });
      pen.lines(['7th, and many more lines that follow it in the', ...column(15), 'last.'], 320, 100);
    }),
    undefined,
    'rag',
  );
  expect(text.replace(/\s+/g, ' ')).toContain('the 2nd, the 7th, and many more');
});

describe('headings', () => {
  it('are a title of two centred lines, sections with roman numbers, and parts by their names; not authors, dates and stamps', async () => {
    const found = await headingsOf((pen) => {
      pen.text('Reading of the Pages that', 180, 80, { size: 18 });
      pen.text('People Wrote', 226, 101, { size: 18 });
      pen.text('Ada Lovelace and Charles Babbage', 200, 128, { size: 12 });
      pen.text('June 14, 1843', 240, 150, { size: 12 });
      pen.text('Table of Contents', 72, 190);
      pen.lines([...BODY, ...BODY], 72, 220);
      pen.text('II. METHODS OF READING', 230, 340, { size: 9 });
      pen.lines([...BODY, ...BODY], 72, 370);
      pen.text('A line of text in the middle of a page', 72, 480);
    });
    expect(found).toEqual([
      '# Reading of the Pages that People Wrote',
      '## Table of Contents',
      '## II. METHODS OF READING',
    ]);
  });

  const between = (title: string, options: Parameters<Pen['text']>[3]) => (pen: Pen) => {
    pen.lines(BODY, 72, 80);
    pen.text(title, 72, 140, options);
    pen.lines(BODY, 72, 160, { font: 'regular' });
  };

  it('are italic lines above upright text', async () => {
    expect(await headingsOf(between('On the growth of things', { font: 'italic' }))).toEqual([
      '# On the growth of things',
    ]);
  });

  it('are lines of a colour of their own, apart from the text; links and grey lines are none', async () => {
    const titled = (colour: string, title: string) =>
      `BT /F 10 Tf 13 TL 72 700 Td ${BODY.map((line) => `(${line}) ' `).join('')} 0 -26 Td ${colour} rg (${title}) Tj ` +
      `0 g ${BODY.map((line) => `(${line}) ' `).join('')} ET`;
    const found = async (colour: string, title: string) =>
      (await read(pageOf(titled(colour, title)))).match(/^#+ .*$/gm);
    expect(await found('.7 .2 .1', 'Energy and its uses')).toEqual(['# Energy and its uses']);
    expect(await found('.5 .5 .5', 'Energy and its uses')).toBeNull();
    expect(await found('0 0 1', 'www.example.org')).toBeNull();
  });

  it('are numbered lines, whatever they are set in', async () => {
    expect(await headingsOf(between('2.1 On the growth of things', {}))).toEqual(['# 2.1 On the growth of things']);
  });

  it('are not lines that begin with a number and go on', async () => {
    const lines = [
      '2.1 Grams of it were taken from every one of the samples that had been kept cold, and',
      ...BODY.slice(1),
    ];
    expect(
      await headingsOf((pen) => {
        pen.lines(lines, 72, 80);
      }),
    ).toBeNull();
  });

  it('are lines in capitals, close above their text', async () => {
    const found = await headingsOf((pen) => {
      pen.text('3. THE INITIATIVES OF NATIONS', 72, 67, { font: 'bold' });
      pen.lines(BODY, 72, 80);
    });
    expect(found).toEqual(['# 3. THE INITIATIVES OF NATIONS']);
  });

  it('begin a paragraph in bold, set off by more than a space', async () => {
    const found = await headingsOf((pen) => {
      pen.lines(BODY, 72, 80);
      pen.text('Method of Weights and Measures', 72, 140, { font: 'bold' });
      pen.lines([''.padEnd(1), ...BODY], 72, 140);
      pen.text('The text begins beside it and fills the line up to its end.', 241, 140);
    });
    expect(found).toEqual(['# Method of Weights and Measures']);
  });

  it('are no titles that are there again where a table goes on', async () => {
    const found = await headingsOf((pen) => {
      pen.text('Estimated costs', 72, 80, { font: 'bold', size: 12 });
      pen.lines(BODY, 72, 110);
      pen.text('Estimated costs\u2014Continued', 72, 210, { font: 'bold', size: 12 });
      pen.lines(BODY, 72, 240);
    });
    expect(found).toEqual(['# Estimated costs']);
  });

  it('are no captions, whatever their size', async () => {
    expect(await headingsOf(between('Table 13.2. Effects of cations', { size: 16, font: 'bold' }))).toBeNull();
  });
});

it('rings before lines are marks of a list', async () => {
  const ring = (x: number, y: number) =>
    `${x} ${y} m ${x} ${y + 2} ${x + 2} ${y + 3} ${x + 2} ${y + 3} c ${x + 4} ${y + 3} ${x + 4} ${y + 1} ${x + 4} ${y + 1} c ${x + 4} ${y} ${x + 3} ${y - 1} ${x + 2} ${y - 1} c ${x} ${y - 1} ${x} ${y} ${x} ${y} c s`;
  const line = (x: number, y: number, text: string) => `BT /F 10 Tf ${x} ${y} Td (${text}) Tj ET`;
  const content = [
    line(72, 720, 'What there is:'),
    ...[700, 686].flatMap((y) => [ring(84, y + 2), line(96, y, `at ${y}`)]),
  ].join('\n');
  expect(await read(pageOf(content))).toContain('- at 700\n- at 686');
});

// Found in 178360.pdf (openpreserve/format-corpus), whose pages became tables of 31 columns.
it('hatching and lines that leave the page part no cells', () => {
  const upright = (x: number, y0: number, y1: number) => ({ x0: x, x1: x, y0, y1 });
  const steps = (from: number, step: number, count: number) => Array.from({ length: count }, (_, i) => from + i * step);
  const table = [
    ...steps(100, 40, 5).map((x) => upright(x, 300, 400)),
    ...steps(300, 20, 6).map((y) => ({ x0: 100, x1: 260, y0: y, y1: y })),
  ];
  const hatching = steps(20, 1.01, 60).map((x) => upright(x, 100, 500));
  const guides = steps(0, 12.2, 45).map((x) => upright(x, -74, 707));
  expect(partingRules([...hatching, ...table, ...guides], { width: 576, height: 747 })).toEqual(table);
});

it('keeps the entries of a list of references apart, which fill their lines and have no space between', async () => {
  const entries = [1, 2, 3].map((number) => [
    `[${number}] Somebody, A., and Other, B. A title that says what the work is about and how it was`,
    'measured. Journal of things that are worth to be measured, volume twenty, pages one to ten, 2003',
  ]);
  const text = await read(await draw((pen) => pen.lines(entries.flat(), 72, 100)));
  expect(text.trim().split('\n\n')).toEqual(entries.map((lines) => lines.join(' ')));
  // Prose cites its sources at the beginning of lines, too.
  const prose = [
    'A text that goes on in many lines and says what others have found out long ago, such as',
    '[1] This and',
  ];
  expect((await read(await draw((pen) => pen.lines(prose, 72, 100)))).trim()).toBe(prose.join(' '));
});
