import { wholeUpTo } from '../../syntax/bounds.ts';
import { latin1, padded } from '../../syntax/characters.ts';
import { Damage, unlessDamaged } from '../../syntax/damage.ts';
import { Parser } from '../../syntax/parser.ts';
import type { ByteView } from '../../syntax/scan.ts';
import type { Dict, Value } from '../../syntax/values.ts';
import { decodeAsFar, type Filter } from './filters.ts';
import { COMPRESSED, PLAIN, type XrefTable } from './xref-table.ts';

/** An object stream inflates to at most this; real ones stay below a few MiB. */
const MAX_OBJECT_STREAM = 256 << 20;
/** Bytes of inflated object streams to cache: with half, a manual of 6 MB takes a fifth longer; more gains nothing. */
const MAX_KEPT = 8 << 20;

interface Holder {
  readonly xref: XrefTable;
  resolve(value: Value | undefined): Value;
  rawStream(num: number, cap: number): { readonly dict: Dict; readonly raw: Uint8Array };
  filters(dict: Dict): Filter[];
  streamBytes(num: number, cap: number): { readonly dict: Dict; readonly bytes: Uint8Array } | undefined;
}

interface ObjectStream {
  readonly bytes: Uint8Array;
  readonly places: Int32Array;
}

export class ObjectStreams {
  private readonly file: Holder;
  private readonly kept = new Map<number, ObjectStream>();
  /** Streams that are being opened: their dictionary may refer to an object that only they hold. */
  private readonly opening = new Set<number>();
  private size = 0;
  /** The object stream used last: objects are visited stream by stream. */
  private last: { readonly num: number; readonly stream: ObjectStream } | undefined;

  constructor(file: Holder) {
    this.file = file;
  }

  /** Where object `num` begins in the object stream `container`; undefined where it is missing. */
  find(num: number, container: number, index: number): ByteView | undefined {
    // The rules forbid an object stream inside an object stream: what it would hold is missing.
    if (this.file.xref.kind[container] === COMPRESSED) return undefined;
    if (this.last?.num !== container) this.last = { num: container, stream: this.stream(container) };
    const { bytes, places } = this.last.stream;
    // The stated index is right in nearly every file; the object number beside it decides.
    let i = index * 2;
    if (places[i] !== num) {
      for (i = 0; i < places.length && places[i] !== num; ) i += 2;
      if (i >= places.length) throw new Damage(`object ${num} is not in object stream ${container}`);
    }
    return { bytes, start: places[i + 1] ?? 0, base: 0 };
  }

  membersOf(container: number): readonly number[] {
    const { places } = this.stream(container);
    return Array.from({ length: places.length / 2 }, (_, i) => places[2 * i] ?? 0);
  }

  /** Number and bytes of each member of a damaged object stream that can still be read. */
  salvage(container: number): [num: number, bytes: Uint8Array][] {
    const { first, bytes } = this.remains(container);
    const header = latin1(bytes, 0, Math.min(first, bytes.length)).match(/\d{1,10}/g) ?? [];
    const members: [num: number, from: number][] = [];
    for (let i = 0; i + 1 < header.length; i += 2) {
      const from = first + Number(header[i + 1]);
      if (from < bytes.length) members.push([Number(header[i]), from]);
    }
    const ends = members.map(([, from]) => from).sort((a, b) => a - b);
    let at = 0;
    const sorted = [...members].sort(([, a], [, b]) => a - b);
    return sorted.map(([num, from]) => {
      while (at < ends.length && (ends[at] ?? 0) <= from) at += 1;
      return [num, bytes.subarray(from, ends[at] ?? bytes.length)];
    });
  }

  private remains(container: number): { first: number; bytes: Uint8Array } {
    const { file } = this;
    return unlessDamaged({ first: 0, bytes: new Uint8Array(0) }, () => {
      const { dict, raw } = file.rawStream(container, MAX_OBJECT_STREAM);
      const bytes = decodeAsFar(raw, file.filters(dict), MAX_OBJECT_STREAM);
      return { first: wholeUpTo(file.resolve(dict.get('First')), bytes.length) ?? 0, bytes };
    });
  }

  release(): void {
    this.kept.clear();
    this.size = 0;
    this.last = undefined;
  }

  isOpening(container: number): boolean {
    return this.opening.has(container);
  }

  private stream(num: number): ObjectStream {
    const kept = this.kept.get(num);
    if (kept !== undefined) return kept;
    if (this.opening.has(num)) throw new Damage(`object stream ${num} needs one of its own objects to be read`);
    this.opening.add(num);
    try {
      return this.keep(num, this.inflated(num));
    } finally {
      this.opening.delete(num);
    }
  }

  private inflated(num: number): ObjectStream {
    if (this.file.xref.kind[num] !== PLAIN) throw new Damage(`object stream ${num} is not in the file`);
    const { file } = this;
    const decoded = file.streamBytes(num, MAX_OBJECT_STREAM);
    if (decoded === undefined) throw new Damage(`object stream ${num} cannot be decoded`);
    const { dict, bytes } = decoded;
    const first = wholeUpTo(file.resolve(dict.get('First')), bytes.length);
    const count = wholeUpTo(file.resolve(dict.get('N')), first ?? 0);
    if (count === undefined || first === undefined) {
      throw new Damage(`object stream ${num} has no /N or /First`);
    }
    return { bytes: padded(bytes), places: readHeader(num, bytes, count, first) };
  }

  private keep(num: number, stream: ObjectStream): ObjectStream {
    this.size += stream.bytes.length;
    // Drops the one opened first: objects are visited stream by stream.
    for (const [oldest, { bytes }] of this.kept) {
      if (this.size <= MAX_KEPT) break;
      this.kept.delete(oldest);
      this.size -= bytes.length;
    }
    this.kept.set(num, stream);
    return stream;
  }
}

/** Reads pairs of an object number and its place in `bytes` from the header, which ends before `first`. */
function readHeader(num: number, bytes: Uint8Array, count: number, first: number): Int32Array {
  const parser = new Parser(bytes);
  const places = new Int32Array(count * 2);
  for (let i = 0; i < places.length; i += 2) {
    const object = parser.integer();
    const offset = parser.integer();
    if (object === undefined || offset === undefined || parser.pos > first) {
      throw new Damage(`object stream ${num} has a broken header`);
    }
    places[i] = object;
    places[i + 1] = Math.min(first + offset, bytes.length);
  }
  return places;
}
