// The cross-reference table (ISO 32000-1, 7.5.4 and 7.5.8), newest revision first. It holds offsets in typed arrays, never
// objects, and guesses nothing: any doubt is Damage, after which the caller may recover the table (repair/recover-table.ts).
import { copiedInto } from '../../syntax/arrays.ts';
import { wholeUpTo } from '../../syntax/bounds.ts';
import { at, CLASS, endOfDigits, findLast, latin1, SPACE, skipSpace, wholeNumber } from '../../syntax/characters.ts';
import { Damage } from '../../syntax/damage.ts';
import { Parser } from '../../syntax/parser.ts';
import type { ByteView } from '../../syntax/scan.ts';
import { Dict, Ref } from '../../syntax/values.ts';
import { decode, filtersOf } from './filters.ts';
import { parseAt, type Windows } from './windows.ts';

/** Kinds of an entry. UNSET: no section of the file speaks of the object. */
export const UNSET = 0;
export const FREE = 1;
/** The object stands in the file at `place`. */
export const PLAIN = 2;
/** The object is number `index` of the object stream `place`. */
export const COMPRESSED = 3;

/** More objects than any real document has; 17 bytes are held for each. */
export const MAX_OBJECTS = 16_000_000;
const MAX_SECTIONS = 4096;
/** /Size is believed up to this many rows, which take 70 KB. */
const LITTLE = 4096;
const MAX_XREF_STREAM = 512 * 1024 * 1024;

export class XrefTable {
  kind = new Uint8Array(64);
  place = new Float64Array(64);
  index = new Uint32Array(64);
  /** One more than the largest object number. */
  size = 0;
  trailer = new Dict();
  /** The number of revisions: sections that follow one another by /Prev. */
  revisions = 0;
  /** Offsets of these sections, newest first; empty where the table was made anew. */
  readonly sections: number[] = [];
  /** The number behind the last `startxref`. */
  start = 0;
  /** The start of the section that is last in the file; `startxref` of a linearized file names the first one. */
  end = 0;
  /** The position of the header, from which offsets in the file count. Those in `place` count from byte 0. */
  shift = 0;

  /** Sets an entry unless a newer section has set it. */
  set(num: number, kind: number, place: number, index: number): void {
    if (num >= this.size) this.grow(num + 1);
    if (this.kind[num] !== UNSET) return;
    this.kind[num] = kind;
    this.place[num] = place;
    this.index[num] = index;
  }

  /** Sets an entry, whatever it was. */
  replace(num: number, kind: number, place: number, index: number): void {
    if (num < this.size) this.kind[num] = UNSET;
    this.set(num, kind, place, index);
  }

  /** Makes room for the objects of a section, which end before `end`. */
  open(end: number): this {
    if (end > this.size) this.grow(end);
    return this;
  }

  private grow(size: number): void {
    if (size > MAX_OBJECTS) throw new Damage(`the file names object ${size - 1}, more than any document has`);
    this.reserve(size);
    this.size = size;
  }

  copy(): XrefTable {
    const [kind, place, index] = [this.kind.slice(), this.place.slice(), this.index.slice()];
    return Object.assign(new XrefTable(), this, { kind, place, index, trailer: new Dict(this.trailer) });
  }

  /** Makes room for `size` objects, unless that is more than any file has. */
  reserve(size: number): void {
    if (size > this.kind.length && size <= MAX_OBJECTS) {
      const capacity = Math.min(MAX_OBJECTS, Math.max(size, this.kind.length * 2));
      this.kind = copiedInto(this.kind, new Uint8Array(capacity));
      this.place = copiedInto(this.place, new Float64Array(capacity));
      this.index = copiedInto(this.index, new Uint32Array(capacity));
    }
  }
}

/** Reads every section that `startxref` leads to. `shift`: where the header stands, which offsets are counted from. */
export function readXref(windows: Windows, shift: number): XrefTable {
  const table = new XrefTable();
  table.start = startOfXref(windows);
  table.shift = shift;
  const todo = [table.start];
  const seen = new Set<number>();
  for (let offset = todo.pop(); offset !== undefined; offset = todo.pop()) {
    if (seen.has(offset)) continue;
    seen.add(offset);
    if (seen.size > MAX_SECTIONS) throw new Damage('the cross-reference table has too many sections');
    const trailer = readSection(windows, offset + shift, table, shift, seen);
    table.revisions++;
    table.sections.push(offset);
    table.end = Math.max(table.end, offset + shift);
    if (table.trailer.size === 0) table.trailer = trailer;
    const prev = trailer.get('Prev');
    const before = wholeUpTo(prev, windows.size);
    if (before !== undefined) todo.push(before);
    else if (typeof prev === 'number') throw new Damage('/Prev of the trailer lies outside the file');
    else if (prev instanceof Ref) throw new Damage('/Prev of the trailer is a reference');
  }
  return table;
}

