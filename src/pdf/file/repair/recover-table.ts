// Recovers a cross-reference table that is lost or wrong, by reading the file from front to back.
//
// In: the bytes of a file. Out: a table with the place of each `N G obj`, the last definition of each number first, and what else
// was met on the way: trailers, catalogs, object streams, and all definitions, from which repair.ts makes other tables. The data
// of streams is passed over, since an attached PDF holds objects too. An object without an end is listed as endless and left out
// of the table. The cost is linear: files made to be read again from each of their objects are refused after MOST_IN_VAIN.
import { Failure } from '../../../contract/base/failure.ts';
import { at, CLASS, DIGIT, findWord, latin1, padded, SPACE, skipSpace } from '../../syntax/characters.ts';
import { Damage, unlessDamaged } from '../../syntax/damage.ts';
import { Parser } from '../../syntax/parser.ts';
import { KEYS, type Scan, scanValue } from '../../syntax/scan.ts';
import { Dict, Ref, type Value } from '../../syntax/values.ts';
import type { PdfFile } from '../read/pdf-file.ts';
import type { Windows } from '../read/windows.ts';
import { COMPRESSED, MAX_OBJECTS, PLAIN, XrefTable } from '../read/xref-table.ts';
import { mend } from './mend.ts';

const STEP = 64 * 1024;
/** An object whose dictionary is longer is not looked into while scanning. */
const MAX_DICT = 4 << 20;
const MAX_TRAILER = 16 * 1024;
/** Objects tried: more than any real file has. */
const MAX_CANDIDATES = 8_000_000;
/** Bytes that may be read in vain before a file is refused: a fixed number plus a multiple of its size. */
const MOST_IN_VAIN = { bytes: 32 << 20, times: 8 };

export class Recovered {
  readonly packs: { num: number; offset: number }[] = [];
  /** `endless`: it has no end, or cannot be read up to it. */
  readonly definitions: { num: number; gen: number; offset: number; length: number; endless: boolean }[] = [];
  doubles = false;
  /** Trailers and cross-reference streams' dictionaries, in the order of the file. */
  readonly trailers: Dict[] = [];
  /** Positions of trailers and cross-reference streams: a revision ends at each. */
  readonly ends: number[] = [];
  readonly catalogs: number[] = [];
  /** Objects without an end, such as the last one of a file that was cut short; they are not in the table. */
  endless = 0;
  /** Bytes read in vain, and the places behind which there is no `endstream` and no `endobj`. */
  readonly vain: { bytes: number; endstream: number; endobj: number };

  constructor(size: number) {
    this.vain = { bytes: 0, endstream: size, endobj: size };
  }
}

/** Makes a table of all objects; the last definition of a number counts. `addCompressed` adds those in object streams. */
export function recoverTable(windows: Windows, name: string): { table: XrefTable; recovered: Recovered } {
  const table = new XrefTable();
  const recovered = new Recovered(windows.size);
  const most = MOST_IN_VAIN.bytes + MOST_IN_VAIN.times * windows.size;
  let candidates = 0;
  for (let position = 0; position < windows.size; ) {
    const hit = nextKeyword(windows, position);
    if (hit === undefined) break;
    if (++candidates > MAX_CANDIDATES) throw tooMany(name, 'objects');
    if (hit.word === 'trailer') {
      readTrailer(windows, hit.position, recovered);
      if (recovered.vain.bytes > most) throw tooMany(name, 'trailers that do not end');
      position = hit.position + 7;
      continue;
    }
    const header = headerBefore(windows, hit.position);
    position = hit.position + 3;
    if (header === undefined) continue;
    const end = behindObject(windows, position, header.num, header.offset, recovered);
    if (recovered.vain.bytes > most) throw tooMany(name, 'objects that do not end');
    if (end === undefined) recovered.endless += 1;
    else {
      if (header.num < table.size && table.kind[header.num] !== 0) recovered.doubles = true;
      table.replace(header.num, PLAIN, header.offset, header.gen);
    }
    const { num, gen, offset } = header;
    const length = (end ?? position) - offset;
    recovered.definitions.push({ num, gen, offset, length, endless: end === undefined });
    position = end ?? position;
  }
  table.revisions = 1;
  if (table.size === 0) throw new Damage('no objects can be found in it');
  return { table, recovered };
}

