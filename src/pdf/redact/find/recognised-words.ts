import type { Box } from '../page-space.ts';
import { findIn, type Match, type Wanted } from './finders.ts';

/** A word that was recognised in a picture, with its box in points from the top left of the displayed page. */
interface Recognised {
  readonly text: string;
  readonly box: readonly [left: number, top: number, right: number, bottom: number];
}

/** Room around what was recognised, in points: boxes of words are those of their ink, give or take a pixel. */
const ROOM = 1.5;

/** One box for each line of a match: whole words, for nobody knows where in a word a letter begins. */
export function boxesOfWords(
  lines: readonly (readonly Recognised[])[],
  wanted: Wanted,
  match: Match,
  size: { readonly width: number; readonly height: number },
): { readonly box: Box; readonly kind: string }[] {
  const places: { readonly start: number; readonly end: number; readonly line: number; readonly word: Recognised }[] =
    [];
  let text = '';
  for (const [line, words] of lines.entries()) {
    for (const word of words) {
      places.push({ start: text.length, end: text.length + word.text.length, line, word });
      text += `${word.text} `;
    }
  }
  return findIn(text, wanted, match).flatMap(({ start, end, kind }) => {
    const hit = places.filter((place) => place.start < end && start < place.end);
    const onLines = [...new Set(hit.map(({ line }) => line))];
    return onLines.map((line) => {
      const words = hit.filter((place) => place.line === line).map(({ word }) => word);
      return { box: around(words, size), kind };
    });
  });
}

function around(words: readonly Recognised[], { width, height }: { width: number; height: number }): Box {
  const six = (value: number) => Math.round(value * 1e6) / 1e6;
  const part = (points: number, of: number) => six(Math.min(1, Math.max(0, points / of)));
  const left = part(Math.min(...words.map(({ box }) => box[0])) - ROOM, width);
  const top = part(Math.min(...words.map(({ box }) => box[1])) - ROOM, height);
  const right = part(Math.max(...words.map(({ box }) => box[2])) + ROOM, width);
  const bottom = part(Math.max(...words.map(({ box }) => box[3])) + ROOM, height);
  return { x: left, y: top, w: six(right - left), h: six(bottom - top) };
}
