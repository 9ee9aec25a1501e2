// Replaces glyphs by the text that marked content gives for them (/ActualText, ISO 32000-1, 14.9.4): brackets,
// ligatures and list numbers whose font does not tell.
import type { GlyphStyle, WordMaker } from './word-maker.ts';

/** Most characters that replace one glyph. More is a description of a drawing. */
const MOST_PER_GLYPH = 8;
const SAYS = /[\p{L}\p{N}]/u;

interface Shown {
  readonly to: WordMaker;
  readonly style: GlyphStyle;
  readonly glyph: Parameters<WordMaker['glyph']>;
}

/** Holds the glyphs of one marked content until it ends. */
export class ActualText {
  private readonly text: string;
  readonly depth: number;
  private readonly shown: Shown[] = [];

  constructor(text: string, depth: number) {
    this.text = text;
    this.depth = depth;
  }

  /** Holds back glyphs of `to` in one style. */
  holding(to: WordMaker, style: GlyphStyle): Pick<WordMaker, 'glyph'> {
    return { glyph: (...glyph) => this.shown.push({ to, style, glyph }) };
  }

  /** Writes the replacement, or the glyphs themselves where the two differ too much. */
  end(): void {
    const { shown, text } = this;
    const [first] = shown;
    if (first === undefined) return;
    const glyphs = shown.map(({ glyph: [drawn] }) => drawn).join('');
    const characters = [...text];
    const inLine = shown.every(
      ({ to, style: { y, size } }) => to === first.to && Math.abs(y - first.style.y) < 0.05 * size,
    );
    const isSound = characters.length <= MOST_PER_GLYPH * shown.length && (SAYS.test(text) || !SAYS.test(glyphs));
    if (!inLine || !isSound || characters.length === shown.length) {
      const replacement = inLine && isSound ? characters : undefined;
      for (const [i, { to, style, glyph }] of shown.entries()) {
        to.begin(style);
        to.glyph(replacement?.[i] ?? glyph[0], glyph[1], glyph[2], glyph[3]);
      }
      return;
    }
    const [, from] = first.glyph;
    const step = (Math.max(...shown.map(({ glyph }) => glyph[2])) - from) / characters.length;
    first.to.begin(first.style);
    for (const [i, character] of characters.entries()) {
      const end = from + (i + 1) * step;
      first.to.glyph(character, from + i * step, end, end);
    }
  }
}
