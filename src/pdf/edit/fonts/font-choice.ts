// A font for text that a person gave: one of the fourteen, which readers have, or the Liberation Sans that comes with
// this program, embedded with the glyphs that are shown, where a character is not in WinAnsi.

import { Failure } from '../../../contract/failure.ts';
import type { Context } from '../../../contract/ports.ts';
import { field, say } from '../../../contract/wording.ts';
import type { Writer } from '../../file/write/writer.ts';
import { encodingNamed } from '../../fonts/encodings.ts';
import { standardWidths } from '../../fonts/standard-widths.ts';
import { embeddedFont, refuseShaped } from './embedded-font.ts';
import { charactersOf, type PageFont } from './page-font.ts';

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

/** Standard fonts whose widths Liberation Sans has. */
export const HAS_TWIN = /^Helvetica/;

/**
 * The standard font of that name where it has every character of `text`, else Liberation Sans in its style. `fontFile`:
 * left out, there is none. `embed`: standard fonts in whose place it is all the same. Throws a Failure that names the font to install.
 */
export async function fontFor(
  text: string,
  name: string,
  fontFile: FontFile | undefined,
  embed?: RegExp,
): Promise<PageFont> {
  const standard = await standardFont(name);
  const lines = text.replace(/[\r\n]/g, '');
  if (fontFile === undefined || (standard.covers(lines) && embed?.test(name) !== true)) return standard;
  refuseShaped(lines);
  const style = `${/Bold/.test(name) ? 'Bold' : ''}${/Italic|Oblique/.test(name) ? 'Italic' : ''}` || 'Regular';
  const file = `LiberationSans-${style}.ttf`;
  const liberation = embeddedFont(file, await fontFile(file));
  const missing = charactersOf(lines).find((character) => !liberation.covers(character));
  if (missing === undefined) return liberation;
  const [, family = 'Noto Sans'] = FAMILIES.find(([script]) => script.test(missing)) ?? [];
  throw new Failure('usage', `neither ${name} nor Liberation Sans has the character '${missing}'`, {
    hint: say`Install a font that has it, such as ${family}, and name its file: ${field('font_file', 'FONT.ttf')}.`,
  });
}

// The fourteen fonts that every reader has (ISO 32000-1, 9.6.2.2): nothing of them is embedded.

/** Ascent and descent by family, as Adobe's metrics give them. */
const HEIGHTS: readonly (readonly [RegExp, number, number])[] = [
  [/^Courier/, 629, -157],
  [/^Times/, 683, -217],
  [/^Symbol/, 800, -210],
  [/^ZapfDingbats/, 820, -143],
];

async function standardFont(name: string): Promise<PageFont> {
  const [, ascent, descent] = HEIGHTS.find(([pattern]) => pattern.test(name)) ?? [name, 718, -207];
  const coded = name === 'Symbol' || name === 'ZapfDingbats' ? await symbols(name) : latin(name);
  const codeOf = (character: string): Coded => {
    const found = coded(character);
    if (found !== undefined) return found;
    throw new Failure('usage', `${name} has no character '${character}'`, {
      hint: say`Name a font that has it: ${field('font_file', 'FONT.ttf')}.`,
    });
  };
  const encoding = name === 'Symbol' || name === 'ZapfDingbats' ? '' : '/Encoding/WinAnsiEncoding';
  return {
    name,
    ascent,
    descent,
    covers: (text) => charactersOf(text).every((character) => coded(character) !== undefined),
    width: (text) => charactersOf(text).reduce((sum, character) => sum + codeOf(character).width, 0),
    show: (text) => `<${Buffer.from(charactersOf(text).map((character) => codeOf(character).code)).toString('hex')}>`,
    async write(writer: Writer) {
      const num = writer.allocate();
      await writer.object(num, `<</Type/Font/Subtype/Type1/BaseFont/${name}${encoding}>>`);
      return num;
    },
  };
}

interface Coded {
  readonly code: number;
  readonly width: number;
}

function latin(name: string): (character: string) => Coded | undefined {
  const { widths, missing } = standardWidths(name) ?? { widths: new Map<string, number>(), missing: 600 };
  const codes = new Map(
    encodingNamed('WinAnsiEncoding').flatMap((each, code) => (each === undefined ? [] : [[each, code]])),
  );
  // Some characters have two codes: the one that everybody writes is the first.
  for (const [character, code] of [
    ['\u2022', 0x95],
    ['-', 0x2d],
    [' ', 0x20],
  ] as const)
    codes.set(character, code);
  return (character) => {
    const plain = character === '\u00a0' ? ' ' : character;
    const code = codes.get(plain);
    return code === undefined ? undefined : { code, width: widths.get(plain) ?? missing };
  };
}

/** Their own encodings and widths, which pdf-lib has. */
async function symbols(name: 'Symbol' | 'ZapfDingbats'): Promise<(character: string) => Coded | undefined> {
  const { PDFDocument, StandardFonts } = await import('pdf-lib');
  const font = await (await PDFDocument.create()).embedFont(StandardFonts[name]);
  return (character) => {
    try {
      const code = Number.parseInt(font.encodeText(character).asString(), 16);
      return { code, width: font.widthOfTextAtSize(character, 1000) };
    } catch {
      return undefined;
    }
  };
}
