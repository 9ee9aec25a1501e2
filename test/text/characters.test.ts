import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { extractText } from '../local.ts';
import { context, sourceOf } from './drawing.ts';
import { pageOf } from './raw-pdf.ts';

async function textOf(bytes: Uint8Array): Promise<string> {
  const { record } = await extractText({ file: sourceOf(bytes) }, context());
  return String(record.text);
}

const shown = (line: string) => pageOf(`BT /F 10 Tf 72 700 Td ${line} ET`);

describe('accents that are drawn apart', () => {
  it.each([
    ['over the letter that follows', '[(Sch) -111 (\\250) 444 (on)] TJ', 'Schön\n'],
    ['over a capital, raised', '2 Ts [-167 (\\250)] TJ 0 Ts [500 (Uber)] TJ', 'Über\n'],
    ['over the letter before', '[(caf) (e) 444 (\\264) -112 (s)] TJ', 'cafés\n'],
    ['through a sign', '[(a ) -153 (/) 431 (=) ( b)] TJ', 'a ≠ b\n'],
    ['beside letters: they are signs like others', '[(a ) (\\250) ( b/c)] TJ', 'a ¨ b/c\n'],
    ['at the end of a line', '[(end ) (\\250)] TJ', 'end ¨\n'],
  ])('%s', async (_name, line, text) => {
    expect(await textOf(shown(line))).toBe(text);
  });
});

it('reads letters with two accents by the names of their glyphs', async () => {
  const names =
    '/H/odotbelow/acircumflexdotbelow/ohorngrave/uhorn/ecircumflexhookabove/Udieresiscaron/Zdot/oinvertedbreve';
  const font = `<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding<</Type/Encoding/Differences[65${names}]>>>>`;
  expect(await textOf(pageOf('BT /F 10 Tf 72 700 Td (ABCDEFGHI) Tj ET', { font }))).toBe('HọậờưểǙŻȏ\n');
});

it('reads one space and one hyphen where a map lists every character that a glyph stands for', async () => {
  const map = '1 beginbfchar <20><0009000d002000a0> endbfchar 1 beginbfchar <2d><002d00ad2010> endbfchar';
  const font =
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding/ToUnicode 6 0 R/FirstChar 32/LastChar 122' +
    `/Widths[${'500 '.repeat(91)}]>>`;
  const more = [{ dict: '', stream: `begincmap ${map} endcmap` }];
  expect(await textOf(pageOf('BT /F 10 Tf 72 700 Td (a non-null pointer) Tj ET', { font, more }))).toBe(
    'a non-null pointer\n',
  );
});

it('reads a space between words that are set alike and shown one by one, where it is narrow', async () => {
  const marked = (mark: number, x: number, text: string) =>
    `/P <</MCID ${mark}>> BDC BT /F 10 Tf ${x} 700 Td (${text}) Tj ET EMC`;
  const apart = (gap: number) => textOf(pageOf(`${marked(0, 72, 'de')} ${marked(1, 83.12 + gap, 'bitos')}`));
  expect(await apart(1.25)).toBe('de bitos\n');
  expect(await apart(0.9)).toBe('debitos\n');
});

it('reads a narrow gap as a space where the text shows none, as TeX sets a tight line', async () => {
  const tight = '/F 10 Tf 1 0 0 1 72 700 Tm [(will)-130(be)-130(running)-130(a)] TJ';
  expect(await textOf(pageOf(`BT ${tight} ET`))).toBe('will be running a\n');
  const kerned = '/F 10 Tf 1 0 0 1 72 700 Tm [(will be )(r)-130(unning)] TJ';
  expect(await textOf(pageOf(`BT ${kerned} ET`))).toBe('will be running\n');
});

it('reads recognised words apart, whose boxes overlap', async () => {
  const words = '/F 10 Tf 3 Tr 1 0 0 1 72 700 Tm (of ) Tj 1 0 0 1 78.5 700 Tm (Atomic) Tj';
  expect(await textOf(pageOf(`BT ${words} ET`))).toBe('of Atomic\n');
});

