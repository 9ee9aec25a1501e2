// Owns reading an action that goes somewhere by name (ISO 32000-1, 12.6.4.2), as nearly all are written. Knows no pages.
import { at, ends, GREATER, LESS, PAREN_OPEN, SLASH, skipSpace } from '../../file/syntax.ts';
import type { StringReader } from '../string-reader.ts';

/** It is something else, or is written in another way. */
const OTHER = -1;

/**
 * The place behind `<</S/GoTo/D(name)>>`, in either order and with nothing else, where that is what stands at `start`;
 * `name` has read the name. Below 0 where it is not.
 */
export function behindGoTo(buf: Uint8Array, start: number, end: number, name: StringReader): number {
  const open = skipSpace(buf, start, end);
  if (buf[open] !== LESS || buf[open + 1] !== LESS) return OTHER;
  let goes = false;
  let named = false;
  let pos = skipSpace(buf, open + 2, end);
  while (buf[pos] === SLASH) {
    const value = skipSpace(buf, pos + 2, end);
    if (!goes && at(buf, pos, '/S') && at(buf, value, '/GoTo') && ends(buf[value + 5]!)) {
      goes = true;
      pos = skipSpace(buf, value + 5, end);
    } else if (!named && at(buf, pos, '/D') && isString(buf, value) && name.read(buf, value, end)) {
      named = true;
      pos = skipSpace(buf, name.behind, end);
    } else return OTHER;
  }
  return goes && named && buf[pos] === GREATER && buf[pos + 1] === GREATER ? pos + 2 : OTHER;
}

function isString(buf: Uint8Array, pos: number): boolean {
  return buf[pos] === PAREN_OPEN || (buf[pos] === LESS && buf[pos + 1] !== LESS);
}
