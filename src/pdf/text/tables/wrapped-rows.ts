import { median, type NonEmpty, pairs, runsOf } from '../../syntax/arrays.ts';
import type { TextBox } from '../content/page-content.ts';
import type { Piece } from '../lines/pieces.ts';
import { type Column, columnAt, NUMBER, OVERLAP, type Row } from './table-rows.ts';
import { pieceText } from './tables.ts';

/** Lines of one cell are no further apart than this, in em. */
const WRAPPED = 1.5;
/** Rows are this many times further apart than the lines of a cell. */
const WIDER = 1.15;
/** If more than this share of close lines are whole, they are rows of their own. */
const MOST_WHOLE = 0.25;

/** Groups lines of text into rows: lines between two rules, or closer together than rows, belong together. */
export function groupRows(run: readonly Row[], columns: readonly Column[], rules: readonly TextBox[]): NonEmpty<Row>[] {
  const joined = joinsOf(run, columns, rules);
  return runsOf(run, (row) => joined.has(row));
}

/** A line of a run after its first, relative to the one before. */
interface Step {
  readonly above: Row;
  readonly row: Row;
  /** The distance of their baselines, in em. */
  readonly pitch: number;
  /** A rule separates them. */
  readonly parted: boolean;
}

/** The lines that continue the row of the line before. */
function joinsOf(run: readonly Row[], columns: readonly Column[], rules: readonly TextBox[]): Set<Row> {
  const steps = pairs(run).map(([above, row]): Step => {
    const parted = rules.some((rule) => isBetween(rule, above, row));
    return { above, row, pitch: (row.y - above.y) / row.size, parted };
  });
  const those = (test: (step: Step) => boolean) => new Set(steps.filter(test).map(({ row }) => row));
  // Upper lines of a head lack the first cell, so a bottom-aligned head is whole without being a row of its own.
  const named = run.findIndex((row) => usedBy(row, columns).has(0));
  // Rules or more space may separate groups of rows: then lines that are close together are whole rows.
  const areCells = (close: ReadonlySet<Row>) => {
    const whole = steps.filter(
      (step, i) => close.has(step.row) && step.pitch >= OVERLAP && isWhole(step, columns) && named >= 0 && named <= i,
    );
    return whole.length <= MOST_WHOLE * close.size;
  };
  const pitches = steps.map(({ pitch }) => pitch);
  if (steps.filter(({ parted }) => parted).length >= Math.max(2, 0.3 * run.length)) {
    const unparted = those(({ pitch, parted }) => !parted && pitch < 1.6);
    if (areCells(unparted)) return unparted;
  }
  const closest = closePitch(pitches);
  const close = those(({ pitch, parted }) => !parted && (pitch < OVERLAP || pitch <= closest));
  if (closest > 0 && areCells(close)) return close;
  const usual = median(pitches) ?? 1.2;
  return those((step) => {
    if (step.parted || step.pitch >= 1.45) return false;
    return step.pitch < OVERLAP || (step.pitch < 0.85 * usual && !isWhole(step, columns));
  });
}

function isBetween(rule: TextBox, above: Row, below: Row): boolean {
  return rule.y0 > above.y - 0.2 * above.size && rule.y0 < below.y - 0.4 * below.size;
}

/** The largest distance of lines within a cell, where there is a step to the distance of rows; otherwise 0. */
function closePitch(pitches: readonly number[]): number {
  const sorted = pitches.filter((pitch) => pitch >= OVERLAP).sort((a, b) => a - b);
  let [closest, step] = [0, WIDER];
  for (const [less, more] of pairs(sorted)) {
    if (less > WRAPPED) break;
    if (more / less > step) [closest, step] = [less * 1.01, more / less];
  }
  return closest;
}

/**
 * A line that fills all columns, or at least three and as many as the line above, or that has a number and none in a column
 * that the line above leaves empty: a continued line does neither, and the first of several lines lacks a cell that is
 * centred beside them.
 */
function isWhole({ above, row }: Step, columns: readonly Column[]): boolean {
  const { pieces } = row;
  if (goesOnInProse(pieces)) return false;
  const used = usedBy(row, columns);
  if (used.size === columns.length && columns.length > 1) return true;
  const before = usedBy(above, columns);
  const digits = pieces.some((piece) => /\d/.test(pieceText(piece)));
  if (digits && used.has(0) && used.size >= Math.max(MANY_CELLS, before.size)) return true;
  const numbers = pieces.filter((piece) => NUMBER.test(pieceText(piece)));
  if (pieces.length < 2 || numbers.length === 0) return false;
  return numbers.every((piece) => before.has(columnAt(piece, columns)));
}

/** So many cells beside each other, with a figure among them, seldom all go on in the next line. */
const MANY_CELLS = 3;
/** A line of a cell with so many characters is one of several. */
const LONG = 20;

/** Cells of prose, all of which continue with a small letter. */
function goesOnInProse(pieces: readonly Piece[]): boolean {
  const texts = pieces.map(pieceText);
  return texts.every((text) => /^\p{Ll}/u.test(text)) && texts.some((text) => text.length >= LONG);
}

/** The columns that a line uses. */
export function usedBy({ pieces }: { readonly pieces: readonly Piece[] }, columns: readonly Column[]): Set<number> {
  return new Set(pieces.map((piece) => columnAt(piece, columns)));
}
