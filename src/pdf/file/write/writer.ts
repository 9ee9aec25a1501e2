import { deflateSync } from 'node:zlib';
import type { Draft } from '../../../contract/base/ports.ts';
import { copiedInto } from '../../syntax/arrays.ts';
import { putNumber, REFERENCE } from '../../syntax/characters.ts';
import { hexString } from '../../syntax/serialize.ts';
import type { Encryption } from '../crypt/encryption.ts';
import { PLAIN } from '../read/xref-table.ts';
import { FLATE, IN_FLIGHT, Members, MOST_BODY, type ObjectStream, objectStream } from './object-stream.ts';
import { Rows, xrefLine, xrefStream } from './xref-rows.ts';

const BUFFER = 1024 * 1024;
const LEAST_BUFFER = 16 * 1024;
const MOST_EXPECTED = 1 << 20;
const NOTHING = new Uint8Array(0);
/** Objects in an object stream: more compress better and cost less to begin (0.3 ms each), fewer are read faster. */
const PER_STREAM = 1000;
/** Level 5 takes a merge of manuals 4 % more time for 0.3 % of its bytes, level 6 half as much again for 0.1 to 0.3 %. */
const LEVEL = 4;

export interface WriterOptions {
  /** Such as 1.7. Left out, no header is written, because the output continues a file that has one. */
  readonly version?: string;
  /** Put objects into object streams where possible, with a cross-reference stream. */
  readonly objectStreams: boolean;
  /** Objects in an object stream, where it is not PER_STREAM. */
  readonly perStream?: number;
  readonly level?: number;
  /** The expected number of objects, for which room is made at once, within reason. */
  readonly expected?: number;
  /** Encrypts the file. It needs object streams: they are encrypted whole, without their strings. */
  readonly encryption?: Encryption | undefined;
}

/** Writes objects into a draft, each once and in any order, under numbers that `allocate` gives. */
export class Writer {
  readonly objectStreams: boolean;
  readonly encryption: Encryption | undefined;
  readonly rows: Rows;
  /** Bytes not yet given to the draft; `at` is the place of the next one. */
  protected out: Uint8Array;
  protected at = 0;
  private readonly draft: Pick<Draft, 'write'>;
  private readonly perStream: number;
  private readonly level: number;
  protected flushed = 0;
  protected next = 1;
  count = 0;
  // While an object goes into an object stream, `out` and `at` are those of the stream's body.
  protected fileOut: Uint8Array | undefined;
  protected fileAt = 0;
  private body: Uint8Array = NOTHING;
  private bodyAt = 0;
  private readonly members = new Members();
  private readonly waiting: ObjectStream[] = [];

  constructor(draft: Pick<Draft, 'write'>, options: WriterOptions) {
    this.draft = draft;
    this.out = new Uint8Array(LEAST_BUFFER);
    this.objectStreams = options.objectStreams;
    this.encryption = options.encryption;
    if (this.encryption !== undefined && !this.objectStreams) throw new TypeError('strings would stay as they are');
    this.perStream = options.perStream ?? PER_STREAM;
    this.level = options.level ?? LEVEL;
    this.rows = new Rows(Math.max(256, Math.min(options.expected ?? 0, MOST_EXPECTED)));
    // Four bytes above 127 mark the file as binary for programs that copy files (7.5.2).
    if (options.version !== undefined) this.text(`%PDF-${options.version}\n%\xe2\xe3\xcf\xd3\n`);
  }

  /** The generation of an object: 0, unless the file had it before. */
  generation(_num: number): number {
    return 0;
  }

  allocate(): number {
    this.rows.reserve(this.next + 1);
    return this.next++;
  }

  get position(): number {
    return this.flushed + (this.fileOut === undefined ? this.at : this.fileAt);
  }

