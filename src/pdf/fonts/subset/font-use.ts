import type { Dict } from '../../syntax/values.ts';
import { type Encoding, encodingNamed } from '../encodings.ts';

/** Strings shown with each font, by its object number, split into codes of one byte and of two. */
export interface ShownCodes {
  readonly single: ReadonlySet<number>;
  readonly double: ReadonlySet<number>;
}

export interface Use {
  readonly font: Dict;
  readonly codes: ShownCodes | undefined;
  /** The descendant font with the glyphs; undefined for a simple font. */
  readonly descendant: Dict | undefined;
}

/** The codes of a composite font with two-byte Identity codes. */
export function numbersShown({ font, codes }: Use): ReadonlySet<number> | undefined {
  return /^Identity-[HV]$/.test(font.name('Encoding') ?? '') ? codes?.double : undefined;
}

/** Possible encodings of a simple font's codes: the named one, else all. */
export function encodingsOf(font: Dict): readonly Encoding[] {
  const named = font.name('Encoding');
  if (named === 'WinAnsiEncoding' || named === 'MacRomanEncoding') return [encodingNamed(named)];
  return (['WinAnsiEncoding', 'MacRomanEncoding', 'StandardEncoding'] as const).map(encodingNamed);
}

/** The number in a name that consists of one. */
export function numberIn(name: string | undefined): number | undefined {
  const digits = /^(?:g|gid|glyph|cid|index)(\d+)$/i.exec(name ?? '')?.[1];
  return digits === undefined ? undefined : Number(digits);
}
