// Owns name trees (ISO 32000-1, 7.9.6): reading their names as strings or as a list, writing new ones.
import { Parser } from '../file/parse.ts';
import type { PdfFile } from '../file/reader.ts';
import { MAX_NUMBER } from '../file/scan.ts';
import { latin1Text, serialize } from '../file/serialize.ts';
import { latin1, padded } from '../file/syntax.ts';
import { type Dict, PdfString, Ref, type Value } from '../file/values.ts';
import type { Writer } from '../file/writer.ts';
import { checkCount } from './input.ts';
import { readNode, type Take } from './leaf.ts';
import { type NameBytes, NameList, wholeName } from './name-list.ts';
import { leaves, type Node, PER_NODE, writeNodes } from './trees.ts';

/** Takes the names of a tree as they are met. */
interface Taker extends Take {
  readonly count: number;
  take(name: NameBytes, value: Value): void;
}

function takeNames(file: PdfFile, root: Value | undefined, what: string, taker: Taker): void {
  const quick = (num: number): readonly number[] | undefined => {
    checkCount(file, taker.count, what);
    return readNode(file, num, taker);
  };
  for (const { list } of leaves(file, root, 'Names', what, quick)) {
    for (let i = 0; i + 1 < list.length; i += 2) {
      const key = list[i] instanceof PdfString ? list[i] : file.resolve(list[i]);
      if (!(key instanceof PdfString)) continue;
      const value = list[i + 1]!;
      const name = wholeName(key.bytes);
      if (value instanceof Ref) taker.refer(name, Math.min(value.num, MAX_NUMBER));
      else taker.take(name, value);
    }
  }
  checkCount(file, taker.count, what);
}

/** Names (one character a byte) and values, in the order of the tree. Of a name given twice the first one counts. */
export function readNames(file: PdfFile, root: Value | undefined, what: string): Map<string, Value> {
  const entries = new Map<string, Value>();
  const add = ({ buf, start, end }: NameBytes, value: Value): void => {
    const name = latin1(buf, start, end);
    if (!entries.has(name)) entries.set(name, value);
  };
  takeNames(file, root, what, {
    get count() {
      return entries.size;
    },
    refer: (name, num) => add(name, new Ref(num, 0)),
    hold: (name, buf, start, end) => add(name, new Parser(padded(buf.subarray(start, end))).value()),
    take: add,
  });
  return entries;
}

/** As `readNames`, as a list, without objects for the values; it is not settled. */
export function listNames(file: PdfFile, root: Value | undefined, what: string): NameList {
  const lister = new Lister();
  takeNames(file, root, what, lister);
  return lister.list;
}

/** A class, so that the same functions take the names of each input: V8 has others made anew by the reader. */
class Lister implements Taker {
  readonly list = new NameList();

  get count(): number {
    return this.list.count;
  }

  refer({ buf, start, end }: NameBytes, num: number): void {
    this.list.refer(buf, start, end, num);
  }

  hold(name: NameBytes, buf: Uint8Array, start: number, end: number): void {
    this.list.hold(name.buf, name.start, name.end, this.list.values.put(buf, start, end));
  }

  take({ buf, start, end }: NameBytes, value: Value): void {
    this.list.hold(buf, start, end, this.list.values.text(plainText(value)));
  }
}

/** The names of a dictionary, as destinations had them in PDF 1.1. */
export function listDict(dict: Dict | undefined): NameList {
  const list = new NameList();
  for (const [name, value] of dict ?? []) {
    const { buf, start, end } = wholeName(Buffer.from(name, 'latin1'));
    if (value instanceof Ref) list.refer(buf, start, end, Math.min(value.num, MAX_NUMBER));
    else list.hold(buf, start, end, list.values.text(plainText(value)));
  }
  return list;
}

/** A value as it is written in its file. */
function plainText(value: Value): string {
  return serialize(value, ({ num }) => `${num} 0 R`);
}

/** What stands in a name tree, in order: so many names, the text of each, and how names and values are written. */
interface Sorted {
  readonly count: number;
  text(i: number): string;
  /** Writes some of them, each name with its value; nothing need stand between them. */
  write(from: number, end: number): void;
}

/** Writes a name tree, sorted by bytes as lookups need it, and returns the number of its root. `values`: as text. */
export async function writeNames(writer: Writer, values: ReadonlyMap<string, string>): Promise<number> {
  // One character is one byte, so the order of the characters is that of the bytes.
  const names = [...values.keys()].sort((a, b) => (a < b ? -1 : 1));
  return writeSorted(writer, {
    count: names.length,
    text: (i) => names[i]!,
    write: (from, end) => {
      for (const name of names.slice(from, end)) writer.text(`${latin1Text(name)}${values.get(name)!}`);
    },
  });
}

/** As `writeNames`, for a list whose names are distinct. */
export async function writeList(writer: Writer, list: NameList): Promise<number> {
  const order = list.sorted();
  return writeSorted(writer, {
    count: order.length,
    text: (i) => list.text(order[i]!),
    write: (from, end) => {
      for (let i = from; i < end; i++) {
        list.writeName(writer, order[i]!);
        list.writeValue(writer, order[i]!);
      }
    },
  });
}

/** Writes a name tree, and returns the number of its root, which is a leaf where that is all. */
export async function writeSorted(writer: Writer, { count, text, write }: Sorted): Promise<number> {
  const nodes: Node[] = [];
  for (let from = 0; from < count; from += PER_NODE) {
    const end = Math.min(from + PER_NODE, count);
    const num = writer.allocate();
    writer.begin(num, false);
    writer.text('<<');
    if (count > PER_NODE) {
      const first = latin1Text(text(from));
      const last = latin1Text(text(end - 1));
      nodes.push({ num, first, last });
      writer.text(`/Limits[${first}${last}]`);
    }
    writer.text('/Names[');
    write(from, end);
    writer.text(']>>');
    const ended = writer.end();
    if (ended !== undefined) await ended;
    if (count <= PER_NODE) return num;
  }
  return writeNodes(writer, nodes);
}
