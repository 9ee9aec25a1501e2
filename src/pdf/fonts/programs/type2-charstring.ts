// Writes a glyph as a Type 2 charstring (Adobe TN 5177): stems and masks, then the path in its shortest operators.
import type { Curve, GlyphOutline, PathStep, Stem, StemHints } from './glyph.ts';
import { Unconvertible } from './type1.ts';

const OP = {
  hstem: 1, vstem: 3, vmoveto: 4, rlineto: 5, hlineto: 6, vlineto: 7, rrcurveto: 8, endchar: 14, hstemhm: 18,
  hintmask: 19, cntrmask: 20, rmoveto: 21, hmoveto: 22, vstemhm: 23, rcurveline: 24, rlinecurve: 25, vvcurveto: 26,
  hhcurveto: 27, vhcurveto: 30, hvcurveto: 31,
} as const; // biome-ignore format: a table
const FLEX = 35;
const HFLEX = 34;
const FLEX1 = 37;
/** The depth that the short forms of flex imply. */
const USUAL_DEPTH = 50;
/** TN 5177, appendix B. One place is left for the width. */
const STACK = 48;
const MOST_STEMS = 96;

/** The charstring without its width, which goes in front where it is not the font's default. */
export function writeCharstring(glyph: GlyphOutline): number[] {
  const out: number[] = [];
  if (glyph.composite !== undefined) {
    const { dx, dy, base, accent } = glyph.composite;
    numbers(out, [dx, dy, base, accent]);
    out.push(OP.endchar);
    return out;
  }
  const masks = writeStems(out, glyph.steps);
  writePath(out, glyph.steps, masks);
  out.push(OP.endchar);
  return out;
}

/** Numbers in Type 2 charstrings: integers in 1 to 3 bytes, others as 16.16. */
export function putOperand(out: number[], value: number): void {
  if (Number.isInteger(value)) {
    if (value >= -107 && value <= 107) out.push(value + 139);
    else if (value >= 108 && value <= 1131) out.push(247 + ((value - 108) >> 8), (value - 108) & 255);
    else if (value >= -1131 && value <= -108) out.push(251 + ((-value - 108) >> 8), (-value - 108) & 255);
    else if (value >= -32768 && value <= 32767) out.push(28, (value >> 8) & 255, value & 255);
    else throw new Unconvertible(`a glyph holds ${value}, which Type 2 cannot say`);
    return;
  }
  const fixed = Math.round(value * 65536);
  if (!(Math.abs(fixed) <= 0x7fffffff)) throw new Unconvertible(`a glyph holds ${value}, which Type 2 cannot say`);
  out.push(255, (fixed >> 24) & 255, (fixed >> 16) & 255, (fixed >> 8) & 255, fixed & 255);
}

function numbers(out: number[], values: readonly number[]): void {
  for (const value of values) putOperand(out, value);
}

/** Bytes behind a hintmask operator, for each step that changes hints; undefined where one set holds throughout. */
type Masks = ((hints: StemHints) => number[]) | undefined;

function writeStems(out: number[], steps: readonly PathStep[]): Masks {
  const sets = steps.flatMap((step) => (step.kind === 'hints' ? [step.hints] : []));
  const horizontal = union(sets.map((set) => set.horizontal));
  const vertical = union(sets.map((set) => set.vertical));
  const all = [...horizontal, ...vertical];
  if (all.length === 0) return undefined;
  if (all.length > MOST_STEMS) throw new Unconvertible('a glyph has too many stems');
  const replaced = sets.length > 1 || steps[0]?.kind !== 'hints';
  const counters = sets.flatMap(({ counters: { horizontal: h, vertical: v } }) =>
    h.length + v.length > 0 ? [[...h, ...v]] : [],
  );
  const masked = replaced || counters.length > 0;
  const bits = (chosen: readonly (readonly Stem[])[]) => {
    const mask = new Array<number>((all.length + 7) >> 3).fill(0);
    for (const [direction, list] of [horizontal, vertical].entries())
      for (const stem of chosen[direction] ?? []) {
        const bit = direction * horizontal.length + list.findIndex((other) => same(other, stem));
        mask[bit >> 3]! |= 128 >> (bit & 7);
      }
    return mask;
  };
  writeEdges(out, horizontal, masked ? OP.hstemhm : OP.hstem);
  // A mask that follows directly implies the operator of the vertical stems.
  const maskFollows = counters.length > 0 || steps[0]?.kind === 'hints';
  writeEdges(out, vertical, !masked ? OP.vstem : maskFollows && horizontal.length > 0 ? undefined : OP.vstemhm);
  for (const set of sets) {
    const { horizontal: h, vertical: v } = set.counters;
    if (h.length + v.length > 0) out.push(OP.cntrmask, ...bits([h, v]));
  }
  return replaced ? (hints) => bits([hints.horizontal, hints.vertical]) : undefined;
}

