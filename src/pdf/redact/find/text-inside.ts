import type { Rect } from '../../page/geometry.ts';
import { markInside, type Placed, textOf, textRuns, wordsOf } from '../probe/marked-characters.ts';
import type { Reader } from './readings.ts';

/** A reader's texts inside boxes; only whole words of pdf.js, which guesses positions within a piece of text. */
export function textsInside(reader: Reader, characters: readonly Placed[], boxes: readonly Rect[]): string[] {
  const marked = markInside(characters, boxes);
  if (reader !== 'pdf.js') return textRuns(marked);
  const whole = wordsOf(marked).filter((word) => word.every(({ inside }) => inside));
  return whole.map(textOf);
}