function readSection(windows: Windows, offset: number, table: XrefTable, shift: number, seen: Set<number>): Dict {
  if (!(offset >= 0 && offset < windows.size)) throw new Damage('the cross-reference table lies outside the file');
  const { bytes, start, base } = windows.view(offset, 64);
  const word = skipSpace(bytes, start, bytes.length);
  if (at(bytes, word, 'xref')) return readTable(windows, base + word + 4, table, shift, seen);
  return readStream(windows, offset, table, shift);
}

/** Reads a section: subsections of 20-byte entries, then a trailer. A hybrid file's stream entries are part of it. */
function readTable(windows: Windows, offset: number, table: XrefTable, shift: number, seen: Set<number>): Dict {
  const sections: { first: number; count: number; from: number }[] = [];
  let from = offset;
  for (;;) {
    const { bytes, start, base } = windows.view(from, 64);
    const parser = new Parser(bytes, start);
    if (parser.keyword('trailer')) break;
    const first = parser.integer();
    const count = parser.integer();
    if (first === undefined || count === undefined) throw new Damage('the cross-reference table is not one');
    if (count > windows.size / 18) throw new Damage('the cross-reference table is larger than the file');
    from = base + skipSpace(bytes, parser.pos, bytes.length);
    sections.push({ first, count, from });
    table.reserve(first + count);
    from = endOfEntries(windows, from, count);
  }
  const trailer = parseAt(windows, from, (parser) => {
    if (!parser.keyword('trailer')) throw new Damage('the trailer is not where the table ends');
    return parser.value();
  });
  if (!(trailer instanceof Dict)) throw new Damage('the trailer is no dictionary');
  const hybrid = wholeUpTo(trailer.get('XRefStm'), windows.size);
  if (hybrid !== undefined && !seen.has(hybrid)) {
    seen.add(hybrid);
    // A table lists objects of object streams as free: the stream's entries for them go first.
    for (const section of sections) readEntries(windows, section, table, shift, false);
    readStream(windows, hybrid + shift, table, shift);
  }
  for (const section of sections) readEntries(windows, section, table, shift);
  return trailer;
}

/** Bytes of an entry, and its letter for an object in use. */
const ENTRY = 20;
const USED = 0x6e;

/** Whether the entry at `from` has the fixed form of 20 bytes, as nearly all do. */
function isFixed({ bytes, start: pos }: ByteView): boolean {
  const kind = bytes[pos + 17];
  return (
    pos + ENTRY <= bytes.length &&
    (kind === USED || kind === 0x66) &&
    bytes[pos + 10] === 0x20 &&
    CLASS[bytes[pos + 18] ?? 0] === SPACE &&
    CLASS[bytes[pos + 19] ?? 0] === SPACE
  );
}

function endOfEntries(windows: Windows, from: number, count: number): number {
  if (count === 0) return from;
  const last = from + (count - 1) * ENTRY;
  const fixed = (position: number): boolean => isFixed(windows.view(position, ENTRY));
  if (last + ENTRY <= windows.size && fixed(from) && fixed(last)) return last + ENTRY;
  let pos = from;
  for (let i = 0; i < count; i++) pos = readLooseEntry(windows, pos).end;
  return pos;
}

function readEntries(
  windows: Windows,
  section: { first: number; count: number; from: number },
  table: XrefTable,
  shift: number,
  free = true,
): void {
  const { count } = section;
  let { first, from } = section;
  for (let i = 0; i < count; i++) {
    const view = windows.view(from, ENTRY);
    const entry = isFixed(view) ? readFixedEntry(view) : readLooseEntry(windows, from);
    // A well-known mistake: the section says 1, its first entry is that of object 0.
    if (i === 0 && first === 1 && !entry.used && entry.gen === 65535) first = 0;
    if (entry.used && entry.offset > 0) table.set(first + i, PLAIN, entry.offset + shift, entry.gen);
    else if (free) table.set(first + i, FREE, 0, 0);
    from = entry.end;
  }
}

interface Entry {
  readonly offset: number;
  readonly gen: number;
  readonly used: boolean;
  readonly end: number;
}

function readFixedEntry({ bytes, start, base }: ByteView): Entry {
  const number = (from: number, to: number): number => {
    if (endOfDigits(bytes, from) !== to) throw new Damage('an entry of the cross-reference table is no number');
    return wholeNumber(bytes, from, to);
  };
  return {
    offset: number(start, start + 10),
    gen: number(start + 11, start + 16),
    used: bytes[start + 17] === USED,
    end: base + start + ENTRY,
  };
}

/** Reads an entry of 19 or 21 bytes or with other blanks: the same tokens in the same order. */
function readLooseEntry(windows: Windows, from: number): Entry {
  const { bytes, start, base } = windows.view(from, 64);
  const parser = new Parser(bytes, start);
  const offset = parser.integer();
  const gen = parser.integer();
  const used = parser.keyword('n');
  if (offset === undefined || gen === undefined || (!used && !parser.keyword('f'))) {
    throw new Damage('an entry of the cross-reference table cannot be read');
  }
  return { offset, gen, used, end: base + skipSpace(bytes, parser.pos, bytes.length) };
}

