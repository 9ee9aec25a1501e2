import type { PdfFile } from '../../file/read/pdf-file.ts';
import { Name, Ref } from '../../syntax/values.ts';
import { differencesOf } from '../encoding-differences.ts';
import { encodingNamed } from '../encodings.ts';
import { characterNamed } from '../glyph-names.ts';
import type { TrueType } from '../programs/truetype.ts';
import { characterMaps, glyphNames } from '../programs/truetype-lookup.ts';
import { encodingsOf, numberIn, numbersShown, type Use } from './font-use.ts';

/** Blocks of the private use area where symbol fonts keep their codes. */
const SYMBOL_BLOCKS = [0xf000, 0xf100, 0xf200];

/** Codes of two bytes that are numbers of glyphs, or lead to them by a table. */
export function compositeGlyphs(file: PdfFile, use: Use): ReadonlySet<number> | undefined {
  const shown = numbersShown(use);
  const map = use.descendant?.get('CIDToGIDMap');
  const resolved = file.resolve(map);
  if (map === undefined || (resolved instanceof Name && resolved.value === 'Identity')) return shown;
  if (!(map instanceof Ref) || shown === undefined) return undefined;
  const bytes = file.streamBytes(map.num, 1 << 18)?.bytes;
  if (bytes === undefined) return undefined;
  return new Set([...shown].map((cid) => ((bytes[2 * cid] ?? 0) << 8) | (bytes[2 * cid + 1] ?? 0)));
}

/**
 * The glyphs of a simple font's codes. Readers differ in how they find them (9.6.6.4): every glyph that any of the ways
 * leads to stays.
 */
export function simpleGlyphs(
  font: TrueType,
  file: PdfFile,
  { font: dict, codes }: Use,
): ReadonlySet<number> | undefined {
  const maps = characterMaps(font);
  if (maps === undefined || codes === undefined) return undefined;
  const names = glyphNames(font);
  const differences = differencesOf(file, dict);
  const encodings = encodingsOf(dict);
  const mac = encodingNamed('MacRomanEncoding');
  const glyphs = new Set<number>();
  for (const code of codes.single) {
    const name = differences.get(code);
    const number = numberIn(name);
    const characters = [name === undefined ? undefined : characterNamed(name), ...encodings.map((each) => each[code])];
    const points = characters.flatMap((each) =>
      each === undefined ? [] : [each.codePointAt(0) ?? 0, mac.indexOf(each)],
    );
    const ask = (asked: readonly number[]) =>
      maps.flatMap((map) => asked.map((each) => (each < 0 ? 0 : map(each)))).filter((glyph) => glyph > 0);
    const found = ask(points);
    // Names are asked where characters lead nowhere, and always for one that the font gives itself.
    if (found.length === 0 || name !== undefined)
      for (const [glyph, other] of names.entries())
        if (other !== undefined && (other === name || isOneOf(characters, other))) found.push(glyph);
    found.push(...ask([code, ...SYMBOL_BLOCKS.map((block) => block + code)]));
    if (number !== undefined) found.push(number);
    for (const glyph of found.length > 0 ? found : [code]) glyphs.add(glyph);
  }
  return glyphs;
}

function isOneOf(characters: readonly (string | undefined)[], name: string): boolean {
  const character = characterNamed(name);
  return name !== '.notdef' && character !== undefined && characters.includes(character);
}
