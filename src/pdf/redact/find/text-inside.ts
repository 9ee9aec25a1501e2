import type { Rect } from '../../page/geometry.ts';
import { markInside, type Placed, textRuns } from '../probe/marked-characters.ts';
import type { Reader } from './readings.ts';

/** A reader's texts inside boxes; only whole words of pdf.js, which guesses positions within a piece of text. */
export function textsInside(reader: Reader, characters: readonly Placed[], boxes: readonly Rect[]): string[] {
  const marked = markInside(characters, boxes);
  if (reader !== 'pdf.js') return textRuns(marked, ({ inside }) => inside);
  const words: string[] = [];
  let word = '';
  let isWhole = true;
  const end = () => {
    if (isWhole && word !== '') words.push(word);
    word = '';
    isWhole = true;
  };
  for (const { text, generated, inside } of marked) {
    if (generated || text.trim() === '') end();
    else {
      word += text;
      isWhole &&= inside;
    }
  }
  end();
  return words;
}
