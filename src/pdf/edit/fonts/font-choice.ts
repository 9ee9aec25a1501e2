// Chooses a font for given text: one of the fourteen standard fonts, or the bundled Liberation Sans, embedded with the
// shown glyphs, where a character is not in WinAnsi. Documents that claim PDF/A or PDF/UA get embedded metric twins of
// the fourteen.

import { Failure } from '../../../contract/base/failure.ts';
import type { Context } from '../../../contract/base/ports.ts';
import { field, say } from '../../../contract/base/wording.ts';
import type { Writer } from '../../file/write/writer.ts';
import { writeStream } from '../../file/write/writer.ts';
import { encodingValue } from '../../fonts/encoding-differences.ts';
import { encodingNamed } from '../../fonts/encodings.ts';
import { uniName } from '../../fonts/glyph-names.ts';
import { standardWidths } from '../../fonts/standard-widths.ts';
import { toUnicodeText } from '../../fonts/to-unicode.ts';
import { cffTwin, symbolEncoding } from '../../fonts/twins.ts';
import { embeddedFont, refuseShaped, tagOf } from './embedded-font.ts';
import { lineCharacters, type PageFont } from './page-font.ts';

export type FontFile = NonNullable<Context['fontFile']>;

/** Families that have what Liberation lacks; Noto Sans has nearly every alphabet. */
const FAMILIES: readonly (readonly [script: RegExp, family: string])[] = [
  [/[\p{sc=Hiragana}\p{sc=Katakana}]/u, 'Noto Sans JP'],
  [/\p{sc=Hangul}/u, 'Noto Sans KR'],
  [/\p{sc=Han}/u, 'Noto Sans SC'],
  [/\p{sc=Armenian}/u, 'Noto Sans Armenian'],
  [/\p{sc=Georgian}/u, 'Noto Sans Georgian'],
  [/\p{sc=Ethiopic}/u, 'Noto Sans Ethiopic'],
  [/\p{Emoji_Presentation}/u, 'Noto Emoji'],
];

/** The standard font, else Liberation Sans. `embed`: as a metric twin. @throws Failure that names what to install */
export async function fontFor(
  text: string,
  name: string,
  fontFile: FontFile | undefined,
  embed = false,
): Promise<PageFont> {
  const standard = await standardFont(name);
  const lines = text.replace(/[\r\n]/g, '');
  if (fontFile === undefined) {
    if (embed) throw new Failure('unavailable', 'the fonts that PDF/A needs are not installed');
    return standard;
  }
  const twin = embed ? foxitTwin(name) : undefined;
  if (standard.covers(lines) && twin !== undefined) return standardFont(name, await fontFile(twin));
  if (standard.covers(lines) && !embed) return standard;
  refuseShaped(lines);
  const style = `${/Bold/.test(name) ? 'Bold' : ''}${/Italic|Oblique/.test(name) ? 'Italic' : ''}` || 'Regular';
  const file = `LiberationSans-${style}.ttf`;
  const liberation = embeddedFont(file, await fontFile(file));
  const missing = lineCharacters(lines).find((character) => !liberation.covers(character));
  if (missing === undefined) return liberation;
  const [, family = 'Noto Sans'] = FAMILIES.find(([script]) => script.test(missing)) ?? [];
  throw new Failure('usage', `neither ${name} nor Liberation Sans has the character '${missing}'`, {
    hint: say`Install a font that has it, such as ${family}, and name its file: ${field('font_file', 'FONT.ttf')}.`,
  });
}

// The fourteen standard fonts (ISO 32000-1, 9.6.2.2).

/** Ascent and descent by family, from Adobe's metrics. */
const HEIGHTS: readonly (readonly [RegExp, number, number])[] = [
  [/^Courier/, 629, -157],
  [/^Times/, 683, -217],
  [/^Symbol/, 800, -210],
  [/^ZapfDingbats/, 820, -143],
];

/** `program`: its metric twin, to be embedded; left out, nothing is. */
async function standardFont(name: string, program?: Uint8Array): Promise<PageFont> {
  const [, ascent, descent] = HEIGHTS.find(([pattern]) => pattern.test(name)) ?? [name, 718, -207];
  const isSymbolic = name === 'Symbol' || name === 'ZapfDingbats';
  const coded = isSymbolic ? await symbols(name) : latin(name);
  const codeOf = (character: string): Coded => {
    const code = coded(character);
    if (code !== undefined) return code;
    throw new Failure('usage', `${name} has no character '${character}'`, {
      hint: say`Name a font that has it: ${field('font_file', 'FONT.ttf')}.`,
    });
  };
  const used = new Map<number, string>();
  return {
    name,
    ascent,
    descent,
    covers: (text) => lineCharacters(text).every((character) => coded(character) !== undefined),
    width: (text) => lineCharacters(text).reduce((sum, character) => sum + codeOf(character).width, 0),
    show(text) {
      const codes = lineCharacters(text).map((character) => {
        const { code } = codeOf(character);
        used.set(code, character);
        return code;
      });
      return `<${Buffer.from(codes).toString('hex')}>`;
    },
    async write(writer, listed) {
      if (program !== undefined) return writeTwin(writer, name, program, used, { ascent, descent, listed });
      const num = writer.allocate();
      const encoding = isSymbolic ? '' : '/Encoding/WinAnsiEncoding';
      await writer.object(num, `<</Type/Font/Subtype/Type1/BaseFont/${name}${encoding}>>`);
      return num;
    },
  };
}

