import { type Box, NONE, type Word } from './page-content.ts';

/** More dots than this are a drawing. */
const MOST = 400;
/** A mark stands before its text by at most this much, in em. */
const REACH = 2.5;

/** A bullet for every dot at the beginning of a line. */
export function bulletsOf(dots: readonly Box[], words: readonly Word[]): Word[] {
  if (dots.length === 0 || dots.length > MOST) return [];
  return dots.flatMap((dot) => {
    const height = (dot.y0 + dot.y1) / 2;
    const line = words.filter((word) => Math.abs(word.y - 0.3 * word.size - height) < 0.3 * word.size);
    const right = line.filter((word) => word.x0 > dot.x1 && word.x0 - dot.x1 < REACH * word.size);
    const first = right.sort((a, b) => a.x0 - b.x0)[0];
    if (first === undefined || line.some((word) => word.x1 < dot.x1 && dot.x0 - word.x1 < 6 * word.size)) return [];
    const { y, size, face, colour } = first;
    return [{ text: '•', x0: dot.x0, x1: dot.x1, y, size, face, colour, mark: NONE, spaced: false }];
  });
}
