// Owns name trees (ISO 32000-1, 7.9.6): reading their names as strings or as a list, writing new ones.
import type { PdfFile } from '../file/reader.ts';
import { MAX_NUMBER } from '../file/scan.ts';
import { latin1Text } from '../file/serialize.ts';
import { latin1 } from '../file/syntax.ts';
import { type Dict, PdfString, Ref, type Value } from '../file/values.ts';
import type { Writer } from '../file/writer.ts';
import { checkCount } from './input.ts';
import { readNode, type Take } from './leaf.ts';
import { NameList } from './name-list.ts';
import type { NameTable } from './name-table.ts';
import { leaves, type Node, PER_NODE, writeNodes } from './trees.ts';

/** Takes the names of a tree as they are met. */
interface Taker extends Take {
  readonly count: number;
  take(name: Uint8Array, value: Value): void;
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
      if (value instanceof Ref) taker.refer(key.bytes, 0, key.bytes.length, Math.min(value.num, MAX_NUMBER));
      else taker.take(key.bytes, value);
    }
  }
  checkCount(file, taker.count, what);
}

/** Names (one character a byte) and values, in the order of the tree. Of a name given twice the first one counts. */
export function readNames(file: PdfFile, root: Value | undefined, what: string): Map<string, Value> {
  const entries = new Map<string, Value>();
  const add = (name: string, value: Value): void => {
    if (!entries.has(name)) entries.set(name, value);
  };
  takeNames(file, root, what, {
    get count() {
      return entries.size;
    },
    refer: (buf, start, end, num) => add(latin1(buf, start, end), new Ref(num, 0)),
    take: (name, value) => add(latin1(name, 0, name.length), value),
  });
  return entries;
}

/** As `readNames`, as a list, without a string for each name. */
export function listNames(file: PdfFile, root: Value | undefined, what: string, table: NameTable): NameList<Value> {
  const list = new NameList<Value>(table);
  takeNames(file, root, what, {
    get count() {
      return list.count;
    },
    refer: (buf, start, end, num) => {
      const id = table.add(buf, start, end);
      if (list.isNew(id)) list.refer(id, num);
    },
    take: (name, value) => {
      const id = table.add(name, 0, name.length);
      if (list.isNew(id)) list.add(id, value);
    },
  });
  return list;
}

/** The names of a dictionary, as destinations had them in PDF 1.1. */
export function listDict(table: NameTable, dict: Dict | undefined): NameList<Value> {
  const list = new NameList<Value>(table);
  for (const [name, value] of dict ?? []) {
    const id = table.addText(name);
    if (value instanceof Ref) list.refer(id, Math.min(value.num, MAX_NUMBER));
    else list.add(id, value);
  }
  return list;
}

/** What stands in a name tree, in order: so many names, each written by its place, and as text. */
interface Sorted {
  readonly count: number;
  name(i: number): void;
  value(i: number): void;
  text(i: number): string;
}

/** Writes a name tree, sorted by bytes as lookups need it, and returns the number of its root. `values`: as text. */
export async function writeNames(writer: Writer, values: ReadonlyMap<string, string>): Promise<number> {
  // One character is one byte, so the order of the characters is that of the bytes.
  const names = [...values.keys()].sort((a, b) => (a < b ? -1 : 1));
  return writeSorted(writer, {
    count: names.length,
    name: (i) => writer.text(latin1Text(names[i]!)),
    value: (i) => writer.text(values.get(names[i]!)!),
    text: (i) => names[i]!,
  });
}

/** As `writeNames`, for a list whose names are distinct. */
export async function writeList(writer: Writer, list: NameList<string>): Promise<number> {
  const { table } = list;
  const order = list.sorted();
  return writeSorted(writer, {
    count: order.length,
    name: (i) => table.write(writer, list.id(order[i]!)),
    value: (i) => writeValue(writer, list, order[i]!),
    text: (i) => table.text(list.id(order[i]!)),
  });
}

/** Writes what an entry of the output leads to. */
export function writeValue(writer: Writer, list: NameList<string>, i: number): void {
  const num = list.reference(i);
  if (num < 0) writer.text(list.other(i));
  else writer.reference(num);
}

/** Writes a name tree, and returns the number of its root, which is a leaf where that is all. */
export async function writeSorted(writer: Writer, { count, name, value, text }: Sorted): Promise<number> {
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
    for (let i = from; i < end; i++) {
      if (i > from) writer.text(' ');
      name(i);
      writer.text(' ');
      value(i);
    }
    writer.text(']>>');
    const ended = writer.end();
    if (ended !== undefined) await ended;
    if (count <= PER_NODE) return num;
  }
  return writeNodes(writer, nodes);
}
