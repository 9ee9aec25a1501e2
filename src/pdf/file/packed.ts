// Owns the objects that stand in object streams (ISO 32000-1, 7.5.7): inflated when asked for, the last ones kept.
import { Damage } from './damage.ts';
import { Parser } from './parse.ts';
import type { PdfFile } from './reader.ts';
import { PACKED, PLAIN } from './xref.ts';

/** An object stream inflates to at most this; real ones stay below a few MiB. */
const MAX_OBJECT_STREAM = 256 << 20;
/** What is kept of inflated object streams. */
const MAX_KEPT = 16 << 20;
/** `endobj` behind the last object, so that every object ends within its bytes. */
const TAIL = Buffer.from('\nendobj \n');

interface ObjectStream {
  readonly buf: Uint8Array;
  /** Pairs of an object's number and where it begins. */
  readonly places: Int32Array;
}

export class ObjectStreams {
  private readonly file: PdfFile;
  private readonly kept = new Map<number, ObjectStream>();
  private bytes = 0;

  constructor(file: PdfFile) {
    this.file = file;
  }

  /** Where object `num` begins in the inflated stream `container`; undefined where it is missing. */
  find(num: number, container: number, index: number): { buf: Uint8Array; pos: number } | undefined {
    // An object stream inside an object stream is against the rules: what it would hold is missing.
    if (this.file.xref.kind[container] === PACKED) return undefined;
    const { buf, places } = this.kept.get(container) ?? this.open(container);
    // The index is right in nearly every file; the number beside it decides.
    let i = index * 2;
    if (places[i] !== num) {
      for (i = 0; i < places.length && places[i] !== num; ) i += 2;
      if (i >= places.length) throw new Damage(`object ${num} is not in object stream ${container}`);
    }
    return { buf, pos: places[i + 1]! };
  }

  /** The object numbers that an object stream holds, in its order. */
  membersOf(container: number): readonly number[] {
    const { places } = this.kept.get(container) ?? this.open(container);
    return Array.from({ length: places.length / 2 }, (_, i) => places[2 * i]!);
  }

  release(): void {
    this.kept.clear();
    this.bytes = 0;
  }

  private open(num: number): ObjectStream {
    if (this.file.xref.kind[num] !== PLAIN) throw new Damage(`object stream ${num} is not in the file`);
    const found = this.file.streamBytes(num, MAX_OBJECT_STREAM);
    if (found === undefined) throw new Damage(`object stream ${num} cannot be decoded`);
    const { dict, bytes } = found;
    const count = dict.number('N') ?? -1;
    const first = dict.number('First') ?? -1;
    if (count < 0 || first < 0 || first > bytes.length || count > first) {
      throw new Damage(`object stream ${num} has no /N or /First`);
    }
    const buf = new Uint8Array(bytes.length + TAIL.length);
    buf.set(bytes);
    buf.set(TAIL, bytes.length);
    const header = new Parser(buf, 0, first);
    const places = new Int32Array(count * 2);
    for (let i = 0; i < count; i++) {
      const object = header.integer();
      const place = header.integer();
      if (object === undefined || place === undefined) throw new Damage(`object stream ${num} has a broken header`);
      places[2 * i] = object;
      places[2 * i + 1] = Math.min(first + place, bytes.length);
    }
    return this.keep(num, { buf, places });
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
