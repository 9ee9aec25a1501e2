// A text layer that is no text is named, and --ocr reads the page instead. Other scripts, code and tables are text.
import { describe, expect, it } from 'vitest';
import { isUnreadable } from '../../src/pdf/text/unreadable.ts';
import { extractText, markdown, toJson } from '../local.ts';
import { context, sourceOf } from './drawing.ts';
import { pageOf } from './raw-pdf.ts';

const words = (text: string) => text.split(' ');
const PROSE =
  'Several features of this machine are important in understanding the accidents that were reported to the authorities.';
/** Page 3 of therac.pdf (papers-we-love), whose Type 3 fonts name no glyph. */
const THERAC =
  '[ym{t|}|~}Z@k·znj rXr@kbZ@^z["oX¼m{[q4|}¬Z/[olZ gE)½CExcgc8r@tuv4ab[{ZmlZmjrxihj6^lk[ylZte¥PZ@gZmq|lZ@m{jrx2+4';
const shifted = [...`${PROSE} ${PROSE}`]
  .map((character) => (character === ' ' ? ' ' : String.fromCharCode(character.charCodeAt(0) - 29)))
  .join('');
const reversed = 'zyxwvutsrqponmlkjihgfedcbaZYXWVUTSRQPONMLKJIHGFEDCBA '.repeat(4);

describe('a text layer is unreadable', () => {
  it.each([
    ['glyphs without names', THERAC],
    ['codes that are shifted', shifted],
    [
      'codes of a Chinese font',
      '8Y(t: K ÿ¾f® Ý (f 。 ４ M ４ ． １ k¡ $ yz( Ý 7 â ou( 4 , f8 Ú ， kv t Ú_Û Ñåx Ùq ïc õg '.repeat(4),
    ],
    ['unknown codes', '\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd \ufffd\ufffd\ufffd '.repeat(8)],
    ['hidden runs of all letters', reversed],
    ['private characters', PROSE.replace(/[a-z]/g, (letter) => String.fromCharCode(0xf000 + letter.charCodeAt(0)))],
  ])('%s', (_, text) => expect(isUnreadable(words(text))).toBe(true));
});

describe('a text layer is readable', () => {
  it.each([
    ['prose', PROSE],
    ['few words', 'zyx ¼½¾'],
    [
      'Polish',
      'Wszystkie kwoty zawierają podatek, a rachunek bankowy znajduje się poniżej tabeli z pozycjami faktury.',
    ],
    [
      'Chinese',
      '本报告介绍了去年完成的工作以及今后的计划。每个部门都收到了一份副本！其中包括图表和说明，请在月底之前提出意见（并交给负责人）。',
    ],
    ['Arabic', 'الانتخابات التشريعية ورقة كشف نتائج دائرة مدنين مجموع الأصوات المصرح بها قائمة حزب التيار'],
    [
      'code',
      'for (const item of items) sum += item.price * item.count; return Math.round(sum * 100) / 100; if (total(list) > limit) throw new Error(list);',
    ],
    [
      'formulas',
      '• dim Zd = bd da dim Zd = bd + dim Bd wobei dim Bd = 0 da ad+1 = 0 • dim Zk + dim Bk = bk + dim Bk '.repeat(4),
    ],
    ['lists of variables', 'A, B, C = 0.05, 0.00, 0.00 '.repeat(40)],
    ['names of pins', '1 Vb Vb 1 Vd Vd 2 Gnd Gnd 3 Gnd D23 3 Gnd D47 '.repeat(8)],
    [
      'templates',
      'template<typename T> std::vector<std::unique_ptr<T>> make(std::initializer_list<T> list) { return {list.begin(), list.end()}; }',
    ],
    [
      'a form to be filled in',
      `First name ${'}'.repeat(60)} Date of birth ${'$'.repeat(40)} Postal address ${'\ufffd'.repeat(50)}`,
    ],
    [
      'addresses',
      'Read what the agency says at <https://example.org/?url=https%3A%2F%2Fexample.com%2Fnews&data=02%7C01%7Cpress>',
    ],
    ['numbers', '18,870 23,022 22,650 859 1,178 0 14 15 0 2,179 2,307 11 0 0 0 13 14 0 3 2 0 71,137 209 3,062'],
  ])('%s', (_, text) => expect(isUnreadable(words(text))).toBe(false));
});

