// Moves words of form fields to the baseline of their label: a field is a little higher or lower than the text beside
// it, and would make a line of its own.
import type { Face } from '../../fonts/faces.ts';
import { BLACK } from './fill-colour.ts';
import { FIRST_FIELD, NONE, type TextBox, type Word } from './page-content.ts';

/** A line of text in an area of the page that was not drawn. */
export interface FieldLine extends TextBox {
  readonly text: string;
}

/** Farthest distance of a label from its field, in em. */
const REACH = 5;
/** Largest difference of the baselines of a label and its field, in em. */
const OFF = 0.6;
/** The em of text in a field without a label: this share of its height, and at most so many points. */
const SHARE = 0.7;
const LARGEST = 12;
/** The middle of a line above its baseline, and the mean width of a character, in em. */
const MIDDLE = 0.35;
const CHARACTER = 0.5;

/** `words`: of the page and of drawn fields, which are moved. `lines`: text to add. */
export function withFields(words: readonly Word[], lines: readonly FieldLine[], face: Face): readonly Word[] {
  const isField = ({ mark }: Word) => mark <= FIRST_FIELD;
  if (lines.length === 0 && !words.some(isField)) return words;
  const labels = words.filter((word) => !isField(word));
  const moved = words.map((word) => {
    if (!isField(word)) return word;
    const fieldWords = words.filter(({ mark }) => mark === word.mark);
    if (fieldWords.some(({ y }) => y !== word.y)) return word;
    const [x0, x1] = [
      Math.min(...fieldWords.map((fieldWord) => fieldWord.x0)),
      Math.max(...fieldWords.map((fieldWord) => fieldWord.x1)),
    ];
    const label = labelOf({ x0, x1, y0: word.y - 0.7 * word.size, y1: word.y }, labels);
    return label === undefined || Math.abs(label.y - word.y) > OFF * word.size ? word : { ...word, y: label.y };
  });
  const added = lines.map((line): Word => {
    const { text, x0, y0, x1, y1 } = line;
    const label = labelOf(line, labels);
    const size = label?.size ?? Math.min(SHARE * (y1 - y0), LARGEST);
    const y = label?.y ?? (y0 + y1) / 2 + MIDDLE * size;
    const right = Math.max(x0 + 1, Math.min(x1, x0 + CHARACTER * size * text.length));
    return { text, x0, x1: right, y, size, face: label?.face ?? face, mark: NONE, colour: BLACK, spaced: true };
  });
  return [...moved, ...added];
}

/** The nearest word to the left or right of an area, at its height. */
function labelOf({ x0, y0, x1, y1 }: TextBox, words: readonly Word[]): Word | undefined {
  const middle = (y0 + y1) / 2;
  let label: Word | undefined;
  let nearest = REACH;
  for (const word of words) {
    const gap = Math.max(x0 - word.x1, word.x0 - x1) / word.size;
    const level = Math.abs(word.y - MIDDLE * word.size - middle) < Math.max((y1 - y0) / 2, 0.3 * word.size);
    if (level && gap > -1 && gap < nearest) [label, nearest] = [word, gap];
  }
  return label;
}
