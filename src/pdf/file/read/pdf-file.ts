// The objects of one file. They are read on demand and never cached, so memory does not grow with the file.
import { Failure } from '../../../contract/base/failure.ts';
import type { RandomAccess } from '../../../contract/base/ports.ts';
import { wholeUpTo } from '../../syntax/bounds.ts';
import {
  at,
  CLASS,
  CR,
  endOfDigits,
  findWord,
  LF,
  padded,
  SPACE,
  skipSpace,
  wholeNumber,
} from '../../syntax/characters.ts';
import { Damage, namingFile, unlessDamaged } from '../../syntax/damage.ts';
import { Parser } from '../../syntax/parser.ts';
import { type ByteView, type Scan, scanView } from '../../syntax/scan.ts';
import { serialize } from '../../syntax/serialize.ts';
import { Dict, PdfString, Ref, type Value } from '../../syntax/values.ts';
import type { Decryption } from '../crypt/decryption.ts';
import { readInPieces } from '../crypt/pieces.ts';
import { decodable, decode, type Filter, filtersOf } from './filters.ts';
import { ObjectStreams } from './object-streams.ts';
import { parseAt, type Windows } from './windows.ts';
import { COMPRESSED, PLAIN, UNSET, type XrefTable } from './xref-table.ts';

/** Longest chain of references followed. Other readers stop sooner: longer ones look different in each. */
const MAX_HOPS = 64;
const STEP = 64 * 1024;
/** Most dictionaries of streams are shorter. */
const GLANCE = 1024;
/** Longer streams are read past the windows. */
const SMALL = 64 * 1024;

/** The repair of a stream whose end was searched for; objects and pages still stand where the file says. */
export const WRONG_LENGTH = 'a stream had a wrong length';

export class PdfFile {
  /** The bytes as they stand; encrypted where the file is. */
  readonly source: RandomAccess;
  readonly name: string;
  readonly size: number;
  readonly windows: Windows;
  readonly xref: XrefTable;
  /** Repairs made while the file was read, a phrase each, for the warnings. */
  readonly repairs = new Set<string>();
  /** /Count of the root of a page tree that was rebuilt; -1 where it had none. */
  promised: number | undefined;
  /** The page tree is lost: every object of /Type /Page counts as a page. */
  guessed = false;
  /** Numbers of pages, from 1, that are lost and replaced by empty ones. */
  lostPages: ReadonlySet<number> = new Set();
  /** Objects of which only a part could be read. */
  mended: ReadonlySet<number> = new Set();
  decryption: Decryption | undefined;
  /** The password that opened it, if the empty one did not. */
  password: string | undefined;
  readonly objectStreams = new ObjectStreams(this);

  constructor(source: RandomAccess, windows: Windows, xref: XrefTable) {
    this.source = source;
    this.name = source.name;
    this.size = source.size;
    this.windows = windows;
    this.xref = xref;
  }

  /** Whether the table has the object and it is not free. */
  has(num: number): boolean {
    return num < this.xref.size && (this.xref.kind[num] ?? 0) >= PLAIN;
  }

  /** The bytes where an object's value begins, at least `need` of them; undefined where there is no such object. */
  fetch(num: number, need = 1024): ByteView | undefined {
    const { xref } = this;
    const kind = num < xref.size ? xref.kind[num] : UNSET;
    const place = xref.place[num] ?? 0;
    if (kind === COMPRESSED) return this.objectStreams.find(num, place, xref.index[num] ?? 0);
    if (kind !== PLAIN) return undefined;
    if (place >= this.size) throw new Damage(`object ${num} lies outside the file`);
    const { bytes, start, base } = this.windows.view(place, need);
    return { bytes, start: behindHeader(bytes, start, num), base };
  }

  /** Scans an object as `scanObject` does, from a few bytes where they suffice: they reach into its stream. */
  glance(num: number): Scan | undefined {
    const place = this.xref.place[num] ?? this.size;
    if (this.xref.kind[num] !== PLAIN || place >= this.size) return this.scanObject(num);
    const { bytes, start, base } = this.windows.glance(place, GLANCE);
    return scanView({ bytes, start: behindHeader(bytes, start, num), base }, num, 0) ?? this.scanObject(num);
  }