it('extract-text, to-json and markdown name the pages', async () => {
  const shown = shifted.replace(/[\\()]/g, '\\$&').match(/.{1,60}/g) ?? [];
  const bytes = pageOf(`BT /F 11 Tf 14 TL 50 700 Td ${shown.map((line) => `(${line}) Tj T*`).join(' ')} ET`);
  const warning = 'page 1: the text layer is unreadable; try OCR';
  const file = sourceOf(bytes);
  for (const result of [
    await extractText({ file }, context()),
    await toJson({ file }, context()),
    await markdown({ file }, context()),
  ])
    expect(result.warnings).toContain(warning);
});

describe('a sign without a meaning where a bullet stands', () => {
  const read = async (lines: readonly string[]) => {
    const shown = lines.map((line) => `(\\262) Tj 14 0 Td (${line}) Tj -14 -20 Td`).join(' ');
    const cmap =
      'begincmap 1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfchar <b2> <ff72> endbfchar endcmap';
    const font = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding/ToUnicode 6 0 R>>';
    const bytes = pageOf(`BT /F 11 Tf 50 700 Td ${shown} ET`, { font, more: [{ dict: '', stream: cmap }] });
    return String((await extractText({ file: sourceOf(bytes) }, context())).record.text);
  };

  it('is a bullet on a page of Latin text', async () => {
    const items = ['The first of several points on this page', 'The second of them, which is the last'];
    const text = await read(items);
    expect(text).not.toMatch(/[\uff61-\uff9f]/);
    for (const item of items) expect(text).toContain(`• ${item}`);
  });

  it('is one too where its code is unknown, unless a number follows', async () => {
    const cmap =
      'begincmap 1 begincodespacerange <0000> <ffff> endcodespacerange 1 beginbfchar <0003> <0020> endbfchar endcmap';
    const sign =
      '<</Type/Font/Subtype/Type0/BaseFont/Wingdings/Encoding/Identity-H/ToUnicode 8 0 R/DescendantFonts[<</Type/Font/Subtype/CIDFontType2/BaseFont/Wingdings/FontDescriptor 7 0 R>>]>>';
    const line = (y: number, text: string) => `BT /G 11 Tf 50 ${y} Td <0083> Tj /F 11 Tf 14 0 Td (${text}) Tj ET`;
    const bytes = pageOf(`${line(700, 'Indirect potable use of the effluent of the city')} ${line(680, '0.5 of it')}`, {
      page: '/Resources<</Font<</F 5 0 R/G 6 0 R>>>>',
      more: [sign, '<</Type/FontDescriptor/FontName/Wingdings/Flags 4>>', { dict: '', stream: cmap }],
    });
    const text = String((await extractText({ file: sourceOf(bytes) }, context())).record.text);
    expect(text).toBe('• Indirect potable use of the effluent of the city\n\ufffd 0.5 of it\n');
  });

  // Manuals of IBM, in format-corpus: v of XyvisionPiOne; statutes: ! of WPTypographicSymbols.
  it.each(['XyvisionPiOne', 'WPTypographicSymbols', 'Wingdings3'])(
    'is one where it is a letter of %s',
    async (name) => {
      const font = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>';
      const line = (y: number, text: string) =>
        `BT /G 11 Tf 50 ${y} Td (v) Tj /F 11 Tf 14 0 Td (${text}) Tj /G 11 Tf 260 0 Td (v) Tj ET`;
      const bytes = pageOf(`${line(700, 'Indirect potable use of the effluent of the city')} ${line(680, '5 of it')}`, {
        page: '/Resources<</Font<</F 5 0 R/G 6 0 R>>>>',
        more: [font.replace('Helvetica', name)],
      });
      const text = String((await extractText({ file: sourceOf(bytes) }, context())).record.text);
      expect(text).toBe('• Indirect potable use of the effluent of the city v\nv 5 of it v\n');
    },
  );

  it('is left where it may be meant', async () => {
    expect(await read(['12'])).toMatch(/\uff72|イ/);
  });
});
