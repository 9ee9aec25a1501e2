import type { Box } from '../content/page-content.ts';
import type { Piece } from '../layout/pieces.ts';
import { type Column, type Row, reach } from './table-rows.ts';
import { pieceText } from './tables.ts';

/** Baselines that are closer than this, in em, are of one row: text of two rows would overlap. */
export const OVERLAP = 0.75;
/** Lines of one cell are no further apart than this, in em. */
const WRAPPED = 1.5;
/** Rows stand apart by this much more than the lines of a cell. */
const WIDER = 1.15;

/** Lines of text as rows of a table: those between two of the rules, or closer together than rows are, belong together. */
export function groupRows(run: readonly Row[], columns: readonly Column[], rules: readonly Box[]): Row[][] {
  const joins = joinsOf(run, columns, rules);
  const groups: Row[][] = [];
  run.forEach((row, i) => {
    if (i > 0 && joins[i - 1] === true) groups.at(-1)!.push(row);
    else groups.push([row]);
  });
  return groups;
}

/** Whether each line but the first goes on in the row of the line before. */
function joinsOf(run: readonly Row[], columns: readonly Column[], rules: readonly Box[]): boolean[] {
  const pitches = run.slice(1).map((row, i) => (row.y - run[i]!.y) / row.size);
  const parted = run.slice(1).map((row, i) => rules.some((rule) => isBetween(rule, run[i]!, row)));
  if (parted.filter(Boolean).length >= Math.max(2, 0.3 * run.length)) {
    return pitches.map((pitch, i) => parted[i] === false && pitch < 1.6);
  }
  const closest = closePitch(pitches);
  const close = pitches.map((pitch, i) => parted[i] === false && (pitch < OVERLAP || pitch <= closest));
  // A head at the bottom of its cells is whole too, below upper lines that lack the first cell.
  const whole = close.filter(
    (joined, i) => joined && pitches[i]! >= OVERLAP && isWhole(run[i + 1]!, columns) && usedBy(run[i]!, columns).has(0),
  ).length;
  // Rows in sets with more space between them: what is close together is a whole row each.
  if (closest > 0 && whole <= 0.3 * close.filter(Boolean).length) return close;
  const usual = [...pitches].sort((a, b) => a - b)[pitches.length >> 1] ?? 1.2;
  return pitches.map((pitch, i) => {
    if (parted[i] === true || pitch >= 1.45) return false;
    const used = usedBy(run[i + 1]!, columns);
    const goesOn = !used.has(0) && used.size < 0.5 * columns.length && pitch < 1.05 * usual;
    return pitch < OVERLAP || goesOn || (pitch < 0.85 * usual && !isWhole(run[i + 1]!, columns));
  });
}

function isBetween(rule: Box, above: Row, below: Row): boolean {
  return rule.y0 > above.y - 0.2 * above.size && rule.y0 < below.y - 0.4 * below.size;
}

/** The largest distance of lines within a cell, where there is a step from it to the distance of rows; otherwise 0. */
function closePitch(pitches: readonly number[]): number {
  const sorted = pitches.filter((pitch) => pitch >= OVERLAP).sort((a, b) => a - b);
  let [closest, step] = [0, WIDER];
  for (let i = 1; i < sorted.length; i++) {
    const [less, more] = [sorted[i - 1]!, sorted[i]!];
    if (less > WRAPPED) break;
    if (more / less > step) [closest, step] = [less * 1.01, more / less];
  }
  return closest;
}

/** A line that fills all columns or has a number in one: what goes on from the line above does neither. */
function isWhole(row: Row, columns: readonly Column[]): boolean {
  const { pieces } = row;
  if (goesOnInProse(pieces)) return false;
  if (usedBy(row, columns).size === columns.length && columns.length > 1) return true;
  return pieces.length > 1 && pieces.some((piece) => /^[-+−–$€£(]*\d[\d.,]*%?\)?$/.test(pieceText(piece)));
}

/** Characters from which on a line of a cell is one of several. */
const LONG = 20;

/** Cells of prose, all of which go on with a small letter. */
function goesOnInProse(pieces: readonly Piece[]): boolean {
  const texts = pieces.map(pieceText);
  return texts.every((text) => /^\p{Ll}/u.test(text)) && texts.some((text) => text.length >= LONG);
}

/** The columns that a line has something in. */
export function usedBy({ pieces }: Pick<Row, 'pieces'>, columns: readonly Column[]): Set<number> {
  return new Set(pieces.map((piece) => reach(piece, columns)[0]));
}
