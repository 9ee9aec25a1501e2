import { latin1, skipSpace } from '../../syntax/characters.ts';
import { Damage } from '../../syntax/damage.ts';
import { Parser } from '../../syntax/parser.ts';
import {
  type ByteView,
  COMMENT,
  isKey,
  KEYS,
  LENGTH,
  NAMES,
  type Scan,
  STRING,
  STRINGS,
  scanValue,
} from '../../syntax/scan.ts';
import { serialize } from '../../syntax/serialize.ts';
import { Dict, Name, PdfString, Ref, type Value } from '../../syntax/values.ts';
import { sortByPlace, WAVE } from '../read/order.ts';
import type { Pace } from '../read/pace.ts';
import type { PdfFile } from '../read/pdf-file.ts';
import { PLAIN } from '../read/xref-table.ts';
import type { Writer } from '../write/writer.ts';
import type { NewEntries, ObjectChange } from './new-entries.ts';

/** Output number of an object that is left out: references to it become null. */
export const DROPPED = -1;

/**
 * Copies objects of one source into an output: bytes verbatim, references renumbered.
 *
 * `ref` gives an object its output number and queues it; `drain` copies what is queued until nothing reachable is left, in the
 * order of places in the source, so that each window is read and each object stream inflated once. `map` holds what became of
 * each object (0, DROPPED or a number), so every object is copied once. Memory is the map, 4 bytes for each object, and the queue.
 */
export class Copier {
  readonly file: PdfFile;
  readonly writer: Writer;
  /** Output number of each source object: 0 not met yet, DROPPED, or the number. */
  readonly map: Int32Array;
  /** New entries of dictionaries, by source number, for whenever these are copied. */
  readonly changes = new Map<number, NewEntries>();
  /** Changes objects that hold one of its watched names. */
  change: ObjectChange | undefined;
  /** NAMES, or 0 where `names` is not read: looking at every name takes time. */
  note = NAMES;
  /** The watched names (watched-names.ts) in all that was copied. */
  names = 0;
  /** Objects with one of these watched names wait for `release`, though they have numbers already. */
  waits = 0;
  private readonly waiting = new Set<number>();
  private readonly todo: number[] = [];
  /** Changes to a shared map: each object followed by the number it had before. */
  private readonly assigned: number[] | undefined;

  /** `map`: what stays out is DROPPED in it. `isShared`: it serves many outputs, and `restore` resets it. */
  constructor(file: PdfFile, writer: Writer, map: Int32Array = new Int32Array(file.xref.size), isShared = false) {
    this.file = file;
    this.writer = writer;
    this.map = map;
    this.assigned = isShared ? [] : undefined;
  }

  /** Queues a source object and returns its output number; DROPPED where there is no such object. */
  ref(num: number): number {
    const known = this.map[num] ?? DROPPED;
    if (known !== 0) return known;
    const fresh = this.file.has(num) ? this.writer.allocate() : DROPPED;
    this.assign(num, fresh);
    if (fresh !== DROPPED) this.todo.push(num);
    return fresh;
  }

  /** Gives a source object the output number `fresh` (or DROPPED) without copying it: the caller writes it. */
  assign(num: number, fresh: number): void {
    this.assigned?.push(num, this.map[num] ?? 0);
    this.map[num] = fresh;
  }

  /** Adds new entries for an object, for whenever it is copied. */
  plan(num: number, entries: NewEntries): void {
    const before = this.changes.get(num);
    this.changes.set(num, before === undefined ? entries : new Map([...before, ...entries]));
  }

  planCatalog(entries: NewEntries): void {
    const root = this.file.xref.trailer.get('Root');
    if (root instanceof Ref) this.plan(root.num, entries);
  }

  restore(): void {
    const { assigned = [], map } = this;
    for (let i = assigned.length - 2; i >= 0; i -= 2) map[assigned[i] ?? 0] = assigned[i + 1] ?? 0;
  }

  /** Ends the waiting: objects that stay are copied with the rest, and the others become null. */
  async release(stays: (num: number) => boolean): Promise<void> {
    this.waits = 0;
    for (const num of this.waiting) {
      if (stays(num)) this.todo.push(num);
      else await this.writer.object(this.map[num] ?? DROPPED, 'null');
    }
    this.waiting.clear();
  }

  async drain(pace: Pace): Promise<void> {
    while (this.todo.length > 0) {
      const wave = new Int32Array(this.todo.splice(0, WAVE));
      sortByPlace(wave, this.file.xref);
      for (const num of wave) {
        const ended = this.now(num);
        if (ended !== undefined) await ended;
        if (pace.isOver()) await pace.yield();
      }
    }
  }

