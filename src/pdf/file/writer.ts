// Owns writing a PDF in one pass: objects as they come, object streams, the cross-reference table. Knows no source file.
import { deflateSync } from 'node:zlib';
import type { Draft } from '../../contract/ports.ts';
import { grown } from '../grown.ts';
import { Members, packed } from './pack.ts';
import { isPlainText, latin1Text } from './serialize.ts';
import { NOTHING, Staging } from './staging.ts';
import { BRACKET_CLOSE, GREATER, putNumber } from './syntax.ts';
import type { Tray } from './tray.ts';
import { LEVEL, PER_STREAM, type WriterOptions } from './writer-options.ts';
import { PACKED, PLAIN } from './xref.ts';
import { xrefLine, xrefStream } from './xref-rows.ts';

const BUFFER = 1024 * 1024;
/** Bytes after which an object stream ends sooner: one is compressed by one thread, and read whole for each of its objects. */
const MOST_BODY = 256 * 1024;
/** Object streams compressed on other threads before the writer waits: fixed, so that the file does not depend on time. */
const IN_FLIGHT = 8;
const MOST_EXPECTED = 1 << 20;
const FLATE = '/Filter/FlateDecode';

/** Writes objects into a draft. Numbers are given by `allocate`, each is written once, in any order. */
export class Writer {
  readonly packed: boolean;
  /** While it is set, no object goes into an object stream. */
  loose = false;
  /** The staging buffer; `at` is where the next byte goes. Callers that scan write here directly after `reserve`. */
  out: Uint8Array;
  at = 0;
  private readonly draft: Draft;
  private readonly staging: Staging;
  private readonly perStream: number;
  private readonly level: number;
  private flushed = 0;
  /** The number that `allocate` gives next. */
  next = 1;
  // Of each object, as in the reader's table (xref.ts).
  private kind: Uint8Array;
  private place: Float64Array;
  private index: Uint16Array;
  // While an object goes into an object stream, `out` and `at` are those of the stream's body.
  private fileOut: Uint8Array | undefined;
  private fileAt = 0;
  private body: Uint8Array = NOTHING;
  private bodyAt = 0;
  private readonly members = new Members();
  private readonly waiting: { num: number; count: number; first: number; data: Promise<Uint8Array> }[] = [];

  constructor(draft: Draft, options: WriterOptions) {
    this.draft = draft;
    this.staging = options.staging ?? new Staging();
    this.out = this.staging.take();
    this.packed = options.packed;
    this.perStream = options.perStream ?? PER_STREAM;
    this.level = options.level ?? LEVEL;
    const room = Math.max(256, Math.min(options.expected ?? 0, MOST_EXPECTED));
    this.kind = new Uint8Array(room);
    this.place = new Float64Array(room);
    this.index = new Uint16Array(room);
    // Four bytes above 127 tell programs that copy files that this one is binary (7.5.2).
    this.text(`%PDF-${options.version}\n%\xe2\xe3\xcf\xd3\n`);
  }

  /** The number of an object to come. */
  allocate(): number {
    if (this.next >= this.kind.length) {
      const size = this.kind.length * 2;
      this.kind = grown(this.kind, new Uint8Array(size));
      this.place = grown(this.place, new Float64Array(size));
      this.index = grown(this.index, new Uint16Array(size));
    }
    return this.next++;
  }

  /** Bytes of the file so far. */
  get position(): number {
    return this.flushed + (this.fileOut === undefined ? this.at : this.fileAt);
  }

  /** Makes room for `length` bytes at `out[at]`. */
  reserve(length: number): void {
    if (this.at + length <= this.out.length) return;
    if (this.out.length === 0) this.out = this.staging.take();
    if (this.fileOut === undefined) this.flush();
    if (this.at + length > this.out.length) {
      const least = this.fileOut === undefined ? Math.min(BUFFER, this.out.length * 8) : this.out.length * 2;
      this.out = grown(this.out.subarray(0, this.at), new Uint8Array(Math.max(least, this.at + length)));
    }
  }

  /** Writes text, one byte a character. */
  text(text: string): void {
    this.reserve(text.length);
    const { out, at } = this;
    for (let i = 0; i < text.length; i++) out[at + i] = text.charCodeAt(i);
    this.at = at + text.length;
  }

  /** Writes a string object, one byte a character. */
  string(text: string): void {
    // Joined, the three would have to be put into one place again before their characters can be read.
    const plain = isPlainText(text);
    if (plain) this.text('(');
    this.text(plain ? text : latin1Text(text));
    if (plain) this.text(')');
  }

  /** Writes a whole number, 0 or more. */
  number(value: number): void {
    this.reserve(20);
    this.at = putNumber(this.out, this.at, value);
  }