  private reserve(length: number): void {
    if (this.at + length <= this.out.length) return;
    if (this.fileOut === undefined) this.flush();
    if (this.at + length > this.out.length) {
      const larger = new Uint8Array(Math.max(2 * this.out.length, this.at + length));
      this.out = copiedInto(this.out.subarray(0, this.at), larger);
    }
  }

  text(text: string): void {
    this.reserve(text.length);
    const { out, at } = this;
    for (let i = 0; i < text.length; i++) out[at + i] = text.charCodeAt(i);
    this.at = at + text.length;
  }

  number(value: number): void {
    this.reserve(20);
    this.at = putNumber(this.out, this.at, value);
  }

  reference(num: number): void {
    this.reserve(24);
    const { out } = this;
    const at = putNumber(out, this.at, num);
    out[at] = 0x20;
    out[at + 1] = 0x30;
    out[at + 2] = 0x20;
    out[at + 3] = REFERENCE;
    this.at = at + 4;
  }

  bytes(bytes: Uint8Array): void {
    if (bytes.length > BUFFER && this.fileOut === undefined) {
      this.flush();
      this.draft.write(bytes);
      this.flushed += bytes.length;
      return;
    }
    this.reserve(bytes.length);
    this.out.set(bytes, this.at);
    this.at += bytes.length;
  }

  span(source: Uint8Array, start: number, end: number): void {
    if (this.at + end - start > this.out.length) this.reserve(end - start);
    const { out } = this;
    let at = this.at;
    if (end - start > 48) {
      out.set(source.subarray(start, end), at);
      at += end - start;
    } else {
      for (let i = start; i < end; i++) out[at++] = source[i] ?? 0;
    }
    this.at = at;
  }

  /** Begins an object, whose value is written next. A `stream` cannot stand in an object stream. */
  begin(num: number, stream: boolean): void {
    this.count++;
    if (this.objectStreams && !stream) {
      this.fileOut = this.out;
      this.fileAt = this.at;
      this.out = this.body.length > 0 ? this.body : new Uint8Array(LEAST_BUFFER);
      this.at = this.bodyAt;
      this.members.add(num, this.at);
      return;
    }
    this.rows.plain(num, this.flushed + this.at);
    this.number(num);
    this.text(` ${this.generation(num)} obj\n`);
  }

  /** Ends the object. The promise settles when object streams under way have been written. */
  end(): Promise<void> | undefined {
    if (this.fileOut === undefined) {
      // PDF/A-2 and -3 ask for an end of line behind `obj` and before `endobj` (ISO 19005-2, 6.1.9); it takes 0.14 % more bytes.
      this.text('\nendobj\n');
      return undefined;
    }
    this.reserve(1);
    this.out[this.at++] = 0x0a;
    this.body = this.out;
    this.bodyAt = this.at;
    this.out = this.fileOut;
    this.at = this.fileAt;
    this.fileOut = undefined;
    if (this.members.count < this.perStream && this.bodyAt < MOST_BODY) return undefined;
    this.endObjectStream();
    return this.waiting.length >= IN_FLIGHT ? this.drain() : undefined;
  }

  /** A string of the current object as text: encrypted, unless the object is a member of an object stream. */
  stringText(bytes: Uint8Array): string {
    return hexString(this.fileOut === undefined ? (this.encryption?.bytes(bytes) ?? bytes) : bytes);
  }

  /** Writes a whole object: its value as text. Await it like `end`. */
  object(num: number, value: string): Promise<void> | undefined {
    this.begin(num, false);
    this.text(value);
    return this.end();
  }

  /** Writes a whole stream; `entries`: its dictionary without /Length. Await it like `end`. */
  stream(num: number, entries: string, data: readonly Uint8Array[]): Promise<void> | undefined {
    this.begin(num, true);
    this.text(`<<${entries}/Length ${data.reduce((sum, piece) => sum + piece.length, 0)}>>stream\n`);
    for (const piece of data) this.bytes(piece);
    this.text('\nendstream');
    return this.end();
  }

