// Finds displayed formulas: their parts stand above and beside each other, and only the file's order tells how to read
// them.
import type { Face } from '../../fonts/faces.ts';
import { greatest, lastOf, least, type NonEmpty, runsOf } from '../../syntax/arrays.ts';
import { boxOf, type Word } from '../content/page-content.ts';
import { lineText } from './line-text.ts';
import { type Line, lineOf } from './lines.ts';
import { joinPieces, type Piece, pieceOf } from './pieces.ts';
import { MATH, NO_SPANS } from './spans.ts';

/** TeX's large operators and brackets hang below the point they are set at. */
const HANGING = /^(cm|lm|eu|tx|px|mt)ex/i;
const HANG = 2;
/** Farthest distance of parts of a formula, in em. */
const NEAR = 2.2;
/** The axis of fractions and large operators above the baseline, in em. */
const AXIS = 0.25;
/** Limits are smaller than this share of the text around them. */
const LIMIT = 0.8;
/** Fewer letters in words are a remark within a formula. */
const LEAST_PROSE = 12;
const NUMBER = /^\([\p{L}\p{N}.*′-]{1,8}\)$/u;

interface Part {
  readonly piece: Piece;
  readonly top: number;
  readonly bottom: number;
  readonly math: boolean;
}

/** Splits a page into formulas, a line each, and the other pieces. `words`: in the order of the file. */
export function formulasOf(
  pieces: readonly Piece[],
  words: readonly Word[],
): { lines: Line[]; rest: readonly Piece[] } {
  const known = new Map<Face, boolean>();
  const isMath = ({ face }: Word) => {
    const isMath = known.get(face) ?? MATH.test(face.name);
    known.set(face, isMath);
    return isMath;
  };
  if (!words.some(isMath)) return { lines: [], rest: pieces };
  const prose = pieces.filter((piece) => isProse(piece, isMath));
  const parts = pieces.filter((piece) => !prose.includes(piece)).map((piece) => partOf(piece, isMath));
  const lines: Line[] = [];
  const completed = new Map<Piece, Piece>();
  const taken = new Set<Piece>();
  for (const group of connected(parts)) {
    if (!group.some((part) => part.math) || !isStacked(group)) continue;
    const inGroup = new Set(group.flatMap(({ piece }) => piece.words));
    const from = words.findIndex((word) => inGroup.has(word));
    const to = words.findLastIndex((word) => inGroup.has(word)) + 1;
    const span = words.slice(from, to);
    // The words of the group are not together in the file: its parts only stand near each other.
    if (span.length > 1.1 * inGroup.size + 1) continue;
    for (const { piece } of group) taken.add(piece);
    const host = hostOf(group, prose, [words[from - 1], words[to]]);
    if (host !== undefined) {
      const read = readAsDrawn(span.filter((each) => inGroup.has(each)));
      const { words: known, y, size } = completed.get(host) ?? host;
      // Limits of an operator reach into the gaps beside it.
      const large = [...inGroup].filter((each) => each.size > LIMIT * size);
      const { x0, x1 } = boxOf(large.length === 0 ? [...inGroup] : large);
      const word = { ...group[0].piece.words[0], x0, x1, text: read, y, size };
      completed.set(host, pieceOf([...known, word]));
      continue;
    }
    const [first, ...others] = group;
    const whole = lineOf(joinPieces([first.piece, ...others.map(({ piece }) => piece)]));
    const number = parts.find(({ piece }) => !taken.has(piece) && numbers(piece, whole))?.piece;
    if (number !== undefined) taken.add(number);
    const text = `${readAsDrawn(span.filter((word) => inGroup.has(word)))}${number === undefined ? '' : ` ${lineText(number.words)}`}`;
    lines.push({ ...whole, text, spans: NO_SPANS, x1: number?.x1 ?? whole.x1, parted: true });
  }
  const rest = pieces.filter((piece) => !taken.has(piece)).map((piece) => completed.get(piece) ?? piece);
  return { lines, rest };
}

