// Owns reading an action that goes somewhere by name (ISO 32000-1, 12.6.4.2), as nearly all are written. Knows no pages.
import { at, ends, GREATER, LESS, SLASH, skipSpace } from '../../file/syntax.ts';
import type { StringReader } from '../string-reader.ts';

/** Whether `<</S/GoTo/D(name)>>` stands in [start, end), in either order and with nothing else; `name` has read the name. */
export function goesByName(buf: Uint8Array, start: number, end: number, name: StringReader): boolean {
  const open = skipSpace(buf, start, end);
  if (buf[open] !== LESS || buf[open + 1] !== LESS) return false;
  let goes = false;
  let named = false;
  let pos = skipSpace(buf, open + 2, end);
  while (buf[pos] === SLASH) {
    const value = skipSpace(buf, pos + 2, end);
    if (!goes && at(buf, pos, '/S') && at(buf, value, '/GoTo') && ends(buf[value + 5]!)) {
      goes = true;
      pos = skipSpace(buf, value + 5, end);
    } else if (!named && at(buf, pos, '/D') && name.read(buf, value, end)) {
      named = true;
      pos = skipSpace(buf, name.behind, end);
    } else return false;
  }
  return goes && named && buf[pos] === GREATER && pos === end - 2;
}