/** Adds the members of object streams, later ones first. It needs the opened file, which may be encrypted. */
export function addCompressed(file: PdfFile, { packs }: Recovered): void {
  const { xref } = file;
  for (const { num, offset } of packs) {
    if (xref.kind[num] !== PLAIN || xref.place[num] !== offset) continue;
    for (const [index, object] of membersOf(file, num).entries()) {
      const plain = object < xref.size && xref.kind[object] === PLAIN;
      if (plain && (xref.place[object] ?? 0) > offset) continue;
      xref.replace(object, COMPRESSED, num, index);
    }
  }
}

/** Chooses the trailer: the last that leads to a catalog with pages, else the last object that says it is a catalog. */
export function chooseTrailer(file: PdfFile, { trailers, catalogs }: Recovered): void {
  const trailer = new Dict();
  for (const entries of trailers) for (const [key, value] of entries) trailer.set(key, value);
  const roots: Value[] = [
    ...trailers.map((entries) => entries.get('Root')),
    ...catalogs.map((num) => new Ref(num, 0)),
  ].flatMap((root) => root ?? []);
  const good = roots.findLast(
    (root) => root instanceof Ref && unlessDamaged(false, () => file.dict(file.dict(root)?.get('Pages')) !== undefined),
  );
  if (good === undefined) throw new Damage('no catalog that leads to pages can be found in it');
  trailer.set('Root', good);
  file.xref.trailer = trailer;
}

function membersOf(file: PdfFile, num: number): readonly number[] {
  // An unreadable object stream costs its own members, not the file.
  return unlessDamaged([], () => file.objectStreams.membersOf(num));
}

/** The next `obj` or `trailer` that is a word of its own. */
function nextKeyword(windows: Windows, from: number): { word: 'obj' | 'trailer'; position: number } | undefined {
  for (let position = from; position < windows.size; position += STEP) {
    const { bytes, start, base } = windows.view(position, STEP + 16);
    const limit = Math.min(bytes.length, start + STEP + 16);
    const object = findWord(bytes, 'obj', start, limit);
    // Searched in front of the object only: trailers are few, and the step would be searched again for each object.
    const trailer = findWord(bytes, 'trailer', start, object < 0 ? limit : object);
    if (trailer >= 0) return { word: 'trailer', position: base + trailer };
    if (object >= 0) return { word: 'obj', position: base + object };
  }
  return undefined;
}

/** `N G ` before the word `obj` at `position`. */
function headerBefore(windows: Windows, position: number): { num: number; gen: number; offset: number } | undefined {
  const from = Math.max(0, position - 40);
  const { bytes, start, base } = windows.view(from, position - from + 8);
  let pos = position - base;
  const back = (kind: number): number => {
    const end = pos;
    while (pos > start && CLASS[bytes[pos - 1] ?? 0] === kind) pos--;
    return end - pos;
  };
  back(SPACE);
  const genEnd = pos;
  if (back(DIGIT) === 0) return undefined;
  const gen = Number(latin1(bytes, pos, genEnd));
  if (back(SPACE) === 0) return undefined;
  const numEnd = pos;
  const digits = back(DIGIT);
  const num = digits === 0 ? Number.NaN : Number(latin1(bytes, pos, numEnd));
  return num < MAX_OBJECTS ? { num, gen, offset: base + pos } : undefined;
}