  /** Copies one object now. `asked`: new entries. `fresh`: the output number, where it is not the object's own. */
  now(num: number, asked?: NewEntries, fresh = this.map[num] ?? DROPPED): Promise<void> | undefined {
    const { file, writer } = this;
    const planned = this.changes.get(num);
    const strings = this.isEncrypted(num) ? STRINGS : 0;
    const keys = asked === undefined && planned === undefined ? 0 : KEYS;
    let object = file.scanObject(num, this.note | strings | keys);
    if (object === undefined) return writer.object(fresh, 'null');
    if ((object.names & this.waits) !== 0) {
      this.waiting.add(num);
      return undefined;
    }
    this.names |= object.names;
    let changed: NewEntries | undefined;
    if (this.change !== undefined && (object.names & this.change.names) !== 0) {
      object = file.scanObject(num, KEYS | strings) ?? object;
      const change = this.change.change(num, object);
      if (typeof change === 'function') {
        writer.begin(fresh, false);
        change();
        return writer.end();
      }
      changed = change;
    }
    const entries = joined(changed, planned, asked);
    if (object.isStream) {
      this.writeStream(num, object, entries, fresh);
      return writer.end();
    }
    writer.begin(fresh, false);
    if (entries === undefined) this.emit(object, object.start, object.end);
    else this.emitWith(object, entries);
    return writer.end();
  }

  private isEncrypted(num: number): boolean {
    return this.file.decryption !== undefined && this.file.xref.kind[num] === PLAIN;
  }

  private writeStream(num: number, object: Scan, entries: NewEntries | undefined, fresh: number): void {
    const { file, writer } = this;
    const { start, length } = file.streamPlace(num, object);
    const { encryption } = writer;
    if (this.isEncrypted(num) || encryption !== undefined) {
      const dict = streamDict(object, num);
      const plain = file.plainStream(num, dict, start, length);
      const size = encryption?.lengthOf(plain.length) ?? plain.length;
      const values = plainEntries(file, dict, size, entries);
      const pieces = encryption?.stream(plain.pieces) ?? plain.pieces;
      this.writeData(fresh, file.scanObject(num, KEYS | STRINGS) ?? object, values, pieces, size);
      return;
    }
    // Even then it may have a /Length, written with #xx.
    const given = object.length >= 0 || object.lengthRef >= 0;
    const dict = given ? object : (file.scanObject(num, KEYS) ?? object);
    const values = given ? entries : new Map([...(entries ?? []), ['Length', String(length)] as const]);
    writer.begin(fresh, true);
    if (values === undefined) this.emit(dict, dict.start, dict.end, length);
    else this.emitWith(dict, values, length);
    copyData(file, writer, start, length);
  }

  /** Writes a stream with other data than the source's; `entries` say how it is coded. */
  stream(num: number, data: Uint8Array, entries: NewEntries): Promise<void> | undefined {
    const object = this.file.scanObject(num, KEYS | (this.isEncrypted(num) ? STRINGS : 0));
    if (object?.isStream !== true) throw new Damage(`object ${num} is no stream`);
    const values = new Map([...entries, ['Length', String(data.length)] as const]);
    this.writeData(this.map[num] ?? DROPPED, object, values, [data], data.length);
    return this.writer.end();
  }

  private writeData(
    fresh: number,
    dict: Scan,
    entries: NewEntries,
    pieces: Iterable<Uint8Array>,
    length: number,
  ): void {
    const { writer } = this;
    writer.begin(fresh, true);
    this.emitWith(dict, entries, length);
    writer.text('stream\n');
    for (const piece of pieces) writer.bytes(piece);
    writer.text('\nendstream');
  }

  /** Writes [from, end) of a scanned value with its edits from number `edit` on. Returns the first edit behind `end`. */
  private emit(value: Scan, from: number, end: number, length = -1, edit = 0): number {
    const { writer } = this;
    const { bytes, edits } = value;
    let i = edit;
    for (; i < edits.length && (edits[i] ?? 0) < end; i += 3) {
      const start = edits[i] ?? 0;
      const behind = edits[i + 1] ?? 0;
      const what = edits[i + 2] ?? 0;
      writer.span(bytes, from, start);
      from = behind;
      if (what >= 0) this.writeRef(what);
      else if (what === LENGTH && length >= 0) writer.number(length);
      else if (what === LENGTH && value.lengthRef >= 0) this.writeRef(value.lengthRef);
      else if (what === COMMENT) writer.text(' ');
      else if (what === STRING) writer.text(writer.stringText(plainString(this.file, bytes, start, behind, value.num)));
      else writer.span(bytes, start, behind);
    }
    writer.span(bytes, from, end);
    return i;
  }

  private writeRef(num: number): void {
    const fresh = this.ref(num);
    if (fresh === DROPPED) this.writer.text('null');
    else this.writer.reference(fresh);
  }

