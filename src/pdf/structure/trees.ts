// Owns the nodes of name trees and number trees (ISO 32000-1, 7.9.6 and 7.9.7), and reading numbers. Knows no names.
import type { PdfFile } from '../file/reader.ts';
import { latin1 } from '../file/syntax.ts';
import { PdfString, Ref, type Value } from '../file/values.ts';
import type { Writer } from '../file/writer.ts';
import { checkCount } from './input.ts';

/** Entries of a leaf and kids of a node; a lookup reads a leaf whole. */
export const PER_NODE = 128;

/** A leaf: its keys and values in turn, and its object where it is one. */
export interface Leaf {
  readonly list: readonly Value[];
  readonly ref: Ref | undefined;
}

/**
 * The leaves of a tree in order; nodes met twice are passed over. `array`: /Names or /Nums. `what`: for the limit. `quick`:
 * reads a node in another way and returns its kids, or undefined where it cannot.
 */
export function* leaves(
  file: PdfFile,
  root: Value | undefined,
  array: 'Names' | 'Nums',
  what: string,
  quick?: (num: number) => readonly number[] | undefined,
): Generator<Leaf> {
  const seen = new Set<number>();
  const todo: (Value | undefined)[] = [root];
  let nodes = 0;
  while (todo.length > 0) {
    const item = todo.pop();
    if (item instanceof Ref) {
      if (seen.has(item.num)) continue;
      seen.add(item.num);
      const kids = quick?.(item.num);
      if (kids !== undefined) {
        for (let i = kids.length - 1; i >= 0; i--) todo.push(new Ref(kids[i]!, 0));
        checkCount(file, todo.length, what);
        continue;
      }
    }
    const node = file.dict(item);
    if (node === undefined) continue;
    checkCount(file, ++nodes, what);
    const list = file.resolve(node.get(array));
    if (Array.isArray(list)) yield { list, ref: item instanceof Ref ? item : undefined };
    const kids = file.resolve(node.get('Kids'));
    if (Array.isArray(kids)) for (let i = kids.length - 1; i >= 0; i--) todo.push(kids[i]);
    checkCount(file, todo.length, what);
  }
}

/** Numbers and values, in the order of the tree. Of a number given twice the first one counts. */
export function readNumbers(file: PdfFile, root: Value | undefined, what: string): Map<number, Value> {
  const entries = new Map<number, Value>();
  for (const { list } of leaves(file, root, 'Nums', what)) {
    for (let i = 0; i + 1 < list.length; i += 2) {
      const key = file.resolve(list[i]);
      if (typeof key === 'number' && !entries.has(key)) entries.set(key, list[i + 1]!);
    }
    checkCount(file, entries.size, what);
  }
  return entries;
}

/** The bytes of a string as characters, one to one: a key for maps. */
export function nameOf(value: PdfString): string {
  return latin1(value.bytes, 0, value.bytes.length);
}

export function stringOf(name: string): PdfString {
  return new PdfString(Buffer.from(name, 'latin1'));
}

/** A node in the output and its first and last key, as text. */
export interface Node {
  readonly num: number;
  readonly first: string;
  readonly last: string;
}

/** Writes what stands above leaves that are in order, and returns the number of the root. */
export async function writeNodes(writer: Writer, leaves: readonly Node[]): Promise<number> {
  let level = leaves;
  while (level.length > PER_NODE) {
    const above: Node[] = [];
    for (let i = 0; i < level.length; i += PER_NODE) {
      const part = level.slice(i, i + PER_NODE);
      const { first } = part[0]!;
      const { last } = part.at(-1)!;
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
