// Owns the new names of an input's names where those of several inputs collide. Knows nothing of what is named.
import type { Value } from '../file/values.ts';
import type { Writer } from '../file/writer.ts';
import type { NameList } from './name-list.ts';
import type { NameTable } from './name-table.ts';
import { freshName } from './unique.ts';

/** New names by the old ones, both by their numbers in a table. */
export class Renames {
  private readonly table: NameTable;
  private readonly fresh = new Map<number, number>();

  constructor(table: NameTable) {
    this.table = table;
  }

  get size(): number {
    return this.fresh.size;
  }

  has(id: number): boolean {
    return this.fresh.has(id);
  }

  set(id: number, fresh: number): void {
    this.fresh.set(id, fresh);
  }

  /** The new name, or the old one where it stays. */
  of(id: number): number {
    return this.fresh.get(id) ?? id;
  }

  /** The new name of the one in [start, end); -1 where it stays. */
  find(buf: Uint8Array, start: number, end: number): number {
    const id = this.table.find(buf, start, end);
    return id < 0 ? -1 : (this.fresh.get(id) ?? -1);
  }

  /** As `find`, one character a byte; undefined where it stays. */
  get(name: string): string | undefined {
    const fresh = this.fresh.get(this.table.findText(name));
    return fresh === undefined ? undefined : this.table.text(fresh);
  }

  /** Writes a name as a string object. */
  write(writer: Writer, id: number): void {
    this.table.write(writer, id);
  }
}

/** New names for those that an earlier input has. `inputs`: the lists of each input, in order; all are of the table. */
export function renameCollisions(
  table: NameTable,
  inputs: readonly (readonly NameList<Value>[])[],
  separator: string,
): Renames[] {
  const FREE = -1;
  const owners = new Int32Array(table.size).fill(FREE);
  for (const [index, lists] of inputs.entries()) {
    for (const list of lists) {
      for (let i = 0; i < list.count; i++) if (owners[list.id(i)] === FREE) owners[list.id(i)] = index;
    }
  }
  // A name that nobody has any more, because it led nowhere, is free; those made here come behind.
  const isTaken = (name: Uint8Array): boolean => {
    const id = table.find(name, 0, name.length);
    return id >= 0 && owners[id] !== FREE;
  };
  return inputs.map((lists, index) => {
    const renames = new Renames(table);
    for (const list of lists) {
      for (let i = 0; i < list.count; i++) {
        const id = list.id(i);
        if (owners[id] === index || renames.has(id)) continue;
        const name = freshName(table.bytesOf(id), separator, index, isTaken);
        const fresh = table.add(name, 0, name.length);
        if (fresh < owners.length) owners[fresh] = index;
        renames.set(id, fresh);
      }
    }
    return renames;
  });
}
