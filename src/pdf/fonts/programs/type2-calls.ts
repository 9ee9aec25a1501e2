// Finds what a Type 2 charstring uses (Adobe TN 5177): subroutines, and the glyphs of an accented one.
import type { CffIndex } from './cff-reader.ts';

interface Called {
  readonly globals: Set<number>;
  readonly locals: Set<number>;
  steps: number;
  /** The width in the last charstring, relative to the nominal width; undefined for the default width. */
  width?: number | undefined;
}

/** A charstring that cannot be followed. */
export class Unfollowed extends Error {}

const [CALL, RETURN, ESCAPE, END, HINT_MASK, CONTROL_MASK, GLOBAL_CALL] = [10, 11, 12, 14, 19, 20, 29];
const STEMS = new Set([1, 3, 18, 23]);
const DRAWING = new Set([4, 5, 6, 7, 8, 21, 22, 24, 25, 26, 27, 30, 31]);
/** Escaped operators: flexes, and an obsolete one of Type 1. */
const FLEXES = new Set([0, 34, 35, 36, 37]);
/** Arguments of the operators that may come first in a glyph. */
const MOVES: Readonly<Record<number, number>> = { 4: 1, 21: 2, 22: 1 };
const MOST_DEPTH = 10;
const MOST_OPERANDS = 513;
/** More than any glyph runs: subroutines that call subroutines multiply. */
const MOST_STEPS = 1 << 24;

/** Codes of Adobe's standard encoding whose glyphs this one is made of. Throws Unfollowed or a RangeError. */
export function followCharstring(
  bytes: Uint8Array,
  from: number,
  to: number,
  globals: CffIndex,
  locals: CffIndex | undefined,
  called: Called,
): readonly number[] {
  const stack: number[] = [];
  let stems = 0;
  let parts: readonly number[] = [];
  let isFirst = true;

  /** One argument too many before the first operator is the width (TN 5177, 3.1). `extra`: whether there is one. */
  const noteWidth = (extra: boolean): void => {
    if (isFirst) called.width = extra ? stack[0] : undefined;
    isFirst = false;
  };

  const subroutine = (index: CffIndex | undefined, noted: Set<number>, depth: number): boolean => {
    const count = index === undefined ? 0 : Math.max(0, index.places.length - 1);
    const item = (stack.pop() ?? Number.NaN) + (count < 1240 ? 107 : count < 33_900 ? 1131 : 32_768);
    const [begin, end] = [index?.places[item], index?.places[item + 1]];
    if (begin === undefined || end === undefined || depth >= MOST_DEPTH)
      throw new Unfollowed('a charstring calls what is not there');
    noted.add(item);
    return run(begin, end, depth + 1);
  };

  /** True at the end of the glyph. */
  const run = (begin: number, end: number, depth: number): boolean => {
    for (let at = begin; at < end; ) {
      if (++called.steps > MOST_STEPS) throw new Unfollowed('a charstring does not end');
      const byte = bytes[at++] ?? 0;
      if (byte === 28 || byte >= 32) {
        if (stack.length >= MOST_OPERANDS) throw new Unfollowed('a charstring has too many numbers');
        if (byte <= 246 && byte !== 28) stack.push(byte - 139);
        else if (byte === 255) {
          const whole = ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
          stack.push(((whole << 16) >> 16) + (((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0)) / 65_536);
          at += 4;
        } else if (byte === 28) {
          stack.push((((bytes[at] ?? 0) << 24) >> 16) | (bytes[at + 1] ?? 0));
          at += 2;
        } else {
          const low = bytes[at++] ?? 0;
          stack.push(byte <= 250 ? (byte - 247) * 256 + low + 108 : -(byte - 251) * 256 - low - 108);
        }
      } else if (byte === CALL || byte === GLOBAL_CALL) {
        const isGlobal = byte === GLOBAL_CALL;
        if (subroutine(isGlobal ? globals : locals, isGlobal ? called.globals : called.locals, depth)) return true;
      } else if (byte === RETURN) return false;
      else if (byte === END) {
        // Four arguments are the accent's place and the two glyphs (TN 5177, appendix C); a fifth is the width.
        noteWidth(stack.length === 1 || stack.length === 5);
        if (stack.length >= 4) parts = stack.slice(-2);
        return true;
      } else if (byte === HINT_MASK || byte === CONTROL_MASK) {
        // Arguments before a mask are vertical stems.
        noteWidth(stack.length % 2 === 1);
        stems += stack.length >> 1;
        stack.length = 0;
        at += (stems + 7) >> 3;
      } else if (STEMS.has(byte)) {
        noteWidth(stack.length % 2 === 1);
        stems += stack.length >> 1;
        stack.length = 0;
      } else if (DRAWING.has(byte) || (byte === ESCAPE && FLEXES.has(bytes[at++] ?? -1))) {
        noteWidth(stack.length > (MOVES[byte] ?? MOST_OPERANDS));
        stack.length = 0;
      } else throw new Unfollowed(`a charstring has the operator ${byte}`);
    }
    return false;
  };

  run(from, to, 0);
  return parts;
}