/** A cross-reference stream. Its dictionary is the trailer. */
function readStream(windows: Windows, offset: number, table: XrefTable, shift: number): Dict {
  const { dict, data } = parseAt(windows, offset, (parser, base) => {
    const num = parser.integer();
    if (num === undefined || parser.integer() === undefined || !parser.keyword('obj')) {
      throw new Damage('startxref leads to no cross-reference table');
    }
    const value = parser.value();
    if (!(value instanceof Dict) || value.name('Type') !== 'XRef' || !parser.keyword('stream')) {
      throw new Damage('startxref leads to an object that is no cross-reference stream');
    }
    let pos = parser.pos;
    if (parser.buf[pos] === 13) pos++;
    if (parser.buf[pos] === 10) pos++;
    return { dict: value, data: base + pos };
  });
  const length = wholeUpTo(dict.get('Length'), windows.size - data);
  if (length === undefined) throw new Damage('a cross-reference stream has no length');
  const raw = new Uint8Array(length);
  windows.read(raw, data);
  const bytes = decode(raw, filtersOf(dict.get('Filter'), dict.get('DecodeParms')), MAX_XREF_STREAM);
  readStreamEntries(dict, bytes, table, shift);
  return dict;
}

function readStreamEntries(dict: Dict, bytes: Uint8Array, table: XrefTable, shift: number): void {
  const w = dict.get('W');
  const widths = Array.isArray(w) ? w : [];
  const [w0, w1, w2] = widths;
  if (typeof w0 !== 'number' || typeof w1 !== 'number' || typeof w2 !== 'number') {
    throw new Damage('a cross-reference stream has no /W');
  }
  const width = w0 + w1 + w2;
  if (widths.some((field) => wholeUpTo(field, 32) === undefined) || w1 < 1 || width > 32)
    throw new Damage('a cross-reference stream has impossible widths');
  const size = wholeUpTo(dict.get('Size'), MAX_OBJECTS) ?? 0;
  const given = dict.get('Index');
  const sections = Array.isArray(given) ? given : [0, size];
  // /Size is believed as far as there are entries, or where it costs little.
  table.reserve(Math.min(size, Math.max(bytes.length / width, LITTLE)));
  let pos = 0;
  for (let s = 0; s + 1 < sections.length; s += 2) {
    const first = wholeUpTo(sections[s], MAX_OBJECTS);
    const count = wholeUpTo(sections[s + 1], Number.MAX_SAFE_INTEGER);
    if (first === undefined || count === undefined) throw new Damage('a cross-reference stream has no /Index');
    const end = first + Math.min(count, Math.floor((bytes.length - pos) / width));
    const { kind, place, index } = end > first ? table.open(end) : table;
    for (let num = first; num < end; num++) {
      let type = w0 === 0 ? 1 : 0;
      let second = 0;
      let third = 0;
      for (const to = pos + w0; pos < to; pos++) type = type * 256 + (bytes[pos] ?? 0);
      for (const to = pos + w1; pos < to; pos++) second = second * 256 + (bytes[pos] ?? 0);
      for (const to = pos + w2; pos < to; pos++) third = third * 256 + (bytes[pos] ?? 0);
      // No version of PDF has a fourth type (7.5.8.3): such an entry is damaged, and its object may well exist.
      if (type > 2) throw new Damage('an entry of a cross-reference stream has an unknown type');
      if (kind[num] !== UNSET) continue;
      const used = type === 2 || (type === 1 && second > 0);
      kind[num] = !used ? FREE : type === 2 ? COMPRESSED : PLAIN;
      if (!used) continue;
      place[num] = type === 2 ? second : second + shift;
      index[num] = third;
    }
  }
}

// Finds `startxref`, which gives the offset of the newest cross-reference table (ISO 32000-1, 7.5.5).

/** Bytes that hold `startxref`, its number and the end marker. */
const ENDING = 64;
/** The beginning of an object: of a revision whose table is cut off. Its changes must not be lost silently. */
const OBJECT = /[\r\n]\d{1,10} \d{1,5} obj\b/;

/** The number behind the last `startxref`, searched from the end backwards: anything may follow a PDF. */
function startOfXref(windows: Windows): number {
  for (let reach = 1024; ; reach *= 16) {
    const from = Math.max(0, windows.size - reach);
    const { bytes, base } = windows.view(from, windows.size - from);
    const end = windows.size - base;
    const at = findLast(bytes, 'startxref', end);
    if (at >= 0) {
      const offset = new Parser(bytes, at + 9, end).integer();
      if (offset === undefined) throw new Damage('startxref is followed by no number');
      if (end - at > ENDING && OBJECT.test(latin1(bytes, at, end))) {
        throw new Damage('objects were added to it behind its last table');
      }
      return offset;
    }
    if (from === 0 || reach > 1 << 20) throw new Damage('there is no startxref');
  }
}