/** The file of Foxit's twin; undefined for Helvetica, which has Liberation Sans. */
function foxitTwin(name: string): string | undefined {
  const family = { Courier: 'Fixed', Times: 'Serif', Symbol: 'Symbol', ZapfDingbats: 'Dingbats' }[
    name.replace(/-.*/, '')
  ];
  const style = `${/Bold/.test(name) ? 'Bold' : ''}${/Italic|Oblique/.test(name) ? 'Italic' : ''}`;
  return family === undefined ? undefined : `Foxit${family}${style}.pfb`;
}

/** `used`: characters by code. `listed`: with the names of its glyphs, which PDF/A-1 requires (ISO 19005-1, 6.3.5). */
async function writeTwin(
  writer: Writer,
  font: string,
  bytes: Uint8Array,
  used: ReadonlyMap<number, string>,
  { ascent, descent, listed = false }: { ascent: number; descent: number; listed?: boolean | undefined },
): Promise<number> {
  const signs = /^[SZ]/.test(font) ? (await symbolEncoding(font as 'Symbol' | 'ZapfDingbats')).names : undefined;
  const wanted = [...used]
    .sort(([a], [b]) => a - b)
    .map(([code, character]) => ({ code, name: signs?.get(code) ?? uniName(character), width: undefined }));
  const made = cffTwin(bytes, wanted);
  if ('missing' in made) throw new Failure('usage', `the twin of ${font} has no ${made.missing}`);
  const name = `${tagOf(made.program)}+${font}`;
  const codes = wanted.map(({ code }) => code);
  const [first = 0, last = 0] = [codes[0], codes.at(-1)];
  const widths = new Array<number>(last - first + 1).fill(0);
  codes.forEach((code, i) => {
    widths[code - first] = made.widths[i] ?? 0;
  });
  const file = writeStream(writer, `/Subtype/Type1C`, made.program);
  const unicode = writeStream(writer, '', Buffer.from(toUnicodeText(used, 1), 'latin1'));
  const [num, descriptor] = [writer.allocate(), writer.allocate()];
  const set = listed ? `/CharSet(${[...new Set(made.names)].map((glyph) => `/${glyph}`).join('')})` : '';
  const italic = /Italic|Oblique/.test(font) ? -12 : 0;
  await writer.object(
    descriptor,
    `<</Type/FontDescriptor/FontName/${name}/Flags ${signs === undefined ? 32 : 4}/FontBBox[-200 -250 1200 1000]` +
      `/ItalicAngle ${italic}/Ascent ${ascent}/Descent ${descent}/CapHeight ${ascent}/StemV 80${set}/FontFile3 ${file} 0 R>>`,
  );
  const encoding = encodingValue(new Map(codes.map((code, i) => [code, made.names[i] ?? ''])));
  await writer.object(
    num,
    `<</Type/Font/Subtype/Type1/BaseFont/${name}/FirstChar ${first}/LastChar ${last}/Widths[${widths.join(' ')}]` +
      `/Encoding${encoding}/ToUnicode ${unicode} 0 R/FontDescriptor ${descriptor} 0 R>>`,
  );
  return num;
}

interface Coded {
  readonly code: number;
  readonly width: number;
}

function latin(name: string): (character: string) => Coded | undefined {
  const { widths, missing } = standardWidths(name) ?? { widths: new Map<string, number>(), missing: 600 };
  const codes = new Map(
    encodingNamed('WinAnsiEncoding').flatMap((glyph, code) => (glyph === undefined ? [] : [[glyph, code]])),
  );
  // Some characters have two codes: the usual one comes first.
  codes.set('\u2022', 0x95).set('-', 0x2d).set(' ', 0x20);
  return (character) => {
    const plain = character === '\u00a0' ? ' ' : character;
    const code = codes.get(plain);
    return code === undefined ? undefined : { code, width: widths.get(plain) ?? missing };
  };
}

/** Their own encodings and widths, from pdf-lib. */
async function symbols(name: 'Symbol' | 'ZapfDingbats'): Promise<(character: string) => Coded | undefined> {
  const { PDFDocument, StandardFonts } = await import('pdf-lib');
  const font = await (await PDFDocument.create()).embedFont(StandardFonts[name]);
  return (character) => {
    try {
      const code = Number.parseInt(font.encodeText(character).asString(), 16);
      return { code, width: font.widthOfTextAtSize(character, 1000) };
    } catch {
      // pdf-lib throws for characters that the font lacks.
      return undefined;
    }
  };
}
