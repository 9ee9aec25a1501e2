import { HASH, latin1 } from './characters.ts';
import { decodeName } from './parser.ts';

/** Names that a scan can watch for, as bits: an object without them is known to be unchanged without parsing. */
export const WATCHED = {
  Dest: 1,
  GoTo: 2,
  StructParent: 4,
  JavaScript: 8,
  Launch: 16,
  DA: 32,
  ID: 64,
  Headers: 128,
  S: 256,
  Fields: 512,
  Hide: 1024,
  SE: 2048,
  /** A position on a page (ISO 32000-1, 12.3.2.2), and the names below. */
  XYZ: 4096,
  StructElem: 8192,
} as const;

const BITS_BY_NAME: ReadonlyMap<string, number> = new Map([
  ...Object.entries(WATCHED),
  ['StructParents', WATCHED.StructParent],
  ...['FitH', 'FitV', 'FitR', 'FitBH', 'FitBV'].map((name) => [name, WATCHED.XYZ] as const),
]);

/** By the first character of a name, a bit for each length of a watched name: most names match none. */
const LENGTHS = lengths();

function lengths(): Int32Array {
  const bits = new Int32Array(256);
  const add = (name: string, length: number): void => {
    const first = name.charCodeAt(0);
    bits[first] = (bits[first] ?? 0) | (1 << length);
  };
  for (const name of BITS_BY_NAME.keys()) add(name, name.length);
  // A name can be disguised by writing a letter as #xx, which makes it two bytes longer. Caught: the first letter of
  // any name, and any letter of JavaScript. Looking at more names takes 5 % of the time of a merge.
  add('JavaScript', 'JavaScript'.length + 2);
  bits[HASH] = -1;
  return bits;
}

/** The bit of the name in [start, end), without its slash; 0 where it is not watched. */
export function watchedName(bytes: Uint8Array, start: number, end: number): number {
  if (((LENGTHS[bytes[start] ?? 0] ?? 0) & (1 << (end - start))) === 0) return 0;
  return BITS_BY_NAME.get(decodeName(latin1(bytes, start, end))) ?? 0;
}
