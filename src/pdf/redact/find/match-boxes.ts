import { around, centreOf, covered, grown, meets, type Point, type Rect } from '../../page/geometry.ts';
import type { Letter } from '../content/page-edit.ts';
import { isRemovedBy } from '../content/text-editor.ts';
import type { Character } from '../probe/page-probe.ts';

/** Points added around a match: outlines of letters reach beyond their boxes. */
const ROOM = 0.6;
/** The least height of a box as a part of the font size: some fonts declare flat glyphs. */
const LEAST_HEIGHT = 0.6;
/** A line this many times as wide and as high as its letters is slanted. */
const ASKEW = 1.7;

/** Scales tried for a slanted letter's box, largest first, so that it removes no letter of other lines. */
const PARTS = [1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.45];

/** Boxes over a match: one a line, or one a letter on slanted lines, shrunk until no other of `letters` is removed. */
export function boxesOver(characters: readonly Character[], letters: readonly Letter[] = []): Rect[] {
  const lines: Character[][] = [];
  let last: Character | undefined;
  for (const character of characters) {
    if (/[\r\n]/.test(character.text)) last = undefined;
    if (character.generated || character.text.trim() === '') continue;
    const line = lines.at(-1);
    if (line === undefined || last === undefined || !isBeside(last, character)) lines.push([character]);
    else line.push(character);
    last = character;
  }
  return lines.flatMap((line) => boxesOfLine(line, letters));
}

function boxesOfLine(line: readonly Character[], letters: readonly Letter[]): Rect[] {
  const boxes = line.map(tall);
  const whole = boxes.reduce(around);
  const widest = Math.max(...boxes.map(({ x0, x1 }) => x1 - x0));
  const highest = Math.max(...boxes.map(({ y0, y1 }) => y1 - y0));
  const isAskew = whole.x1 - whole.x0 > ASKEW * widest && whole.y1 - whole.y0 > ASKEW * highest;
  if (!isAskew) return [grown(whole, ROOM)];
  const tilted = letters.filter(({ box, quad }) => quad !== undefined && meets(box, whole));
  const isAt = ({ quad }: Letter, { box, size }: Character) =>
    quad !== undefined && covered(quad, squareAt(centreOf(box), 0.1 * size)) > 0;
  const others = tilted.filter((letter) => !line.some((character) => isAt(letter, character)));
  return boxes.map((box, i) => {
    const mine = tilted.filter((letter) => isAt(letter, line[i]!));
    const tried = PARTS.map((part) => scaled(grown(box, ROOM), part));
    const taking = tried.filter((rect) => mine.every((letter) => isRemovedBy(letter, rect)));
    return (
      taking.find((rect) => !others.some((letter) => isRemovedBy(letter, rect))) ?? taking.at(-1) ?? grown(box, ROOM)
    );
  });
}

const squareAt = ([x, y]: Point, by: number): Rect => ({ x0: x - by, y0: y - by, x1: x + by, y1: y + by });

function scaled({ x0, y0, x1, y1 }: Rect, part: number): Rect {
  const [x, y] = [((x1 - x0) * (1 - part)) / 2, ((y1 - y0) * (1 - part)) / 2];
  return { x0: x0 + x, y0: y0 + y, x1: x1 - x, y1: y1 - y };
}

/** Whether a character follows another on its line, in any direction; slanted lines advance step by step. */
function isBeside({ box: a, size }: Character, { box: b }: Character): boolean {
  const near = Math.max(2, size * 1.2);
  const across = Math.max(a.x0, b.x0) - Math.min(a.x1, b.x1);
  const down = Math.max(a.y0, b.y0) - Math.min(a.y1, b.y1);
  return Math.max(across, 0) <= near * 3 && Math.max(down, 0) <= near * 0.6 && (across < near || down < 0);
}

function tall({ box, size }: Character): Rect {
  const lacking = Math.max(0, LEAST_HEIGHT * size - (box.y1 - box.y0), 1 - (box.y1 - box.y0)) / 2;
  const narrow = Math.max(0, 0.2 * size - (box.x1 - box.x0)) / 2;
  return { x0: box.x0 - narrow, x1: box.x1 + narrow, y0: box.y0 - lacking, y1: box.y1 + lacking };
}
