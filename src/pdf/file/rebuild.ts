// Owns finding the objects of a file whose cross-reference table is lost or wrong: it reads the file from front to back.
import { Failure } from '../../contract/failure.ts';
import { Damage } from './damage.ts';
import { Parser } from './parse.ts';
import type { PdfFile } from './reader.ts';
import { KEYS, Scan, scanValue } from './scan.ts';
import { at, CLASS, DIGIT, find, latin1, padded, SPACE, skipSpace } from './syntax.ts';
import { Dict, Ref, type Value } from './values.ts';
import type { Windows } from './windows.ts';
import { MAX_OBJECTS, PACKED, PLAIN, XrefTable } from './xref.ts';

const STEP = 64 * 1024;
/** An object whose dictionary is longer is not looked into while scanning. */
const MAX_DICT = 4 << 20;
const MAX_TRAILER = 16 * 1024;
/** More tries to read an object than any real file needs. */
const MAX_CANDIDATES = 8_000_000;
/** Of a file made to be gone through again from each of its objects: bytes, beside so many times its size. */
const MOST_IN_VAIN = { bytes: 32 << 20, times: 8 };

export interface Found {
  /** Object streams, in the order of the file. */
  readonly packs: { num: number; offset: number }[];
  /** Every object, in the order of the file. `endless`: it has no end, or cannot be gone through to it. */
  readonly definitions: { num: number; gen: number; offset: number; length: number; endless: boolean }[];
  /** Several objects have one number. */
  doubles: boolean;
  /** Trailers and cross-reference streams' dictionaries, in the order of the file. */
  readonly trailers: Dict[];
  /** Objects that say they are a catalog. */
  readonly catalogs: number[];
  /** Objects that say how a file is encrypted: nobody refers to them where the trailer is lost. */
  readonly handlers: number[];
  /** Objects that have no end, as the last one of a file that was cut short: they are not in the table. */
  endless: number;
  /** Bytes gone through in vain, and where from there is no `endstream` and no `endobj` any more. */
  readonly vain: { bytes: number; endstream: number; endobj: number };
}

/** A table of all objects that stand in the file; of several with one number the last counts. Object streams are entered by `unpack`. */
export function scanFile(windows: Windows, name: string): { table: XrefTable; found: Found } {
  const table = new XrefTable();
  const vain = { bytes: 0, endstream: windows.size, endobj: windows.size };
  const found: Found = {
    packs: [],
    definitions: [],
    doubles: false,
    trailers: [],
    catalogs: [],
    handlers: [],
    endless: 0,
    vain,
  };
  const scan = new Scan();
  const most = MOST_IN_VAIN.bytes + MOST_IN_VAIN.times * windows.size;
  let candidates = 0;
  for (let position = 0; position < windows.size; ) {
    const hit = nextKeyword(windows, position);
    if (hit === undefined) break;
    if (++candidates > MAX_CANDIDATES) throw tooMany(name, 'objects');
    if (hit.word === 'trailer') {
      readTrailer(windows, hit.position, found);
      if (found.vain.bytes > most) throw tooMany(name, 'trailers that do not end');
      position = hit.position + 7;
      continue;
    }
    const header = headerBefore(windows, hit.position);
    position = hit.position + 3;
    if (header === undefined) continue;
    const end = behindObject(windows, position, header.num, header.offset, scan, found);
    if (found.vain.bytes > most) throw tooMany(name, 'objects that do not end');
    if (end === undefined) found.endless += 1;
    else {
      if (header.num < table.size && table.kind[header.num] !== 0) found.doubles = true;
      put(table, header.num, PLAIN, header.offset, header.gen);
    }
    const { num, gen, offset } = header;
    const length = (end ?? position) - offset;
    found.definitions.push({ num, gen, offset, length, endless: end === undefined });
    position = end ?? position;
  }
  table.revisions = 1;
  if (table.size === 0) throw new Damage('no objects can be found in it');
  return { table, found };
}

