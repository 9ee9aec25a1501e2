// Owns moving objects from a file into a writer: bytes verbatim, references renumbered. Knows no pages.
import type { Pace } from '../pace.ts';
import { Damage } from './damage.ts';
import { plainEntries, plainString, streamDict } from './decrypted.ts';
import { Queue, sortByPlace, WAVE } from './order.ts';
import type { Overrides, Retouch } from './overrides.ts';
import type { PdfFile } from './reader.ts';
import { COMMENT, KEYS, keyAmong, LENGTH, MARKS, Scan, STRING, STRINGS, scanValue } from './scan.ts';
import { copyData } from './stream-data.ts';
import { LESS, skipSpace } from './syntax.ts';
import type { Writer } from './writer.ts';
import { PLAIN } from './xref.ts';

/** The reference becomes null: what it leads to is not part of the output. */
export const DROPPED = -1;

/** Copies everything that is reachable from what is asked for. One for each pair of source and output. */
export class Copier {
  readonly file: PdfFile;
  readonly writer: Writer;
  /** Output number of each source object: 0 not met yet, DROPPED, or the number. */
  readonly map: Int32Array;
  /** Values to replace in objects whenever these are copied, by source number. */
  readonly changes = new Map<number, Overrides>();
  retouch: Retouch | undefined;
  /** MARKS, or 0 where nobody asks which of them there were: looking at every name takes time. */
  marks = MARKS;
  /** The marks (scan.ts) of all that was copied. */
  seen = 0;
  private readonly scan = new Scan();
  private readonly todo = new Queue();
  /** Pairs of an object and the number it had before. */
  private readonly assigned: number[] | undefined;
  /** The object being copied, where its strings are encrypted; else -1. */
  private encrypted = -1;

  /**
   * `shared`: a map to begin with, where objects that are DROPPED stay out. It is one for many outputs: `restore` puts it
   * back as it was, since a file may have millions of objects and a page has some dozens.
   */
  constructor(file: PdfFile, writer: Writer, shared?: Int32Array) {
    this.file = file;
    this.writer = writer;
    this.map = shared ?? new Int32Array(file.xref.size);
    this.assigned = shared === undefined ? undefined : [];
  }

  /** The output number of a source object, which will be copied; DROPPED where there is none. */
  ref(num: number): number {
    const known = this.map[num] ?? DROPPED;
    if (known !== 0) return known;
    const fresh = this.file.has(num) ? this.writer.allocate() : DROPPED;
    this.assign(num, fresh);
    if (fresh !== DROPPED) this.todo.push(num);
    return fresh;
  }

  /** Gives a source object the output number `fresh` (or DROPPED) without copying it: somebody else writes it. */
  assign(num: number, fresh: number): void {
    this.assigned?.push(num, this.map[num]!);
    this.map[num] = fresh;
  }

  /** Puts a shared map back as it was before this output. */
  restore(): void {
    const { assigned = [], map } = this;
    for (let i = assigned.length - 2; i >= 0; i -= 2) map[assigned[i]!] = assigned[i + 1]!;
  }

  /** Copies until nothing reachable is left. Goes by places: in a function that may wait, each value would be an object. */
  async drain(pace: Pace): Promise<void> {
    while (this.todo.length > 0) {
      const wave = this.todo.take(WAVE);
      sortByPlace(wave, this.file.xref);
      for (let i = 0; i < wave.length; i++) {
        const ended = this.now(wave[i]!);
        if (ended !== undefined) await ended;
        if (pace.due()) await pace.turn();
      }
    }
  }

  /** Copies one object to its output number now, not with the rest; of a dictionary some values may be replaced. `fresh`: another number. */
  now(num: number, asked?: Overrides, fresh = this.map[num]!): Promise<void> | undefined {
    const { file, scan, writer } = this;
    this.encrypted = file.decryption !== undefined && file.xref.kind[num] === PLAIN ? num : -1;
    const strings = this.encrypted < 0 ? 0 : STRINGS;
    const planned = this.changes.size === 0 ? undefined : this.changes.get(num);
    const keys = asked === undefined && planned === undefined ? 0 : KEYS;
    if (!file.scanObject(num, scan, this.marks | strings | keys)) return writer.object(fresh, 'null');
    this.seen |= scan.seen;
    const overrides = this.wanted(num, asked, planned, strings);
    if (typeof overrides === 'function') {
      writer.begin(fresh, false);
      overrides();
      return writer.end();
    }
    let { buf, pos } = file;
    if (!scan.stream) {
      writer.begin(fresh, false);
      if (overrides === undefined) {
        this.emit(buf, pos, scan.end, -1);
      } else this.emitWith(buf, pos, scan.end, -1, overrides);
    } else if (this.encrypted >= 0) {
      this.decryptStream(num, buf, pos, overrides, fresh);
    } else {
      const { start, length } = file.streamPlace(num, scan);
      const given = scan.length >= 0 || scan.lengthRef >= 0;
      // Its key may be there all the same, written with #xx.
      if (!given && file.scanObject(num, scan, KEYS)) ({ buf, pos } = file);
      const values = given ? overrides : new Map([...(overrides ?? []), ['Length', String(length)] as const]);
      writer.begin(fresh, true);
      if (values === undefined) {
        this.emit(buf, pos, scan.end, length);
      } else this.emitWith(buf, pos, scan.end, length, values);
      copyData(file, writer, start, length);
    }
    return writer.end();
  }

