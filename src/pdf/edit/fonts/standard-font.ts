// The fourteen fonts that every reader has (ISO 32000-1, 9.6.2.2): nothing of them is embedded.

import { Failure } from '../../../contract/failure.ts';
import { field, say } from '../../../contract/wording.ts';
import type { Writer } from '../../file/write/writer.ts';
import { encodingNamed } from '../../fonts/encodings.ts';
import { standardWidths } from '../../fonts/standard-widths.ts';
import { charactersOf, type PageFont } from './page-font.ts';

/** Ascent and descent by family, as Adobe's metrics give them. */
const HEIGHTS: readonly (readonly [RegExp, number, number])[] = [
  [/^Courier/, 629, -157],
  [/^Times/, 683, -217],
  [/^Symbol/, 800, -210],
  [/^ZapfDingbats/, 820, -143],
];

export async function standardFont(name: string): Promise<PageFont> {
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
