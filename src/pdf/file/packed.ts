// Owns the objects that stand in object streams (ISO 32000-1, 7.5.7): inflated when asked for, the last ones kept.
import { Damage, limitOf } from './damage.ts';
import { numberAt } from './entries.ts';
import { inflate, inflateAsFar } from './filters.ts';
import type { PdfFile } from './reader.ts';
import { isKey, KEYS, Scan } from './scan.ts';
import { CLASS, DIGIT, latin1, SPACE, skipSpace } from './syntax.ts';
import { PACKED, PLAIN } from './xref.ts';

/** An object stream inflates to at most this; real ones stay below a few MiB. */
const MAX_OBJECT_STREAM = 256 << 20;
/** What is kept of inflated object streams: with half of it a manual of 6 MB takes a fifth longer, with more nothing is quicker. */
const MAX_KEPT = 8 << 20;
/** `endobj` behind the last object, so that every object ends within its bytes. */
const TAIL = Buffer.from('\nendobj \n');

/** One for all files: it is done with before the next object is looked at, and a split opens hundreds of outputs. */
const scan = new Scan();

interface ObjectStream {
  readonly buf: Uint8Array;
  /** Pairs of an object's number and where it begins. */
  readonly places: Int32Array;
}

const NONE = -1;
const EMPTY: ObjectStream = { buf: new Uint8Array(0), places: new Int32Array(0) };

interface Content {
  /** /N and /First. */
  readonly count: number;
  readonly first: number;
  readonly bytes: Uint8Array;
}

export class ObjectStreams {
  private readonly file: PdfFile;
  private readonly kept = new Map<number, ObjectStream>();
  private bytes = 0;
  /** The object stream looked into last: objects are visited stream by stream. */
  private last = NONE;
  private stream = EMPTY;

  constructor(file: PdfFile) {
    this.file = file;
  }

  get buf(): Uint8Array {
    return this.stream.buf;
  }

  /** Where object `num` begins in the inflated stream `container`, whose bytes are `buf` then; -1 where it is missing. */
  find(num: number, container: number, index: number): number {
    if (container !== this.last) {
      // An object stream inside an object stream is against the rules: what it would hold is missing.
      if (this.file.xref.kind[container] === PACKED) return -1;
      this.stream = this.kept.get(container) ?? this.open(container);
      this.last = container;
    }
    const { places } = this.stream;
    // The index is right in nearly every file; the number beside it decides.
    let i = index * 2;
    if (places[i] !== num) {
      for (i = 0; i < places.length && places[i] !== num; ) i += 2;
      if (i >= places.length) throw new Damage(`object ${num} is not in object stream ${container}`);
    }
    return places[i + 1]!;
  }

  /** The object numbers that an object stream holds, in its order. */
  membersOf(container: number): readonly number[] {
    const { places } = this.kept.get(container) ?? this.open(container);
    return Array.from({ length: places.length / 2 }, (_, i) => places[2 * i]!);
  }

  /** What can still be read of an object stream that may be damaged: numbers and bytes of its members, in its order. */
  salvage(container: number): [num: number, bytes: Uint8Array][] {
    const { first, bytes } = this.remains(container);
    const header = latin1(bytes, 0, Math.min(first, bytes.length)).match(/\d{1,10}/g) ?? [];
    const members: [num: number, from: number][] = [];
    for (let i = 0; i + 1 < header.length; i += 2) {
      const from = first + Number(header[i + 1]);
      if (from < bytes.length) members.push([Number(header[i]), from]);
    }
    const ends = members.map(([, from]) => from).sort((a, b) => a - b);
    return members.map(([num, from]) => [num, bytes.subarray(from, ends.find((end) => end > from) ?? bytes.length)]);
  }

  private remains(container: number): Content {
    const { file } = this;
    try {
      const { dict, raw } = file.rawStream(container, MAX_OBJECT_STREAM);
      const [filter, ...more] = file.filters(dict);
      const plain = filter?.name === 'FlateDecode' && more.length === 0 && filter.parms === undefined;
      const bytes = plain ? inflateAsFar(raw, MAX_OBJECT_STREAM) : this.decoded(container).bytes;
      return { count: 0, first: Math.max(0, numberAt(file, dict, 'First') ?? 0), bytes };
    } catch (error) {
      if (error instanceof Damage) return { count: 0, first: 0, bytes: EMPTY.buf };
      throw error;
    }
  }

