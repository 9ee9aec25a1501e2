import type { TextPiece } from '../../../contract/base/ports.ts';
import { boundsOf, type Point, type Quad } from '../../page/geometry.ts';
import { runsOf } from '../../syntax/arrays.ts';
import type { Letter } from '../content/page-edit.ts';
import type { Placed } from '../probe/marked-characters.ts';
import type { Character } from '../probe/page-probe.ts';

export type Reader = 'pdftool' | 'PDFium' | 'pdf.js' | 'OCR';

/** A page's characters as one reader has them, in its order. */
export interface Reading {
  readonly reader: Reader;
  readonly characters: readonly Placed[];
}

/** A gap of this part of the font's size is a space. */
const SPACE = 0.16;
/** Parts of the font size: a larger step across the line, or back along it, starts a new line. */
const NEAR = 0.5;
const BACK = 0.6;

/** Our own letters in content order and in page order; also as drawn, in both orders, where fonts disguise letters. */
export function ownReadings(letters: readonly Letter[]): Reading[] {
  const seen = letters.some(({ drawn }) => drawn !== undefined)
    ? letters.map((letter) => ({ ...letter, text: letter.drawn ?? letter.text }))
    : [];
  const orders = [letters, byPlace(letters), seen, byPlace(seen)].filter((order, i) => i < 2 || order.length > 0);
  return orders.map((order) => ({ reader: 'pdftool', characters: withSpaces(order) }));
}

function withSpaces(letters: readonly Letter[]): Placed[] {
  const made: Placed[] = [];
  let before: Letter | undefined;
  for (const letter of letters) {
    const { text, box, size, quad } = letter;
    const gap = before === undefined ? '' : gapOf(before, letter);
    if (gap !== '') made.push({ text: gap, box, size, generated: true });
    made.push({ text, box, size, generated: false, ...(quad && { quad }) });
    before = letter;
  }
  return made;
}

function gapOf(before: Letter, after: Letter): '' | ' ' | '\n' {
  const { along, across } = stepOf(before, after);
  const size = Math.max(before.size, after.size, 0.1);
  if (Math.abs(across) > NEAR * size || along < -BACK * size || along > 6 * size) return '\n';
  return along > SPACE * size ? ' ' : '';
}

/** The step from the end of a letter to the start of another, along its line and across it. */
function stepOf({ start, end }: Letter, after: Letter): { readonly along: number; readonly across: number } {
  const [ux, uy] = directionOf({ start, end });
  const [dx, dy] = [after.start[0] - end[0], after.start[1] - end[1]];
  return { along: dx * ux + dy * uy, across: dy * ux - dx * uy };
}

function directionOf({ start, end }: Pick<Letter, 'start' | 'end'>): Point {
  const [dx, dy] = [end[0] - start[0], end[1] - start[1]];
  const length = Math.hypot(dx, dy);
  return length > 1e-6 ? [dx / length, dy / length] : [1, 0];
}

/** Letters line by line for each text direction; letters drawn twice at one place count once. */
function byPlace(letters: readonly Letter[]): Letter[] {
  const placed = letters.map((letter) => {
    const [ux, uy] = directionOf(letter);
    const angle = Math.round((Math.atan2(uy, ux) * 180) / Math.PI);
    const [x, y] = letter.start;
    return { letter, angle: angle, along: x * ux + y * uy, across: y * ux - x * uy };
  });
  placed.sort((a, b) => a.angle - b.angle || b.across - a.across || a.along - b.along);
  const lines = runsOf(placed, ({ angle, across, letter }, [first]) => {
    return first.angle === angle && first.across - across < 0.35 * Math.max(letter.size, 1);
  });
  return lines.flatMap((line) => {
    line.sort((a, b) => a.along - b.along);
    const isDouble = ({ letter, along }: (typeof line)[number], i: number): boolean => {
      const same = line[i - 1];
      return same?.letter.text === letter.text && along - same.along < 0.15 * letter.size;
    };
    return line.filter((item, i) => !isDouble(item, i)).map(({ letter }) => letter);
  });
}

/** Characters of pdf.js: each gets an equal part of its piece of text. */
export function pdfjsReading(pieces: readonly TextPiece[]): Reading {
  const characters: Placed[] = [];
  for (const { text, at, along, up, ends } of pieces) {
    const signs = [...text];
    const size = Math.hypot(up[0], up[1]);
    const isTilted = Math.min(...along.map(Math.abs)) > 0.02 * Math.max(...along.map(Math.abs));
    const placeOf = (from: number, to: number) => {
      const [x, y] = [at[0] + along[0] * from, at[1] + along[1] * from];
      const [u, v] = [at[0] + along[0] * to, at[1] + along[1] * to];
      const quad: Quad = [
        [x - up[0] * 0.2, y - up[1] * 0.2],
        [u - up[0] * 0.2, v - up[1] * 0.2],
        [u + up[0] * 0.8, v + up[1] * 0.8],
        [x + up[0] * 0.8, y + up[1] * 0.8],
      ];
      return { box: boundsOf(quad), size, ...(isTilted && { quad }) };
    };
    for (const [i, sign] of signs.entries()) {
      const place = placeOf(i / signs.length, (i + 1) / signs.length);
      characters.push({ text: sign, ...place, generated: sign.trim() === '' });
    }
    if (ends) characters.push({ text: '\n', ...placeOf(1, 1), generated: true });
  }
  return { reader: 'pdf.js', characters };
}

/** Letters from which a page has text: a rule or a bullet may be read as one or two. */
export const SOME = 3;

export const hasLetters = (characters: readonly Character[], least = 1): boolean => {
  let count = 0;
  for (const { text, generated } of characters)
    if (!generated && /[\p{L}\p{N}]/u.test(text) && ++count >= least) return true;
  return false;
};
