// Owns an open PDF: objects by number, fetched when asked for and never kept. Knows nothing of pages or of writing.
import { Failure } from '../../contract/failure.ts';
import type { RandomAccess } from '../../contract/ports.ts';
import type { Decryption } from '../crypt/decryption.ts';
import { Damage, limitOf } from './damage.ts';
import { hiddenLength } from './entries.ts';
import { decodable, decode, type Filter, filtersOf } from './filters.ts';
import { ObjectStreams } from './packed.ts';
import { Parser } from './parse.ts';
import { Scan, scanValue } from './scan.ts';
import { serialize } from './serialize.ts';
import { at, CLASS, CR, DIGIT, find, LF, padded, SPACE, skipSpace } from './syntax.ts';
import { Dict, PdfString, Ref, type Value } from './values.ts';
import { parseAt, type Windows } from './windows.ts';
import { FREE, PACKED, PLAIN, UNSET, type XrefTable } from './xref.ts';

/** Other readers stop sooner, and see nothing where we would see a value: such a file looks different to each. */
const MAX_HOPS = 64;
/** One for all files, used while a stream is looked for. */
const scan = new Scan();
const STEP = 64 * 1024;
/** Streams up to this are read through the windows. */
const SMALL = 64 * 1024;

export class PdfFile {
  readonly name: string;
  readonly size: number;
  readonly windows: Windows;
  readonly xref: XrefTable;
  /** What was wrong with the file and mended while it was read, a phrase each; the person is told. */
  readonly repairs = new Set<string>();
  /** How many pages the root of a file said that it has, whose page tree was made whole; -1 where it did not say. */
  promised: number | undefined;
  /** Its page tree is lost: its pages are what says that it is one. */
  guessed = false;
  /** Objects of which only a part could be read. */
  mended: ReadonlySet<number> = new Set();
  /** Set where the file is encrypted: strings and streams pass through it. */
  decryption: Decryption | undefined;
  /** What opened it where the empty password did not. */
  password: string | undefined;
  /** Where the value of the object fetched last begins: `buf[pos]`; `limit` bytes count; `base` is the place of `buf[0]` in the file. */
  buf: Uint8Array = new Uint8Array(0);
  pos = 0;
  limit = 0;
  base = 0;
  /** What object streams hold. */
  readonly packs = new ObjectStreams(this);

  constructor(source: RandomAccess, windows: Windows, xref: XrefTable) {
    this.name = source.name;
    this.size = source.size;
    this.windows = windows;
    this.xref = xref;
  }

  /** Whether the file speaks of the object and has not freed it. */
  has(num: number): boolean {
    return num < this.xref.size && this.xref.kind[num]! >= PLAIN;
  }

  /** Makes `buf`, `pos` and `limit` those of the object's value, with at least `need` bytes. False: there is none, so it is null. */
  fetch(num: number, need = 1024): boolean {
    const kind = num < this.xref.size ? this.xref.kind[num]! : UNSET;
    if (kind === FREE || kind === UNSET) return false;
    if (kind === PACKED) {
      const pos = this.packs.find(num, this.xref.place[num]! | 0, this.xref.index[num]!);
      if (pos < 0) return false;
      this.buf = this.packs.buf;
      this.base = 0;
      this.pos = pos;
      this.limit = this.buf.length;
      return true;
    }
    const offset = this.xref.place[num]!;
    if (offset >= this.size) throw new Damage(`object ${num} lies outside the file`);
    this.windows.load(offset, need);
    this.buf = this.windows.buf;
    this.base = this.windows.base;
    this.limit = this.windows.length;
    this.pos = behindHeader(this.buf, this.windows.at(offset), this.limit, num);
    return true;
  }

  /** Scans the value of an object. False: there is none. The buffer is that of `fetch`. */
  scanObject(num: number, scan: Scan, note = 0): boolean {
    for (let need = 1024; ; need *= 8) {
      if (!this.fetch(num, need)) return false;
      if (scanValue(this.buf, this.pos, this.limit, scan, note)) return true;
      const whole = this.xref.kind[num] === PACKED || this.base + this.limit >= this.size;
      if (whole && !this.scanLast(scan, note)) throw new Damage(`object ${num} does not end`);
      if (whole) return true;
    }
  }