  /** Writes a reference to an object. */
  reference(num: number): void {
    this.reserve(24);
    const { out } = this;
    const at = putNumber(out, this.at, num);
    out[at] = 0x20;
    out[at + 1] = 0x30;
    out[at + 2] = 0x20;
    out[at + 3] = 0x52;
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

  /** Copies from `source[start]` to before `source[end]`. */
  span(source: Uint8Array, start: number, end: number): void {
    if (this.at + end - start > this.out.length) this.reserve(end - start);
    const { out } = this;
    let at = this.at;
    if (end - start > 48) {
      out.set(source.subarray(start, end), at);
      at += end - start;
    } else {
      for (let i = start; i < end; i++) out[at++] = source[i]!;
    }
    this.at = at;
  }

  /** Begins an object whose value is written next. `stream`: it is one, so it stays out of object streams. */
  begin(num: number, stream: boolean): void {
    if (this.packed && !stream && !this.loose) {
      this.kind[num] = PACKED;
      this.fileOut = this.out;
      this.fileAt = this.at;
      this.out = this.body.length > 0 ? this.body : this.staging.take();
      this.at = this.bodyAt;
      this.members.add(num, this.at);
      return;
    }
    this.kind[num] = PLAIN;
    this.place[num] = this.flushed + this.at;
    this.number(num);
    // A stream begins with a dictionary, whose << needs nothing before it.
    this.text(stream ? ' 0 obj' : ' 0 obj\n');
  }

  /** Ends the object. Resolves at once, or when object streams on their way have been written. */
  end(): Promise<void> | undefined {
    if (this.fileOut === undefined) {
      // Behind >> and ] a word may follow at once; a byte an object is what makes an output larger than others'.
      const last = this.at > 0 ? this.out[this.at - 1] : undefined;
      this.text(last === GREATER || last === BRACKET_CLOSE ? 'endobj\n' : '\nendobj\n');
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
    this.pack(false);
    return this.waiting.length >= IN_FLIGHT ? this.drain() : undefined;
  }

  /** Has what is written next go onto a tray, until `back`. */
  aside(tray: Tray): void {
    this.fileOut = this.out;
    this.fileAt = this.at;
    this.out = tray.bytes;
    this.at = tray.at;
  }

  back(tray: Tray): void {
    tray.bytes = this.out;
    tray.at = this.at;
    this.out = this.fileOut ?? NOTHING;
    this.at = this.fileAt;
    this.fileOut = undefined;
  }

  /** Writes a whole object: its value as text. To be awaited like `end`. */
  object(num: number, value: string): Promise<void> | undefined {
    this.begin(num, false);
    this.text(value);
    return this.end();
  }

  /** Copies `length` bytes from `read` into the file. */
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

  /** Ends the file. `trailer`: the entries besides /Size, as text. */
  async finish(trailer: string): Promise<void> {
    if (this.members.count > 0) this.pack(this.waiting.length === 0);
    this.rest();
    await this.drain();
    this.text(`startxref\n${this.packed ? this.xrefStream(trailer) : this.xrefTable(trailer)}\n%%EOF\n`);
    this.rest();
  }

  /** Lets other writers have the arrays; `reserve` takes one again. */
  private rest(): void {
    this.flush();
    for (const array of [this.body, this.out]) if (array.length > 0) this.staging.give(array);
    this.body = this.out = NOTHING;
  }

  private flush(): void {
    if (this.at === 0) return;
    this.draft.write(this.out.subarray(0, this.at));
    this.flushed += this.at;
    this.at = 0;
  }

  /** Closes the object stream that is being filled. `now`: on this thread. */
  private pack(now: boolean): void {
    const { members } = this;
    const { count, nums } = members;
    const num = this.allocate();
    for (let i = 0; i < count; i++) {
      this.place[nums[i]!] = num;
      this.index[nums[i]!] = i;
    }
    this.waiting.push({ num, count, ...packed(members, this.body.subarray(0, this.bodyAt), this.level, now) });
    members.count = 0;
    this.bodyAt = 0;
  }

  private async drain(): Promise<void> {
    for (const { num, count, first, data } of this.waiting.splice(0)) {
      const bytes = await data;
      this.kind[num] = PLAIN;
      this.place[num] = this.flushed + this.at;
      this.text(`${num} 0 obj\n<</Type/ObjStm/N ${count}/First ${first}`);
      this.streamOf(bytes);
    }
  }

  private xrefTable(trailer: string): number {
    const start = this.flushed + this.at;
    this.text(`xref\n0 ${this.next}\n`);
    for (let num = 0; num < this.next; num++) this.text(xrefLine(this.kind[num] === PLAIN, this.place[num]!));
    this.text(`trailer\n<</Size ${this.next}${trailer}>>\n`);
    return start;
  }

  private xrefStream(trailer: string): number {
    const num = this.allocate();
    const start = this.flushed + this.at;
    this.kind[num] = PLAIN;
    this.place[num] = start;
    const entries = { kind: this.kind, place: this.place, index: this.index, count: this.next };
    const { dict, rows, coded } = xrefStream(entries, start, this.perStream);
    this.text(`${num} 0 obj\n<<${dict}${trailer}`);
    if (coded === undefined) this.streamOf(rows, '');
    else this.streamOf(deflateSync(rows, { level: this.level }), FLATE + coded);
    return start;
  }

  /** Ends a stream object whose dictionary is open. `filter`: its entries that say how the data is coded. */
  private streamOf(data: Uint8Array, filter = FLATE): void {
    this.text(`${filter}/Length ${data.length}>>stream\n`);
    this.bytes(data);
    this.text('\nendstream\nendobj\n');
  }
}