/** Enters what object streams hold, a later place in the file before an earlier one. Needs the file, which may be encrypted. */
export function unpack(file: PdfFile, { packs }: Found): void {
  const { xref } = file;
  for (const { num, offset } of packs) {
    if (xref.kind[num] !== PLAIN || xref.place[num] !== offset) continue;
    for (const [index, object] of membersOf(file, num).entries()) {
      const plain = object < xref.size && xref.kind[object] === PLAIN;
      if (plain && xref.place[object]! > offset) continue;
      put(xref, object, PACKED, num, index);
    }
  }
}

/** Chooses the trailer: the last that leads to a catalog with pages; else the last object that says it is a catalog. */
export function chooseTrailer(file: PdfFile, { trailers, catalogs }: Found): void {
  const trailer = new Dict();
  for (const each of trailers) for (const [key, value] of each) trailer.set(key, value);
  const roots: Value[] = [
    ...trailers.map((each) => each.get('Root')),
    ...catalogs.map((num) => new Ref(num, 0)),
  ].flatMap((root) => root ?? []);
  const good = roots.findLast((root) => root instanceof Ref && leadsToPages(file, root));
  if (good === undefined) throw new Damage('no catalog that leads to pages can be found in it');
  trailer.set('Root', good);
  file.xref.trailer = trailer;
}

function leadsToPages(file: PdfFile, root: Ref): boolean {
  try {
    return file.dict(file.dict(root)?.get('Pages')) !== undefined;
  } catch (error) {
    if (error instanceof Damage) return false;
    throw error;
  }
}

function membersOf(file: PdfFile, num: number): readonly number[] {
  try {
    return file.packs.membersOf(num);
  } catch (error) {
    // One object stream that cannot be read takes its own objects with it, not the file.
    if (error instanceof Damage) return [];
    throw error;
  }
}

function put(table: XrefTable, num: number, kind: number, place: number, index: number): void {
  if (num < table.size) table.kind[num] = 0;
  table.set(num, kind, place, index);
}

/** The next `obj` or `trailer` that is a word of its own. */
function nextKeyword(windows: Windows, from: number): { word: 'obj' | 'trailer'; position: number } | undefined {
  for (let position = from; position < windows.size; position += STEP) {
    windows.load(position, STEP + 16);
    const { buf, base } = windows;
    const limit = Math.min(windows.length, position - base + STEP + 16);
    const object = find(buf, 'obj', position - base, limit);
    // Not behind it: there are few trailers, and each object would be gone through to the end of the step.
    const trailer = find(buf, 'trailer', position - base, object < 0 ? limit : object);
    if (trailer >= 0) return { word: 'trailer', position: base + trailer };
    if (object >= 0) return { word: 'obj', position: base + object };
  }
  return undefined;
}

/** `N G ` before the word `obj` at `position`. */
function headerBefore(windows: Windows, position: number): { num: number; gen: number; offset: number } | undefined {
  const from = Math.max(0, position - 40);
  windows.load(from, position - from + 8);
  const { buf, base } = windows;
  let pos = position - base;
  const back = (kind: number): number => {
    const end = pos;
    while (pos > from - base && CLASS[buf[pos - 1]!] === kind) pos--;
    return end - pos;
  };
  back(SPACE);
  const genEnd = pos;
  if (back(DIGIT) === 0) return undefined;
  const gen = Number(latin1(buf, pos, genEnd));
  if (back(SPACE) === 0) return undefined;
  const numEnd = pos;
  const digits = back(DIGIT);
  const num = digits === 0 ? Number.NaN : Number(latin1(buf, pos, numEnd));
  return num < MAX_OBJECTS ? { num, gen, offset: base + pos } : undefined;
}

/**
 * Looks into the object whose value begins at `from` and returns where to go on: behind its stream, if it has one.
 * Undefined where the object has no end.
 */
