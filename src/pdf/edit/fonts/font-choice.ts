// A font for text that a person gave: one of the fourteen, which readers have, or the Liberation Sans that comes with
// this program, embedded with the glyphs that are shown, where a character is not in WinAnsi.

import { Failure } from '../../../contract/failure.ts';
import type { Context } from '../../../contract/ports.ts';
import { field, say } from '../../../contract/wording.ts';
import { embeddedFont, refuseShaped } from './embedded-font.ts';
import { charactersOf, type PageFont } from './page-font.ts';
import { standardFont } from './standard-font.ts';

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
 * left out, there is none. `embed`: Liberation Sans in place of Helvetica too. Throws a Failure that names the font to
 * install.
 */
export async function fontFor(
  text: string,
  name: string,
  fontFile: FontFile | undefined,
  embed = false,
): Promise<PageFont> {
  const standard = await standardFont(name);
  const lines = text.replace(/[\r\n]/g, '');
  if (fontFile === undefined || (standard.covers(lines) && !(embed && HAS_TWIN.test(name)))) return standard;
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
