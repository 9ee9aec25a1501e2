// Owns finding new names where those of several inputs collide. Knows nothing of what is named.
import { latin1 } from '../file/syntax.ts';
import { stringOf } from './trees.ts';

/** Names of a kind in all inputs: the first input that uses one keeps it. */
export class Unique {
  /** All names, also the new ones, each with the first input that has it. */
  private readonly owners = new Map<string, number>();
  private readonly separator: string;

  constructor(separator: string) {
    this.separator = separator;
  }

  /** To be called for every input, in order, before the first `rename`: no new name takes one that a later input has. */
  know(names: Iterable<string>, index: number): void {
    for (const name of names) if (!this.owners.has(name)) this.owners.set(name, index);
  }

  /** New names for those that an earlier input has. */
  rename(names: Iterable<string>, index: number): Map<string, string> {
    const renames = new Map<string, string>();
    for (const name of names) {
      if (this.owners.get(name) === index || renames.has(name)) continue;
      const isTaken = (other: Uint8Array): boolean => this.owners.has(textOf(other));
      const fresh = textOf(freshName(stringOf(name).bytes, this.separator, index, isTaken));
      this.owners.set(fresh, index);
      renames.set(name, fresh);
    }
    return renames;
  }
}

/** A name, as bytes, that is not taken. `index`: the input's place, from 0; it tells the number behind. */
export function freshName(
  name: Uint8Array,
  separator: string,
  index: number,
  isTaken: (name: Uint8Array) => boolean,
): Uint8Array {
  for (let number = index + 1; ; number++) {
    const fresh = suffixed(name, `${separator}${number}`);
    if (!isTaken(fresh)) return fresh;
  }
}

/** Room for a name in the making, of which there may be thousands. */
let room = new Uint8Array(256);

/** A name with ASCII behind it; in UTF-16 where the name is, by its byte order mark. To be used before the next one. */
function suffixed(name: Uint8Array, tail: string): Uint8Array {
  const [first, second] = [name[0], name[1]];
  const wide = (first === 0xfe && second === 0xff) || (first === 0xff && second === 0xfe);
  const step = wide ? 2 : 1;
  const end = name.length + step * tail.length;
  if (end > room.length) room = new Uint8Array(2 * end);
  room.set(name);
  room.fill(0, name.length, end);
  const from = name.length + (wide && first === 0xfe ? 1 : 0);
  for (let i = 0; i < tail.length; i++) room[from + step * i] = tail.charCodeAt(i);
  return room.subarray(0, end);
}

function textOf(name: Uint8Array): string {
  return latin1(name, 0, name.length);
}
