import type { Writer } from '../../file/write/writer.ts';

/** A font to write text with: what a text is in its codes, and how wide it is. */
export interface PageFont {
  readonly name: string;
  /** Above and below the baseline, in thousandths of an em; `descent` is below 0. */
  readonly ascent: number;
  readonly descent: number;
  covers(text: string): boolean;
  /** The width of a line of text, in thousandths of an em. */
  width(text: string): number;
  /** The text as a string operand; the font remembers the characters. Throws a Failure for a character that it has not. */
  show(text: string): string;
  /** Writes the font with all that was shown, and returns the number of its object. `listed`: with a list of its glyphs. */
  write(writer: Writer, listed?: boolean): Promise<number>;
}

/** The characters of a line as fonts have them: marks joined to their letters, a tab as a space. */
export function lineCharacters(text: string): string[] {
  return [...text.normalize('NFC').replaceAll('\t', ' ')];
}
