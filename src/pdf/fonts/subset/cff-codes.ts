import type { PdfFile } from '../../file/read/pdf-file.ts';
import { listAt } from '../../syntax/arrays.ts';
import { Dict, Name, type Value } from '../../syntax/values.ts';
import { differencesOf } from '../encoding-differences.ts';
import { encodingNamed } from '../encodings.ts';
import { characterNamed } from '../glyph-names.ts';
import type { CffProgram } from '../programs/cff-program.ts';
import { encodingsOf, numberIn, numbersShown, type Use } from './font-use.ts';

/** Glyphs by their numbers, of which a program without any has those of their places (9.7.4.2). */
export function numberedGlyphs({ numbers }: CffProgram, use: Use): ReadonlySet<number> | undefined {
  const shown = numbersShown(use);
  if (numbers === undefined || shown === undefined) return shown;
  return new Set(numbers.flatMap((number, glyph) => (shown.has(number) ? [glyph] : [])));
}

/**
 * Glyphs by their names (9.6.6.2). Where a name leads nowhere, or there is none, readers differ: every glyph that any of
 * the ways leads to stays.
 */
export function namedGlyphs(
  { names, encoding }: CffProgram,
  file: PdfFile,
  { font, codes }: Use,
): ReadonlySet<number> | undefined {
  if (names === undefined || codes === undefined || !isUsual(file, font.get('Encoding'))) return undefined;
  const byName = new Map<string, number[]>();
  const byCharacter = new Map<string, number[]>();
  for (const [glyph, name] of names.entries()) {
    listAt(byName, name).push(glyph);
    const character = characterNamed(name);
    if (character !== undefined) listAt(byCharacter, character).push(glyph);
  }
  const differences = differencesOf(file, font);
  const ownAlone = !font.has('Encoding') && encoding !== undefined;
  const encodings = ownAlone ? [] : [...encodingsOf(font), encodingNamed('StandardEncoding')];
  const glyphs = new Set<number>();
  for (const code of codes.single) {
    const name = differences.get(code);
    const exact = name === undefined ? undefined : byName.get(name);
    const found = exact === undefined ? [] : [...exact];
    if (exact === undefined) {
      const characters = [
        name === undefined ? undefined : characterNamed(name),
        ...encodings.map((each) => each[code]),
      ];
      for (const character of characters) found.push(...(byCharacter.get(character ?? '') ?? []));
      found.push(...[encoding?.get(code), numberIn(name)].filter((glyph) => glyph !== undefined));
    }
    for (const glyph of found.length > 0 ? found : [code]) glyphs.add(glyph);
  }
  return glyphs;
}

/** Whether codes mean what one of the encodings that are known here says, or what the program itself says. */
function isUsual(file: PdfFile, value: Value | undefined): boolean {
  const found = file.resolve(value);
  const base = found instanceof Dict ? file.resolve(found.get('BaseEncoding')) : found;
  return !(base instanceof Name) || /^(?:WinAnsi|MacRoman|Standard)Encoding$/.test(base.value);
}
