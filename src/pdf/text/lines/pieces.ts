import { lastOf, median, type NonEmpty, pairs, runsOf } from '../../syntax/arrays.ts';
import { boxOf, type TextBox, type Word } from '../content/page-content.ts';
import { markerOf } from './list-markers.ts';

/** Neighbouring words of one line, from left to right. `y`: the baseline; `size`: the em most of it is set in. */
export interface Piece extends TextBox {
  words: NonEmpty<Word>;
  y: number;
  size: number;
}

/** A wider gap, in em, may separate columns or cells; pieces that belong together are joined later. */
const WIDE_GAP = 0.95;
/** Words whose baselines differ by less than this, in em, are on one line. */
const SAME_LINE = 0.22;

/** More upright rules than this are a drawing. */
const MOST_UPRIGHT = 200;

/** `rules`: an upright one between two words separates them, however close they are. */
export function piecesOf(words: readonly Word[], rules: readonly TextBox[] = []): Piece[] {
  const rows = rowsOf(words);
  const gutters = narrowGutters(rows);
  const upright = rules.filter((rule) => rule.y1 - rule.y0 > 3 * (rule.x1 - rule.x0));
  const parting = upright.length > MOST_UPRIGHT ? [] : upright;
  return joinRaised(rows.flatMap((row) => splitRow(row, gutters, parting)));
}

function rowsOf(words: readonly Word[]): NonEmpty<Word>[] {
  const sorted = [...words].sort((a, b) => a.y - b.y);
  const rows = runsOf(
    sorted,
    (word, [first]) => Math.abs(word.y - first.y) <= SAME_LINE * Math.min(word.size, first.size),
  );
  for (const row of rows) row.sort((a, b) => a.x0 - b.x0);
  return rows;
}

/** A narrower gap, in em, is a word space even where other lines have a gap at the same place. */
const NARROW_GAP = 0.45;
/** Letters larger by this factor are not part of the same line, except numbers and initials, which stand closer. */
const TITLE = 1.25;
const WORD = /\p{L}{2}/u;
/** Spaced dots that lead to the next column belong to the text before them, up to this far apart, in em. */
const LEADER = /^\.$/;
const LEADER_GAP = 3;
/** If so many lines have a word that starts at one place after a wide gap, a column begins there. */
const ALIGNED_LINES = 5;

/** The starts of columns that are closer together than WIDE_GAP: many lines have a gap that ends at one x. */
function narrowGutters(rows: readonly Word[][]): number[] {
  const starts = new Map<number, number>();
  for (const row of rows) {
    if (row.length < 6) continue;
    // Most lines of prose have no such gap.
    if (!row.some(({ x0, size }, i) => x0 - (row[i - 1]?.x1 ?? Infinity) >= NARROW_GAP * size)) continue;
    const wide = pairs(row).filter(([before, { x0, size }]) => x0 - before.x1 >= NARROW_GAP * size && !isMark(before));
    if (wide.length === 0) continue;
    const usual = median(pairs(row).map(([before, { x0 }]) => x0 - before.x1)) ?? 0;
    for (const [before, { x0 }] of wide)
      if (x0 - before.x1 > 1.5 * usual) starts.set(Math.round(x0), (starts.get(Math.round(x0)) ?? 0) + 1);
  }
  if (starts.size === 0) return [];
  const near = (x: number) => (starts.get(x - 1) ?? 0) + (starts.get(x) ?? 0) + (starts.get(x + 1) ?? 0);
  return [...starts.keys()].filter((x) => near(x) >= ALIGNED_LINES && (starts.get(x) ?? 0) >= 2);
}

/** The bullet or number of an item stands apart from its text. */
function isMark({ text }: Word): boolean {
  return text.length < 6 && /bullet|number/.test(markerOf(`${text} x`)?.kind ?? '');
}

function splitRow(row: readonly Word[], gutters: readonly number[], upright: readonly TextBox[]): Piece[] {
  let right = Number.NEGATIVE_INFINITY;
  const pieces = runsOf(row, (word, piece) => {
    const last = lastOf(piece);
    right = piece.length === 1 ? last.x1 : Math.max(right, last.x1);
    const gap = word.x0 - right;
    if (gap > 0 && upright.some((rule) => isBetween(rule, right, word))) return false;
    if (gap <= NARROW_GAP * word.size || (gap < LEADER_GAP * word.size && LEADER.test(word.text))) return true;
    if (gap > WIDE_GAP * word.size || isTitleBeside(last, word)) return false;
    return isMark(last) || !gutters.some((x) => Math.abs(x - word.x0) < 1.6);
  });
  return pieces.map(pieceInOrder);
}

