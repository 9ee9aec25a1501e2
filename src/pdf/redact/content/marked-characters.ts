import type { Rect } from '../../page/geometry.ts';
import type { Character } from '../find/page-probe.ts';

/** A character with what is known of its place. */
export interface Marked extends Character {
  /** It is in a region. */
  readonly inside: boolean;
}

/** Characters with those marked whose middle, or most of which, a box covers. */
export function markInside(characters: readonly Character[], boxes: readonly Rect[]): Marked[] {
  return characters.map((character) => ({
    ...character,
    inside: !character.generated && boxes.some((box) => covers(box, character.box)),
  }));
}

/** As glyphs are removed: by a part of their width and of their height. */
function covers(over: Rect, { x0, y0, x1, y1 }: Rect): boolean {
  const across = Math.min(x1, over.x1) - Math.max(x0, over.x0);
  const down = Math.min(y1, over.y1) - Math.max(y0, over.y0);
  if (across < 0 || down < 0) return false;
  return across >= 0.35 * (x1 - x0) && down >= 0.35 * (y1 - y0);
}

/** Texts of neighbours that are alike, each in one piece. */
export function runsOf(characters: readonly Marked[], wanted: (character: Marked) => boolean): string[] {
  const runs: string[] = [];
  let run = '';
  let begun = false;
  for (const character of characters) {
    // A space between two that are wanted belongs to them.
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
