// Chinese, Japanese and Arabic as they are written: no blanks between ideographs, lines that run down, letters in their order.
import { describe, expect, it } from 'vitest';
import { extractText, markdown } from '../local.ts';
import { context, sourceOf } from './drawing.ts';
import { pageOf } from './raw-pdf.ts';

/** What one glyph says, and where it stands. */
type Glyph = readonly [text: string, x: number, y: number];

/** A letter without a width, drawn below the one before. */
const BELOW = 'ತ\u200b';

/** A page of glyphs of one em each, and marks without width, in a font whose map says what they are. */
function pageWith(glyphs: readonly Glyph[], size = 10): Uint8Array {
  return pageShowing(
    glyphs.map(([text]) => text),
    (code) => glyphs.map(([text, x, y]) => `1 0 0 1 ${x} ${y} Tm <${code(text)}> Tj`).join(' '),
    size,
  );
}

function pageShowing(all: readonly string[], shown: (code: (text: string) => string) => string, size = 10): Uint8Array {
  const texts = [...new Set(all)];
  const hex = (text: string) => Buffer.from(text, 'utf16le').swap16().toString('hex');
  const code = (text: string) => (texts.indexOf(text) + 33).toString(16).padStart(2, '0');
  const map = `begincmap 1 begincodespacerange <00> <FF> endcodespacerange ${texts.length} beginbfchar ${texts
    .map((text) => `<${code(text)}> <${hex(text)}>`)
    .join(' ')} endbfchar endcmap`;
  const widths = Array.from({ length: 256 }, (_, i) => (/^\p{M}|\u200b/u.test(texts[i - 33] ?? '') ? 0 : 1000));
  return pageOf(`BT /F ${size} Tf ${shown(code)} ET`, {
    font: `<</Type/Font/Subtype/TrueType/BaseFont/Signs/FirstChar 0/LastChar 255/Widths[${widths.join(' ')}]/ToUnicode 6 0 R>>`,
    more: [{ dict: '', stream: map }],
  });
}

/** Lines from left to right below each other. */
const lines = (...texts: string[]): Glyph[] =>
  texts.flatMap((text, row) => [...text].map((each, i): Glyph => [each, 72 + 10 * i, 700 - 15 * row]));

async function plain(bytes: Uint8Array): Promise<string> {
  const { record } = await extractText({ file: sourceOf(bytes) }, context());
  return String(record.text);
}

async function joined(bytes: Uint8Array): Promise<string> {
  const result = await markdown({ file: sourceOf(bytes), mode: 'rag' }, context());
  if (result.kind !== 'record' || !('record' in result)) throw new Error('expected a record');
  return String(result.record.markdown);
}

describe('ideographs', () => {
  it('have no blank between them and anything else where a line ends', async () => {
    expect(await joined(pageWith(lines('图书馆开放时间是九点，用', 'Linux的人都来这里读书。')))).toBe(
      '图书馆开放时间是九点，用Linux的人都来这里读书。\n',
    );
  });

  it('that the font calls radicals are ideographs', async () => {
    expect(await plain(pageWith(lines('⻔⻓⺠⾯')))).toBe('门长民面\n');
  });

  it('count lists', async () => {
    expect(await joined(pageWith(lines('一、图书馆开放。', '二、电车停运。', '三、会议结束。')))).toBe(
      '- 一、图书馆开放。\n- 二、电车停运。\n- 三、会议结束。\n',
    );
  });

  it('begin a paragraph after a line that ends early', async () => {
    const page = lines('图书馆开放时间是九点到五点半整', '电车停运。', '会议在下午三点结束大家都回家了');
    expect(await joined(pageWith(page))).toBe(
      '图书馆开放时间是九点到五点半整电车停运。\n\n会议在下午三点结束大家都回家了\n',
    );
  });

  it('have no space before punctuation that is set closer than its square', async () => {
    const page = [...'所有者（甲）。乙'].map((each, i): Glyph => [each, 72 + 10 * i - (i > 5 ? 6 : 0), 700]);
    expect(await plain(pageWith(page))).toBe('所有者（甲）。乙\n');
  });

  it('are a space apart from digits where the page sets them apart', async () => {
    const page: Glyph[] = [...'共2年'].map((each, i) => [each, 72 + 12.5 * i, 700]);
    expect(await plain(pageWith(page))).toBe('共 2 年\n');
    expect(await plain(pageWith(lines('共2年')))).toBe('共2年\n');
  });

  it('below each other are columns, from right to left', async () => {
    const columns = ['図書館で本を読む︒', '電車は︑朝に来る', '会議が終わった︒'];
    const page = columns.flatMap((text, column) =>
      [...text].map((each, i): Glyph => [each, 500 - 16 * column, 700 - 10 * i]),
    );
    expect(await plain(pageWith(page))).toBe('図書館で本を読む。\n電車は、朝に来る\n会議が終わった。\n');
  });

  it('in one column of a table are no text that runs down', async () => {
    const page = ['一二三四五六七八', '甲乙丙丁戊己庚辛'].flatMap((text, row) =>
      [...text].map((each, i): Glyph => [each, 72 + 10 * i, 700 - 15 * row]),
    );
    expect(await plain(pageWith(page))).toBe('一二三四五六七八\n甲乙丙丁戊己庚辛\n');
  });
});

it('letters of an Arabic ligature are read in their order', async () => {
  // Drawn from left to right: meem, the ligature of lam and alef, seen.
  const page: Glyph[] = ['م', 'لا', 'س'].map((each, i) => [each, 72 + 10 * i, 700]);
  expect(await plain(pageWith(page))).toBe('سلام\n');
});

describe('text from right to left', () => {
  it('is read where the file shows its letters in reading order, each to the left of the last', async () => {
    const letters = [...'שלום עולם.'];
    // As macOS writes it: negative spacing moves the pen back over each letter.
    const page = pageShowing(letters, (code) => {
      const steps = letters.map((letter) => `<${code(letter)}> 200`).join(' ');
      return `-18 Tc 1 0 0 1 300 700 Tm [${steps}] TJ`;
    });
    expect(await plain(page)).toBe('שלום עולם.\n');
  });

  it.each([0, 1])('has marks on their letter where they are shown before it, raised by %d', async (rise) => {
    const page: Glyph[] = [
      ['ة', 72, 700],
      ['ّ', 82, 700 + rise],
      ['ف', 82.3, 700],
      ['د', 92.3, 700],
    ];
    expect(await plain(pageWith(page))).toBe('دفّة\n');
  });

  it('has brackets that open before they close, whichever form the font names', async () => {
    expect(await plain(pageWith(lines('(1) :ללכ')))).toBe('כלל: (1)\n');
    expect(await plain(pageWith(lines('.)קוח( ללכ')))).toBe('כלל (חוק).\n');
    expect(await plain(pageWith(lines('.(קוח) ללכ')))).toBe('כלל (חוק).\n');
  });
});

describe('Indic scripts', () => {
  it('have marks in their word, however they are raised', async () => {
    const page: Glyph[] = [
      ['फ', 72, 700],
      ['ु', 80, 699],
      ['ड', 82, 700],
      ['म', 97, 700],
    ];
    expect(await plain(pageWith(page))).toBe('फुड म\n');
  });

  it('have the letters of a conjunct that are drawn below another, without a width', async () => {
    const page: Glyph[] = [
      ['ಮ', 72, 700],
      ['ತ', 82, 700],
      [BELOW, 88, 700],
    ];
    expect(await plain(pageWith(page))).toBe('ಮತತ\n');
  });
});
