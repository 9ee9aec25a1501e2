import { type CffGlyph, writeCff } from './cff.ts';
import { STANDARD_ENCODING } from './standard-strings.ts';
import { parseType1, type Type1Font, Unconvertible } from './type1.ts';
import { runCharstring } from './type1-charstring.ts';
import { writeCharstring } from './type2-charstring.ts';

type Conversion =
  | {
      /** A CFF font program, for a FontFile3 stream of subtype Type1C. */
      readonly cff: Uint8Array;
      /** Glyph name of each code in the built-in encoding, for codes whose glyph exists. */
      readonly encoding: ReadonlyMap<number, string>;
    }
  /** Why the font stays unchanged: the end of a sentence that begins with the font. */
  | { readonly reason: string };

/** Converts a decoded FontFile stream. Nothing is approximated: what CFF cannot express is refused. */
export function convertType1(program: Uint8Array): Conversion {
  try {
    const font = parseType1(program);
    const names = orderGlyphs(font);
    const glyphs = names.map((name): CffGlyph => {
      const code = font.glyphs.get(name);
      if (code === undefined) return { name, width: 0, charstring: writeCharstring({ width: 0, steps: [] }) };
      const glyph = runCharstring(code, font.subrs);
      if (glyph.composite !== undefined)
        for (const part of [glyph.composite.base, glyph.composite.accent])
          if (!font.glyphs.has(STANDARD_ENCODING.get(part) ?? '')) throw new Unconvertible(`${name} lacks a part`);
      return { name, width: glyph.width, charstring: writeCharstring(glyph) };
    });
    const encoding = new Map([...font.encoding].filter(([, name]) => font.glyphs.has(name)));
    const { standardEncoding, ...rest } = font;
    return { cff: writeCff({ ...rest, encoding: standardEncoding ? undefined : encoding, glyphs }), encoding };
  } catch (error) {
    if (error instanceof Unconvertible) return { reason: error.message };
    throw error;
  }
}

/** `.notdef`, then by code, which keeps the encoding tables short; then glyphs without a code. */
function orderGlyphs({ glyphs, encoding }: Type1Font): string[] {
  const byCode = [...encoding].sort(([a], [b]) => a - b).flatMap(([, name]) => (glyphs.has(name) ? [name] : []));
  return [...new Set(['.notdef', ...byCode, ...glyphs.keys()])];
}
