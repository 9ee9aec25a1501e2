import type { Writer } from '../../write/writer.ts';

/** A font to write text with: what a text is in its codes, and how wide it is. */
export interface PageFont {
  readonly name: string;
  /** Above and below the baseline, in thousandths of an em; `descent` is below 0. */
  readonly ascent: number;
  readonly descent: number;
  /** Of a line of text, in thousandths of an em. */
  width(text: string): number;
  /** The text as a string operand. The font keeps in mind what was asked for. Throws a Failure for a character that it has not. */
  show(text: string): string;
  /** Writes the font with all that was asked for, and returns the number of its object. */
  write(writer: Writer): Promise<number>;
}
