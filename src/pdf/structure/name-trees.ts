// Reads and writes name trees and number trees (ISO 32000-1, 7.9.6 and 7.9.7).
import type { PdfFile } from '../file/read/pdf-file.ts';
import type { Writer } from '../file/write/writer.ts';
import { latin1 } from '../syntax/characters.ts';
import { latin1Text } from '../syntax/serialize.ts';
import { PdfString, Ref, type Value } from '../syntax/values.ts';
import { checkCount } from './input.ts';

/** Entries of a leaf and kids of a node; a lookup reads a leaf whole. */
const PER_NODE = 128;

/** A leaf: its keys and values alternating, and its object where it is one. */
export interface Leaf {
  readonly list: readonly Value[];
  readonly ref: Ref | undefined;
}

/** The leaves of a tree in order, each node once. `array`: /Names or /Nums. `what`: for the limit. */
export function* leaves(
  file: PdfFile,
  root: Value | undefined,
  array: 'Names' | 'Nums',
  what: string,
): Generator<Leaf> {
  const seen = new Set<number>();
  const todo: (Value | undefined)[] = [root];
  let nodes = 0;
  while (todo.length > 0) {
    const item = todo.pop();
    if (item instanceof Ref) {
      if (seen.has(item.num)) continue;
      seen.add(item.num);
    }
    const node = file.dict(item);
    if (node === undefined) continue;
    checkCount(file, ++nodes, what);
    const list = file.resolve(node.get(array));
    if (Array.isArray(list)) yield { list, ref: item instanceof Ref ? item : undefined };
    const kids = file.resolve(node.get('Kids'));
    if (Array.isArray(kids)) for (const kid of kids.toReversed()) todo.push(kid);
    checkCount(file, todo.length, what);
  }
}

/** Names (one character a byte) and values in tree order. The first of two equal names counts. */
export function readNames(file: PdfFile, root: Value | undefined, what: string): Map<string, Value> {
  return entriesOf(file, root, 'Names', what, (key) => (key instanceof PdfString ? nameKey(key) : undefined));
}

/** Numbers and values in tree order. The first of two equal numbers counts. */
export function readNumbers(file: PdfFile, root: Value | undefined, what: string): Map<number, Value> {
  return entriesOf(file, root, 'Nums', what, (key) => (typeof key === 'number' ? key : undefined));
}

function entriesOf<K>(
  file: PdfFile,
  root: Value | undefined,
  array: 'Names' | 'Nums',
  what: string,
  keyOf: (key: Value) => K | undefined,
): Map<K, Value> {
  const entries = new Map<K, Value>();
  for (const { list } of leaves(file, root, array, what)) {
    for (let i = 0; i + 1 < list.length; i += 2) {
      const key = keyOf(file.resolve(list[i]));
      if (key !== undefined && !entries.has(key)) entries.set(key, list[i + 1] ?? null);
    }
    checkCount(file, entries.size, what);
  }
  return entries;
}

/** The bytes of a string as characters, one to one: a key for maps. */
export function nameKey(value: PdfString): string {
  return latin1(value.bytes, 0, value.bytes.length);
}

export function stringOf(name: string): PdfString {
  return new PdfString(Buffer.from(name, 'latin1'));
}

/** A written node, with its first and last key as text. */
export interface Node {
  readonly num: number;
  readonly first: string;
  readonly last: string;
}

/** Writes a name tree, sorted by bytes as lookups need it, and returns the number of its root. `values`: as text. */
export async function writeNames(writer: Writer, values: ReadonlyMap<string, string>): Promise<number> {
  // One character is one byte, so this is the order of the bytes.
  const names = [...values.keys()].sort((a, b) => (a < b ? -1 : 1));
  const nodes: Node[] = [];
  for (let from = 0; from < names.length; from += PER_NODE) {
    const part = names.slice(from, from + PER_NODE);
    const text = part.map((name) => `${latin1Text(name)}${values.get(name)}`).join('');
    const num = writer.allocate();
    if (names.length <= PER_NODE) {
      await writer.object(num, `<</Names[${text}]>>`);
      return num;
    }
    const [first, last] = [latin1Text(part[0] ?? ''), latin1Text(part.at(-1) ?? '')];
    await writer.object(num, `<</Limits[${first}${last}]/Names[${text}]>>`);
    nodes.push({ num, first, last });
  }
  return writeNodes(writer, nodes);
}

/** Writes the nodes above ordered leaves, and returns the number of the root. */
export async function writeNodes(writer: Writer, leaves: readonly Node[]): Promise<number> {
  let level = leaves;
  while (level.length > PER_NODE) {
    const above: Node[] = [];
    for (let i = 0; i < level.length; i += PER_NODE) {
      const part = level.slice(i, i + PER_NODE);
      const [first, last] = [part[0]?.first ?? '', part.at(-1)?.last ?? ''];
      const num = writer.allocate();
      await writer.object(num, `<</Limits[${first} ${last}]/Kids[${kids(part)}]>>`);
      above.push({ num, first, last });
    }
    level = above;
  }
  const root = writer.allocate();
  await writer.object(root, `<</Kids[${kids(level)}]>>`);
  return root;
}

function kids(nodes: readonly Node[]): string {
  return nodes.map(({ num }) => `${num} 0 R`).join(' ');
}