  /** Scans the value of an object; undefined where there is none. */
  scanObject(num: number, note = 0): Scan | undefined {
    for (let need = 1024; ; need *= 8) {
      const view = this.fetch(num, need);
      if (view === undefined) return undefined;
      const scan = scanView(view, num, note);
      if (scan !== undefined) return scan;
      const { bytes, start, base } = view;
      if (this.xref.kind[num] === PLAIN && base + bytes.length < this.size) continue;
      // The last object of a file that was cut short: scanning needs bytes behind a dictionary.
      const last = scanView({ bytes: padded(bytes.subarray(start)), start: 0, base: base + start }, num, note);
      if (last === undefined) throw new Damage(`object ${num} does not end`);
      return last;
    }
  }

  object(num: number): Value {
    const kind = num < this.xref.size ? this.xref.kind[num] : UNSET;
    if (kind === PLAIN) {
      const value = parseAt(this.windows, this.xref.place[num] ?? 0, (parser) => {
        parser.pos = behindHeader(parser.buf, parser.pos, num);
        return parser.value();
      });
      return this.decryption === undefined ? value : decrypted(value, this.decryption, num, this.xref.index[num] ?? 0);
    }
    const view = this.fetch(num);
    return view === undefined ? null : new Parser(view.bytes, view.start).value();
  }

  resolve(value: Value | undefined): Value {
    if (!(value instanceof Ref)) return value ?? null;
    const first = this.object(value.num);
    return first instanceof Ref ? this.farEnd(value.num, first) : first;
  }

  /** The end of a chain of references; null for a circle, as in all readers. */
  private farEnd(num: number, next: Ref): Value {
    const passed = new Set([num]);
    for (;;) {
      if (passed.has(next.num)) {
        this.repairs.add('references led in a circle');
        return null;
      }
      passed.add(next.num);
      if (passed.size > MAX_HOPS) throw new Damage(`more than ${MAX_HOPS} references follow each other`);
      const value = this.object(next.num);
      if (!(value instanceof Ref)) return value;
      next = value;
    }
  }

  dict(value: Value | undefined): Dict | undefined {
    const length = this.resolve(value);
    return length instanceof Dict ? length : undefined;
  }

  /** Where the stream of an object that was scanned lies in the file, and its length. */
  streamPlace(num: number, scan: Scan): { start: number; length: number } {
    if (this.xref.kind[num] === COMPRESSED) throw new Damage(`object ${num} is a stream inside an object stream`);
    const start = scan.base + scan.data;
    const length = scan.length >= 0 ? scan.length : this.lengthOf(num, scan.lengthRef);
    const ends = length >= 0 && start + length <= this.size && this.endsAt(start + length);
    return { start, length: ends ? length : this.searchLength(start, num) };
  }

  /** The number in object `ref`; -1 where it is none, or where it stands in the object stream whose length it is. */
  private lengthOf(num: number, ref: number): number {
    if (ref < 0) return this.hiddenLength(num);
    const { kind, place } = this.xref;
    if (kind[ref] === COMPRESSED && this.objectStreams.isOpening(place[ref] ?? 0)) return -1;
    return wholeUpTo(this.has(ref) ? this.object(ref) : null, this.size) ?? -1;
  }

  /** The /Length of a stream whose key is written with #xx; -1 where there is none. */
  private hiddenLength(num: number): number {
    return unlessDamaged(-1, () => wholeUpTo(this.resolve(this.dict(new Ref(num, 0))?.get('Length')), this.size) ?? -1);
  }

  /** The length of a stream without a usable /Length: up to `endstream`, less the end of line before it. */
  private searchLength(start: number, num: number): number {
    this.repairs.add(WRONG_LENGTH);
    const end = this.findBehind(start, 'endstream') ?? this.findBehind(start, 'endobj');
    if (end === undefined) throw new Damage(`the stream of object ${num} does not end`);
    const before = new Uint8Array(2);
    this.windows.read(before, end - 2);
    const blank = before[1] === LF && before[0] === CR ? 2 : before[1] === LF || before[1] === CR ? 1 : 0;
    return Math.max(0, end - start - blank);
  }

  private findBehind(from: number, word: string): number | undefined {
    for (let position = from; position < this.size; position += STEP) {
      const { bytes, start, base } = this.windows.view(position, STEP + 16);
      const at = findWord(bytes, word, start, bytes.length);
      if (at >= 0) return base + at;
    }
    return undefined;
  }

  /** Whether `endstream` stands at `position`, white space before it allowed. */
  private endsAt(position: number): boolean {
    const { bytes, start } = this.windows.view(position, 32);
    const word = skipSpace(bytes, start, Math.min(bytes.length, start + 16));
    return at(bytes, word, 'endstream') || at(bytes, word, 'endobj');
  }