  /** As scanValue, for the last object of a file that was cut short: a scan looks for what stands behind a dictionary. */
  private scanLast(scan: Scan, note: number): boolean {
    const rest = padded(this.buf.subarray(this.pos, this.limit));
    this.base += this.pos;
    this.buf = rest;
    this.pos = 0;
    this.limit = rest.length;
    return scanValue(rest, 0, rest.length, scan, note);
  }

  /** The value of an object, null where there is none. */
  object(num: number): Value {
    const kind = num < this.xref.size ? this.xref.kind[num] : UNSET;
    if (kind === PLAIN) {
      const value = parseAt(this.windows, this.xref.place[num]!, (parser) => {
        parser.pos = behindHeader(parser.buf, parser.pos, parser.limit, num);
        return parser.value();
      });
      return this.decryption === undefined ? value : decrypted(value, this.decryption, num, this.xref.index[num]!);
    }
    return this.fetch(num) ? new Parser(this.buf, this.pos, this.limit).value() : null;
  }

  /** The value itself, references followed. */
  resolve(value: Value | undefined): Value {
    if (!(value instanceof Ref)) return value ?? null;
    const first = this.object(value.num);
    return first instanceof Ref ? this.farEnd(value.num, first) : first;
  }

  /** What a reference to a reference comes to. All readers take what leads to itself for nothing. */
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

  /** The dictionary a value is or refers to. */
  dict(value: Value | undefined): Dict | undefined {
    const found = this.resolve(value);
    return found instanceof Dict ? found : undefined;
  }

  /** Where the stream of the object scanned last (into `scan`, buffer still at hand) lies in the file, and its length. */
  streamPlace(num: number, scan: Scan): { start: number; length: number } {
    if (this.xref.kind[num] === PACKED) throw new Damage(`object ${num} is a stream inside an object stream`);
    const start = this.base + scan.data;
    const { buf, base, limit } = this;
    const length = scan.length >= 0 ? scan.length : this.lengthOf(num, scan.lengthRef);
    if (length >= 0 && start + length <= this.size && this.endsAt(start + length, buf, base, limit)) {
      return { start, length };
    }
    return { start, length: this.searchLength(start, num) };
  }

  /** The number that object `ref` holds, a reference being none; -1 where it holds none. */
  private lengthOf(num: number, ref: number): number {
    if (ref < 0) return hiddenLength(this, num);
    const value = this.has(ref) ? this.object(ref) : null;
    return typeof value === 'number' && value >= 0 && Number.isInteger(value) ? value : -1;
  }

  /** The length of a stream whose dictionary does not tell it: up to `endstream`, less the end of line before it. */
  private searchLength(start: number, num: number): number {
    this.repairs.add('a stream had a wrong length');
    const end = this.findBehind(start, 'endstream') ?? this.findBehind(start, 'endobj');
    if (end === undefined) throw new Damage(`the stream of object ${num} does not end`);
    const before = new Uint8Array(2);
    this.windows.read(before, end - 2);
    const blank = before[1] === LF && before[0] === CR ? 2 : before[1] === LF || before[1] === CR ? 1 : 0;
    return Math.max(0, end - start - blank);
  }

  /** The first place at or behind `from` where the word stands. */
  private findBehind(from: number, word: string): number | undefined {
    for (let position = from; position < this.size; position += STEP) {
      this.windows.load(position, STEP + 16);
      const { buf, base, length } = this.windows;
      const found = find(buf, word, position - base, length);
      if (found >= 0) return base + found;
    }
    return undefined;
  }

  /** Whether `endstream` stands at `position`, white space before it allowed. */
  private endsAt(position: number, buf: Uint8Array, base: number, limit: number): boolean {
    let pos = position - base;
    if (pos + 32 > limit) {
      this.windows.load(position, 32);
      buf = this.windows.buf;
      pos = this.windows.at(position);
      limit = this.windows.length;
    }
    const word = skipSpace(buf, pos, Math.min(limit, pos + 16));
    return at(buf, word, 'endstream') || at(buf, word, 'endobj');
  }

  /** Whether the object ends, and nothing is left over in front of its end. */
  ends(num: number): boolean {
    return this.scanObject(num, scan);
  }

  isStream(num: number): boolean {
    return this.scanObject(num, scan) && scan.stream;
  }

  /** Where the data of a stream lies. Throws Damage where it does not end. */
  streamExtent(num: number): { start: number; length: number } {
    this.scanObject(num, scan);
    return this.streamPlace(num, scan);
  }

