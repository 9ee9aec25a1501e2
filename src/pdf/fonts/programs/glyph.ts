/** A stem hint. `start` is relative to the glyph's origin; a width of -20 or -21 marks a single edge. */
export interface Stem {
  readonly start: number;
  readonly width: number;
}

/** Hints in effect together: horizontal and vertical stems. */
export interface StemHints {
  readonly horizontal: readonly Stem[];
  readonly vertical: readonly Stem[];
  /** Stems whose spacing must stay equal (hstem3, vstem3). */
  readonly counters: { readonly horizontal: readonly Stem[]; readonly vertical: readonly Stem[] };
}

/** A step of an outline; distances in font units, multiples of 1/65536, relative to the current point. */
export type PathStep =
  | { readonly kind: 'move' | 'line'; readonly by: readonly [dx: number, dy: number] }
  | { readonly kind: 'curve'; readonly by: Curve }
  /** Two curves that may be drawn as a line where they are flatter than `depth` hundredths of a pixel. */
  | { readonly kind: 'flex'; readonly by: readonly [...Curve, ...Curve]; readonly depth: number }
  /** These hints apply from here on. */
  | { readonly kind: 'hints'; readonly hints: StemHints };

export type Curve = readonly [dx1: number, dy1: number, dx2: number, dy2: number, dx3: number, dy3: number];

export interface GlyphOutline {
  readonly width: number;
  readonly steps: readonly PathStep[];
  /** An accented letter made of two others, by their codes in Adobe's standard encoding; it has no steps of its own. */
  readonly composite?: { readonly base: number; readonly accent: number; readonly dx: number; readonly dy: number };
}