function writeEdges(out: number[], stems: readonly Stem[], op: number | undefined): void {
  if (stems.length === 0) return;
  // More would need the operator twice, and interpreters disagree about what the second one is relative to.
  if (stems.length * 2 >= STACK) throw new Unconvertible('a glyph has too many stems');
  let edge = 0;
  for (const { start, width } of stems) {
    numbers(out, [start - edge, width]);
    edge = start + width;
  }
  if (op !== undefined) out.push(op);
}

function union(lists: readonly (readonly Stem[])[]): Stem[] {
  const stems = lists.flat().sort((a, b) => a.start - b.start || a.width - b.width);
  return stems.filter((stem, i) => i === 0 || !same(stem, stems[i - 1] ?? stem));
}

function same(a: Stem, b: Stem): boolean {
  return a.start === b.start && a.width === b.width;
}

function writePath(out: number[], steps: readonly PathStep[], masks: Masks): void {
  let mask = '';
  if (masks !== undefined && steps[0]?.kind !== 'hints') {
    // Drawn before the first hints: none apply.
    const none = masks({ horizontal: [], vertical: [], counters: { horizontal: [], vertical: [] } });
    out.push(OP.hintmask, ...none);
    mask = none.join();
  }
  for (let at = 0; at < steps.length; ) {
    const step = steps[at]!;
    switch (step.kind) {
      case 'hints': {
        const next = masks?.(step.hints);
        if (next !== undefined && next.join() !== mask) {
          out.push(OP.hintmask, ...next);
          mask = next.join();
        }
        at += 1;
        break;
      }
      case 'move':
        writeMove(out, step.by);
        at += 1;
        break;
      case 'flex':
        writeFlex(out, step);
        at += 1;
        break;
      case 'line':
        at = writeLines(out, steps, at);
        break;
      case 'curve':
        at = writeCurves(out, steps, at);
        break;
    }
  }
}

function writeMove(out: number[], [dx, dy]: readonly [number, number]): void {
  if (dy === 0) numbers(out, [dx]);
  else if (dx === 0) numbers(out, [dy]);
  else numbers(out, [dx, dy]);
  out.push(dy === 0 ? OP.hmoveto : dx === 0 ? OP.vmoveto : OP.rmoveto);
}

function writeFlex(out: number[], { by, depth }: Extract<PathStep, { kind: 'flex' }>): void {
  const [dx1, dy1, dx2, dy2, dx3, dy3, dx4, dy4, dx5, dy5, dx6, dy6] = by;
  const dx = dx1 + dx2 + dx3 + dx4 + dx5;
  const dy = dy1 + dy2 + dy3 + dy4 + dy5;
  // flex1 omits the smaller coordinate of the last point, which then ends level with the start.
  const flatX = Math.abs(dx) > Math.abs(dy) && dy + dy6 === 0;
  const flatY = Math.abs(dx) <= Math.abs(dy) && dx + dx6 === 0;
  const level = [dy1, dy3, dy4, dy6, dy2 + dy5].every((rise) => rise === 0);
  if (depth === USUAL_DEPTH && level) {
    numbers(out, [dx1, dx2, dy2, dx3, dx4, dx5, dx6]);
    out.push(12, HFLEX);
  } else if (depth === USUAL_DEPTH && (flatX || flatY)) {
    numbers(out, [dx1, dy1, dx2, dy2, dx3, dy3, dx4, dy4, dx5, dy5, flatX ? dx6 : dy6]);
    out.push(12, FLEX1);
  } else {
    numbers(out, [...by, depth]);
    out.push(12, FLEX);
  }
}

const line = (step: PathStep | undefined) => (step?.kind === 'line' ? step.by : undefined);
const curve = (step: PathStep | undefined) => (step?.kind === 'curve' ? step.by : undefined);