  /** The dictionary and the raw bytes of a stream object. Throws Damage where it is none or is longer than `cap`. */
  rawStream(num: number, cap: number): { dict: Dict; raw: Uint8Array } {
    if (!this.scanObject(num, scan) || !scan.stream) throw new Damage(`object ${num} is no stream`);
    const dict = new Parser(this.buf, this.pos, this.limit).value();
    if (!(dict instanceof Dict)) throw new Damage(`object ${num} is no stream`);
    const { start, length } = this.streamPlace(num, scan);
    if (length > cap) throw new Failure('unprocessable', `${this.name}: object ${num} is too large`, { kind: 'limit' });
    const { pieces, length: plain } = this.plainStream(num, dict, start, length);
    const raw = new Uint8Array(plain);
    let done = 0;
    for (const piece of pieces) {
      raw.set(piece, done);
      done += piece.length;
    }
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
    if (decryption === undefined) return { length, pieces: [read(0, length)] };
    const crypt = this.filters(dict).find((filter) => filter.name === 'Crypt');
    const method = decryption.methodOf(
      dict,
      crypt === undefined ? undefined : (crypt.parms?.name('Name') ?? 'Identity'),
    );
    return decryption.decrypt(method, num, this.xref.index[num]!, length, read);
  }

  /** The decoded bytes of a stream; undefined where a filter is one we do not decode (an image's). */
  streamBytes(num: number, cap: number): { dict: Dict; bytes: Uint8Array } | undefined {
    const { dict, raw } = this.rawStream(num, cap);
    const filters = this.filters(dict);
    if (!decodable(filters)) return undefined;
    return { dict, bytes: limitOf(this.name, () => decode(raw, filters, cap)) };
  }

  /** The filters of a stream's dictionary, references followed. */
  filters(dict: Dict): Filter[] {
    const follow = (value: Value | undefined): Value => {
      const found = this.resolve(value);
      return found instanceof Dict ? new Dict([...found].map(([key, item]) => [key, this.resolve(item)])) : found;
    };
    const all = (value: Value | undefined): Value => {
      const found = follow(value);
      return Array.isArray(found) ? found.map(follow) : found;
    };
    return filtersOf(all(dict.get('Filter') ?? dict.get('F')), all(dict.get('DecodeParms') ?? dict.get('DP')));
  }

  /** Bytes of a value that stands in object `num`, its strings decrypted, so that it can be moved elsewhere. */
  plain(bytes: Uint8Array, num: number): Uint8Array {
    if (this.decryption === undefined || this.xref.kind[num] !== PLAIN) return bytes;
    const value = decrypted(new Parser(bytes).value(), this.decryption, num, this.xref.index[num]!);
    return Buffer.from(
      serialize(value, (ref) => `${ref.num} ${ref.gen} R`),
      'latin1',
    );
  }

  /** Lets go of all that is held of the file; it is read again when it is needed. */
  release(): void {
    this.windows.release();
    this.packs.release();
    this.buf = new Uint8Array(0);
  }
}

/** Checks `N G obj` at `pos` and returns the place behind it and the white space that follows. */
export function behindHeader(buf: Uint8Array, pos: number, limit: number, num: number): number {
  pos = skipSpace(buf, pos, limit);
  let found = 0;
  const start = pos;
  while (pos < limit && CLASS[buf[pos]!] === DIGIT) found = found * 10 + buf[pos++]! - 0x30;
  if (pos === start || found !== num) throw new Damage(`object ${num} is not where the table says`);
  pos = skipSpace(buf, pos, limit);
  while (pos < limit && CLASS[buf[pos]!] === DIGIT) pos++;
  pos = skipSpace(buf, pos, limit);
  if (!at(buf, pos, 'obj')) throw new Damage(`object ${num} is not where the table says`);
  pos += 3;
  while (pos < limit && CLASS[buf[pos]!] === SPACE) pos++;
  return pos;
}

/** The value with its strings decrypted. */
function decrypted(value: Value, decryption: Decryption, num: number, gen: number): Value {
  if (value instanceof PdfString) return new PdfString(decryption.string(value.bytes, num, gen));
  if (Array.isArray(value)) return value.map((item) => decrypted(item, decryption, num, gen));
  if (!(value instanceof Dict)) return value;
  const plain = new Dict();
  for (const [key, item] of value) plain.set(key, decrypted(item, decryption, num, gen));
  return plain;
}