function behindObject(
  windows: Windows,
  from: number,
  num: number,
  offset: number,
  scan: Scan,
  found: Found,
): number | undefined {
  for (let need = 4096; need <= MAX_DICT; need *= 8) {
    windows.load(from, need);
    const { buf, base, length } = windows;
    const last = base + length >= windows.size;
    let bytes = buf.subarray(from - base, length);
    let ends = endsIn(bytes, scan);
    if (ends === false && last) {
      // Nothing stands behind the last object where its end would be seen: something is put there.
      bytes = padded(bytes);
      ends = endsIn(bytes, scan);
    }
    if (ends === undefined) return undefined;
    // A string that does not end takes in all objects up to the next parenthesis.
    if (ends && find(bytes, 'endobj', 0, scan.end) >= 0) return undefined;
    if (ends) {
      note(bytes, num, offset, scan, found);
      return scan.stream ? behindStream(windows, from + scan.data, scan.length, found) : from + scan.end;
    }
    found.vain.bytes += bytes.length;
    if (last) return undefined;
  }
  return from;
}

/** Whether a value begins and ends in the bytes; undefined where it has no end in any bytes. */
function endsIn(bytes: Uint8Array, scan: Scan): boolean | undefined {
  try {
    return scanValue(bytes, 0, bytes.length, scan, KEYS);
  } catch (error) {
    if (error instanceof Damage) return undefined;
    throw error;
  }
}

/** What is inside a stream is not looked at, though it may hold what looks like objects: an attached PDF does. */
function behindStream(windows: Windows, start: number, length: number, found: Found): number | undefined {
  if (length >= 0 && start + length < windows.size) {
    windows.load(start + length, 32);
    const pos = start + length - windows.base;
    if (at(windows.buf, skipSpace(windows.buf, pos, pos + 16), 'endstream')) return start + length;
  }
  const end = wordBehind(windows, start, 'endstream', found);
  const object = wordBehind(windows, start, 'endobj', found);
  // Its own end is lost where that of an object comes first: those that follow are none of its data.
  if (end !== undefined && (object === undefined || object > end)) return end;
  // Without either the file ends inside the stream.
  return object === undefined ? undefined : start;
}

function wordBehind(windows: Windows, start: number, word: 'endstream' | 'endobj', found: Found): number | undefined {
  const { vain } = found;
  for (let position = start; position < vain[word]; position += STEP) {
    windows.load(position, STEP + 16);
    const hit = find(windows.buf, word, position - windows.base, windows.length);
    if (hit >= 0) return windows.base + hit;
  }
  vain[word] = Math.min(vain[word], start);
  return undefined;
}

function tooMany(name: string, what: string): Failure {
  return new Failure('unprocessable', `${name} has too many ${what}: its table cannot be made anew`, {
    kind: 'limit',
    hint: 'The file may be made to exhaust this machine.',
  });
}

function note(bytes: Uint8Array, num: number, offset: number, scan: Scan, found: Found): void {
  if (scan.keyCount === 0) return;
  const text = latin1(bytes, 0, Math.min(scan.end, 2048));
  if (!/\/(ObjStm|XRef|Catalog|Standard)\b/.test(text)) return;
  const dict = dictAt(new Parser(bytes));
  const type = dict?.name('Type');
  if (type === 'ObjStm') found.packs.push({ num, offset });
  else if (type === 'XRef' && dict !== undefined) found.trailers.push(dict);
  else if (type === 'Catalog') found.catalogs.push(num);
  else if (dict?.name('Filter') === 'Standard' && dict.has('O') && dict.has('U')) found.handlers.push(num);
}

function readTrailer(windows: Windows, position: number, found: Found): void {
  windows.load(position, MAX_TRAILER);
  const start = position - windows.base + 7;
  const dict = dictAt(new Parser(windows.buf, start, Math.min(windows.length, start + MAX_TRAILER)));
  if (dict === undefined) found.vain.bytes += MAX_TRAILER;
  else found.trailers.push(dict);
}

function dictAt(parser: Parser): Dict | undefined {
  try {
    const value = parser.value();
    return value instanceof Dict ? value : undefined;
  } catch (error) {
    if (error instanceof Damage) return undefined;
    throw error;
  }
}