  copy(length: number, read: (into: Uint8Array, done: number) => number): void {
    for (let done = 0; done < length; ) {
      this.reserve(Math.min(length - done, BUFFER));
      const space = Math.min(length - done, this.out.length - this.at);
      const got = read(this.out.subarray(this.at, this.at + space), done);
      if (got === 0) throw new Error('the source ended before the stream did');
      this.at += got;
      done += got;
    }
  }

  /** Ends the file. `trailer`: its entries besides /Size, as text. */
  async finish(trailer: string): Promise<void> {
    // The only object stream of a small file, such as a split page, is not worth another thread.
    if (this.members.count > 0) this.endObjectStream(this.waiting.length === 0);
    await this.drain();
    const entries = `${trailer}${this.encryptionEntry()}`;
    this.text(`startxref\n${this.xref(entries)}\n%%EOF\n`);
    this.flush();
  }

  /** Writes the encryption dictionary, which is never encrypted and stands in no object stream. */
  private encryptionEntry(): string {
    if (this.encryption === undefined) return '';
    const num = this.allocate();
    this.rows.plain(num, this.position);
    this.text(`${num} 0 obj\n${this.encryption.dict}\nendobj\n`);
    return `/Encrypt ${num} 0 R`;
  }

  flush(): void {
    if (this.at === 0) return;
    this.draft.write(this.out.subarray(0, this.at));
    this.flushed += this.at;
    this.at = 0;
  }

  /** Closes the current object stream. `now`: compress it on this thread, while no other is awaited. */
  private endObjectStream(now = false): void {
    const { members } = this;
    const num = this.allocate();
    for (let i = 0; i < members.count; i++) this.rows.compressed(members.nums[i] ?? 0, num, i);
    this.waiting.push(objectStream(num, members, this.body.subarray(0, this.bodyAt), this.level, now));
    members.count = 0;
    this.bodyAt = 0;
  }

  private async drain(): Promise<void> {
    for (const stream of this.waiting.splice(0)) this.writeObjectStream(stream, await stream.data);
  }

  private writeObjectStream({ num, count, first }: ObjectStream, data: Uint8Array): void {
    this.rows.plain(num, this.flushed + this.at);
    this.text(`${num} 0 obj\n<</Type/ObjStm/N ${count}/First ${first}`);
    this.streamOf(this.encryption?.bytes(data) ?? data);
  }

  /** Writes the cross-reference table and returns its place. */
  protected xref(trailer: string): number {
    return this.objectStreams ? this.xrefStream(trailer) : this.xrefTable(trailer);
  }

  private xrefTable(trailer: string): number {
    const start = this.flushed + this.at;
    this.text(`xref\n0 ${this.next}\n`);
    for (let num = 0; num < this.next; num++)
      this.text(xrefLine(this.rows.kind[num] === PLAIN, this.rows.place[num] ?? 0));
    this.text(`trailer\n<</Size ${this.next}${trailer}>>\n`);
    return start;
  }

  private xrefStream(trailer: string): number {
    const num = this.allocate();
    const start = this.flushed + this.at;
    this.rows.plain(num, start);
    const { entries, filter, data } = xrefStream(this.rows, this.next, start, this.perStream, this.level);
    this.text(`${num} 0 obj\n<</Type/XRef/Size ${this.next}${entries}${trailer}`);
    this.streamOf(data, filter);
    return start;
  }

  /** Ends a stream object whose dictionary is open. `filter`: its entries for the coding of the data. */
  protected streamOf(data: Uint8Array, filter = FLATE): void {
    this.text(`${filter}/Length ${data.length}>>stream\n`);
    this.bytes(data);
    this.text('\nendstream\nendobj\n');
  }
}

/** Writes a deflated stream; `entries`: its dictionary, without the coding. Returns its number. */
export function writeStream(writer: Writer, entries: string, data: Uint8Array): number {
  const num = writer.allocate();
  writer.stream(num, `${entries}${FLATE}`, [deflateSync(data)]);
  return num;
}
