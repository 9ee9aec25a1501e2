import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { STRUCTURED_MARKDOWN } from '../../src/contract/records.ts';
import { markdown } from '../local.ts';
import { context, draw, type Pen, sourceOf } from './drawing.ts';
import { pageOf } from './raw-pdf.ts';

type Options = Omit<Parameters<typeof markdown>[0], 'file'>;

async function bytesOf(bytes: Uint8Array, options: Options, name?: string): Promise<Buffer> {
  const result = await markdown({ file: sourceOf(bytes, name), ...options }, context());
  if (result.kind !== 'bytes') throw new Error('expected bytes');
  const parts: Uint8Array[] = [];
  for await (const part of result.body.open(new AbortController().signal)) parts.push(part);
  return Buffer.concat(parts);
}

async function textOf(bytes: Uint8Array, mode: Options['mode'] = 'developer'): Promise<string> {
  return (await bytesOf(bytes, { mode, output_format: 'markdown' })).toString('utf8');
}

const BODY = [
  'A paragraph of body text that fills the width of its column from one side to the other, and',
  'goes on in a second line that is as long as the first, so that nobody takes it for a heading,',
  'and ends in a third.',
];

describe('structure', () => {
  it('tells headings by their size and numbers their levels', async () => {
    const text = await textOf(
      await draw((pen) => {
        pen.text('The Title', 72, 80, { size: 20, font: 'bold' });
        pen.lines(BODY, 72, 110);
        pen.text('A Section', 72, 180, { size: 14, font: 'bold' });
        pen.lines(BODY, 72, 205);
      }),
    );
    expect(text.match(/^#.*$/gm)).toEqual(['# The Title', '## A Section']);
  });

  it('leaves no gap in the levels for a style of the title page', async () => {
    const text = await textOf(
      await draw((pen) => {
        pen.text('Sixteen Onions', 72, 60, { size: 17, font: 'bold' });
        pen.text('The Title', 72, 100, { size: 20, font: 'bold' });
        for (const [i, y] of [150, 350].entries()) {
          pen.text(`${i + 1} A Section`, 72, y, { size: 14, font: 'bold' });
          pen.lines(BODY, 72, y + 25);
          pen.text(`${i + 1}.1 A Part of It`, 72, y + 90, { size: 12, font: 'bold' });
          pen.lines(BODY, 72, y + 115);
        }
      }),
    );
    expect(text.match(/^#+/gm)).toEqual(['#', '#', '##', '###', '##', '###']);
  });

  it('takes no date below a title for a heading', async () => {
    const text = await textOf(
      await draw((pen) => {
        pen.text('The Title', 72, 80, { size: 20 });
        pen.text('Given in Oslo on 3 May 2020', 72, 120, { size: 14 });
        pen.text('A Section', 72, 180, { size: 13, font: 'bold' });
        pen.lines(BODY, 72, 205);
      }),
    );
    expect(text.match(/^#.*$/gm)).toEqual(['# The Title', '## A Section']);
  });

  it('parts headings that stand below each other, but not a chapter from its number', async () => {
    const text = await textOf(
      await draw((pen) => {
        pen.text('Chapter 1', 72, 80, { size: 16, font: 'bold' });
        pen.text('The Title', 72, 110, { size: 16, font: 'bold' });
        pen.lines(BODY, 72, 135);
        pen.text('How to set it up', 72, 220, { size: 16, font: 'bold' });
        pen.text('With a program', 72, 250, { size: 16, font: 'bold' });
        pen.lines(BODY, 72, 275);
      }),
    );
    expect(text.match(/^#.*$/gm)).toEqual(['# Chapter 1 The Title', '# How to set it up', '# With a program']);
  });

  it('finds the title of a page that has little other text', async () => {
    const text = await textOf(
      await draw((pen) => {
        pen.text('A title that is most of the text', 72, 80, { size: 16, font: 'bold' });
        pen.text('Some words', 72, 120, { size: 12 });
      }),
    );
    expect(text).toBe('# A title that is most of the text\n\nSome words\n');
  });

  it('takes a numbered label with a colon for an item', async () => {
    const text = await textOf(
      await draw((pen) => {
        pen.text('The Title', 72, 60, { size: 20, font: 'bold' });
        for (const [i, label] of ['Memory safety:', 'Ownership of values:'].entries()) {
          pen.text(`${i + 1}. ${label}`, 72, 100 + 100 * i, { size: 10, font: 'bold' });
          pen.lines(BODY, 90, 125 + 100 * i);
        }
      }),
    );
    expect(text.match(/^(#|\d\.).*$/gm)).toEqual(['# The Title', '1. Memory safety:', '2. Ownership of values:']);
  });

  it.each([
    ['Roman numbers', ['I. They begin.', 'II. They go on.', 'III. They end.'], 3],
    ['letters', ['(a) They begin.', '(b) They go on.'], 2],
    ['names with an initial', ['A. Halbard wrote of it.', 'P. Mellor wrote of it.', 'P. Cicho wrote of it.'], 0],
  ])('makes items of marks that count on: %s', async (_, lines, count) => {
    const text = await textOf(
      await draw((pen) => {
        for (const [i, line] of lines.entries()) pen.text(line, 72, 80 + 30 * i);
      }),
    );
    expect(text.match(/^- /gm) ?? []).toHaveLength(count);
  });

  it('keeps code as it stands', async () => {
    const text = await textOf(
      await draw((pen) => {
        pen.lines(BODY, 72, 80);
        pen.lines(['if (a) {', '    b();', '}'], 72, 140, { font: 'mono' });
      }),
    );
    expect(text).toContain('```\nif (a) {\n    b();\n}\n```');
  });

  it.each([
    ['RESOLUTION ON THE FIFTIETH ANNI-', 'VERSARY OF THE INDEPENDENCE', 'ANNIVERSARY OF'],
    ['What was agreed in the talks of NATO-', 'EU STAFF and others', 'NATO-EU STAFF'],
  ])('a word that is broken in capitals: %s', async (first, second, whole) => {
    expect(await textOf(await draw((pen) => pen.lines([first, second], 72, 120)))).toContain(whole);
  });

  it('keeps the lines of addresses and lists of names apart, and joins those of narrow prose', async () => {
    const address = ['Mary Bias', 'Vice President of Engineering', 'Hard Manufacturing Company', 'Buffalo, New York'];
    const beside = [
      'chains of words to one type and',
      'parts chains of text from chains',
      'of pictures, which then begin to',
      'be of the most general type',
    ];
    const text = await textOf(
      await draw((pen) => {
        pen.lines(BODY, 72, 80);
        pen.lines(address, 72, 180);
        pen.lines(beside, 72, 300);
      }),
    );
    expect(text).toContain(address.join('\n\n'));
    expect(text).toContain(beside.join(' '));
  });

  it('shortens the leaders of contents, of ellipses and in items too', async () => {
    const lines = [
      'Preface\u2026\u2026\u2026\u2026\u2026. ii',
      'B. Courts . . . . . . . . . . 1',
      'C. Laws ............... 3',
    ];
    const text = await textOf(await draw((pen) => pen.lines(lines, 72, 120)));
    expect(text).toBe('Preface … ii\n\n- B. Courts … 1\n- C. Laws … 3\n');
  });

  it('takes check marks and arrows of Zapf Dingbats as bullets', async () => {
    const line = (y: number, mark: string, text: string) =>
      `/F 10 Tf 72 ${y} Td (${mark}) Tj /G 10 Tf 14 0 Td (${text}) Tj`;
    const content = `BT ${line(700, '4', 'paper')} ET BT ${line(686, '\\334', 'ink')} ET BT ${line(620, '%', '555 1234')} ET`;
    const bytes = pageOf(content, {
      font: '<</Type/Font/Subtype/Type1/BaseFont/ZapfDingbats>>',
      page: '/Resources<</Font<</F 5 0 R/G 6 0 R>>>>',
      more: ['<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>'],
    });
    expect(await textOf(bytes)).toBe('- paper\n- ink\n\n☎ 555 1234\n');
  });

  it('takes pictures and shapes that are smaller than letters as bullets, however large the letters are', async () => {
    const lines = ['Fast builds', 'that never', 'Small files'].map(
      (text, i) => `BT /F 28 Tf 72 ${700 - 34 * i} Td (${text}) Tj ET`,
    );
    const picture = (y: number, size: number) => `q ${size} 0 0 ${size} 48 ${y} cm /I Do Q`;
    const image = {
      dict: '/Type/XObject/Subtype/Image/Width 1/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8',
      stream: '0',
    };
    const read = (shapes: string) =>
      textOf(pageOf(`${shapes} ${lines.join(' ')}`, { resources: '/XObject<</I 6 0 R>>', more: [image] }));
    expect(await read(`${picture(701, 14)} ${picture(633, 14)}`)).toBe('- Fast builds that never\n- Small files\n');
    expect(await read('48 702 12 12 re f 50 704 8 8 re f 48 634 12 12 re f')).toBe(
      '- Fast builds that never\n- Small files\n',
    );
    // Icons are as large as letters.
    expect(await read(`${picture(696, 22)} ${picture(628, 22)}`)).not.toContain('- ');
  });

  it('takes signs in smaller letters on another baseline as bullets, and dashes among them', async () => {
    const item = (y: number, x: number, code: number, text: string) =>
      `BT /Z 9 Tf ${x} ${y + 4} Td <${code.toString(16)}> Tj ET BT /F 20 Tf ${x + 25} ${y} Td (${text}) Tj ET`;
    const content = [
      item(700, 50, 0x6c, 'Parsing'),
      item(666, 80, 0x2d, 'of symbols'),
      item(642, 80, 0x2d, 'of trees'),
      item(606, 50, 0x6c, 'Writing'),
    ].join(' ');
    const bytes = pageOf(content, {
      page: '/Resources<</Font<</F 5 0 R/Z 6 0 R>>>>',
      more: [
        '<</Type/Font/Subtype/Type1/BaseFont/Courier/Encoding<</Type/Encoding/Differences[45/endash 108/bullet]>>>>',
      ],
    });
    expect(await textOf(bytes)).toBe('- Parsing\n  - of symbols\n  - of trees\n- Writing\n');
  });

  it('nests lists by where their marks stand', async () => {
    const text = await textOf(
      await draw((pen) => {
        pen.lines(BODY, 72, 80);
        pen.text('1. first', 90, 140);
        pen.text('\u2022 inner', 110, 155);
        pen.text('2. second', 90, 170);
      }),
    );
    expect(text).toContain('1. first\n  - inner\n2. second');
  });

  it('makes a table of a ruled grid, spans and all', async () => {
    const grid = (pen: Pen) => {
      for (const y of [100, 120, 140, 160]) pen.rule(72, y, 372, y);
      for (const x of [72, 372]) pen.rule(x, 100, x, 160);
      for (const x of [172, 272]) pen.rule(x, 120, x, 160);
      pen.text('Across all three', 80, 114);
      for (const [row, cells] of [
        ['a', 'b', 'c'],
        ['d', '', 'f'],
      ].entries()) {
        for (const [i, cell] of cells.entries()) if (cell !== '') pen.text(cell, 80 + 100 * i, 134 + 20 * row);
      }
    };
    const text = await textOf(await draw(grid));
    expect(text).toContain('<tr><th colspan="3">Across all three</th></tr>');
    expect(text).toContain('<tr><td>d</td><td></td><td>f</td></tr>');
  });

  it('makes a table of aligned columns of figures', async () => {
    const rows = [
      ['Name', 'Count', 'Share'],
      ['Apples', '12', '40%'],
      ['Pears', '7', '23%'],
      ['Plums', '11', '37%'],
    ];
    const text = await textOf(
      await draw((pen) => {
        pen.lines(BODY, 72, 80);
        for (const [r, row] of rows.entries())
          for (const [c, cell] of row.entries()) pen.text(cell, 90 + 110 * c, 150 + 15 * r);
      }),
    );
    expect(text).toContain('| Name | Count | Share |\n| --- | --- | --- |\n| Apples | 12 | 40% |');
  });

  it('leaves running heads and page numbers out and says so', async () => {
    const page = (n: number) => (pen: Pen) => {
      pen.text('The running head', 72, 40);
      pen.lines(BODY, 72, 120 + n);
      pen.text(`Page ${n} of 4`, 280, 810);
    };
    const result = await markdown({ file: sourceOf(await draw(page(1), page(2), page(3), page(4))) }, context());
    if (result.kind !== 'record') throw new Error('expected a record');
    expect(result.record.markdown).not.toMatch(/running head|Page \d/);
    expect(v.is(STRUCTURED_MARKDOWN, result.record)).toBe(true);
    expect(result.record.warnings).toEqual(['Left out 8 running heads, feet and page numbers.']);
  });
});

it('a running foot that begins or ends with a Roman number is one', async () => {
  const page = (foot: string) => (pen: Pen) => {
    pen.lines(
      BODY.map((line) => `${line} ${foot}`),
      72,
      170,
    );
    pen.text(foot, 72, 800);
  };
  const feet = ['ii Guide for developers', 'May 2006 iii', 'iv Guide for developers', 'May 2006 v'];
  const more = ['vi Guide for developers', 'May 2006 vii'];
  const text = await textOf(await draw(...[...feet, ...more].map(page)));
  expect(text).not.toMatch(/^(v|iv) Guide|^May 2006 v$/m);
});

it('the second line of a running head belongs to it where it leaves the margin', async () => {
  const page = (n: number) => (pen: Pen) => {
    pen.text('Policy for controlled substances', 72, 110);
    pen.text('Research Service', 72, 122);
    pen.lines(
      BODY.map((line) => `${line} ${n}`),
      72,
      170,
    );
  };
  expect(await textOf(await draw(page(1), page(2), page(3)))).not.toMatch(/Policy for|Research Service/);
});

describe('of few pages, running heads are those', () => {
  const numbered = (head: string, n: number) => (pen: Pen) => {
    pen.text(head, 72, 40);
    pen.lines(BODY, 72, 120 + n);
    pen.text(String(n), 290, 810);
  };
  const headsIn = async (...pages: ((pen: Pen) => void)[]) =>
    (await textOf(await draw(...pages))).match(/^(\d+|.*Reading of Pages.*)$/gm) ?? [];

  it('that half of them have', async () => {
    const [title, left, right] = ['On Reading', 'Ada Lovelace', 'Reading of Pages'];
    expect(await headsIn(numbered(title, 1), numbered(right, 2), numbered(right, 3))).toEqual([]);
    expect(await headsIn(numbered(left, 6), numbered(right, 7), numbered(left, 8), numbered(right, 9))).toEqual([]);
  });

  it('and not the titles of slides that go on, or what stands below another line', async () => {
    const slides = [title('Reading of Pages'), title('Reading of Pages'), title('A'), title('B'), title('C')];
    expect(await headsIn(...slides)).toHaveLength(2);
    const below = (n: number) => (pen: Pen) => {
      pen.text(`${'abc'.charAt(n)} first line of its own`, 72, 40);
      pen.text('Reading of Pages', 72, 60);
      pen.lines(BODY, 72, 160 + n);
    };
    expect(await headsIn(below(0), below(1), title('A'))).toHaveLength(2);
  });

  it('and numbers that count the pages, on two pages of any document', async () => {
    const plain = (pen: Pen) => pen.lines(BODY, 72, 120);
    const years = [numbered('x', 1999), numbered('y', 2004)];
    expect(await headsIn(plain, plain, plain, numbered('x', 4), numbered('y', 5))).toEqual([]);
    expect(await headsIn(plain, plain, plain, ...years)).toEqual(['1999', '2004']);
  });

  function title(text: string) {
    return (pen: Pen) => {
      pen.text(text, 72, 40, { size: 24 });
      pen.lines(BODY, 72, 120 + text.length);
    };
  }
});

it('a page number that stands raised beside a year is no exponent', async () => {
  const page = (n: number) => (pen: Pen) => {
    pen.lines(BODY, 72, 120 + n);
    pen.text('Minutes of the meeting of May 2018', 72, 810, { size: 10 });
    pen.text(String(n), 300, 807, { size: 8 });
  };
  const text = await textOf(await draw(page(2), page(3), page(4), page(5)));
  expect(text).not.toContain('2018');
});

describe('modes', () => {
  const twoPages = () =>
    draw(
      (pen) =>
        pen.lines(
          [
            'The committee met again in the second week of that month and consid-',
            'ered what the others had already put before it, but found no',
          ],
          72,
          740,
        ),
      (pen) => pen.lines(['agreement on any of it.', 'So it went home.'], 72, 72),
    );

  it('developer joins lines and broken words, and keeps what a page break parts', async () => {
    const text = await textOf(await twoPages());
    expect(text).toContain('and considered what the others had already put before it, but found no\n');
  });

  it.each([
    [
      'The minutes of all the meetings of the committee are at https://www.',
      'example.org/minutes.html for all.',
      'https://www.example.org/minutes.html for',
    ],
    [
      'The minutes of the committee of that year are at https://example.org/the-',
      'minutes.html for everyone.',
      'https://example.org/the-minutes.html for',
    ],
    [
      'The minutes of all of the meetings of the committee are at www.example.org.',
      'Read.me first of all.',
      'www.example.org. Read.me first',
    ],
    ['Organic farms of the state: https://www.example.org/', 'e-mail: farms@example.org', 'example.org/ e-mail: farms'],
  ])('an address that the end of a line cuts is made whole: %s', async (first, second, whole) => {
    const text = await textOf(await draw((pen) => pen.lines([first, second, ...BODY], 72, 120)));
    expect(text).toContain(whole);
  });

  it('academic puts a rule between pages', async () => {
    expect((await textOf(await twoPages(), 'academic')).match(/^---$/gm)).toHaveLength(1);
  });

  it('rag joins lines, broken words and what a page break parts', async () => {
    const text = await textOf(await twoPages(), 'rag');
    expect(text).toContain(
      'considered what the others had already put before it, but found no agreement on any of it.',
    );
  });

  it('rag puts a note at the foot of a page behind the sentence that goes on', async () => {
    const start = 'The committee met again in the second week of that month and found that the others had no';
    const pages = await draw(
      (pen) => {
        pen.lines([start.replace('found', 'then found'), start], 72, 700);
        pen.text('† Notes by the secretary are kept in the archive.', 72, 760, { size: 8 });
      },
      (pen) => pen.lines(['agreement on any of it.', 'So it went home.'], 72, 72),
    );
    const text = await textOf(pages, 'rag');
    expect(text).toContain('the others had no agreement on any of it.');
    expect(text.indexOf('Notes by')).toBeGreaterThan(text.indexOf('went home'));
  });

  it('a source pack needs rag', async () => {
    await expect(bytesOf(await twoPages(), { mode: 'developer', output_format: 'source-pack' })).rejects.toMatchObject({
      code: 'usage',
    });
  });
});

describe('chunks', () => {
  const long = () =>
    draw(
      ...[0, 1].map((page) => (pen: Pen) => {
        pen.text(`Chapter ${page + 1}`, 72, 60, { size: 18, font: 'bold' });
        for (let i = 0; i < 40; i++)
          pen.text(`Sentence ${page * 40 + i} says a thing and ends with a point after some words.`, 72, 90 + 16 * i);
      }),
    );

  it('are bounded, stay on a page, lie where they say and leave nothing out', async () => {
    const result = await markdown({ file: sourceOf(await long()), mode: 'rag' }, context());
    if (result.kind !== 'record') throw new Error('expected a record');
    const record = result.record as {
      markdown: string;
      chunks: {
        text: string;
        chunk_id: string;
        page_number: number;
        char_start: number;
        char_end: number;
        char_count: number;
      }[];
    };
    expect(record.chunks.length).toBeGreaterThan(4);
    const characters = [...record.markdown];
    for (const chunk of record.chunks) {
      expect(chunk.char_count).toBe([...chunk.text].length);
      expect(chunk.char_count).toBeLessThanOrEqual(2_000);
      expect(characters.slice(chunk.char_start, chunk.char_end).join('')).toBe(chunk.text);
    }
    expect(new Set(record.chunks.map((chunk) => chunk.chunk_id)).size).toBe(record.chunks.length);
    const bare = (text: string) => text.replace(/<a id="page-\d+"><\/a>|\s/g, '');
    expect(record.chunks.map((chunk) => bare(chunk.text)).join('')).toBe(bare(record.markdown));
  });
});

describe('source pack', () => {
  it('holds four files that agree with each other, the same bytes under any name', async () => {
    const bytes = await draw((pen) => pen.lines(BODY, 72, 72));
    const options = { mode: 'rag', output_format: 'source-pack' } as const;
    const pack = await bytesOf(bytes, options, 'secret-name.pdf');
    expect(pack.equals(await bytesOf(bytes, options, 'another.pdf'))).toBe(true);
    expect(pack.includes('secret-name')).toBe(false);
    const folder = mkdtempSync(join(tmpdir(), 'pdftool-pack-'));
    try {
      writeFileSync(join(folder, 'pack.zip'), pack);
      const unzip = (...args: string[]) => execFileSync('unzip', [...args], { cwd: folder });
      expect(unzip('-Z1', 'pack.zip').toString().trim().split('\n')).toEqual([
        'README.txt',
        'document.md',
        'chunks.jsonl',
        'manifest.json',
      ]);
      const manifest = JSON.parse(unzip('-p', 'pack.zip', 'manifest.json').toString()) as {
        files: { name: string; sha256: string }[];
      };
      for (const { name, sha256 } of manifest.files) {
        expect(
          createHash('sha256')
            .update(unzip('-p', 'pack.zip', name))
            .digest('hex'),
        ).toBe(sha256);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('names the pages without text', async () => {
    const bytes = await draw(
      (pen) => pen.text('Text here', 72, 72),
      () => undefined,
      () => undefined,
    );
    await expect(bytesOf(bytes, { mode: 'rag', output_format: 'source-pack' })).rejects.toMatchObject({
      kind: 'no-text',
      message: 'in.pdf has no text on pages 2-3: a source pack needs text on every page',
    });
  });
});

it('the only line of a page is no running head, but for a page number', async () => {
  const pages = (text: (page: number) => string) =>
    draw(...[1, 2, 3, 4].map((page) => (pen: Pen) => pen.text(text(page), 72, 60)));
  expect((await textOf(await pages((page) => `Potato ${page}`))).match(/Potato \d/g)).toHaveLength(4);
  expect(await textOf(await pages(String))).not.toMatch(/^\d$/m);
});

it('a foot that counts pages is none of the text, also on pages with nothing else and beside words that change', async () => {
  const feet = ['i', 'ii', 'Contents 1', '2 Contents', 'Methods 3', '4 Methods', 'Results 5'];
  const text = await textOf(
    await draw(
      ...feet.map((foot, i) => (pen: Pen) => {
        if (i !== 1 && i !== 3) pen.lines(BODY, 72, 300);
        pen.text(foot, 72, 800);
      }),
    ),
  );
  expect(text.match(/^(?!<a|A para).+$/gm)).toBeNull();
  expect(text.match(/A paragraph/g)).toHaveLength(5);
});

describe('bullets', () => {
  it('of fixed-pitch lines are those of a list, not code', async () => {
    const text = await textOf(
      await draw((pen) => {
        const y = pen.lines(BODY, 72, 80);
        pen.text('These packages are needed:', 72, y + 10);
        for (const [i, name] of ['menhir', 'ppx_deriving', 'extlib'].entries())
          pen.row(84, y + 28 + 14 * i, ['• '], [name, 'mono']);
        pen.lines(['# a comment', '* 3', 'make'], 84, y + 90, { font: 'mono' });
      }),
    );
    expect(text).toContain('\n- menhir\n- ppx_deriving\n- extlib\n');
    expect(text).toContain('```\n# a comment\n* 3\nmake\n```');
  });

  it('that are the letter o of a fixed-pitch face begin items, and the word o does not', async () => {
    const text = await textOf(
      await draw((pen) => {
        pen.text('• Two kinds of work are to be done:', 72, 80);
        for (const [i, item] of ['Reading of texts', 'Writing of texts'].entries())
          pen.row(90, 93 + 13 * i, ['o ', 'mono'], [item]);
        pen.lines(['Nada falta ao texto que segue, nem a linha seguinte, que é tão longa como', 'o texto'], 72, 160);
      }),
    );
    expect(text).toContain('- Two kinds of work are to be done:\n  - Reading of texts\n  - Writing of texts\n');
    expect(text).toContain('como o texto');
  });

  it('begin items wherever they stand, and text that begins left of one is not in its item', async () => {
    const text = await textOf(
      await draw((pen) => {
        pen.text('Simple types: what a function is applied to has a type, and so does the function itself, z:', 72, 80);
        pen.text('• Its value is of a type as well.', 140, 93);
        pen.text('Question: Is there a type of all types?', 90, 106);
      }),
    );
    expect(text).toContain('itself, z:\n\n- Its value is of a type as well.\n\nQuestion: Is there');
  });
});