it('reads spaced-out letters as a word, and an alphabet as letters', async () => {
  expect(await textOf(pageOf('BT /F 10 Tf 1 0 0 1 72 700 Tm (O F F I C I A L   O R D E R) Tj ET'))).toBe(
    'OFFICIAL ORDER\n',
  );
  expect(
    await textOf(pageOf('BT /F 10 Tf 1 0 0 1 72 700 Tm [(T)-300(H)-300(E)-900(T)-300(E)-300(X)-300(T)] TJ ET')),
  ).toBe('THE TEXT\n');
  expect(await textOf(pageOf('BT /F 10 Tf 1 0 0 1 72 700 Tm (A B C D E F) Tj ET'))).toBe('A B C D E F\n');
});

it('reads the logo of LaTeX as a word', async () => {
  const logo = [
    ['L', 10, 72, 700],
    ['A', 7, 73.96, 702],
    ['T', 10, 77.13, 700],
    ['E', 10, 81.57, 697.5],
    ['X', 10, 86.99, 700],
  ];
  const shown = logo.map(([letter, size, x, y]) => `/F ${size} Tf 1 0 0 1 ${x} ${y} Tm (${letter}) Tj`);
  expect(await textOf(pageOf(`BT ${shown.join(' ')} ET`))).toBe('LATEX\n');
});

it('reads with the font that a restored state had', async () => {
  const content =
    'BT /F 10 Tf 72 700 Td (w\\344re) Tj ET q BT /G 10 Tf 72 680 Td (x) Tj ET Q BT 72 660 Td (f\\374r) Tj ET';
  const mac = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/MacRomanEncoding>>';
  const resources = '/Font<</F 5 0 R/G 6 0 R>>';
  const bytes = pageOf(content, { resources: '', page: `/Resources<<${resources}>>`, more: [mac] });
  expect(await textOf(bytes)).toBe('wäre\nx\nfür\n');
});

it('reads letters that a Type 3 font draws as shapes by their codes', async () => {
  const drawn =
    '<</Type/Font/Subtype/Type3/FontBBox[0 0 9 9]/FontMatrix[.01 0 0 .01 0 0]/FirstChar 97/LastChar 98/Widths[99 99]' +
    '/CharProcs<<>>/Encoding<</Differences[97/square/triangle]>>>>';
  const bytes = pageOf('BT /G 10 Tf 72 700 Td (ab) Tj ET', {
    resources: '',
    page: '/Resources<</Font<</G 6 0 R>>>>',
    more: [drawn],
  });
  expect(await textOf(bytes)).toBe('ab\n');
});

it.each([
  ['a bullet', '136/a136', '• b\n'],
  ['none, in a font with letters', '97/a97 136/a136', 'b\n'],
])("reads code 136 of TeX's bitmap fonts as %s", async (_, differences, expected) => {
  const bitmaps =
    '<</Type/Font/Subtype/Type3/FontBBox[0 0 9 9]/FontMatrix[.01 0 0 .01 0 0]/FirstChar 97/LastChar 136' +
    `/Widths[${'50 '.repeat(40)}]/CharProcs<<>>/Encoding<</Differences[${differences}]>>>>`;
  const bytes = pageOf('BT /G 10 Tf 72 700 Td <88> Tj /F 10 Tf 12 0 Td (b) Tj ET', {
    resources: '',
    page: '/Resources<</Font<</F 5 0 R/G 6 0 R>>>>',
    more: [bitmaps],
  });
  expect(await textOf(bytes)).toBe(expected);
});

/** One line for each code: its number, then what is shown. */
const CODES = Array.from({ length: 224 }, (_, i) => i + 32).filter((code) => code < 0x7f || code > 0xa0);