/** A title in larger letters at the end of one column, and text in the next; in formulas signs stand so. */
function isTitleBeside(a: Word, b: Word): boolean {
  const [small, large] = a.size < b.size ? [a, b] : [b, a];
  if (large.size < TITLE * small.size || Math.abs(a.y - b.y) > 0.05 * small.size) return false;
  return WORD.test(a.text) && WORD.test(b.text);
}

function isBetween({ x0, x1, y0, y1 }: TextBox, right: number, word: Word): boolean {
  const height = word.y - 0.3 * word.size;
  return x0 > right - 1 && x1 < word.x0 + 1 && y0 < height && y1 > height;
}

/** A piece of these words, which are sorted here. */
export function pieceOf(words: NonEmpty<Word>): Piece {
  return pieceInOrder(words.sort((a, b) => a.x0 - b.x0));
}

function pieceInOrder(words: NonEmpty<Word>): Piece {
  const main = mainWord(words);
  const { x0, y0, x1, y1 } = boxOf(words);
  return { x0, y0, x1, y1, words, y: main.y, size: main.size };
}

export function joinPieces([first, ...others]: NonEmpty<Piece>): Piece {
  if (others.length === 0) return first;
  return pieceOf([...first.words, ...others.flatMap((piece) => piece.words)]);
}

/** Parts that begin at these words. */
export function splitPiece({ words }: Piece, starts: ReadonlySet<Word | undefined>): Piece[] {
  return runsOf(words, (word) => !starts.has(word)).map(pieceInOrder);
}

function mainWord(words: NonEmpty<Word>): Word {
  const [first] = words;
  if (words.every((word) => word.size === first.size)) return first;
  const sizes = new Map<number, number>();
  for (const word of words) sizes.set(word.size, (sizes.get(word.size) ?? 0) + word.text.length);
  let [size, most] = [0, 0];
  for (const [candidate, amount] of sizes) if (amount > most) [size, most] = [candidate, amount];
  return words.find((word) => word.size === size) ?? first;
}

/**
 * Joins superscripts and subscripts with the piece they belong to: smaller, off the baseline, and near it. Lowered
 * letters of full size must touch it: the E of TeX's logo, and indices of old data sheets.
 */
function joinRaised(pieces: Piece[]): Piece[] {
  const sorted = pieces.sort((a, b) => a.y - b.y || a.x0 - b.x0);
  const gone = new Set<Piece>();
  for (const [i, small] of sorted.entries()) {
    let host: Piece | undefined;
    let nearest = 0.4;
    for (let step = -1; step <= 1; step += 2) {
      for (let k = i + step; ; k += step) {
        const large = sorted[k];
        if (large === undefined || Math.abs(large.y - small.y) > 24) break;
        if (large.size > 40 || gone.has(large)) continue;
        const off = (large.y - small.y) / large.size;
        if (off > 0.62 || off < -0.35) continue;
        const isLarge = small.size > 0.88 * large.size;
        if (isLarge && !(off < 0 && isIndex(small) && small.size < 1.05 * large.size)) continue;
        const gap = gapTo(large, small, off > 0 && off < RAISED ? ON_TOP_RAISED : ON_TOP) / large.size;
        if (gap < nearest && !(isLarge && gap > INDEX_GAP)) [host, nearest] = [large, gap];
      }
    }
    if (host === undefined) continue;
    gone.add(small);
    Object.assign(host, joinPieces([host, small]));
  }
  return gone.size === 0 ? sorted : sorted.filter((piece) => !gone.has(piece));
}

/** A letter of full size is an index where it is this close, in em. */
const INDEX_GAP = 0.05;

function isIndex({ words: [{ text }, another] }: Piece): boolean {
  return another === undefined && /^[\p{L}\d]{1,3}$/u.test(text);
}

/** A piece that lies on a word by more than this, in em, is another line: a fraction or an accent comes so close. */
const ON_TOP = 0.35;
/** LaTeX sets letters that are raised by less than this, in em, closer: they may lie on a word by more. */
const RAISED = 0.3;
const ON_TOP_RAISED = 0.6;

function gapTo(large: Piece, small: Piece, over: number): number {
  let least = Infinity;
  for (const word of large.words) {
    const gap = Math.max(word.x0 - small.x1, small.x0 - word.x1);
    if (gap < -over * small.size) return Infinity;
    if (gap < least) least = gap;
  }
  return Math.max(least, 0);
}
