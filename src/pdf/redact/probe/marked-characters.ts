import { around, covered, type Quad, type Rect } from '../../page/geometry.ts';
import type { Character } from './page-probe.ts';

export interface Placed extends Character {
  /** Its corners where it is tilted and the reader knows them. */
  readonly quad?: Quad;
}

/** A character, and whether a region covers it. */
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

/** Texts of runs of wanted characters, with the spaces between them. */
export function textRuns(characters: readonly Marked[], wanted: (character: Marked) => boolean): string[] {
  const runs: string[] = [];
  let run = '';
  let begun = false;
  for (const character of characters) {
    if (character.generated || wanted(character)) {
      if (begun || !character.generated) {
        run += character.text;
        begun = true;
      }
    } else if (begun) {
      runs.push(run);
      run = '';
      begun = false;
    }
  }
  if (begun) runs.push(run);
  return runs;
}

/** The part of a word outside all regions. */
export interface WordOutside {
  readonly text: string;
  readonly box: Rect;
  readonly size: number;
  /** Other letters of the word are in a region. */
  readonly isCut: boolean;
}

/** Words between spaces; a word cut by a region gives several. */
export function wordsOutside(characters: readonly Marked[]): WordOutside[] {
  const words: { text: string; box: Rect; size: number; isCut: boolean }[] = [];
  /** The parts of the current word. */
  let parts: typeof words = [];
  let isCut = false;
  let isOpen = false;
  for (const { text, box, size, generated, inside } of characters) {
    if (generated || text.trim() === '') {
      parts = [];
      isCut = isOpen = false;
    } else if (inside) {
      for (const part of parts) part.isCut = true;
      isCut = true;
      isOpen = false;
    } else {
      const last = parts.at(-1);
      if (isOpen && last !== undefined) {
        last.text += text;
        last.box = around(last.box, box);
      } else {
        const part = { text, box, size, isCut };
        parts.push(part);
        words.push(part);
        isOpen = true;
      }
    }
  }
  return words;
}
