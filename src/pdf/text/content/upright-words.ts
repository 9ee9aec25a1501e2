// Finds lines that run down the page although no font says so: upright ideographs placed one below the other.

import { CJK } from '../../fonts/characters.ts';
import { pairs } from '../../syntax/arrays.ts';
import { type Direction, turn, type Word } from './page-content.ts';

/** Wider words, in em, are lines of their own, such as page numbers. */
const WIDEST = 1.6;
/** The foot of an ideograph is so far below its baseline, and its middle so far above that of a turned line, in em. */
const [FOOT, MIDDLE] = [0.12, 0.35];
/** The direction of lines that run down the page. */
const DOWN: Direction = 1;

/** Splits the words: `down` as read on the page turned to DOWN. Undefined where most text runs from left to right. */
export function uprightWords(words: readonly Word[], width: number): { along: Word[]; down: Word[] } | undefined {
  const single = words.filter((word) => word.x1 - word.x0 < WIDEST * word.size);
  if (!single.some((word) => CJK.test(word.text))) return undefined;
  const lengthOf = (some: readonly Word[]) => some.reduce((sum, { text }) => sum + text.length, 0);
  const below = pairs(words).flatMap(([above, word]) => (isBelow(above, word) ? word : []));
  if (lengthOf(below) < 0.5 * lengthOf(words)) return undefined;
  const down: Word[] = [];
  let before: Word | undefined;
  for (const word of single) {
    const turned = turnedDown(word, width);
    const last = down.at(-1);
    if (before !== undefined && last !== undefined && word.mark === last.mark && isBelow(before, word)) {
      last.text += turned.text;
      last.x1 = turned.x1;
    } else down.push(turned);
    before = word;
  }
  const short = new Set(single);
  return { along: words.filter((word) => !short.has(word)), down };
}

function isBelow(before: Word, word: Word): boolean {
  const { size } = before;
  const [step, aside] = [word.y - before.y, Math.abs(middle(word) - middle(before))];
  return (
    word.text.length <= 2 &&
    Math.abs(word.size - size) < 0.05 * size &&
    step > 0.4 * size &&
    step < 1.5 * size &&
    aside < 0.3 * size
  );
}

function turnedDown(word: Word, width: number): Word {
  const { size, y } = word;
  const [x1, line] = turn(middle(word), y + FOOT * size, DOWN, width, 0);
  return { ...word, x0: x1 - size, x1, y: line + MIDDLE * size, spaced: false };
}

function middle(word: Word): number {
  return (word.x0 + word.x1) / 2;
}
