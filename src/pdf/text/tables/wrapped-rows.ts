import { median, type NonEmpty, pairs, runsOf } from '../../syntax/arrays.ts';
import type { TextBox } from '../content/page-content.ts';
import type { Piece } from '../lines/pieces.ts';
import { type Column, type Row, reach } from './table-rows.ts';
import { pieceText } from './tables.ts';

/** Baselines that are closer than this, in em, are of one row: text of two rows would overlap. */
export const OVERLAP = 0.75;
/** Lines of one cell are no further apart than this, in em. */
const WRAPPED = 1.5;
/** Rows stand apart by this much more than the lines of a cell. */
const WIDER = 1.15;
/** More whole lines than this share of the close ones are rows of their own. */
const MOST_WHOLE = 0.25;

/** Lines of text as rows of a table: those between two of the rules, or closer together than rows are, belong together. */
export function groupRows(run: readonly Row[], columns: readonly Column[], rules: readonly TextBox[]): NonEmpty<Row>[] {
  const joined = joinsOf(run, columns, rules);
  return runsOf(run, (row) => joined.has(row));
}

/** A line of a run after its first, and how it stands below the one before. */
interface Step {
  readonly row: Row;
  /** The distance of their baselines, in em. */
  readonly pitch: number;
  /** A rule stands between them. */
  readonly parted: boolean;
}

/** The lines that go on in the row of the line before. */
function joinsOf(run: readonly Row[], columns: readonly Column[], rules: readonly TextBox[]): Set<Row> {
  const steps = pairs(run).map(([above, row]): Step => {
    const parted = rules.some((rule) => isBetween(rule, above, row));
    return { row, pitch: (row.y - above.y) / row.size, parted };
  });
  const those = (test: (step: Step) => boolean) => new Set(steps.filter(test).map(({ row }) => row));
  if (steps.filter(({ parted }) => parted).length >= Math.max(2, 0.3 * run.length)) {
    return those(({ pitch, parted }) => !parted && pitch < 1.6);
  }
  const pitches = steps.map(({ pitch }) => pitch);
  const closest = closePitch(pitches);
  const close = those(({ pitch, parted }) => !parted && (pitch < OVERLAP || pitch <= closest));
  // Upper lines of a head lack the first cell, so a head at the bottom of its cells is whole without being a row of its own.
  const named = run.findIndex((row) => usedBy(row, columns).has(0));
  const whole = steps.filter(
    ({ row, pitch }, i) => close.has(row) && pitch >= OVERLAP && isWhole(row, columns) && named >= 0 && named <= i,
  ).length;
  // Rows may stand in sets with more space between them: there, lines that are close together are whole rows.
  if (closest > 0 && whole <= MOST_WHOLE * close.size) return close;
  const usual = median(pitches) ?? 1.2;
  return those(({ row, pitch, parted }) => {
    if (parted || pitch >= 1.45) return false;
    const used = usedBy(row, columns);
    const goesOn = !used.has(0) && used.size < 0.5 * columns.length && pitch < 1.05 * usual;
    return pitch < OVERLAP || goesOn || (pitch < 0.85 * usual && !isWhole(row, columns));
  });
}

function isBetween(rule: TextBox, above: Row, below: Row): boolean {
  return rule.y0 > above.y - 0.2 * above.size && rule.y0 < below.y - 0.4 * below.size;
}

/** The largest distance of lines within a cell, where there is a step from it to the distance of rows; otherwise 0. */
function closePitch(pitches: readonly number[]): number {
  const sorted = pitches.filter((pitch) => pitch >= OVERLAP).sort((a, b) => a - b);
  let [closest, step] = [0, WIDER];
  for (const [less, more] of pairs(sorted)) {
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
export function usedBy({ pieces }: { readonly pieces: readonly Piece[] }, columns: readonly Column[]): Set<number> {
  return new Set(pieces.map((piece) => reach(piece, columns)[0]));
}
