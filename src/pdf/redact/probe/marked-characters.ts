import { around, covered, type Quad, type Rect } from '../../page/geometry.ts';
import { type NonEmpty, runsOf } from '../../syntax/arrays.ts';
import type { Character } from './page-probe.ts';

export interface Placed extends Character {
  /** Its corners where it is tilted and the reader knows them. */
  readonly quad?: Quad;
}

export interface Marked extends Placed {
  readonly inside: boolean;
}

/** Marks the characters that a box covers: by width and height, or by area where tilted. */
export function markInside(characters: readonly Placed[], boxes: readonly Rect[]): Marked[] {
  return characters.map((character) => {
    const { quad } = character;
    const isIn = (box: Rect) => (quad === undefined ? covers(box, character.box) : covered(quad, box) > TILTED);
    return { ...character, inside: !character.generated && boxes.some(isIn) };
  });
}

/** The part of a tilted letter's area from which it counts as inside. */
const TILTED = 0.15;

/** Whether a box covers 35 % of the width and of the height. */
function covers(over: Rect, { x0, y0, x1, y1 }: Rect): boolean {
  const across = Math.min(x1, over.x1) - Math.max(x0, over.x0);
  const down = Math.min(y1, over.y1) - Math.max(y0, over.y0);
  if (across < 0 || down < 0) return false;
  return across >= 0.35 * (x1 - x0) && down >= 0.35 * (y1 - y0);
}

/** Texts of runs of characters inside, with the spaces between them. */
export function textRuns(characters: readonly Marked[]): string[] {
  const runs = runsOf(characters, (next, [first]) => isBetween(next) === isBetween(first));
  return runs
    .filter(([first]) => isBetween(first))
    .flatMap((run) => {
      const begin = run.findIndex(({ generated }) => !generated);
      return begin < 0 ? [] : textOf(run.slice(begin));
    });
}

function isBetween({ generated, inside }: Marked): boolean {
  return generated || inside;
}

/** Words between spaces. */
export function wordsOf(characters: readonly Marked[]): NonEmpty<Marked>[] {
  return runsOf(characters, (next, [first]) => isSpace(next) === isSpace(first)).filter(([first]) => !isSpace(first));
}

function isSpace({ generated, text }: Character): boolean {
  return generated || text.trim() === '';
}

export function textOf(characters: readonly Character[]): string {
  return characters.map(({ text }) => text).join('');
}

export interface WordOutside {
  readonly text: string;
  readonly box: Rect;
  readonly size: number;
  /** Other letters of the word are in a region. */
  readonly isCut: boolean;
}

/** The words outside; one cut by a region gives several. */
export function wordsOutside(characters: readonly Marked[]): WordOutside[] {
  return wordsOf(characters).flatMap((word) => {
    const parts = runsOf(word, (next, [first]) => next.inside === first.inside).filter(([{ inside }]) => !inside);
    const isCut = word.some(({ inside }) => inside);
    return parts.map((part) => {
      const box = part.map((character) => character.box).reduce(around);
      return { text: textOf(part), box, size: part[0].size, isCut };
    });
  });
}