/** The line of text that a formula stands in: beside its words, level with it, and drawn before or after it. */
function hostOf(
  group: NonEmpty<Part>,
  prose: readonly Piece[],
  neighbours: readonly (Word | undefined)[],
): Piece | undefined {
  const { x0, x1 } = boxOf(group.flatMap(({ piece }) => piece.words));
  const [top, bottom] = [least(group.map((part) => part.top)), greatest(group.map((part) => part.bottom))];
  return prose.find((piece) => {
    if (!piece.words.some((word) => neighbours.includes(word))) return false;
    const axis = piece.y - AXIS * piece.size;
    const gap = least(piece.words.map((word) => Math.max(word.x0 - x1, x0 - word.x1)));
    return axis > top && axis < bottom && gap > -0.3 * piece.size && gap < piece.size;
  });
}

/** Mostly words, not signs: a line of text, perhaps with a formula in it. */
function isProse({ words }: Piece, isMath: (word: Word) => boolean): boolean {
  if (words.length < 3) return false;
  let [all, plain] = [0, 0];
  for (const word of words) {
    all += word.text.length;
    if (!isMath(word) && /\p{L}{3}/u.test(word.text)) plain += word.text.length;
  }
  return plain > Math.max(0.5 * all, LEAST_PROSE);
}

function partOf(piece: Piece, isMath: (word: Word) => boolean): Part {
  let [top, bottom] = [piece.y0, piece.y1];
  for (const { y, size, face } of piece.words) {
    if (HANGING.test(face.name)) [top, bottom] = [Math.min(top, y), Math.max(bottom, y + HANG * size)];
  }
  return { piece, top, bottom, math: piece.words.some(isMath) };
}

/** Groups of parts that overlap in height and are near each other, directly or through others. */
function connected(parts: readonly Part[]): NonEmpty<Part>[] {
  const groups: NonEmpty<Part>[] = [];
  const left = new Set([...parts].sort((a, b) => a.top - b.top));
  for (const first of left) {
    left.delete(first);
    const group: NonEmpty<Part> = [first];
    for (const part of group) {
      for (const other of left) {
        if (other.top > part.bottom) break;
        if (!touches(part, other)) continue;
        left.delete(other);
        group.push(other);
      }
    }
    groups.push(group);
  }
  return groups;
}

function touches(a: Part, b: Part): boolean {
  const shared = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  if (shared < 0.15 * Math.min(a.piece.size, b.piece.size)) return false;
  const gap = Math.max(a.piece.x0 - b.piece.x1, b.piece.x0 - a.piece.x1);
  return gap < NEAR * Math.max(a.piece.size, b.piece.size);
}

function isStacked(group: NonEmpty<Part>): boolean {
  const { y, size } = group[0].piece;
  return group.some(({ piece }) => Math.abs(piece.y - y) > 0.3 * size);
}

/** Whether it is an equation's number: in brackets at the right of the formula. */
function numbers(piece: Piece, { x1, y0, y1 }: Line): boolean {
  return piece.x0 > x1 && piece.y > y0 && piece.y0 < y1 && NUMBER.test(lineText(piece.words));
}

function readAsDrawn(words: readonly Word[]): string {
  const runs = runsOf(words, (word, run) => word.x0 > lastOf(run).x1 - 0.3 * word.size);
  return runs.reduce((text, run, i) => {
    const before = runs[i - 1]?.at(-1);
    return before === undefined || continues(before, run[0]) ? text + lineText(run) : `${text} ${lineText(run)}`;
  }, '');
}

/** Whether they are parts of one large bracket, below each other. */
function continues(before: Word, word: Word): boolean {
  return HANGING.test(word.face.name) && before.face === word.face && Math.abs(word.x0 - before.x0) < 0.05 * word.size;
}