  /** Writes any value that stands in `bytes` at `start`, strings as they are, references renumbered. */
  value(bytes: Uint8Array, start = 0): void {
    const value = scanValue(bytes, start);
    if (value === undefined) throw new Damage('a value does not end');
    this.emit(value, start, value.end);
  }

  /** A scanned value as text, one character a byte: references renumbered, what they lead to copied with the rest. */
  text({ bytes, start, end, edits, lengthRef }: Scan): string {
    const pieces: string[] = [];
    let from = start;
    for (let i = 0; i < edits.length; i += 3) {
      const what = edits[i + 2] ?? 0;
      const num = what === LENGTH ? lengthRef : what;
      if (num < 0 && what !== COMMENT) continue;
      pieces.push(latin1(bytes, from, edits[i] ?? 0), what === COMMENT ? ' ' : this.reference(num));
      from = edits[i + 1] ?? 0;
    }
    pieces.push(latin1(bytes, from, end));
    return pieces.join('');
  }

  reference(num: number): string {
    const fresh = this.ref(num);
    return fresh === DROPPED ? 'null' : `${fresh} ${this.writer.generation(fresh)} R`;
  }

  /** Writes a dictionary that stands inside another object as object `fresh`, with new entries. */
  direct(fresh: number, dict: Uint8Array, entries: NewEntries): Promise<void> | undefined {
    const value = scanValue(dict, 0, KEYS);
    if (value === undefined) throw new Damage('a value does not end');
    this.writer.begin(fresh, false);
    this.emitWith(value, entries);
    return this.writer.end();
  }

  /** Writes a scanned dictionary with new entries; it was scanned with KEYS. */
  private emitWith(dict: Scan, entries: NewEntries, length = -1): void {
    const { writer } = this;
    const { bytes, keys, edits } = dict;
    if (!dict.isDict) throw new Damage('an object is no dictionary');
    const names = [...entries.keys()];
    let edit = 0;
    let from = skipSpace(bytes, dict.start, dict.end);
    for (let i = 0; i < keys.length; i += 3) {
      const start = keys[i] ?? 0;
      if (!names.some((name) => isKey(bytes, start, keys[i + 1] ?? 0, name))) continue;
      edit = this.emit(dict, from, start, length, edit);
      from = keys[i + 2] ?? 0;
      while (edit < edits.length && (edits[edit] ?? 0) < from) edit += 3;
    }
    this.emit(dict, from, dict.end - 2, length, edit);
    // A key without a value would take the next one's name for it.
    if (dict.openKey >= 0) writer.text(' null');
    for (const [name, value] of entries) {
      if (value === undefined) continue;
      writer.text(`/${name} `);
      if (typeof value === 'string') writer.text(value);
      else value();
    }
    writer.text('>>');
  }
}

function joined(...all: readonly (NewEntries | undefined)[]): NewEntries | undefined {
  const given = all.filter((entries) => entries !== undefined);
  return given.length < 2 ? given[0] : new Map(given.flatMap((entries) => [...entries]));
}

function streamDict({ bytes, start }: ByteView, num: number): Dict {
  const dict = new Parser(bytes, start).value();
  if (dict instanceof Dict) return dict;
  throw new Damage(`object ${num} is no stream`);
}

/** The changed entries of a decrypted stream: its length, and no /Crypt filter. */
function plainEntries(file: PdfFile, dict: Dict, length: number, entries: NewEntries = new Map()): NewEntries {
  const values = new Map<string, string | (() => void) | undefined>([['Length', String(length)], ...entries]);
  const filters = file.filters(dict);
  const rest = filters.filter(({ name }) => name !== 'Crypt');
  const listed = (items: readonly Value[]): string | undefined =>
    items.length === 0 ? undefined : serialize([...items], () => 'null');
  if (rest.length < filters.length) {
    values.set('Filter', listed(rest.map(({ name }) => new Name(name))));
    values.set('DecodeParms', listed(rest.map(({ parms }) => parms ?? null)));
  }
  return values;
}

function plainString(file: PdfFile, buf: Uint8Array, start: number, end: number, num: number): Uint8Array {
  const value = new Parser(buf, start, end).value();
  if (!(value instanceof PdfString)) throw new Damage('a string is none');
  return file.decryption?.string(value.bytes, num, file.xref.index[num] ?? 0) ?? value.bytes;
}

/** Longer streams are copied past the windows. */
const SMALL = 64 * 1024;

/** Writes the `length` bytes at `start` of the file, with what stands before and behind the data of a stream. */
function copyData({ windows }: PdfFile, writer: Writer, start: number, length: number): void {
  writer.text('stream\n');
  if (length > SMALL) {
    writer.copy(length, (into, done) => windows.read(into, start + done));
  } else {
    const data = windows.slice(start, length);
    if (data.length < length) throw new Damage('a stream ends outside the file');
    writer.span(data, 0, length);
  }
  writer.text('\nendstream');
}