  /** As `now`, for a stream that is decrypted on its way. */
  private decryptStream(
    num: number,
    buf: Uint8Array,
    pos: number,
    overrides: Overrides | undefined,
    fresh: number,
  ): void {
    const { file, scan, writer } = this;
    const dict = streamDict(buf, pos, num);
    const { start, length } = file.streamPlace(num, scan);
    const plain = file.plainStream(num, dict, start, length);
    const values = plainEntries(file, dict, plain.length, overrides);
    // Parsing the filters may have read other objects: the keys are looked for once more.
    file.scanObject(num, scan, KEYS | STRINGS);
    writer.begin(fresh, true);
    this.emitWith(file.buf, file.pos, scan.end, plain.length, values);
    writer.text('stream\n');
    for (const piece of plain.pieces) writer.bytes(piece);
    writer.text('\nendstream');
  }

  /** What changes in the object scanned last: as its retoucher, its plan and the caller say, the last one first. */
  private wanted(
    num: number,
    asked: Overrides | undefined,
    planned: Overrides | undefined,
    note: number,
  ): Overrides | (() => void) | undefined {
    const { file, retouch, scan } = this;
    let touched: Overrides | undefined;
    if (retouch !== undefined && (scan.seen & retouch.marks) !== 0) {
      const step = planned === undefined && asked === undefined ? retouch.quick?.(scan) : undefined;
      if (step !== undefined) return step ?? undefined;
      file.scanObject(num, scan, KEYS | note);
      const change = retouch.change(num, scan);
      if (typeof change === 'function') return change;
      touched = change;
      if (retouch.strayed) file.scanObject(num, scan, KEYS | note);
      retouch.strayed = false;
    }
    if (touched === undefined && (planned === undefined || asked === undefined)) return planned ?? asked;
    return new Map([...(touched ?? []), ...(planned ?? []), ...(asked ?? [])]);
  }

  /** Writes a stream with other data than the source's; `overrides` say how it is coded. */
  stream(num: number, data: Uint8Array, overrides: Overrides): Promise<void> | undefined {
    const { file, scan, writer } = this;
    this.encrypted = file.decryption !== undefined && file.xref.kind[num] === PLAIN ? num : -1;
    if (!file.scanObject(num, scan, KEYS | (this.encrypted < 0 ? 0 : STRINGS)) || !scan.stream)
      throw new Damage(`object ${num} is no stream`);
    writer.begin(this.map[num]!, true);
    const values = new Map([...overrides, ['Length', String(data.length)] as const]);
    this.emitWith(file.buf, file.pos, scan.end, data.length, values);
    writer.text('stream\n');
    writer.bytes(data);
    writer.text('\nendstream');
    return writer.end();
  }

  /** Writes buf[pos, end) with the edits `found` from number `edit` on, /Length as `length`. Returns the first edit behind `end`. */
  emit(buf: Uint8Array, pos: number, end: number, length: number, edit = 0, found = this.scan): number {
    const { writer } = this;
    const { edits, count } = found;
    let from = pos;
    let i = edit;
    for (; i < count && edits[i]! < end; i += 3) {
      const what = edits[i + 2]!;
      writer.span(buf, from, edits[i]!);
      from = edits[i + 1]!;
      if (what >= 0) this.writeRef(what);
      else if (what === LENGTH && length >= 0) writer.number(length);
      else if (what === LENGTH && found.lengthRef >= 0) this.writeRef(found.lengthRef);
      else if (what === COMMENT) writer.text(' ');
      else if (what === STRING && this.encrypted >= 0)
        writer.text(plainString(this.file, buf, edits[i]!, from, this.encrypted));
      else writer.span(buf, edits[i]!, from);
    }
    writer.span(buf, from, end);
    return i;
  }

  /** Writes a reference to what becomes of a source object, which will be copied. */
  writeRef(num: number): void {
    const fresh = this.ref(num);
    if (fresh === DROPPED) this.writer.text('null');
    else this.writer.reference(fresh);
  }

  /** Writes any value that stands in `buf` at `pos`, strings as they are, references renumbered. Returns the place behind it. */
  value(buf: Uint8Array, pos: number, limit: number): number {
    const { scan } = this;
    this.encrypted = -1;
    if (!scanValue(buf, pos, limit, scan)) throw new Damage('a value does not end');
    const { end } = scan;
    this.emit(buf, pos, end, -1);
    return end;
  }

  /** Writes a dictionary that stands inside another object as object `fresh`, with some values replaced. */
  direct(fresh: number, dict: Uint8Array, overrides: Overrides): Promise<void> | undefined {
    this.encrypted = -1;
    if (!scanValue(dict, 0, dict.length, this.scan, KEYS)) throw new Damage('a value does not end');
    this.writer.begin(fresh, false);
    this.emitWith(dict, 0, this.scan.end, -1, overrides);
    return this.writer.end();
  }

  /** As `emit`, for a dictionary scanned with its keys, of which some get other values. */
  private emitWith(buf: Uint8Array, pos: number, end: number, length: number, overrides: Overrides): void {
    const { writer, scan } = this;
    const { keys, keyCount } = scan;
    const names = [...overrides.keys()];
    let edit = 0;
    let from = skipSpace(buf, pos, end);
    if (buf[from] !== LESS) throw new Damage('an object is no dictionary');
    for (let i = 0; i < keyCount; i += 3) {
      const start = keys[i]!;
      if (keyAmong(names, buf, start, keys[i + 1]!) === undefined) continue;
      edit = this.emit(buf, from, start, length, edit);
      from = keys[i + 2]!;
      while (edit < scan.count && scan.edits[edit]! < from) edit += 3;
    }
    this.emit(buf, from, end - 2, length, edit);
    // A key without a value would take the next one's name for it. Read before a value uses the scan.
    if (scan.open) writer.text(' null');
    for (let i = 0; i < names.length; i++) {
      const value = overrides.get(names[i]!);
      if (value === undefined) continue;
      writer.text(`/${names[i]} `);
      if (typeof value === 'string') writer.text(value);
      else value();
    }
    writer.text('>>');
  }
}