/** Writes consecutive lines with one operator; returns the index of the next step. */
function writeLines(out: number[], steps: readonly PathStep[], at: number): number {
  const start = at;
  const first = line(steps[at])!;
  const room = STACK - 1;
  if (first[0] === 0 || first[1] === 0) {
    let horizontal = first[1] === 0;
    const op = horizontal ? OP.hlineto : OP.vlineto;
    for (let by = line(steps[at]); by !== undefined && at - start < room; by = line(steps[++at])) {
      if (by[horizontal ? 1 : 0] !== 0) break;
      putOperand(out, by[horizontal ? 0 : 1]);
      horizontal = !horizontal;
    }
    out.push(op);
    return at;
  }
  for (let by = line(steps[at]); by !== undefined && (at - start + 1) * 2 <= room; by = line(steps[++at])) {
    // Two straight steps are cheaper in the other form; a single one is not.
    if (isStraight(by) && isStraight(line(steps[at + 1]))) break;
    numbers(out, by);
  }
  const after = curve(steps[at]);
  if (after !== undefined && !hasShortForm(after) && (at - start) * 2 + 6 <= room) {
    numbers(out, after);
    out.push(OP.rlinecurve);
    return at + 1;
  }
  out.push(OP.rlineto);
  return at;
}

function isStraight(by: readonly [number, number] | undefined): boolean {
  return by !== undefined && (by[0] === 0 || by[1] === 0);
}

const startsLevel = (by: Curve) => by[1] === 0;
const startsUpright = (by: Curve) => by[0] === 0;
const endsLevel = (by: Curve) => by[5] === 0;
const endsUpright = (by: Curve) => by[4] === 0;

/** Whether an operator other than rrcurveto can draw it with fewer numbers. */
function hasShortForm(by: Curve): boolean {
  return endsLevel(by) || endsUpright(by) || startsLevel(by) || startsUpright(by);
}

function writeCurves(out: number[], steps: readonly PathStep[], at: number): number {
  const by = curve(steps[at])!;
  if (startsLevel(by) && endsUpright(by)) return writeAlternating(out, steps, at, true);
  if (startsUpright(by) && endsLevel(by)) return writeAlternating(out, steps, at, false);
  if (endsLevel(by)) return writeParallel(out, steps, at, true);
  if (endsUpright(by)) return writeParallel(out, steps, at, false);
  if (startsLevel(by)) return writeAlternating(out, steps, at, true);
  if (startsUpright(by)) return writeAlternating(out, steps, at, false);
  const start = at;
  const room = STACK - 1;
  for (let next: Curve | undefined = by; next !== undefined && !hasShortForm(next); next = curve(steps[++at])) {
    if ((at - start + 1) * 6 > room) break;
    numbers(out, next);
  }
  const after = line(steps[at]);
  if (after !== undefined && !isStraight(after) && !line(steps[at + 1]) && (at - start) * 6 + 2 <= room) {
    numbers(out, after);
    out.push(OP.rcurveline);
    return at + 1;
  }
  out.push(OP.rrcurveto);
  return at;
}

/** hvcurveto and vhcurveto: alternately horizontal and vertical tangents; the last curve may end at a slant. */
function writeAlternating(out: number[], steps: readonly PathStep[], at: number, level: boolean): number {
  const op = level ? OP.hvcurveto : OP.vhcurveto;
  const room = STACK - 1;
  let used = 0;
  for (let by = curve(steps[at]); by !== undefined; by = curve(steps[++at])) {
    if (!(level ? startsLevel(by) : startsUpright(by)) || used + 5 > room) break;
    const slant = !(level ? endsUpright(by) : endsLevel(by));
    // A curve that ends at a slant comes last, and is better drawn by the parallel form where that fits.
    if (slant && used > 0 && (level ? endsLevel(by) : endsUpright(by))) break;
    numbers(out, [by[level ? 0 : 1], by[2], by[3], by[level ? 5 : 4]]);
    if (slant) putOperand(out, by[level ? 4 : 5]);
    used += slant ? 5 : 4;
    if (slant) {
      at += 1;
      break;
    }
    level = !level;
  }
  out.push(op);
  return at;
}

/** hhcurveto and vvcurveto: both tangents horizontal, or both vertical; the first curve may start at a slant. */
function writeParallel(out: number[], steps: readonly PathStep[], at: number, level: boolean): number {
  const room = STACK - 1;
  let used = 0;
  for (let by = curve(steps[at]); by !== undefined; by = curve(steps[++at])) {
    const slant = !(level ? startsLevel(by) : startsUpright(by));
    if (!(level ? endsLevel(by) : endsUpright(by)) || (slant && used > 0) || used + 5 > room) break;
    if (slant) putOperand(out, by[level ? 1 : 0]);
    numbers(out, [by[level ? 0 : 1], by[2], by[3], by[level ? 4 : 5]]);
    used += slant ? 5 : 4;
  }
  out.push(level ? OP.hhcurveto : OP.vvcurveto);
  return at;
}
