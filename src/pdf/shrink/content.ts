import { type Matrix, multiply } from '../geometry.ts';
import { CLASS, ends, LESS, latin1, PERCENT, SLASH, SPACE } from '../syntax/characters.ts';
import { decodeName } from '../syntax/parser.ts';

/** Deeper nesting of q than this is not followed; the matrix stays that of the last level. */
const MOST_SAVED = 4096;

/** Calls `draw` for each `Do` with the name and the matrix that holds there, beginning with `start`. */
export function followDrawing(bytes: Uint8Array, start: Matrix, draw: (name: string, matrix: Matrix) => void): void {
  let matrix = start;
  const saved: Matrix[] = [];
  let numbers: number[] = [];
  let name = '';
  const limit = bytes.length;
  for (let pos = 0; pos < limit; ) {
    const byte = bytes[pos]!;
    if (CLASS[byte] === SPACE) pos++;
    else if (byte === PERCENT) while (pos < limit && bytes[pos] !== 10 && bytes[pos] !== 13) pos++;
    else if (byte === 0x28) pos = endOfString(bytes, pos);
    else if (byte === LESS && bytes[pos + 1] !== LESS) pos = after(bytes, 0x3e, pos);
    else if (byte === SLASH) {
      const from = ++pos;
      while (pos < limit && !ends(bytes[pos]!)) pos++;
      name = latin1(bytes, from, pos);
    } else if (ends(byte)) {
      pos++;
    } else {
      const from = pos;
      while (pos < limit && !ends(bytes[pos]!)) pos++;
      if ((byte >= 0x30 && byte <= 0x39) || byte === 0x2d || byte === 0x2e || byte === 0x2b) {
        // Only a matrix's six are ever looked at.
        if (numbers.length === 6) numbers.shift();
        numbers.push(Number.parseFloat(latin1(bytes, from, pos)) || 0);
        continue;
      }
      const length = pos - from;
      if (length === 1 && byte === 0x71) {
        if (saved.length < MOST_SAVED) saved.push(matrix);
      } else if (length === 1 && byte === 0x51) matrix = saved.pop() ?? matrix;
      else if (length === 2 && byte === 0x63 && bytes[from + 1] === 0x6d) {
        const [a, b, c, d, e, f] = numbers;
        if (f !== undefined) matrix = multiply([a!, b!, c!, d!, e!, f], matrix);
      } else if (length === 2 && byte === 0x44 && bytes[from + 1] === 0x6f) draw(decodeName(name), matrix);
      else if (length === 2 && byte === 0x49 && bytes[from + 1] === 0x44) pos = endOfInlineImage(bytes, pos);
      numbers = [];
    }
  }
}

function endOfString(bytes: Uint8Array, pos: number): number {
  let depth = 0;
  for (; pos < bytes.length; pos++) {
    const byte = bytes[pos];
    if (byte === 0x5c) pos++;
    else if (byte === 0x28) depth++;
    else if (byte === 0x29 && --depth === 0) return pos + 1;
  }
  return pos;
}

function after(bytes: Uint8Array, byte: number, pos: number): number {
  const found = bytes.indexOf(byte, pos);
  return found < 0 ? bytes.length : found + 1;
}

/** Behind `EI` that white space surrounds; data may hold these letters, but hardly so. */
function endOfInlineImage(bytes: Uint8Array, pos: number): number {
  for (let at = pos + 1; at + 1 < bytes.length; at++) {
    if (bytes[at] !== 0x45 || bytes[at + 1] !== 0x49 || CLASS[bytes[at - 1]!] !== SPACE) continue;
    if (at + 2 >= bytes.length || ends(bytes[at + 2]!)) return at + 2;
  }
  return bytes.length;
}