it.each(['Symbol', 'ZapfDingbats'])('reads the signs of %s as pdftotext does', async (name) => {
  const lines = CODES.map((code) => `/G 3 Tf (${code} is ) Tj /F 3 Tf <${code.toString(16)}> Tj T*`);
  const bytes = pageOf(`BT 4 TL 72 820 Td ${lines.join('\n')} ET`, {
    font: `<</Type/Font/Subtype/Type1/BaseFont/${name}>>`,
    page: '/Resources<</Font<</F 5 0 R/G 6 0 R>>>>',
    more: ['<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>'],
  });
  const other = execFileSync('pdftotext', ['-raw', '-enc', 'UTF-8', '-', '-'], { input: bytes, encoding: 'utf8' });
  const signs = (text: string) =>
    new Map([...text.matchAll(/(\d{2,3}) is (\S)/g)].map(([, code, sign]) => [code, sign]));
  const [ours, theirs] = [signs(await textOf(bytes)), signs(other.normalize('NFC'))];
  // Parts of large brackets have no characters of their own in the list that pdftotext uses.
  const known = [...theirs].filter(([, sign]) => !/[\ue000-\uf8ff]/.test(sign ?? ''));
  expect(known.filter(([code, sign]) => ours.get(code) !== sign)).toEqual([]);
  expect(ours.size).toBeGreaterThan(180);
});

it('reads Symbol in its own encoding where a file names another one, as Ghostscript draws it', async () => {
  const font = '<</Type/Font/Subtype/Type1/BaseFont/Symbol/Encoding/WinAnsiEncoding>>';
  expect(await textOf(pageOf('BT /F 10 Tf 72 700 Td (abg) Tj ET', { font }))).toBe('αβγ\n');
});

/** A font whose program names the glyphs; its map, where it has one, does not say what code 82 is. */
function programmed(map: string): Uint8Array {
  const program =
    '%!PS-AdobeFont-1.0: CMEX10\n/Encoding 256 array\ndup 82 /integraldisplay put\ndup 4 /squaresolid put\ndup 49 /parenrightBigg put\nreadonly def\ncurrentfile eexec\n';
  const unicode =
    'begincmap 1 begincodespacerange <00> <FF> endcodespacerange 1 beginbfchar <41> <0041> endbfchar endcmap';
  return pageOf('BT /F 10 Tf 72 700 Td (A R \\004 1) Tj ET', {
    font: `<</Type/Font/Subtype/Type1/BaseFont/ABCDEF+Signs/FirstChar 0/LastChar 99/Widths[${'500 '.repeat(100)}]/FontDescriptor 6 0 R${map}>>`,
    more: [
      '<</Type/FontDescriptor/FontName/ABCDEF+Signs/Flags 4/FontFile 7 0 R>>',
      { dict: '', stream: program },
      { dict: '', stream: unicode },
    ],
  });
}

// Names and what they show: a paper of PNAS and one of J. Environ. Qual. (yob/pdf-reader, openpreserve/format-corpus).
it('reads the numbered glyphs of Mathematical Pi', async () => {
  const names = ['H11005', 'H11001', 'H11002', 'H9251', 'H9268', 'H9273', 'H9004', 'H20862', 'H11034', 'H99999'];
  const bytes = pageOf(`BT /F 10 Tf 72 700 Td (${names.map((_, i) => String.fromCharCode(65 + i)).join(' ')}) Tj ET`, {
    font: `<</Type/Font/Subtype/Type1/BaseFont/ABCDEF+MathematicalPi-One/FirstChar 32/LastChar 90/Widths[${'500 '.repeat(59)}]/FontDescriptor 6 0 R/Encoding<</Differences[32/space 65/${names.join('/')}]>>>>`,
    more: ['<</Type/FontDescriptor/FontName/ABCDEF+MathematicalPi-One/Flags 4>>'],
  });
  expect(await textOf(bytes)).toBe('= + − α σ χ Δ / ° \ufffd\n');
});

it('reads the glyphs that an embedded Zapf Dingbats names', async () => {
  const program =
    '%!PS-AdobeFont-1.0: ZapfDingbats\n/Encoding 256 array\ndup 65 /a73 put\nreadonly def\ncurrentfile eexec\n';
  const bytes = pageOf('BT /F 10 Tf 72 700 Td (AB) Tj ET', {
    font: `<</Type/Font/Subtype/Type1/BaseFont/ABCDEF+ZapfDingbats/FirstChar 65/LastChar 66/Widths[761 761]/FontDescriptor 6 0 R/Encoding<</Differences[66/a20]>>>>`,
    more: [
      '<</Type/FontDescriptor/FontName/ABCDEF+ZapfDingbats/Flags 4/FontFile 7 0 R>>',
      { dict: '', stream: program },
    ],
  });
  expect(await textOf(bytes)).toBe('■✔\n');
});

