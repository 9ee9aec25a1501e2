import { Failure } from '../../../contract/failure.ts';
import type { PdfFile } from '../../file/read/pdf-file.ts';
import type { Dict } from '../../syntax/values.ts';
import { openCff } from '../programs/cff-program.ts';
import { allGlyphs, cffWithGlyphs, hasSubroutines } from '../programs/cff-subset.ts';
import { openTrueType, sfntTables, withGlyphs } from '../programs/truetype.ts';
import { namedGlyphs, numberedGlyphs } from './cff-codes.ts';
import type { Use } from './font-use.ts';
import { compositeGlyphs, simpleGlyphs } from './truetype-codes.ts';

/** A real font program is smaller; a larger one is left alone. */
export const MOST_FONT = 16 << 20;
/** A program is left whole where more than this part of its glyphs is shown: the gain is not worth the time. */
const MOST_SHOWN = 0.97;
const CFF = /^(?:Type1C|CIDFontType0C)$/;

export interface Subset {
  readonly program: Uint8Array;
  readonly subtype?: string;
}

/** The program of a stream with what its uses show, where they are known; undefined where it stays as it is. */
export function subsetStream(file: PdfFile, num: number, dict: Dict, uses: readonly Use[] = []): Subset | undefined {
  const subtype = dict.name('Subtype') ?? '';
  if (uses.length === 0 && !CFF.test(subtype)) return undefined;
  const program = file.streamBytes(num, MOST_FONT)?.bytes;
  if (program === undefined) return undefined;
  const bare = subtype === 'OpenType' ? bareCff(program) : undefined;
  if (bare !== undefined) return bareSubset(file, bare, uses);
  const subset = subsetProgram(file, program, uses);
  return subset && { program: subset };
}

/** The CFF table of an OpenType program, which alone draws its glyphs; undefined where it has none. */
function bareCff(program: Uint8Array): Uint8Array | undefined {
  const table = sfntTables(program)?.get('CFF ');
  return table && new Uint8Array(table.buffer, table.byteOffset, table.byteLength);
}

function bareSubset(file: PdfFile, cff: Uint8Array, uses: readonly Use[]): Subset | undefined {
  const simple = uses.filter(({ descendant }) => descendant === undefined).length;
  // Without an encoding of the font, readers ask tables that would be gone.
  const told = uses.every(({ font, descendant }) => descendant !== undefined || font.has('Encoding'));
  if ((simple > 0 && simple < uses.length) || !told || !unlessUnread(() => isInOrder(cff))) return undefined;
  const program = subsetProgram(file, cff, uses);
  return program && { program, subtype: simple > 0 ? 'Type1C' : 'CIDFontType0C' };
}

/** Readers differ in whether codes are numbers or places of glyphs: poppler takes them for places in OpenType alone. */
function isInOrder(cff: Uint8Array): boolean {
  const { numbers = [] } = openCff(cff) ?? {};
  return numbers.every((number, place) => number === place);
}

/** A program that cannot be read is left to those that can. */
function unlessUnread<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof Failure || !(error instanceof Error)) throw error;
    return undefined;
  }
}

/** `uses`: all that show its glyphs; where they are not known, all glyphs stay. Undefined where all of it stays. */
export function subsetProgram(file: PdfFile, program: Uint8Array, uses: readonly Use[]): Uint8Array | undefined {
  return unlessUnread(() => {
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
  });
}

/** Whether about as many codes are shown as there are glyphs: then no glyph is looked for. */
function showAll(uses: readonly Use[], glyphs: number): boolean {
  const codes = uses.map(
    ({ codes, descendant }) => (descendant === undefined ? codes?.single : codes?.double)?.size ?? 0,
  );
  return uses.length === 0 || codes.reduce((sum, size) => sum + size, 1) > glyphs * MOST_SHOWN;
}

/** The glyphs that all uses show; undefined where those of one use are unknown. */
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