  release(): void {
    this.kept.clear();
    this.bytes = 0;
    this.last = NONE;
    this.stream = EMPTY;
  }

  private open(num: number): ObjectStream {
    if (this.file.xref.kind[num] !== PLAIN) throw new Damage(`object stream ${num} is not in the file`);
    const { count, first, bytes } = this.plain(num) ?? this.decoded(num);
    if (count < 0 || first < 0 || first > bytes.length || count > first) {
      throw new Damage(`object stream ${num} has no /N or /First`);
    }
    const buf = new Uint8Array(bytes.length + TAIL.length);
    buf.set(bytes);
    buf.set(TAIL, bytes.length);
    const places = new Int32Array(count * 2);
    if (!readHeader(buf, places, first, bytes.length)) throw new Damage(`object stream ${num} has a broken header`);
    return this.keep(num, { buf, places });
  }

  /** The way of nearly all files, without building values: numbers in the dictionary, Flate and no predictor. */
  private plain(num: number): Content | undefined {
    const { file } = this;
    if (file.decryption !== undefined || !file.scanObject(num, scan, KEYS) || !scan.stream) return undefined;
    const { buf } = file;
    const content = { count: -1, first: -1 };
    let flate = false;
    for (let i = 0; i < scan.keyCount; i += 3) {
      const start = scan.keys[i]!;
      const end = scan.keys[i + 1]!;
      const after = scan.keys[i + 2]!;
      if (isKey(buf, start, end, 'N')) content.count = digits(buf, end, after);
      else if (isKey(buf, start, end, 'First')) content.first = digits(buf, end, after);
      else if (isKey(buf, start, end, 'Filter')) flate = isKey(buf, skipSpace(buf, end, after), after, 'FlateDecode');
      else if (isKey(buf, start, end, 'DecodeParms')) return undefined;
    }
    if (!flate || content.count < 0 || content.first < 0) return undefined;
    const { start, length } = file.streamPlace(num, scan);
    const packed = file.windows.slice(start, length);
    return { ...content, bytes: limitOf(file.name, () => inflate(packed, MAX_OBJECT_STREAM)) };
  }

  private decoded(num: number): Content {
    const { file } = this;
    const found = file.streamBytes(num, MAX_OBJECT_STREAM);
    if (found === undefined) throw new Damage(`object stream ${num} cannot be decoded`);
    const { dict, bytes } = found;
    return { count: numberAt(file, dict, 'N') ?? -1, first: numberAt(file, dict, 'First') ?? -1, bytes };
  }

  private keep(num: number, stream: ObjectStream): ObjectStream {
    this.bytes += stream.buf.length;
    // The one opened first goes first: objects are visited stream by stream.
    for (const [oldest, { buf }] of this.kept) {
      if (this.bytes <= MAX_KEPT) break;
      this.kept.delete(oldest);
      this.bytes -= buf.length;
    }
    this.kept.set(num, stream);
    return stream;
  }
}

/** Fills `places` from the header that ends before `first`; no object begins behind `end`. Returns whether all is there. */
function readHeader(buf: Uint8Array, places: Int32Array, first: number, end: number): boolean {
  let pos = 0;
  for (let i = 0; i < places.length; i++) {
    while (CLASS[buf[pos]!] === SPACE) pos++;
    const start = pos;
    let value = 0;
    for (let digit = buf[pos]! - 0x30; digit >= 0 && digit <= 9; digit = buf[++pos]! - 0x30) value = value * 10 + digit;
    if (pos === start || pos > first) return false;
    places[i] = i % 2 === 0 ? value : Math.min(first + value, end);
  }
  return true;
}

/** The whole number that is the value in [start, end), -1 where it is something else. */
function digits(buf: Uint8Array, start: number, end: number): number {
  let pos = skipSpace(buf, start, end);
  let value = pos < end ? 0 : -1;
  for (; pos < end; pos++) {
    if (CLASS[buf[pos]!] !== DIGIT) return -1;
    value = value * 10 + buf[pos]! - 0x30;
  }
  return value;
}
