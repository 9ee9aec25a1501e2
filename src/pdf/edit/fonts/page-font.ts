import type { Writer } from '../../file/write/writer.ts';

/** A font to write text with: it encodes and measures text. */
export interface PageFont {
  readonly name: string;
  /** Above and below the baseline, in thousandths of an em; `descent` is negative. */
  readonly ascent: number;
  readonly descent: number;
  covers(text: string): boolean;
  /** The width of a line of text, in thousandths of an em. */
  width(text: string): number;
  /** The text as a string operand; the font remembers its characters. Throws a Failure for a missing character. */
  show(text: string): string;
  /** Writes the font with all characters shown, and returns its object number. `listed`: with a list of its glyphs. */
  write(writer: Writer, listed?: boolean): Promise<number>;
}

/** The characters of a line as fonts have them: marks combined with letters, a tab as a space. */
export function lineCharacters(text: string): string[] {
  return [...text.normalize('NFC').replaceAll('\t', ' ')];
}
