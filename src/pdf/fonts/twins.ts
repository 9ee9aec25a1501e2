// Metric twins of the standard fonts (ISO 32000-1, 9.6.2.2): Foxit's for Times, Courier, Symbol and Zapf Dingbats, from
// pdf.js, and Liberation Sans for Helvetica.
import { characterNamed } from './glyph-names.ts';
import { openCff } from './programs/cff-program.ts';
import { cffWidth, cffWithGlyphs } from './programs/cff-subset.ts';

/** What to show for a code. */
export interface WantedGlyph {
  readonly code: number;
  /** The name of its glyph; undefined for nothing. */
  readonly name: string | undefined;
  /** In thousandths of an em; undefined for the font's own width. */
  readonly width: number | undefined;
}

export type TwinProgram =
  | {
      readonly program: Uint8Array;
      readonly entry: 'FontFile2' | 'FontFile3';
      readonly widths: readonly number[];
      readonly names: readonly string[];
    }
  | { readonly missing: string };

export function cffTwin(bytes: Uint8Array, wanted: readonly WantedGlyph[]): TwinProgram {
  const cff = openCff(bytes);
  if (cff?.names === undefined) throw new TypeError('a font that comes with the program is damaged');
  const places = new Map(cff.names.map((name, id) => [name, id]));
  const byCharacter = new Map(cff.names.map((name, id) => [plainCharacter(characterNamed(name)) ?? name, id]));
  const glyphs: number[] = [];
  for (const { name = 'space', width } of wanted) {
    const id = places.get(name) ?? byCharacter.get(plainCharacter(characterNamed(name)) ?? name);
    if (id === undefined) return { missing: `'${characterNamed(name) ?? name}'` };
    if (width !== undefined && Math.abs(width - cffWidth(cff, id)) > 1)
      return { missing: `${name} as wide as it is here` };
    glyphs.push(id);
  }
  const names = glyphs.map((id) => cff.names?.[id] ?? 'space');
  return {
    program: cffWithGlyphs(cff, glyphs),
    entry: 'FontFile3',
    widths: glyphs.map((id) => cffWidth(cff, id)),
    names,
  };
}

/** Names and characters by code of Symbol and Zapf Dingbats, from pdf-lib. */
export async function symbolEncoding(
  font: 'Symbol' | 'ZapfDingbats',
): Promise<{ readonly names: Names; readonly characters: Names }> {
  const { StandardFontEmbedder } = await import('pdf-lib');
  const { encoding } = StandardFontEmbedder.for(font as FontName);
  const codes = encoding.supportedCodePoints.map((point) => ({ point, ...encoding.encodeUnicodeCodePoint(point) }));
  return {
    names: new Map(codes.map(({ code, name }) => [code, name])),
    characters: new Map(codes.map(({ code, point }) => [code, String.fromCodePoint(point)])),
  };
}

type Names = ReadonlyMap<number, string>;
type FontName = Parameters<typeof import('pdf-lib')['StandardFontEmbedder']['for']>[0];

/** A no-break space and a soft hyphen look like the plain ones. */
export function plainCharacter(character: string | undefined): string | undefined {
  return character === '\u00a0' ? ' ' : character === '\u00ad' ? '-' : character;
}