/** Reads the object whose value begins at `from`. The place behind it and its stream; undefined where it has no end. */
function behindObject(
  windows: Windows,
  from: number,
  num: number,
  offset: number,
  recovered: Recovered,
): number | undefined {
  for (let need = 4096; need <= MAX_DICT; need *= 8) {
    const { bytes: window, start, base } = windows.view(from, need);
    const bytes = window.subarray(start);
    const last = base + window.length >= windows.size;
    // Scanning needs bytes behind the value: the last object of the file is padded.
    const value = scanned(bytes) ?? (last ? scanned(padded(bytes)) : undefined);
    if (value === ENDLESS) return undefined;
    // A string that does not end would swallow objects up to the next parenthesis.
    if (value !== undefined && findWord(bytes, 'endobj', 0, value.end) >= 0) return undefined;
    if (value !== undefined) {
      note(value, num, offset, recovered);
      return value.isStream ? behindStream(windows, from + value.data, value.length, recovered) : from + value.end;
    }
    recovered.vain.bytes += bytes.length;
    if (last) return undefined;
  }
  return from;
}

/** No number of bytes would complete the value. */
const ENDLESS = false;

/** Scans a value that is complete in the bytes; undefined where it may end behind them. */
function scanned(bytes: Uint8Array): Scan | undefined | typeof ENDLESS {
  return unlessDamaged(ENDLESS, () => scanValue(bytes, 0, KEYS));
}

/** Skips stream data, which may look like objects: an attached PDF does. */
function behindStream(windows: Windows, start: number, length: number, recovered: Recovered): number | undefined {
  if (length >= 0 && start + length < windows.size) {
    const { bytes, start: pos } = windows.view(start + length, 32);
    if (at(bytes, skipSpace(bytes, pos, pos + 16), 'endstream')) return start + length;
  }
  const end = wordBehind(windows, start, 'endstream', recovered);
  const object = wordBehind(windows, start, 'endobj', recovered);
  // The end of an object comes first: the stream's own end is lost, and what follows is not its data.
  if (end !== undefined && (object === undefined || object > end)) return end;
  // Without either the file ends inside the stream.
  return object === undefined ? undefined : start;
}

function wordBehind(
  windows: Windows,
  start: number,
  word: 'endstream' | 'endobj',
  recovered: Recovered,
): number | undefined {
  const { vain } = recovered;
  for (let position = start; position < vain[word]; position += STEP) {
    const { bytes, start: from, base } = windows.view(position, STEP + 16);
    const hit = findWord(bytes, word, from, bytes.length);
    if (hit >= 0) return base + hit;
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

function note({ bytes, keys, end }: Scan, num: number, offset: number, recovered: Recovered): void {
  if (keys.length === 0) return;
  const text = latin1(bytes, 0, Math.min(end, 2048));
  if (!/\/(ObjStm|XRef|Catalog)\b/.test(text)) return;
  const dict = dictAt(new Parser(bytes));
  const type = dict?.name('Type');
  if (type === 'ObjStm') recovered.packs.push({ num, offset });
  else if (type === 'XRef' && dict !== undefined) {
    recovered.trailers.push(dict);
    recovered.ends.push(offset);
  } else if (type === 'Catalog') recovered.catalogs.push(num);
}

function readTrailer(windows: Windows, position: number, recovered: Recovered): void {
  const { bytes, start } = windows.view(position, MAX_TRAILER);
  const limit = Math.min(bytes.length, start + 7 + MAX_TRAILER);
  const dict = dictAt(new Parser(bytes, start + 7, limit)) ?? leftOf(bytes, start + 7, limit, recovered);
  if (dict === undefined) return;
  recovered.trailers.push(dict);
  recovered.ends.push(position);
}

/** Entries of a trailer that does not follow the syntax: its /Root, and how the file is encrypted. */
function leftOf(bytes: Uint8Array, from: number, limit: number, recovered: Recovered): Dict | undefined {
  recovered.vain.bytes += MAX_TRAILER;
  const end = findWord(bytes, 'startxref', from, limit);
  const { value } = mend(Uint8Array.from(bytes.subarray(from, end < 0 ? limit : end)));
  return value instanceof Dict ? value : undefined;
}

function dictAt(parser: Parser): Dict | undefined {
  return unlessDamaged(undefined, () => {
    const value = parser.value();
    return value instanceof Dict ? value : undefined;
  });
}