it.each([
  ['', 'A ∫ ■ )\n'],
  ['/ToUnicode 8 0 R', 'A ∫ ■ )\n'],
])('takes names of glyphs from the program of a font %s', async (map, text) => {
  expect(await textOf(programmed(map))).toBe(text);
});

describe('displayed formulas', () => {
  const widths = `/FirstChar 0/LastChar 255/Widths[${'500 '.repeat(256)}]`;
  const font = `<</Type/Font/Subtype/Type1/BaseFont/CMMI10/Encoding/WinAnsiEncoding${widths}>>`;
  const prose = (y: number) => `BT /G 10 Tf 72 ${y} Td (A line of text that stands above and below it.) Tj ET`;
  const plain = `<</Type/Font/Subtype/Type1/BaseFont/Times-Roman/Encoding/WinAnsiEncoding${widths}>>`;
  const read = (content: string) =>
    textOf(pageOf(content, { font, page: '/Resources<</Font<</F 5 0 R/G 6 0 R>>>>', more: [plain] }));

  it('are read as they are drawn, with their numbers', async () => {
    const fraction = (x: number, a: string, b: string) =>
      `BT /F 10 Tf ${x} 707 Td (${a}) Tj ET BT /F 10 Tf ${x} 693 Td (${b}) Tj ET`;
    const sides = `BT /F 10 Tf 150 700 Td (x = ) Tj ET ${fraction(172, 'aa', 'bb')} BT /F 10 Tf 186 700 Td (+) Tj ET ${fraction(196, 'cc', 'dd')}`;
    const number = 'BT /G 10 Tf 450 700 Td (\\(12\\)) Tj ET';
    expect(await read(`${prose(730)} ${sides} ${number} ${prose(670)}`)).toBe(
      'A line of text that stands above and below it.\n\nx = aa bb + cc dd (12)\n\nA line of text that stands above and below it.\n',
    );
  });

  it('are none in a line of text', async () => {
    const line = 'BT /G 10 Tf 72 700 Td (Words before) Tj /F 10 Tf ( x ) Tj /G 10 Tf (and words behind it) Tj ET';
    expect(await read(`${line} ${prose(688)}`)).toBe(
      'Words before x and words behind it\nA line of text that stands above and below it.\n',
    );
  });
});

describe('a capital as high as two lines', () => {
  const show = (size: number, x: number, y: number, text: string) => `BT /F ${size} Tf ${x} ${y} Td (${text}) Tj ET`;
  const body = (x: number, y: number, lines: readonly string[]) =>
    lines.map((line, i) => show(10, x, y - 12 * i, line));

  it.each([
    ['begins the word beside it', 'M', 95, 'anagement of waters', 'Management of waters'],
    ['is a word of its own where a space follows', 'A', 95, 'manager of waters', 'A manager of waters'],
    ['begins a word in small capitals', 'T', 91, 'HE waters of the', 'THE waters of the'],
  ])('%s', async (_name, capital, x, first, whole) => {
    const lines = [show(28, 72, 676, capital), ...body(x, 688, [first, 'are hard to see'])];
    const rest = body(72, 664, ['where nobody looks', 'for them in winter']);
    const text = await textOf(pageOf([...lines, ...rest].join('\n')));
    expect(text).toBe(`${whole}\nare hard to see\nwhere nobody looks\nfor them in winter\n`);
  });

  it('is left alone where no text runs around it', async () => {
    const lines = [show(28, 72, 676, 'M'), ...body(120, 676, ['mandarin', 'mango'])];
    expect(await textOf(pageOf(lines.join('\n')))).toMatch(/^M\s/);
  });
});