  /** The dictionary and the raw bytes of a stream object. Throws Damage where it is none or is longer than `cap`. */
  rawStream(num: number, cap: number): { dict: Dict; raw: Uint8Array } {
    const scan = this.scanObject(num);
    const dict = scan?.isStream === true ? new Parser(scan.bytes, scan.start).value() : null;
    if (scan === undefined || !(dict instanceof Dict)) throw new Damage(`object ${num} is no stream`);
    const { start, length } = this.streamPlace(num, scan);
    if (length > cap) throw new Failure('unprocessable', `${this.name}: object ${num} is too large`, { kind: 'limit' });
    const { pieces } = this.plainStream(num, dict, start, length);
    const [first = new Uint8Array(0), ...others] = pieces;
    const raw = others.length === 0 ? first : Buffer.concat([first, ...others]);
    return { dict, raw };
  }

  /** A stream's bytes as they were before encryption, piece by piece, and how many they are. */
  plainStream(
    num: number,
    dict: Dict,
    start: number,
    length: number,
  ): { length: number; pieces: Iterable<Uint8Array> } {
    const read = (from: number, size: number): Uint8Array => {
      if (size <= SMALL) return this.windows.slice(start + from, size);
      const piece = new Uint8Array(size);
      return piece.subarray(0, this.windows.read(piece, start + from));
    };
    const { decryption } = this;
    if (decryption === undefined || decryption.isPlain(num)) return { length, pieces: readInPieces(length, read) };
    const crypt = this.filters(dict).find((filter) => filter.name === 'Crypt');
    const method = decryption.methodOf(
      dict,
      crypt === undefined ? undefined : (crypt.parms?.name('Name') ?? 'Identity'),
    );
    return decryption.decrypt(method, num, this.xref.index[num] ?? 0, length, read);
  }

  isStream(num: number): boolean {
    return this.has(num) && this.scanObject(num)?.isStream === true;
  }

  /** The decoded bytes of a stream; undefined where a filter is one we do not decode (an image's). */
  streamBytes(num: number, cap: number): { dict: Dict; bytes: Uint8Array } | undefined {
    const { dict, raw } = this.rawStream(num, cap);
    const filters = this.filters(dict);
    if (!decodable(filters)) return undefined;
    return { dict, bytes: namingFile(this.name, () => decode(raw, filters, cap)) };
  }

  filters(dict: Dict): Filter[] {
    const follow = (value: Value | undefined): Value => {
      const target = this.resolve(value);
      return target instanceof Dict ? new Dict([...target].map(([key, item]) => [key, this.resolve(item)])) : target;
    };
    const all = (value: Value | undefined): Value => {
      const target = follow(value);
      return Array.isArray(target) ? target.map(follow) : target;
    };
    return filtersOf(all(dict.get('Filter') ?? dict.get('F')), all(dict.get('DecodeParms') ?? dict.get('DP')));
  }

  /** A value of object `num` with its strings decrypted, so that it can be moved elsewhere. */
  plain(bytes: Uint8Array, num: number): Uint8Array {
    if (this.decryption === undefined || this.xref.kind[num] !== PLAIN) return bytes;
    const value = decrypted(new Parser(bytes).value(), this.decryption, num, this.xref.index[num] ?? 0);
    return Buffer.from(serialize(value), 'latin1');
  }

  /** Releases all cached bytes of the file; they are read again when needed. */
  release(): void {
    this.windows.release();
    this.objectStreams.release();
  }
}

/** Checks `N G obj` at `start` and returns the place behind it and the white space that follows. */
export function behindHeader(bytes: Uint8Array, start: number, num: number): number {
  const limit = bytes.length;
  const number = skipSpace(bytes, start, limit);
  const behind = endOfDigits(bytes, number);
  const word = skipSpace(bytes, endOfDigits(bytes, skipSpace(bytes, behind, limit)), limit);
  if (wholeNumber(bytes, number, behind) !== num || !at(bytes, word, 'obj')) {
    throw new Damage(`object ${num} is not where the table says`);
  }
  let pos = word + 3;
  while (pos < limit && CLASS[bytes[pos] ?? 0] === SPACE) pos++;
  return pos;
}

function decrypted(value: Value, decryption: Decryption, num: number, gen: number): Value {
  if (value instanceof PdfString) return new PdfString(decryption.string(value.bytes, num, gen));
  if (Array.isArray(value)) return value.map((item) => decrypted(item, decryption, num, gen));
  if (!(value instanceof Dict)) return value;
  const plain = new Dict();
  for (const [key, item] of value) plain.set(key, decrypted(item, decryption, num, gen));
  return plain;
}
