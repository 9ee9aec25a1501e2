import type { CffProgram } from './cff-program.ts';
import type { CffIndex } from './cff-reader.ts';
import { STANDARD_ENCODING } from './standard-strings.ts';
import { followCharstring } from './type2-calls.ts';

const [RETURN, END] = [11, 14];

/**
 * The program with these glyphs, their components, and glyph 0. Every part stays in its place; other charstrings and
 * unused subroutines become zeros, which deflate to nothing. Throws where a charstring cannot be followed.
 */
export function cffWithGlyphs(program: CffProgram, wanted: Iterable<number>): Uint8Array {
  const { bytes, charstrings, globals, localsOf } = program;
  const kept = new Set<number>();
  const called = { globals: new Set<number>(), locals: new Set<number>(), steps: 0 };
  const byIndex = new Map<CffIndex, Set<number>>();
  const todo = [0, ...wanted];
  for (let glyph = todo.pop(); glyph !== undefined; glyph = todo.pop()) {
    const [from, to] = [charstrings.places[glyph], charstrings.places[glyph + 1]];
    if (kept.has(glyph) || from === undefined || to === undefined) continue;
    kept.add(glyph);
    const locals = localsOf(glyph);
    called.locals = (locals && byIndex.get(locals)) ?? new Set();
    if (locals !== undefined) byIndex.set(locals, called.locals);
    const parts = followCharstring(bytes, from, to, globals, locals, called);
    for (const code of parts) todo.push(program.names?.indexOf(STANDARD_ENCODING.get(code) ?? '') ?? -1);
  }
  const out = Uint8Array.from(bytes);
  empty(out, bytes, charstrings, kept, END);
  empty(out, bytes, globals, called.globals, RETURN);
  for (const locals of localsIn(program)) empty(out, bytes, locals, byIndex.get(locals) ?? new Set(), RETURN);
  return out;
}

/** The width of a glyph, in thousandths of an em. */
export function cffWidth(cff: CffProgram, id: number): number {
  const { usual, nominal } = cff.widthsOf(id);
  const called = { globals: new Set<number>(), locals: new Set<number>(), steps: 0, width: undefined };
  const [from = 0, to = 0] = cff.charstrings.places.slice(id, id + 2);
  followCharstring(cff.bytes, from, to, cff.globals, cff.localsOf(id), called);
  return (called.width === undefined ? usual : nominal + called.width) * cff.unit * 1000;
}

export function allGlyphs({ charstrings }: CffProgram): readonly number[] {
  return charstrings.places.slice(1).map((_, glyph) => glyph);
}

export function hasSubroutines(program: CffProgram): boolean {
  return [program.globals, ...localsIn(program)].some(({ places }) => places.length > 0);
}

function localsIn(program: CffProgram): ReadonlySet<CffIndex> {
  return new Set(allGlyphs(program).flatMap((glyph) => program.localsOf(glyph) ?? []));
}

/** Rewrites an index in place, with `instead` for items that are not kept. */
function empty(out: Uint8Array, bytes: Uint8Array, index: CffIndex, kept: ReadonlySet<number>, instead: number): void {
  const { offsets, width, places } = index;
  const first = places[0];
  if (first === undefined) return;
  let to = first;
  for (let item = 0; item < places.length; item++) {
    let offset = to - first + 1;
    for (let i = width - 1; i >= 0; i--, offset = Math.floor(offset / 256))
      out[offsets + item * width + i] = offset & 255;
    const [from = 0, end] = [places[item], places[item + 1]];
    if (end === undefined) break;
    if (kept.has(item)) out.set(bytes.subarray(from, end), to);
    else if (end > from) out[to] = instead;
    to += kept.has(item) ? end - from : Math.min(1, end - from);
  }
  out.fill(0, to, places.at(-1));
}
