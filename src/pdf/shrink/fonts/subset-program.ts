import { Failure } from '../../../contract/failure.ts';
import { openCff } from '../../fonts/cff-program.ts';
import { allGlyphs, cffWithGlyphs, hasSubroutines } from '../../fonts/cff-subset.ts';
import { openTrueType, withGlyphs } from '../../fonts/truetype.ts';
import type { PdfFile } from '../../read/pdf-file.ts';
import type { Dict } from '../../syntax/values.ts';
import { namedGlyphs, numberedGlyphs } from './cff-codes.ts';
import type { Use } from './font-use.ts';
import { MOST_FONT } from './fonts.ts';
import { compositeGlyphs, simpleGlyphs } from './truetype-codes.ts';

/** Of a program of which more is shown, leaving out the rest is not worth the time. */
const MOST_SHOWN = 0.97;
/** What a stream of a CFF program says it is. */
const CFF = /^(?:Type1C|CIDFontType0C)$/;

/** The program of a stream with what its uses show, where they are known; undefined where it stays as it is. */
export function subsetStream(
  file: PdfFile,
  num: number,
  dict: Dict,
  uses: readonly Use[] = [],
): Uint8Array | undefined {
  if (uses.length === 0 && !CFF.test(dict.name('Subtype') ?? '')) return undefined;
  const program = file.streamBytes(num, MOST_FONT)?.bytes;
  return program === undefined ? undefined : subsetProgram(file, program, uses);
}

/** `uses`: all that show its glyphs; where they are not known, all glyphs stay. Undefined where all of it stays. */
export function subsetProgram(file: PdfFile, program: Uint8Array, uses: readonly Use[]): Uint8Array | undefined {
  try {
    const font = uses.length === 0 ? undefined : openTrueType(program);
    if (font !== undefined) {
      const glyphs = shownBy(uses, (use, simple) =>
        simple ? simpleGlyphs(font, file, use) : compositeGlyphs(file, use),
      );
      const named = uses.some(({ descendant }) => descendant === undefined);
      return glyphs && withGlyphs(font, glyphs, named);
    }
    const cff = openCff(program);
    if (cff === undefined) return undefined;
    const glyphs = showAll(uses, allGlyphs(cff).length)
      ? undefined
      : shownBy(uses, (use, simple) => (simple ? namedGlyphs(cff, file, use) : numberedGlyphs(cff, use)));
    // Some makers leave out glyphs, but not the subroutines that only these called: half of a program, and more.
    return glyphs === undefined && !hasSubroutines(cff) ? undefined : cffWithGlyphs(cff, glyphs ?? allGlyphs(cff));
  } catch (error) {
    // A program that cannot be read is left to those that can.
    if (error instanceof Failure || !(error instanceof Error)) throw error;
    return undefined;
  }
}

/** Whether as many codes are shown as there are glyphs, or about: then no glyph is looked for. */
function showAll(uses: readonly Use[], glyphs: number): boolean {
  const codes = uses.map(
    ({ codes, descendant }) => (descendant === undefined ? codes?.single : codes?.double)?.size ?? 0,
  );
  return uses.length === 0 || codes.reduce((sum, size) => sum + size, 1) > glyphs * MOST_SHOWN;
}

/** What all uses show; undefined where it cannot be told of one. */
function shownBy(
  uses: readonly Use[],
  glyphsOf: (use: Use, simple: boolean) => ReadonlySet<number> | undefined,
): ReadonlySet<number> | undefined {
  const glyphs = new Set<number>();
  for (const use of uses) {
    if (use.codes === undefined) continue;
    const shown = glyphsOf(use, use.descendant === undefined);
    if (shown === undefined) return undefined;
    for (const glyph of shown) glyphs.add(glyph);
  }
  return glyphs;
}
